//! The time until the request expires: how it counts down, the warning before it ends, and putting
//! it off.
//!
//! Invariant: of a request of a host, the host alone says when it ends; here it is only shown.

use std::time::Duration;

use askwell_core::limits;
use askwell_core::text::sanitize_line;

use super::{Dialog, Effect, Phase, Status};

/// So much before the end it is said that it is near.
pub(crate) const SOON: Duration = Duration::from_secs(60);
/// That is said for so long.
const WARNING: Duration = Duration::from_secs(10);
/// Repeats of a held key come faster than this.
const HELD: Duration = Duration::from_millis(500);
/// A deadline that is told anew is no other one within this.
const SAME: Duration = Duration::from_secs(5);

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
/// Up to here the time left is counted by seconds, then by minutes, then by hours.
const BY_SECONDS: u64 = 10 * MINUTE;
const BY_MINUTES: u64 = 48 * HOUR;

/// What is known of the deadline beside its time.
#[derive(Debug, Default)]
pub(super) struct Countdown {
    /// When it was said that the end is near.
    warned: Option<Duration>,
    /// When the key was seen last.
    pressed: Option<Duration>,
    /// The host is asked to put it off.
    asking: bool,
    /// How much it was put off here.
    put_off: Duration,
}

impl Dialog {
    /// The time until the request expires.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.options.deadline.map(|end| end.saturating_sub(self.now))
    }

    /// Whether it is to be said now that the end is near.
    pub(crate) fn warns_of_deadline(&self) -> bool {
        let warned = self.countdown.warned.filter(|_| self.phase == Phase::Open);
        warned.is_some_and(|at| self.now < at + WARNING)
    }

    /// How much the deadline was put off without a host.
    pub fn put_off(&self) -> Duration {
        self.countdown.put_off
    }

    /// When what is shown of the time left changes next.
    pub(super) fn next_count(&self) -> Option<Duration> {
        let left = self.time_left().filter(|left| !left.is_zero() && self.phase == Phase::Open)?;
        let step = step(left);
        let passed = Duration::from_nanos(u64::try_from(left.as_nanos() % step.as_nanos()).ok()?);
        let until = if passed.is_zero() { step } else { passed };
        Some(self.now + until + Duration::from_millis(1))
    }

    /// Time went on, or the deadline is another one.
    pub(super) fn count_down(&mut self) {
        match self.time_left() {
            Some(left) if left <= SOON => {
                if self.countdown.warned.is_none() {
                    self.countdown.warned = Some(self.now);
                    // It stands where that would be told.
                    self.status = None;
                }
            }
            _ => self.countdown.warned = None,
        }
    }

    /// The host tells the deadline.
    pub(super) fn deadline_told(&mut self, left: Option<Duration>) {
        let before = self.options.deadline;
        self.options.deadline = left.and_then(|left| self.now.checked_add(left));
        let later = match (before, self.options.deadline) {
            (Some(before), Some(now)) => now > before + SAME,
            (before, now) => before.is_some() && now.is_none(),
        };
        let refused = matches!(self.status, Some(Status::Error(_)));
        if later && !refused && !self.countdown.asking {
            self.note("deadline-elsewhere");
        }
    }

    /// Puts the deadline off by ten minutes.
    pub(crate) fn extend(&mut self, effects: &mut Vec<Effect>) {
        let last = self.countdown.pressed.replace(self.now);
        if last.is_some_and(|last| self.now < last + HELD) || self.countdown.asking {
            return;
        }
        let Some(end) = self.options.deadline else { return self.note("deadline-none") };
        if self.options.stays_pending {
            self.countdown.asking = true;
            effects.push(Effect::Extend);
            return;
        }
        let by = Duration::from_secs(limits::EXTENSION);
        self.options.deadline = end.checked_add(by);
        self.countdown.put_off += by;
        self.note("page-extended");
    }

    /// The host has put it off, or why it did not.
    pub(super) fn extended(&mut self, result: Result<(), String>) {
        self.countdown.asking = false;
        match result {
            Ok(()) => self.note("page-extended"),
            Err(reason) => {
                let reason = sanitize_line(&reason).into_owned().into();
                let text = self.messages.with("deadline-kept", [("reason", reason)]);
                self.status = Some(Status::Error(text));
            }
        }
    }
}

/// By how much the time left is counted: it is shown rounded up to a whole one.
pub(crate) fn step(left: Duration) -> Duration {
    let nanos = u64::from(left.subsec_nanos() > 0);
    Duration::from_secs(match left.as_secs() + nanos {
        0..=BY_SECONDS => 1,
        left if left <= BY_MINUTES => MINUTE,
        _ => HOUR,
    })
}
