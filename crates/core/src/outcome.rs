//! How a request stands or ended. The same five words everywhere.

use serde::{Deserialize, Serialize};

use crate::answer::Answers;

/// `pending`, or how a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for a person.
    Pending,
    /// A person answered.
    Answered,
    /// A person put the whole request aside.
    Cancelled,
    /// The asker withdrew it, or stayed away.
    Aborted,
    /// Its time ran out.
    Expired,
}

impl State {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered => "answered",
            Self::Cancelled => "cancelled",
            Self::Aborted => "aborted",
            Self::Expired => "expired",
        }
    }
}

/// How a request ended. Four different things, everywhere; none is ever invented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A person answered every question.
    Answered(Answers),
    /// A person put the whole request aside.
    Cancelled {
        /// Why, in the person's words.
        comment: Option<String>,
    },
    /// The asker withdrew the request.
    Aborted {
        /// Why, such as `a signal (SIGTERM)`.
        reason: String,
    },
    /// Its time ran out.
    Expired,
}

impl Outcome {
    /// The state of a request that ended so.
    pub fn state(&self) -> State {
        match self {
            Self::Answered(_) => State::Answered,
            Self::Cancelled { .. } => State::Cancelled,
            Self::Aborted { .. } => State::Aborted,
            Self::Expired => State::Expired,
        }
    }
}
