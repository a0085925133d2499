//! How a request ended, for a program that is to go on then.

use askwell_core::State;
use askwell_core::text::sanitize_line;
use askwell_core::wire::{RequestId, RequestSummary, UnixMillis};
use serde_json::json;

use crate::Message;

/// The end of a request. It carries no answer: who made the request fetches it, by which the receipt
/// knows that it was picked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Which request.
    pub id: RequestId,
    /// How it ended.
    pub state: State,
    /// When.
    pub ended_at: UnixMillis,
    /// Its page.
    pub link: Option<String>,
    /// Whether its asker was there to hear of it by itself.
    pub attended: bool,
    credential: String,
    name: Option<String>,
    session: Option<String>,
    cwd: Option<String>,
}

impl Ending {
    /// Of this request.
    pub fn of(
        request: &RequestSummary,
        state: State,
        ended_at: UnixMillis,
        link: Option<String>,
        attended: bool,
    ) -> Self {
        let asker = request.asker.as_ref();
        let plain = |text: &Option<String>| Some(sanitize_line(text.as_deref()?).into_owned());
        Self {
            id: request.id,
            state,
            ended_at,
            link,
            attended,
            credential: sanitize_line(&request.credential).into_owned(),
            name: asker.and_then(|asker| plain(&asker.name)),
            session: asker.and_then(|asker| plain(&asker.session)),
            cwd: asker.and_then(|asker| plain(&asker.cwd)),
        }
    }

    /// It as a message. Programs read it, so that its words are the contract's.
    pub fn message(&self) -> Message {
        let (id, state) = (self.id.to_string(), self.state.as_str());
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        let document = json!({
            "type": "outcome",
            "id": id,
            "state": state,
            "endedAt": self.ended_at,
            "attended": self.attended,
            "link": self.link,
            "asker": {
                "credential": self.credential,
                "name": self.name,
                "session": self.session,
                "cwd": self.cwd,
            },
        });
        Message {
            title: format!("{id} {state}"),
            lines: Vec::new(),
            link: self.link.clone(),
            document,
            variables: vec![
                ("ASKWELL_OUTCOME_ID", id),
                ("ASKWELL_OUTCOME_STATE", state.to_owned()),
                ("ASKWELL_OUTCOME_ATTENDED", self.attended.to_string()),
                ("ASKWELL_OUTCOME_LINK", or_empty(&self.link)),
                ("ASKWELL_OUTCOME_CREDENTIAL", self.credential.clone()),
                ("ASKWELL_OUTCOME_ASKER", or_empty(&self.name)),
                ("ASKWELL_OUTCOME_SESSION", or_empty(&self.session)),
                ("ASKWELL_OUTCOME_CWD", or_empty(&self.cwd)),
            ],
        }
    }
}
