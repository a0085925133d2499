//! The messages protocol, streamed: how Claude Code talks to its model.

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::{Conversation, Turn, lock, refusal};

/// Says the next turn. A call without tools is none of the loop's (a title, a check of the quota): it gets
/// a word, and the script stays where it is.
pub(super) async fn say(
    State(state): State<Arc<Mutex<Conversation>>>,
    Json(request): Json<Value>,
) -> Response {
    let mut state = lock(&state);
    let is_of_the_loop = request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let model = request["model"].clone();
    let turn = match is_of_the_loop {
        false => Turn::text("ok"),
        true => {
            state.requests.push(request);
            match state.script.pop_front() {
                Some(turn) => turn,
                None => return refusal("the script has no further turn").into_response(),
            }
        }
    };
    state.replies += 1;
    let id = format!("msg_{:024}", state.replies);
    let blocks = blocks(&mut state, turn);
    let stream = events(&id, &model, &blocks);
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    (StatusCode::OK, headers, stream).into_response()
}

fn blocks(state: &mut Conversation, turn: Turn) -> Vec<Value> {
    match turn {
        Turn::Text(text) => vec![json!({"type": "text", "text": text})],
        Turn::Calls(calls) => {
            let call = |(name, arguments): (String, String)| {
                state.calls += 1;
                let id = format!("toolu_{:024}", state.calls);
                json!({"type": "tool_use", "id": id, "name": name, "input": arguments})
            };
            let said = json!({"type": "text", "text": "Something is for you to decide."});
            std::iter::once(said).chain(calls.into_iter().map(call)).collect()
        }
    }
}

fn events(id: &str, model: &Value, blocks: &[Value]) -> String {
    let message = json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        let (empty, delta) = match block["type"].as_str() {
            Some("text") => (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": block["text"]}),
            ),
            _ => {
                let mut empty = block.clone();
                empty["input"] = json!({});
                (empty, json!({"type": "input_json_delta", "partial_json": block["input"]}))
            }
        };
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": empty}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    let is_call = blocks.iter().any(|block| block["type"] == "tool_use");
    let reason = if is_call { "tool_use" } else { "end_turn" };
    events.push(json!({
        "type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": 1},
    }));
    events.push(json!({"type": "message_stop"}));
    let line = |event: Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    events.into_iter().map(line).collect()
}
