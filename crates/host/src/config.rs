//! The times of a host.

use std::time::Duration;

use askwell_core::limits;
use askwell_core::wire::Answering;

/// What may be set of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How long an attached asker may be silent before it is away.
    pub lease: Duration,
    /// How long the request of an asker that is away waits before it is withdrawn.
    pub grace: Duration,
    /// How long after the last edit of its draft such a request is left alone.
    pub draft_rest: Duration,
    /// By how much a person puts a deadline off.
    pub extension: Duration,
    /// The least time between two notices by one channel: what comes meanwhile is in the next.
    pub notices_apart: Duration,
    /// Who looks after the time.
    pub timers: Timers,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            grace: Duration::from_secs(24 * 3_600),
            draft_rest: Answering::LASTS,
            extension: Duration::from_secs(limits::EXTENSION),
            notices_apart: Duration::from_secs(10),
            timers: Timers::Background,
        }
    }
}

/// Who looks after the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Timers {
    /// A task of the host.
    #[default]
    Background,
    /// Whoever calls [`crate::Host::run_due`].
    Manual,
}
