//! When a draft is saved: half a second after the first edit that is not on disk, so that it is
//! there within the promised second. One that failed is tried again until it succeeds.

use std::time::Duration;

use askwell_core::text::sanitize_line;

use super::Dialog;

const DELAY: Duration = Duration::from_millis(500);
/// A save that failed is tried again after this time, then more slowly.
const FIRST_RETRY: Duration = Duration::from_millis(200);
const SLOWEST_RETRY: Duration = Duration::from_secs(1);

/// What the person is told about the draft.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum SaveState {
    #[default]
    Untouched,
    Unsaved,
    Saved,
    Failed(String),
}

#[derive(Debug)]
pub(crate) struct Saving {
    /// The first edit that no save has taken along.
    since: Option<Duration>,
    state: SaveState,
    /// When the one that failed is tried again.
    retry: Option<Duration>,
    pause: Duration,
}

impl Default for Saving {
    fn default() -> Self {
        let (since, retry, state) = (None, None, SaveState::default());
        Self { since, state, retry, pause: FIRST_RETRY }
    }
}

impl Saving {
    pub(crate) fn edited(&mut self, now: Duration) {
        self.since.get_or_insert(now);
        // Why it could not be saved is told until it is.
        if !matches!(self.state, SaveState::Failed(_)) {
            self.state = SaveState::Unsaved;
        }
    }

    pub(crate) fn begin(&mut self) {
        (self.since, self.retry) = (None, None);
    }

    pub(crate) fn saved(&mut self, result: Result<(), String>, now: Duration) {
        if result.is_err() {
            self.retry = Some(now + self.pause);
            self.pause = (self.pause * 2).min(SLOWEST_RETRY);
        } else {
            (self.retry, self.pause) = (None, FIRST_RETRY);
        }
        self.state = match result {
            Err(reason) => SaveState::Failed(reason),
            Ok(()) if self.since.is_some() => SaveState::Unsaved,
            Ok(()) => SaveState::Saved,
        };
    }

    /// Whether something is to be handed over to be saved.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.since.is_some() || self.retry.is_some()
    }

    /// Whether everything that was entered is known to be saved.
    pub(crate) fn is_all_saved(&self) -> bool {
        self.since.is_none() && matches!(self.state, SaveState::Untouched | SaveState::Saved)
    }

    pub(crate) fn due(&self) -> Option<Duration> {
        let edited = self.since.map(|since| since + DELAY);
        [edited, self.retry].into_iter().flatten().min()
    }

    pub(crate) fn is_due(&self, now: Duration) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    pub(crate) fn state(&self) -> &SaveState {
        &self.state
    }
}

impl Dialog {
    /// Why what was entered could not be saved, in words.
    pub(crate) fn not_saved(&self) -> Option<String> {
        let SaveState::Failed(reason) = self.saving.state() else { return None };
        let reason = sanitize_line(reason).into_owned();
        Some(self.messages.with("draft-unsaved", [("reason", reason.into())]))
    }
}
