//! An agent at `/mcp`, and a person who takes their time: by a clock that jumps.

use std::sync::Arc;
use std::time::Duration;

use askwell_host::ManualClock;
use askwell_web::Limits;
use axum::http::Method;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::support::{Agent, TestHost, eventually};

const HOUR: Duration = Duration::from_secs(3_600);
const VERSION: &str = "2026-07-28";

async fn host() -> (Arc<ManualClock>, TestHost) {
    let clock = Arc::new(ManualClock::new(1_790_000_000_000));
    let host = TestHost::by(Arc::clone(&clock) as _, Limits::default()).await;
    (clock, host)
}

/// A call of a tool by a client of this name; its structured content.
async fn call(agent: &Agent, client: &str, tool: &str, arguments: &Value) -> Value {
    let reply = agent.send(request(agent, client, tool, arguments)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let data = reply.text.lines().find_map(|line| line.strip_prefix("data: "));
    let message: Value = serde_json::from_str(data.unwrap()).unwrap();
    message["result"]["structuredContent"].clone()
}

fn request(
    agent: &Agent,
    client: &str,
    tool: &str,
    arguments: &Value,
) -> axum::http::Request<axum::body::Body> {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"}}}});
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", VERSION),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let request = agent.request(Method::POST, "/mcp");
    let request =
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    request.body(message.to_string().into()).unwrap()
}

fn database() -> Value {
    json!({"questions": [{"id": "db", "question": "Which?", "options": ["Postgres", "SQLite"]}]})
}

#[tokio::test]
async fn an_answer_of_three_hours_later_is_collected() {
    let (clock, host) = host().await;
    let pending = call(&host.asker, "impatient", "ask_user_question", &database()).await;
    assert_eq!(pending["state"], "pending");
    let id = pending["request_id"].as_str().unwrap();

    clock.advance(HOUR * 3);
    host.host.run_due().await;
    let answer = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    host.answerer.post(&format!("/api/v1/requests/{id}/answer"), &answer).await.ok();

    let collected = call(&host.asker, "impatient", "get_answers", &json!({"request_id": id})).await;
    assert_eq!(collected, answer);
    let nothing = call(&host.asker, "impatient", "get_answers", &json!({})).await;
    assert_eq!(nothing["requests"], json!([]));
}

#[tokio::test]
async fn b145_a_request_whose_client_hung_up_is_withdrawn_after_the_grace_and_says_why() {
    let (clock, host) = host().await;
    let calling = request(&host.asker, "patient", "ask_user_question", &database());
    let agent = host.asker.clone();
    let called = tokio::spawn(async move { agent.send(calling).await });
    eventually("asked", async || host.host.stats().pending == 1).await;

    called.abort();
    eventually("away", async || host.host.stats().away == 1).await;
    clock.advance(HOUR * 23);
    host.host.run_due().await;
    assert_eq!(host.host.stats().pending, 1);
    clock.advance(HOUR);
    host.host.run_due().await;
    eventually("withdrawn", async || host.host.stats().pending == 0).await;

    let told = call(&host.asker, "patient", "get_answers", &json!({})).await;
    // Nobody waits for it any more, and no answer was given: it is in the history.
    assert_eq!(told["requests"], json!([]));
    let history = host.answerer.get("/api/v1/history").await.ok();
    assert_eq!(history["requests"][0]["state"], "aborted");
}

#[tokio::test]
async fn another_asker_s_requests_are_not_even_there() {
    let (_, host) = host().await;
    let pending = call(&host.asker, "impatient", "ask_user_question", &database()).await;
    let id = json!({"request_id": pending["request_id"]});

    for tool in ["get_answers", "cancel_question"] {
        let told = call(&host.other, "impatient", tool, &id).await;
        assert_eq!(told["error"], "NOT_FOUND", "{tool}");
    }
    let nothing = call(&host.other, "impatient", "get_answers", &json!({})).await;
    assert_eq!(nothing["requests"], json!([]));
}
