//! A request as the host shows it: how it stands, how it ended and who was there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answering, RequestId, UnixMillis};
use crate::answer;
use crate::outcome::{Outcome, State};
use crate::request::{Request, ValidRequest};

/// What collected a response from a person, as a receipt names it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ProviderName {
    /// The dialog in a terminal.
    Terminal,
    /// The page in a browser.
    Web,
    /// A form that an MCP client shows.
    Elicitation,
    /// Recorded answers.
    Rule,
    /// A program, by the HTTP API or from a file.
    #[default]
    Api,
}

impl ProviderName {
    /// Every provider.
    pub const ALL: [Self; 5] =
        [Self::Terminal, Self::Web, Self::Elicitation, Self::Rule, Self::Api];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Web => "web",
            Self::Elicitation => "elicitation",
            Self::Rule => "rule",
            Self::Api => "api",
        }
    }

    /// The provider of this word.
    pub fn from_wire(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == word)
    }
}

/// The record of an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Receipt {
    /// When the request ended.
    pub at: UnixMillis,
    /// What collected the person's response; absent where no person ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderName>,
    /// The person, or the name of the credential that withdrew it; absent where its time ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When the outcome was first delivered to the asker that waited for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picked_up_at: Option<UnixMillis>,
}

/// A response that came after the end. It changed nothing, and its text is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LateText {
    /// When it came.
    pub at: UnixMillis,
    /// What collected it.
    pub provider: ProviderName,
    /// The person.
    pub by: String,
    /// As it was sent: `{"answers":[…]}`, or `{"comment":…}` of a cancel.
    pub response: Value,
}

/// A whole request and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestView {
    /// Its id.
    pub id: RequestId,
    /// How it stands.
    pub state: State,
    /// What was asked.
    pub request: Request,
    /// The verified name of the asker's credential. What the asker says of itself is in
    /// `request.asker`.
    pub credential: String,
    /// When it was accepted.
    pub created_at: UnixMillis,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<UnixMillis>,
    /// Since when its asker is away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away_since: Option<UnixMillis>,
    /// Whether its asker stays (or is away), rather than having only posted it.
    pub attached: bool,
    /// How many event streams of answerers are open.
    pub watching: u32,
    /// Who else edited a draft of it in the last ten minutes, while it is pending. For answerers
    /// only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answering: Vec<Answering>,
    /// Its page, where one is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The record of its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// The outcome as the asker gets it: `{"answers":[…]}`, or `{"state":…,"message":…}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Value>,
    /// Responses that came too late. For answerers only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<LateText>,
}

impl RequestView {
    /// The seconds from its acceptance to its deadline, with all that a person has put it off.
    pub fn lifetime(&self) -> Option<u64> {
        let time = self.deadline_at?.saturating_sub(self.created_at);
        Some(time.unsigned_abs() / 1_000)
    }

    /// The outcome as a type, once the request has ended. `request` is what was asked.
    /// `None` also where the document is not one of this request.
    pub fn typed_outcome(&self, request: &ValidRequest) -> Option<Outcome> {
        let document = self.outcome.as_ref()?;
        let text = |name| document.get(name).and_then(Value::as_str).map(str::to_owned);
        match self.state {
            State::Pending => None,
            State::Answered => answer::validate_json(request, document).ok().map(Outcome::Answered),
            State::Cancelled => Some(Outcome::Cancelled { comment: text("comment") }),
            State::Aborted => Some(Outcome::Aborted { reason: text("reason").unwrap_or_default() }),
            State::Expired => Some(Outcome::Expired),
        }
    }
}

/// A person's answer on its way to the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// One item for each question; `{"id":…,"selected":[…],"custom":…}`. Checked by the host, which
    /// keeps it as it was sent where it comes too late.
    pub answers: Value,
    /// What collected it.
    #[serde(default)]
    pub provider: ProviderName,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, project};

    #[test]
    fn an_outcome_comes_back_from_its_document() {
        let request = Request::new([Question::new("name", "Project name?")]).validate().unwrap();
        let answers =
            serde_json::json!({"answers": [{"id": "name", "selected": [], "custom": "x"}]});
        let answers = answer::validate_json(&request, &answers).unwrap();
        let comment = Some("explain first".to_owned());

        for outcome in [
            Outcome::Answered(answers),
            Outcome::Cancelled { comment },
            Outcome::Cancelled { comment: None },
            Outcome::Aborted { reason: "a test".to_owned() },
            Outcome::Expired,
        ] {
            let view = RequestView {
                id: RequestId::mint(0, [0; 10]),
                state: outcome.state(),
                request: request.clone().into_inner(),
                credential: "local".to_owned(),
                created_at: 0,
                deadline_at: None,
                away_since: None,
                attached: false,
                watching: 0,
                answering: Vec::new(),
                url: None,
                receipt: None,
                outcome: Some(project::document(&outcome, None)),
                late: Vec::new(),
            };
            let json = serde_json::to_string(&view).unwrap();
            let read: RequestView = serde_json::from_str(&json).unwrap();

            assert_eq!(read, view);
            assert_eq!(read.typed_outcome(&request), Some(outcome));
        }
    }
}
