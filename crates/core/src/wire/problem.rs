//! An error on the wire (RFC 9457, `application/problem+json`), with its stable code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DraftSaved, InboxError, Receipt};
use crate::answer::{BadResponse, Issue};
use crate::error::ErrorCode;
use crate::fault::{BadRequest, Fault};
use crate::outcome::State;

/// One fault of a bad request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FaultView {
    /// The fault's own code.
    pub code: String,
    /// The place, such as `questions[1].options[0].label`; `$` for the whole.
    pub path: String,
    /// The rule that is broken, in words.
    pub rule: String,
    /// The bound that is enforced, where the rule has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u64>,
    /// The id of the question concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

impl From<&Fault> for FaultView {
    fn from(fault: &Fault) -> Self {
        Self {
            code: fault.code().as_str().to_owned(),
            path: fault.path.clone(),
            rule: fault.rule.to_string(),
            bound: fault.rule.bound(),
            question: fault.question.clone(),
        }
    }
}

/// One issue of a rejected answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssueView {
    /// The question concerned, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What is wrong, such as `unknown-label`.
    pub code: String,
    /// The same in words.
    pub message: String,
}

impl From<&Issue> for IssueView {
    fn from(issue: &Issue) -> Self {
        let code = serde_json::to_value(issue.code).unwrap_or_default();
        Self {
            question: issue.question.clone(),
            code: code.as_str().unwrap_or_default().to_owned(),
            message: issue.message.clone(),
        }
    }
}

/// How a request had ended when a response came too late.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    /// How it ended.
    pub state: State,
    /// When, by which provider and by whom.
    pub receipt: Receipt,
    /// The outcome as the asker gets it.
    pub outcome: Value,
}

/// What belongs to some errors only.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// Every fault of a bad request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultView>,
    /// Every issue of a rejected answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<IssueView>,
    /// Of `NOT_PENDING`: how and when the request ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Of `STALE_DRAFT`: what became of each question of the write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftSaved>,
}

/// The body of an error response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in a few words, the same each time.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: String,
    /// What happened this time.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What belongs to this code.
    #[serde(flatten)]
    pub details: Details,
}

impl From<InboxError> for Problem {
    fn from(error: InboxError) -> Self {
        let not_json = error.details.faults.iter().any(|fault| fault.rule.starts_with(NOT_JSON));
        let status = if not_json { 400 } else { error.code.http_status().unwrap_or(500) };
        Self {
            kind: format!("urn:askwell:problem:{}", error.code.as_str()),
            title: title(error.code).to_owned(),
            status,
            code: error.code.as_str().to_owned(),
            detail: error.message,
            hint: error.hint,
            details: *error.details,
        }
    }
}

impl From<Problem> for InboxError {
    fn from(problem: Problem) -> Self {
        let known = ErrorCode::from_wire(&problem.code);
        let message = match known {
            Some(_) => problem.detail,
            None => format!("{}: {}", problem.code, problem.detail),
        };
        Self {
            code: known.unwrap_or(ErrorCode::Internal),
            message,
            hint: problem.hint,
            details: Box::new(problem.details),
        }
    }
}

impl From<&BadRequest> for Details {
    fn from(bad: &BadRequest) -> Self {
        Self { faults: bad.faults().iter().map(FaultView::from).collect(), ..Self::default() }
    }
}

impl From<&BadResponse> for Details {
    fn from(bad: &BadResponse) -> Self {
        Self { issues: bad.issues.iter().map(IssueView::from).collect(), ..Self::default() }
    }
}

/// How the rule of what is not JSON begins; see [`crate::fault::Rule::NotJson`].
const NOT_JSON: &str = "is not valid JSON";

fn title(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Request(_) => "The request breaks a rule",
        ErrorCode::BadResponse => "The answer breaks a rule",
        ErrorCode::NotPending => "The request has ended",
        ErrorCode::StaleDraft => "The draft was changed elsewhere",
        ErrorCode::KeyConflict => "The key was used for other questions",
        ErrorCode::NotFound => "Not found",
        ErrorCode::Unauthorized => "A credential is needed",
        ErrorCode::Forbidden => "Not allowed with this credential",
        ErrorCode::RateLimited => "Too much at once",
        ErrorCode::StoreUnavailable => "The store can't be written",
        _ => "Something failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Rule;
    use crate::request;

    #[test]
    fn a_problem_comes_back_as_the_error_that_it_was() {
        let bad = request::from_json(r#"{"questions":[]}"#).unwrap_err();
        let error = InboxError::from(bad).with_hint("Ask something.");

        let problem = Problem::from(error.clone());
        let json = serde_json::to_value(&problem).unwrap();

        assert_eq!(json["status"], 422);
        assert_eq!(json["code"], "EMPTY_QUESTIONS");
        assert_eq!(json["faults"][0]["path"], "questions");
        let read: Problem = serde_json::from_value(json).unwrap();
        assert_eq!(InboxError::from(read), error);
    }

    #[test]
    fn what_is_not_json_is_400() {
        let rule = Rule::NotJson { message: String::new() };
        assert!(rule.to_string().starts_with(NOT_JSON));
        let bad = request::from_json("{").unwrap_err();

        let problem = Problem::from(InboxError::from(bad));

        assert_eq!((problem.status, problem.code.as_str()), (400, "BAD_REQUEST"));
    }

    #[test]
    fn every_code_is_read_back_and_an_unknown_one_is_kept_in_words() {
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::from_wire(code.as_str()), Some(code));
        }
        let mut problem = Problem::from(InboxError::new(ErrorCode::NotFound, "no such request"));
        problem.code = "NEW_CODE".to_owned();

        let error = InboxError::from(problem);

        assert_eq!(error.to_string(), "INTERNAL: NEW_CODE: no such request");
    }
}
