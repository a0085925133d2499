//! The results of calls. Words are the core's; here is which form they go out in.

use askwell_core::wire::{Details, InboxError};
use askwell_core::{BadRequest, ErrorCode, texts};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// A document, as structured content and as the same compact JSON.
pub(crate) fn document(document: Value) -> CallToolResult {
    let mut result = CallToolResult::structured(document);
    // Only what failed is marked.
    result.is_error = None;
    result
}

/// What failed, in plain words.
pub(crate) fn failed(code: &str, message: String) -> CallToolResult {
    let mut result = CallToolResult::structured_error(json!({ "error": code, "message": message }));
    result.content = vec![ContentBlock::text(message)];
    result
}

/// A request that breaks a rule.
pub(crate) fn bad_request(bad: &BadRequest) -> CallToolResult {
    failed(bad.code().as_str(), texts::bad_request(bad))
}

/// A request that could not be put to anybody.
pub(crate) fn not_asked(error: &InboxError) -> CallToolResult {
    let why = told(error);
    match error.code {
        ErrorCode::NoProvider | ErrorCode::HostUnreachable | ErrorCode::HostVersion => {
            failed(ErrorCode::NoProvider.as_str(), texts::no_provider(&why))
        }
        code => failed(code.as_str(), texts::not_asked(&why)),
    }
}

/// A request to which the answers that stand in for a person have none.
pub(crate) fn no_recorded_answer(why: &str) -> CallToolResult {
    failed(ErrorCode::NoProvider.as_str(), texts::no_recorded_answer(why))
}

/// A call that the host refused.
pub(crate) fn refused(error: &InboxError) -> CallToolResult {
    failed(error.code.as_str(), told(error))
}

fn told(error: &InboxError) -> String {
    let Details { faults, .. } = &*error.details;
    let faults = faults.iter().map(|fault| format!("{} {}", fault.path, fault.rule));
    let parts = std::iter::once(error.message.clone()).chain(faults).chain(error.hint.clone());
    parts.collect::<Vec<_>>().join("; ")
}
