//! Requests in a list: small enough that ten thousand of them are read at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answering, EventId, Receipt, RequestId, UnixMillis};
use crate::outcome::State;
use crate::request::{Asker, PLAN_REVIEW, ValidRequest};
use crate::text::next_cluster;

/// A request in a list. Its texts are cut; the whole is one `get` away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestSummary {
    /// Its id.
    pub id: RequestId,
    /// How it stands.
    pub state: State,
    /// The first question's header, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The first question's text, cut.
    pub question: String,
    /// How many questions there are.
    pub questions: u32,
    /// The kind of the intent by which it is shown; absent for ordinary questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The verified name of the asker's credential.
    pub credential: String,
    /// What the asker says of itself, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
    /// When it was accepted.
    pub created_at: UnixMillis,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<UnixMillis>,
    /// Whether its asker stays (or is away), rather than having only posted it.
    #[serde(default)]
    pub attached: bool,
    /// Since when its asker is away. Such a request stands lower in the inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away_since: Option<UnixMillis>,
    /// When the reading person last edited a draft of it. Never told to askers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_edited_at: Option<UnixMillis>,
    /// Who else edited a draft of it in the last ten minutes. Never told to askers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answering: Vec<Answering>,
    /// The record of its outcome, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

impl RequestSummary {
    /// The most bytes of a text in a summary, ellipsis included.
    pub const TEXT: usize = 240;
    /// The most names of a chain of sub-agents in a summary, the innermost.
    pub const CHAIN: usize = 8;

    /// The summary of a request that was just accepted.
    pub fn of(
        request: &ValidRequest,
        id: RequestId,
        credential: &str,
        created_at: UnixMillis,
        deadline_at: Option<UnixMillis>,
        attached: bool,
    ) -> Self {
        let first = request.questions.first();
        Self {
            id,
            state: State::Pending,
            header: first.and_then(|question| question.header.as_deref()).map(cut),
            question: first.map(|question| cut(&question.question)).unwrap_or_default(),
            questions: request.questions.len() as u32,
            intent: request.plan_review().map(|_| PLAN_REVIEW.to_owned()),
            credential: credential.to_owned(),
            asker: request.asker.as_ref().map(cut_asker),
            created_at,
            deadline_at,
            attached,
            away_since: None,
            draft_edited_at: None,
            answering: Vec::new(),
            receipt: None,
        }
    }
}

/// The most whole characters that fit, with an ellipsis where something is missing.
fn cut(text: &str) -> String {
    if text.len() <= RequestSummary::TEXT {
        return text.to_owned();
    }
    let room = RequestSummary::TEXT - '…'.len_utf8();
    let mut end = 0;
    while let Some(cluster) = next_cluster(text, end)
        && end + cluster.len() <= room
    {
        end += cluster.len();
    }
    format!("{}…", &text[..end])
}

fn cut_asker(asker: &Asker) -> Asker {
    let hidden = asker.chain.len().saturating_sub(RequestSummary::CHAIN);
    Asker {
        name: asker.name.as_deref().map(cut),
        session: asker.session.as_deref().map(cut),
        cwd: asker.cwd.as_deref().map(cut),
        chain: asker.chain.iter().skip(hidden).map(|name| cut(name)).collect(),
    }
}

/// Which requests a list holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ListFilter {
    /// Those that wait for a person.
    #[default]
    Pending,
    /// Those that wait, and those that a person ended and whose asker does not know it yet.
    Open,
}

/// A page of the list to be read, in the order in which the requests were accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ListQuery {
    /// Which requests.
    pub filter: ListFilter,
    /// Only those whose asker says that it is of this session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The most requests in the page, up to [`Self::MOST`]; absent: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

impl ListQuery {
    /// The most requests in one page.
    pub const MOST: u32 = 1_000;

    /// The number of requests that the page may hold.
    pub fn page_size(limit: Option<u32>) -> u32 {
        limit.unwrap_or(100).clamp(1, Self::MOST)
    }
}

/// A page of the ended requests to be read, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HistoryQuery {
    /// Only those that hold this text somewhere, in whatever case: in their questions, their
    /// outcome or a late response. A page may be empty and still have a `next`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// The `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The most requests in the page, up to [`ListQuery::MOST`]; absent: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The requests.
    pub requests: Vec<RequestSummary>,
    /// Where the next page begins; absent after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Where to read events from, so that pages and events together miss nothing: the same for all
    /// pages of one list, which hold no request that came after it.
    pub event_id: EventId,
    /// The host's time, against which ages are reckoned.
    pub now: UnixMillis,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, Request};

    #[test]
    fn a_summary_is_small_and_cut_between_characters() {
        let family = "👩‍👩‍👧";
        let mut request = Request::new([Question::new("q", family.repeat(900))]);
        let chain: Vec<String> =
            (0..50).map(|index| format!("{index}-{}", "n".repeat(900))).collect();
        request.asker = Some(Asker { name: Some("n".repeat(1024)), chain, ..Asker::default() });
        let request = request.validate().unwrap();

        let id = RequestId::mint(0, [0; 10]);
        let summary = RequestSummary::of(&request, id, "local", 0, None, false);

        assert_eq!(summary.question, format!("{}…", family.repeat(13)));
        assert_eq!(summary.asker.as_ref().unwrap().chain.len(), 8);
        assert!(summary.asker.as_ref().unwrap().chain[7].starts_with("49-"));
        assert!(serde_json::to_string(&summary).unwrap().len() < 3_000);
    }
}
