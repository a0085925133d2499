//! Keeps keys that were typed for something else from answering: they count after 300 ms of
//! silence since the dialog came up, at the latest after 3 s. The same again before a prompt that
//! appears by itself.

use std::time::Duration;

const SILENCE: Duration = Duration::from_millis(300);
const LATEST: Duration = Duration::from_secs(3);
/// A held Esc repeats faster than this.
const ESC_REPEAT: Duration = Duration::from_millis(300);

/// Whether keys count yet.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    state: State,
    last_esc: Option<Duration>,
}

#[derive(Debug, Default, PartialEq)]
enum State {
    /// Nothing was drawn yet.
    #[default]
    Undrawn,
    Closed {
        since: Duration,
        last_key: Duration,
    },
    Open,
}

impl Guard {
    /// The dialog, or a prompt that appears by itself, is on the screen.
    pub(crate) fn drawn(&mut self, now: Duration) {
        if self.state == State::Undrawn {
            self.state = State::Closed { since: now, last_key: now };
        }
    }

    /// Closes again, until what comes up by itself has been drawn and the keys are silent.
    pub(crate) fn rearm(&mut self) {
        self.state = State::Undrawn;
    }

    /// Whether a key that arrives now counts.
    pub(crate) fn admits(&mut self, now: Duration) -> bool {
        match &mut self.state {
            State::Undrawn => return false,
            State::Closed { since, last_key } => {
                if now < *last_key + SILENCE && now < *since + LATEST {
                    *last_key = now;
                    return false;
                }
            }
            State::Open => return true,
        }
        self.state = State::Open;
        true
    }

    /// Whether an Esc that arrives now is a step of its own, not the repeat of a held key.
    pub(crate) fn admits_esc(&mut self, now: Duration) -> bool {
        let last = self.last_esc.replace(now);
        last.is_none_or(|last| now >= last + ESC_REPEAT)
    }

    /// Opens where the silence has lasted, so that the hint can go.
    pub(crate) fn tick(&mut self, now: Duration) {
        if self.opens_at().is_some_and(|at| now >= at) {
            self.state = State::Open;
        }
    }

    /// When keys begin to count, if none comes before.
    pub(crate) fn opens_at(&self) -> Option<Duration> {
        match self.state {
            State::Closed { since, last_key } => Some((last_key + SILENCE).min(since + LATEST)),
            State::Undrawn | State::Open => None,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn b031_keys_count_after_a_silence_and_at_the_latest_after_three_seconds() {
        let mut guard = Guard::default();
        assert!(!guard.admits(ms(0)), "before the first draw");
        guard.drawn(ms(100));
        assert!(!guard.admits(ms(350)));
        assert!(!guard.admits(ms(600)), "the key before was no 300 ms ago");
        assert!(guard.admits(ms(900)));

        let mut pressed = Guard::default();
        pressed.drawn(ms(0));
        let admitted = (0..40).map(|key| key * 100).find(|at| pressed.admits(ms(*at)));
        assert_eq!(admitted, Some(3000));
    }

    #[test]
    fn b029_a_held_esc_is_one_step() {
        let mut guard = Guard::default();
        let steps = (0..11).filter(|press| guard.admits_esc(ms(press * 30))).count();
        assert_eq!(steps, 1);
        assert!(guard.admits_esc(ms(300 + 300)));
    }
}
