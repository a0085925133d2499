//! What a client wrote, read: a message of the protocol, or why it is none and whose call that was.
//!
//! Invariant: what is no message is answered with the id of its call wherever that can be made out, so
//! that no client waits for an answer that never comes.

mod sift;

use askwell_core::texts;
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};

pub(crate) use sift::Sift;

/// A message of a client.
pub(crate) type Message = RxJsonRpcMessage<RoleServer>;

/// Some programs begin what they write with it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Why something is no message: the answer to it.
#[derive(Debug)]
pub(crate) struct Refusal(Value);

impl Refusal {
    /// It is JSON, or would be, and nothing that can be done. `id` is that of the call, as it came.
    pub fn invalid(id: Option<Value>, why: String) -> Self {
        Self::new(id, ErrorData::invalid_request(why, None))
    }

    /// Without an id where none could be made out, as MCP has it.
    fn new(id: Option<Value>, error: ErrorData) -> Self {
        let mut answer = json!({"jsonrpc": "2.0", "error": error});
        if let Some(id) = id {
            answer["id"] = id;
        }
        Self(answer)
    }

    /// The answer, as it is written.
    pub fn to_json(&self) -> Vec<u8> {
        self.0.to_string().into_bytes()
    }
}

/// Reads what stands in one line, or in one body. Nothing, where that is nothing or asks for nothing.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Message>, Refusal> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return Ok(None);
    }
    if let Ok(message) = serde_json::from_slice(bytes) {
        return Ok(Some(message));
    }
    match serde_json::from_slice(bytes) {
        Ok(value) => not_a_message(&value),
        Err(error) => {
            let mut sift = Sift::default();
            sift.feed(bytes);
            let why = texts::not_json(&error.to_string());
            Err(Refusal::new(sift.id(), ErrorData::new(ErrorCode::PARSE_ERROR, why, None)))
        }
    }
}

/// Why JSON is no message. A notification that nobody knows asks for nothing.
fn not_a_message(value: &Value) -> Result<Option<Message>, Refusal> {
    let Value::Object(members) = value else {
        let why = match value {
            Value::Array(_) => "it is a list, and messages come one at a time",
            _ => "it is not an object",
        };
        return Err(Refusal::invalid(None, texts::not_a_message(why)));
    };
    let id = members.get("id");
    let method = members.get("method");
    if id.is_none() && method.is_some_and(Value::is_string) {
        tracing::debug!(?method, "a notification that is not known");
        return Ok(None);
    }
    let why = match (members.get("jsonrpc").and_then(Value::as_str), method, id) {
        (Some("2.0"), None, _) => "it has no method",
        (Some("2.0"), Some(Value::String(_)), Some(Value::Number(_) | Value::String(_))) => {
            "its id is not a whole number, or its params are not an object"
        }
        (Some("2.0"), Some(Value::String(_)), _) => "its id is neither a number nor a string",
        (Some("2.0"), Some(_), _) => "its method is not a string",
        _ => "its jsonrpc is not \"2.0\"",
    };
    // What has no method may be an answer to a call of ours, and its id one of ours.
    let id = id.filter(|id| method.is_some() && (id.is_number() || id.is_string()));
    Err(Refusal::invalid(id.cloned(), texts::not_a_message(why)))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[track_caller]
    fn refused(line: &[u8]) -> (i64, Value) {
        let answer = read(line).unwrap_err().0;
        (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone())
    }

    fn deep() -> Vec<u8> {
        let (open, close) = ("[".repeat(200_000), "]".repeat(200_000));
        let deep = format!(r#"{{"method":"tools/call","params":{{"q":{open}{close}}},"id":9}}"#);
        deep.into_bytes()
    }

    #[rstest]
    #[case::words(b"hello", -32700, json!(null))]
    #[case::half(br#"{"jsonrpc":"2.0","id":"a","method":"ping","par"#, -32700, json!("a"))]
    #[case::half_a_pair(br#"{"method":"tools/call","params":{"q":"\ud83d"},"id":7}"#, -32700, json!(7))]
    #[case::not_utf8(b"{\"id\":8,\"method\":\"tools/call\",\"params\":{\"id\":1,\"q\":\"\xff\"}}", -32700, json!(8))]
    #[case::deep(&deep(), -32700, json!(9))]
    #[case::an_answer_cut_short(br#"{"jsonrpc":"2.0","id":3,"result":{"#, -32700, json!(null))]
    #[case::a_list(br#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, -32600, json!(null))]
    #[case::no_method(br#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(null))]
    #[case::an_older_one(br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600, json!(7))]
    #[case::no_id(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, json!(null))]
    #[case::half_an_id(br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, json!(1.5))]
    fn what_is_no_message_is_refused_to_whoever_can_be_made_out(
        #[case] line: &[u8],
        #[case] code: i64,
        #[case] id: Value,
    ) {
        assert_eq!(refused(line), (code, id));
    }

    #[rstest]
    #[case::nothing(b" \r\n")]
    #[case::an_unknown_notification(br#"{"jsonrpc":"2.0","method":"$/progress","params":7}"#)]
    fn what_asks_for_nothing_is_not_answered(#[case] line: &[u8]) {
        assert!(matches!(read(line), Ok(None)));
    }

    #[test]
    fn a_message_may_begin_with_a_mark_and_end_as_on_windows() {
        let line = b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n";

        assert!(matches!(read(line), Ok(Some(Message::Request(_)))));
    }
}
