//! A model that follows a script: an HTTP endpoint on this machine that speaks the chat-completions
//! protocol, or the messages protocol, with tool calls, so that a whole agent loop runs without a key or a network. It says
//! what the script says and keeps what it was sent; it judges nothing.

mod messages;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// What the model says in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// A message for the person.
    Text(String),
    /// Tool calls: name, and arguments as the JSON text that a model writes.
    Calls(Vec<(String, String)>),
}

impl Turn {
    /// A message for the person.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// One tool call.
    pub fn call(name: impl Into<String>, arguments: &Value) -> Self {
        Self::call_raw(name, arguments.to_string())
    }

    /// One tool call whose arguments are this text, which may be no JSON at all.
    pub fn call_raw(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self::Calls(vec![(name.into(), arguments.into())])
    }

    /// Several tool calls in one turn.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let calls = calls.into_iter();
        Self::Calls(calls.map(|(name, value)| (name.to_owned(), value.to_string())).collect())
    }
}

/// The running endpoint. It stops when dropped.
pub struct ScriptedModel {
    state: Arc<Mutex<Conversation>>,
    base_url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Conversation {
    script: VecDeque<Turn>,
    requests: Vec<Value>,
    replies: usize,
    calls: usize,
}

impl ScriptedModel {
    /// Starts a model that says these turns in order, one a request. A request beyond the last gets
    /// an error that says so.
    pub fn start(script: impl IntoIterator<Item = Turn>) -> Self {
        let conversation =
            Conversation { script: script.into_iter().collect(), ..Conversation::default() };
        let state = Arc::new(Mutex::new(conversation));
        let routes = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route("/v1/messages", post(messages::say))
            .with_state(Arc::clone(&state));

        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let thread = std::thread::spawn(move || {
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let server = axum::serve(listener, routes);
                // Not a graceful end: a client that keeps its connection would hold it up.
                tokio::select! {
                    result = server => result.unwrap(),
                    _ = stopped => {}
                }
            });
            runtime.shutdown_background();
        });
        Self { state, base_url, stop: Some(stop), thread: Some(thread) }
    }

    /// What a client calls its base URL: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The body of every request so far, in order.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.state).requests.clone()
    }

    /// The text of every tool result that has reached the model, in order.
    pub fn tool_results(&self) -> Vec<String> {
        let state = lock(&self.state);
        let last = state.requests.last().map_or(&Value::Null, |request| &request["messages"]);
        let messages = last.as_array().into_iter().flatten();
        let results = messages.flat_map(|message| match message["role"].as_str() {
            Some("tool") => vec![message],
            // In the messages protocol they are parts of what the user says.
            Some("user") => {
                let parts = message["content"].as_array().into_iter().flatten();
                parts.filter(|part| part["type"] == "tool_result").collect()
            }
            _ => Vec::new(),
        });
        results
            .map(|result| match &result["content"] {
                Value::String(text) => text.clone(),
                // The protocol also allows a list of text parts.
                parts => parts
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|part| part["text"].as_str())
                    .collect(),
            })
            .collect()
    }

    /// How many turns of the script were not said.
    pub fn turns_left(&self) -> usize {
        lock(&self.state).script.len()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(state: &Mutex<Conversation>) -> MutexGuard<'_, Conversation> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn complete(
    State(state): State<Arc<Mutex<Conversation>>>,
    Json(request): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let mut state = lock(&state);
    let (model, stream) = (request["model"].clone(), request["stream"] == true);
    state.requests.push(request);
    if stream {
        return refusal("this model does not stream");
    }
    match state.script.pop_front() {
        None => refusal("the script has no further turn"),
        Some(turn) => (StatusCode::OK, Json(completion(&mut state, &model, turn))),
    }
}

/// A refusal that no client tries again.
fn refusal(message: &str) -> (StatusCode, Json<Value>) {
    let error =
        json!({"message": message, "type": "invalid_request_error", "param": null, "code": null});
    (StatusCode::BAD_REQUEST, Json(json!({"error": error})))
}

fn completion(state: &mut Conversation, model: &Value, turn: Turn) -> Value {
    state.replies += 1;
    let (message, reason) = match turn {
        Turn::Text(text) => {
            (json!({"role": "assistant", "content": text, "refusal": null}), "stop")
        }
        Turn::Calls(calls) => {
            let calls: Vec<Value> = calls
                .into_iter()
                .map(|(name, arguments)| {
                    state.calls += 1;
                    json!({
                        "id": format!("call_{:024}", state.calls),
                        "type": "function",
                        "function": {"name": name, "arguments": arguments},
                    })
                })
                .collect();
            let message =
                json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": calls});
            (message, "tool_calls")
        }
    };
    json!({
        "id": format!("chatcmpl-{:029}", state.replies),
        "object": "chat.completion",
        "created": 1_767_225_600,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use pretty_assertions::assert_eq;

    use super::*;

    fn post(model: &ScriptedModel, body: &Value) -> (u16, Value) {
        let address =
            model.base_url().strip_prefix("http://").unwrap().strip_suffix("/v1").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let body = body.to_string();
        let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json";
        write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let status = reply[9..12].parse().unwrap();
        let (_, document) = reply.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(document).unwrap())
    }

    #[test]
    fn it_follows_the_script_and_keeps_what_it_was_sent() {
        let model = ScriptedModel::start([
            Turn::call("ask", &json!({"question": "Which?"})),
            Turn::text("Thank you."),
        ]);
        let first = json!({"model": "m", "messages": [{"role": "user", "content": "go"}]});
        let result =
            json!({"role": "tool", "tool_call_id": "call_1", "content": "{\"answers\":[]}"});
        let second = json!({"model": "m", "messages": [first["messages"][0], result]});

        let (status, call) = post(&model, &first);
        let (_, text) = post(&model, &second);
        let (refused, error) = post(&model, &second);

        assert_eq!(status, 200);
        assert_eq!(
            call["choices"][0]["message"]["tool_calls"],
            json!([{
                "id": "call_000000000000000000000001",
                "type": "function",
                "function": {"name": "ask", "arguments": "{\"question\":\"Which?\"}"},
            }])
        );
        assert_eq!(call["choices"][0]["finish_reason"], "tool_calls");
        assert_eq!(text["choices"][0]["message"]["content"], "Thank you.");
        assert_eq!(
            (refused, &error["error"]["message"]),
            (400, &json!("the script has no further turn"))
        );
        assert_eq!(model.requests(), [first, second.clone(), second]);
        assert_eq!(model.tool_results(), ["{\"answers\":[]}"]);
        assert_eq!(model.turns_left(), 0);
    }
}
