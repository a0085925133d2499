//! Projection: what the asker gets of an outcome, the same for every consumer.
//!
//! An answer is exactly `{"answers":[…]}` with the keys `id`, `selected`, `custom` in that order.
//! Everything else carries its `state` and plain words, and can't be mistaken for an answer.

use serde_json::{Value, json};

use crate::answer::Answers;
use crate::error::AskError;
use crate::outcome::{Outcome, State};
use crate::wire::RequestView;
use crate::{request, texts};

/// The document of an outcome. `seconds` is the time that the request had.
pub fn document(outcome: &Outcome, seconds: Option<u64>) -> Value {
    match outcome {
        Outcome::Answered(answers) => answered(answers),
        Outcome::Cancelled { comment } => cancelled(comment.as_deref()),
        Outcome::Aborted { reason } => aborted(reason),
        Outcome::Expired => expired(seconds),
    }
}

/// The outcome of a request as its asker gets it, the keys in the one order whatever was on the way;
/// nothing while it is pending.
pub fn of_view(view: &RequestView) -> Option<Value> {
    let stored = view.outcome.as_ref()?;
    if view.state != State::Answered {
        return Some(stored.clone());
    }
    let request = request::from_value(json!(view.request)).ok();
    let typed = request.and_then(|request| view.typed_outcome(&request));
    Some(typed.map_or_else(|| stored.clone(), |outcome| document(&outcome, None)))
}

/// What a model gets as the result of its tool call, errors included.
pub fn tool_result(result: &Result<Answers, AskError>) -> Value {
    match result {
        Ok(answers) => answered(answers),
        Err(AskError::Cancelled { comment }) => cancelled(comment.as_deref()),
        Err(AskError::Aborted { reason }) => aborted(reason),
        Err(AskError::Expired { seconds }) => expired(*seconds),
        Err(error @ AskError::NoProvider { .. }) => failed(error, texts::NO_PROVIDER.to_owned()),
        Err(error @ AskError::BadRequest(bad)) => failed(error, texts::bad_request(bad)),
        Err(error) => failed(error, error.to_string()),
    }
}

fn answered(answers: &Answers) -> Value {
    let answers: Vec<Value> = answers
        .as_slice()
        .iter()
        .map(|answer| match &answer.custom {
            Some(custom) => {
                json!({"id": answer.id, "selected": answer.selected, "custom": custom})
            }
            None => json!({"id": answer.id, "selected": answer.selected}),
        })
        .collect();
    json!({ "answers": answers })
}

fn cancelled(comment: Option<&str>) -> Value {
    let message = texts::cancelled(comment);
    match comment {
        Some(comment) => {
            json!({"state": State::Cancelled, "comment": comment, "message": message})
        }
        None => json!({"state": State::Cancelled, "message": message}),
    }
}

fn aborted(reason: &str) -> Value {
    json!({"state": State::Aborted, "reason": reason, "message": texts::aborted(reason)})
}

fn expired(seconds: Option<u64>) -> Value {
    json!({"state": State::Expired, "message": texts::expired(seconds)})
}

fn failed(error: &AskError, message: String) -> Value {
    json!({"error": error.code().as_str(), "message": message})
}
