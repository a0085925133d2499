//! Failures in the words of the wire.

use askwell_core::fault::{Fault, RequestCode, Rule};
use askwell_core::wire::{Details, Ended, FaultView, InboxError, RequestId};
use askwell_core::{ErrorCode, limits};
use askwell_store::StoreError;

/// Why a host could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Its store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It needs an async runtime to run in.
    #[error("a host has to be started within a tokio runtime")]
    NoRuntime,
}

pub(crate) fn store(error: StoreError) -> InboxError {
    match error {
        StoreError::Unavailable { message, hint } => {
            InboxError::new(ErrorCode::StoreUnavailable, message).with_hint(hint)
        }
        StoreError::Busy => InboxError::new(ErrorCode::RateLimited, error.to_string())
            .with_hint("Try again in a moment."),
        StoreError::Kept { entry } => {
            let rule = Rule::TooMany { max: limits::KEPT, actual: limits::KEPT + 1 };
            fault(format!("questions[{entry}].kept"), rule)
                .with_hint("Read the draft and go on from its revision: nothing of it is lost.")
        }
        StoreError::Newer { .. } => InboxError::new(ErrorCode::HostVersion, error.to_string())
            .with_hint("Use the version of askwell that has written it, or a newer one."),
        StoreError::Foreign { .. } => {
            InboxError::new(ErrorCode::StoreUnavailable, error.to_string())
        }
        other => internal(other),
    }
}

pub(crate) fn internal(error: impl std::fmt::Display) -> InboxError {
    InboxError::new(ErrorCode::Internal, error.to_string())
}

pub(crate) fn closing() -> InboxError {
    InboxError::new(ErrorCode::StoreUnavailable, "the host is stopping")
        .with_hint("Ask again when it runs: nothing that was accepted is lost.")
}

pub(crate) fn revoked() -> InboxError {
    InboxError::new(ErrorCode::Unauthorized, "the credential was revoked")
}

pub(crate) fn not_found(id: RequestId) -> InboxError {
    InboxError::new(ErrorCode::NotFound, format!("there is no request {id} here"))
}

pub(crate) fn not_pending(ended: Ended) -> InboxError {
    let message = format!("the request was {} before this came", ended.state.as_str());
    InboxError::new(ErrorCode::NotPending, message)
        .with_details(Details { ended: Some(ended), ..Details::default() })
}

pub(crate) fn key_conflict() -> InboxError {
    let message = "this key was used for other questions";
    InboxError::new(ErrorCode::KeyConflict, message)
        .with_hint("Use a new key for new questions, or ask the same ones again.")
}

/// A fault of what was sent beside a request.
pub(crate) fn fault(path: impl Into<String>, rule: Rule) -> InboxError {
    faults(vec![Fault::at(path, rule)])
}

/// The same for several.
pub(crate) fn faults(faults: Vec<Fault>) -> InboxError {
    let code = faults.iter().map(Fault::code).min().unwrap_or(RequestCode::BadRequest);
    let words: Vec<String> = faults.iter().map(Fault::to_string).collect();
    let faults = faults.iter().map(FaultView::from).collect();
    InboxError::new(ErrorCode::Request(code), words.join("; "))
        .with_details(Details { faults, ..Details::default() })
}

/// Fails where a text is over its bound.
pub(crate) fn within(path: &str, text: &str, max: usize) -> Result<(), InboxError> {
    match text.len() {
        actual if actual > max => Err(fault(path, Rule::TooLong { max, actual })),
        _ => Ok(()),
    }
}
