//! Follows a request on the host while its dialog is open: drafts of other screens, the deadline,
//! the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use askwell::inbox::wire::{Answering, Delivery, Event, EventStream, RequestId, UnixMillis};

use super::sink::SharedDraft;

/// How soon it is noticed that the dialog is gone.
const TICK: Duration = Duration::from_millis(200);

/// Follows until it is dropped.
pub struct Follower {
    stop: Arc<AtomicBool>,
}

impl Follower {
    /// Follows this request. `events` began before its draft was read.
    pub fn start(events: Box<dyn EventStream>, id: RequestId, draft: SharedDraft) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let follow = move || follow(events, id, &draft, &stopped);
        // Without a thread the dialog works, and hears of the end when it submits.
        let _ = thread::Builder::new().name("follow".into()).spawn(follow);
        Self { stop }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        // Not waited for: it may be asking a host that does not answer.
        self.stop.store(true, Ordering::SeqCst);
    }
}

fn follow(mut events: Box<dyn EventStream>, id: RequestId, draft: &SharedDraft, stop: &AtomicBool) {
    let mut quiet = 0;
    while !stop.load(Ordering::SeqCst) {
        let Ok(delivery) = events.next(TICK) else { return };
        let concerns = match &delivery {
            Some(Delivery::Event(event)) => event.request() == Some(id),
            Some(Delivery::Resync(_)) => true,
            None => {
                // A connection that was lost meanwhile may have swallowed what has no place in
                // the log.
                quiet += 1;
                quiet % 25 == 0
            }
        };
        if !concerns {
            continue;
        }
        match delivery {
            Some(Delivery::Event(Event::Resolved { .. })) => draft.look_whether_ended(),
            Some(Delivery::Event(Event::Changed { deadline_at, answering, .. })) => {
                draft.tell_deadline(deadline_at);
                answering.iter().for_each(|other| draft.tell_answering(other));
            }
            Some(Delivery::Event(Event::Draft { .. })) => {
                let _ = draft.look();
            }
            Some(Delivery::Event(Event::Requested { .. })) => {}
            Some(Delivery::Resync(_)) | None => {
                let _ = draft.look();
                draft.look_whether_ended();
            }
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
