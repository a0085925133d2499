//! When a draft is saved: half a second after the first edit that is not on disk, so that it is
//! there within the promised second.

use std::time::Duration;

const DELAY: Duration = Duration::from_millis(500);

/// What the person is told about the draft.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum SaveState {
    #[default]
    Untouched,
    Unsaved,
    Saved,
    Failed(String),
}

#[derive(Debug, Default)]
pub(crate) struct Saving {
    /// The first edit that no save has taken along.
    since: Option<Duration>,
    state: SaveState,
}

impl Saving {
    pub(crate) fn edited(&mut self, now: Duration) {
        self.since.get_or_insert(now);
        self.state = SaveState::Unsaved;
    }

    pub(crate) fn begin(&mut self) {
        self.since = None;
    }

    pub(crate) fn saved(&mut self, result: Result<(), String>) {
        self.state = match result {
            Err(reason) => SaveState::Failed(reason),
            Ok(()) if self.since.is_some() => SaveState::Unsaved,
            Ok(()) => SaveState::Saved,
        };
    }

    pub(crate) fn is_unsaved(&self) -> bool {
        self.since.is_some()
    }

    pub(crate) fn due(&self) -> Option<Duration> {
        self.since.map(|since| since + DELAY)
    }

    pub(crate) fn is_due(&self, now: Duration) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    pub(crate) fn state(&self) -> &SaveState {
        &self.state
    }
}
