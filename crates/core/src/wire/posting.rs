//! Posting a request: how the asker will wait, which key makes a repeated post the same request,
//! and what the host says at once.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use sha2::{Digest as _, Sha256};

use super::RequestId;
use crate::fault::{BadRequest, Fault, Rule};
use crate::outcome::State;
use crate::request::ValidRequest;
use crate::text::is_blank;

/// How a request is posted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Posting {
    /// Whether the asker stays: it holds a wait, or polls within each lease of 30 seconds.
    /// Otherwise it has only posted the request, which then waits for as long as it may.
    pub attach: bool,
    /// What makes a second post of the same questions the same request.
    pub key: Option<IdempotencyKey>,
}

impl Posting {
    /// Posted by an asker that stays.
    pub fn attached() -> Self {
        Self { attach: true, key: None }
    }

    /// Posted by an asker that leaves.
    pub fn detached() -> Self {
        Self::default()
    }

    /// The same with a key.
    #[must_use]
    pub fn with_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self
    }
}

/// A key that belongs to one credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    text: String,
    derived: bool,
}

impl IdempotencyKey {
    /// The most bytes of a key.
    pub const MAX: usize = 1024;

    /// A key that the asker chose: the same key is the same request, and its outcome.
    ///
    /// # Errors
    /// [`BadRequest`] where it is blank or longer than [`Self::MAX`] bytes.
    pub fn explicit(text: impl Into<String>) -> Result<Self, BadRequest> {
        Self::checked("Idempotency-Key", text.into(), false)
    }

    /// A key that a consumer made of session and questions: it joins only a request whose earlier
    /// waiter is gone.
    ///
    /// # Errors
    /// [`BadRequest`] where it is blank or longer than [`Self::MAX`] bytes.
    pub fn derived(text: impl Into<String>) -> Result<Self, BadRequest> {
        Self::checked("Askwell-Derived-Key", text.into(), true)
    }

    /// The key of the same questions in the same session, as consumers derive it.
    pub fn of_session(session: &str, request: &ValidRequest) -> Self {
        let mut hash = Sha256::new();
        hash.update((session.len() as u64).to_le_bytes());
        hash.update(session.as_bytes());
        // Neither a value nor a vector of bytes can fail.
        hash.update(serde_json::to_vec(&request.questions).unwrap_or_default());
        let text = hash.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        Self { text, derived: true }
    }

    fn checked(header: &str, text: String, derived: bool) -> Result<Self, BadRequest> {
        let rule = if is_blank(&text) {
            Rule::Missing { expected: "a key that is not blank" }
        } else if text.len() > Self::MAX {
            Rule::TooLong { max: Self::MAX, actual: text.len() }
        } else {
            return Ok(Self { text, derived });
        };
        Err(BadRequest::new(vec![Fault::at(header, rule)]))
    }

    /// The key itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a consumer made it, not the asker.
    pub fn is_derived(&self) -> bool {
        self.derived
    }
}

/// What the host says to a posted request at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Asked {
    /// The id under which it can be awaited, by this process or a later one.
    pub id: RequestId,
    /// `pending`; otherwise it was joined by its key and had ended.
    pub state: State,
    /// The page where a person can answer it, without any credential; absent where none is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How many event streams of answerers are open right now.
    pub watching: u32,
    /// Whether this is an earlier request, found by its key.
    pub joined: bool,
    /// What the asker should know, such as an expiry that was raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How an asker stops waiting without withdrawing the request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Leaving {
    /// It was told `pending` and will come back, or not: the request waits for as long as it may.
    #[default]
    Told,
    /// Its call was cut, such as by a client's own time limit: it is away as from now.
    Cut,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, Request};

    #[test]
    fn a_derived_key_is_of_the_session_and_the_questions_alone() {
        let request = |question: &str| Request::new([Question::new("q", question)]);
        let key = |session: &str, request: Request| {
            let key = IdempotencyKey::of_session(session, &request.validate().unwrap());
            assert!(key.is_derived());
            key.as_str().to_owned()
        };
        let mut told = request("Go on?");
        told.context = Some("More of it".to_owned());
        told.expires_in_seconds = Some(60);

        assert_eq!(key("s", request("Go on?")), key("s", told));
        assert_ne!(key("s", request("Go on?")), key("s", request("Go on")));
        assert_ne!(key("s", request("Go on?")), key("t", request("Go on?")));
    }

    #[test]
    fn a_key_out_of_bounds_is_told_with_its_bound() {
        assert!(IdempotencyKey::explicit("k".repeat(1024)).is_ok());
        let long = IdempotencyKey::derived("k".repeat(1025)).unwrap_err();
        let blank = IdempotencyKey::explicit(" \t").unwrap_err();

        let expected =
            "LIMIT_EXCEEDED: Askwell-Derived-Key is 1025 bytes long (at most 1024 bytes)";
        assert_eq!(long.to_string(), expected);
        let expected = "BAD_REQUEST: Idempotency-Key is missing (expected a key that is not blank)";
        assert_eq!(blank.to_string(), expected);
    }
}
