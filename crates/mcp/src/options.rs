//! What may be set of the server.

use std::str::FromStr;

use askwell_core::limits;
use askwell_core::messages::Lang;

use crate::{Clients, Key};

/// What may be set of the server.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long calls wait.
    pub clients: Clients,
    /// The shortest time, in seconds, that a question of a model is left to the person. A shorter one
    /// is raised to it.
    pub min_expiry: u64,
    /// Where questions are shown.
    pub provider: Provider,
    /// The language of our own words in forms.
    pub lang: Lang,
    /// Seals what clients carry between the rounds of a call.
    pub key: Key,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clients: Clients::default(),
            min_expiry: limits::MIN_EXPIRY,
            provider: Provider::default(),
            lang: Lang::default(),
            key: Key::default(),
        }
    }
}

/// Where the questions of an agent are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Provider {
    /// In the client's own form and in the inbox, where the client has forms; else in the inbox. The
    /// first answer wins.
    #[default]
    Auto,
    /// In the inbox.
    Inbox,
    /// In the client's own form, without any host.
    Elicitation,
}

/// What names no provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadProvider;

impl FromStr for Provider {
    type Err = BadProvider;

    fn from_str(text: &str) -> Result<Self, BadProvider> {
        match text {
            "auto" => Ok(Self::Auto),
            "inbox" => Ok(Self::Inbox),
            "elicitation" => Ok(Self::Elicitation),
            _ => Err(BadProvider),
        }
    }
}
