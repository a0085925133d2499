//! Follows a request on the host while its dialog is open: drafts of other screens, who else is
//! answering, the deadline, the end.
//!
//! Nothing wakes it but what happens: it ends with its events, or with the program.

use std::thread;
use std::time::{Duration, Instant};

use askwell::inbox::wire::{Answering, Delivery, Event, EventStream, RequestId, UnixMillis};

use super::sink::SharedDraft;

/// As long as nothing happens.
const LONG: Duration = Duration::from_hours(24);

/// Follows this request on a thread of its own. `events` began before its draft was read.
pub fn start(mut events: Box<dyn EventStream>, id: RequestId, draft: SharedDraft) {
    let again = draft.clone();
    events.on_connection(Box::new(move |reached| {
        again.tell_reached(reached);
        // A connection that was lost may have swallowed what has no place in the log.
        if reached {
            again.look_anew();
        }
    }));
    let follow = move || follow(events, id, &draft);
    // Without a thread the dialog works, and hears of the end when it submits.
    let _ = thread::Builder::new().name("follow".into()).spawn(follow);
}

fn follow(mut events: Box<dyn EventStream>, id: RequestId, draft: &SharedDraft) {
    loop {
        match events.next(LONG) {
            Err(_) => return,
            Ok(None) => {}
            Ok(Some(Delivery::Resync(_))) => draft.look_anew(),
            Ok(Some(Delivery::Event(event))) if event.request() != Some(id) => {}
            Ok(Some(Delivery::Event(event))) => match event {
                Event::Resolved { .. } => draft.look_whether_ended(),
                Event::Changed { deadline_at, answering, .. } => {
                    draft.tell_deadline(deadline_at);
                    answering.iter().for_each(|other| draft.tell_answering(other));
                }
                Event::Draft { .. } => {
                    let _ = draft.look();
                }
                Event::Requested { .. } => {}
            },
        }
        if draft.has_ended() {
            // Who only reads how it ended watches the inbox no more.
            return;
        }
    }
}

/// The host's clock, as far as it can be known here. This machine's own may be wrong, and may be set
/// while the dialog is open.
#[derive(Debug, Clone, Copy)]
pub struct HostClock {
    told: UnixMillis,
    at: Instant,
}

impl HostClock {
    /// The host has just told that it is now this.
    pub fn at(told: UnixMillis) -> Self {
        Self { told, at: Instant::now() }
    }

    /// Now, as the host would say.
    pub fn now(&self) -> UnixMillis {
        let since = UnixMillis::try_from(self.at.elapsed().as_millis()).unwrap_or(UnixMillis::MAX);
        self.told.saturating_add(since)
    }

    /// Who else is answering, and for how long they count as doing so.
    pub fn answering(&self, other: &Answering) -> (String, Duration) {
        (other.person.clone(), self.time_left(other.ends_at()))
    }

    /// The time until then.
    pub fn time_left(&self, deadline: UnixMillis) -> Duration {
        Duration::from_millis(u64::try_from(deadline - self.now()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_by_the_clock_of_the_host() {
        let long_ago = 1_000;

        let left = HostClock::at(long_ago).time_left(long_ago + 600_000);

        assert!(left > Duration::from_secs(590) && left <= Duration::from_secs(600), "{left:?}");
    }
}
