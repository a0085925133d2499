//! What may be set of the server.

use askwell_core::limits;

use crate::Clients;

/// What may be set of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How long calls wait.
    pub clients: Clients,
    /// The shortest time, in seconds, that a question of a model is left to the person. A shorter one
    /// is raised to it.
    pub min_expiry: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { clients: Clients::default(), min_expiry: limits::MIN_EXPIRY }
    }
}
