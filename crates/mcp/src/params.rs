//! What a method was called with, where that does not fit: the SDK reads it as a method that nobody
//! knows, and would say so.

use askwell_core::texts;
use rmcp::model::{CustomRequest, ErrorCode, ErrorData};
use serde_json::Value;

/// The methods of the protocol that are served here.
const METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

/// Why a call is refused that the SDK could not read.
pub(crate) fn refuse(call: CustomRequest) -> ErrorData {
    if !METHODS.contains(&&*call.method) {
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, call.method, None);
    }
    let why = what_does_not_fit(&call.method, call.params.as_ref());
    ErrorData::invalid_params(texts::wrong_params(&call.method, why), None)
}

fn what_does_not_fit(method: &str, params: Option<&Value>) -> &'static str {
    const TOOL: &str = "tools/call";
    match params {
        None => "it has no params",
        Some(Value::Object(params)) if method == TOOL => {
            let arguments = params.get("arguments").unwrap_or(&Value::Null);
            match params.get("name") {
                None | Some(Value::Null) => "name, the tool's, is missing in its params",
                Some(Value::String(_)) if arguments.is_object() || arguments.is_null() => {
                    "its params hold what is not of MCP"
                }
                Some(Value::String(_)) => "arguments is not an object: write {\"arguments\":{…}}",
                Some(_) => "name, the tool's, is not a string",
            }
        }
        Some(Value::Object(_)) => "its params hold what is not of MCP, or lack what it needs",
        Some(_) => "its params are not an object",
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::arguments("tools/call", json!({"name": "t", "arguments": "x"}), "arguments is not an object")]
    #[case::no_name("tools/call", json!({"arguments": {}}), "name, the tool's, is missing")]
    #[case::no_object("tools/call", json!(["t"]), "params are not an object")]
    #[case::another("tools/list", json!({"cursor": 7}), "its params hold what is not of MCP")]
    fn what_does_not_fit_is_named(#[case] method: &str, #[case] params: Value, #[case] why: &str) {
        let refused = refuse(CustomRequest::new(method, Some(params)));

        assert_eq!(refused.code, ErrorCode::INVALID_PARAMS);
        assert!(refused.message.contains(why), "{}", refused.message);
    }
}
