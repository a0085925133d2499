//! Follows a request on the host while its dialog is open: drafts of other screens, the deadline,
//! the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use askwell::inbox::wire::{Delivery, Event, EventStream, RequestId, UnixMillis};
use askwell_tui::Control;

use super::sink::SharedDraft;
use crate::hosts;

/// How soon it is noticed that the dialog is gone.
const TICK: Duration = Duration::from_millis(200);

/// Follows until it is dropped.
pub struct Follower {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// Follows this request. `events` began before its draft was read.
    pub fn start(
        events: Box<dyn EventStream>,
        id: RequestId,
        draft: SharedDraft,
        control: Control,
    ) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let follow = move || follow(events, id, &draft, &control, &stopped);
        // Without a thread the dialog works, and hears of the end when it submits.
        let thread = thread::Builder::new().name("follow".into()).spawn(follow).ok();
        Self { stop, thread }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn follow(
    mut events: Box<dyn EventStream>,
    id: RequestId,
    draft: &SharedDraft,
    control: &Control,
    stop: &AtomicBool,
) {
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
            Some(Delivery::Event(Event::Changed { deadline_at, .. })) => {
                control.send(askwell_tui::Event::Deadline(deadline_at.map(time_left)));
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
    }
}

/// The time until then.
pub fn time_left(deadline: UnixMillis) -> Duration {
    Duration::from_millis(u64::try_from(deadline - hosts::now()).unwrap_or(0))
}
