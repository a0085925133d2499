//! Sessions of legacy clients over HTTP, by a clock that jumps: they outlive any wait for a person.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::CredentialId;
use askwell_mcp::{Answer, Endpoint, Options};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::host::FakeHost;

const ONE: CredentialId = CredentialId::from_bytes([1; 16]);
const OTHER: CredentialId = CredentialId::from_bytes([2; 16]);

struct Client {
    endpoint: Endpoint,
    host: FakeHost,
    owner: CredentialId,
    session: Option<String>,
}

impl Client {
    fn new(endpoint: &Endpoint, host: &FakeHost, owner: CredentialId) -> Self {
        Self { endpoint: endpoint.clone(), host: host.clone(), owner, session: None }
    }

    async fn post(&self, message: &Value) -> Response<Answer> {
        let request = Request::post("/mcp")
            .header("host", "localhost")
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        let request = match &self.session {
            Some(session) => request.header("mcp-session-id", session),
            None => request,
        };
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let body = Bytes::from(message.to_string());
        self.endpoint.call(parts, body, self.owner, Arc::new(self.host.clone()), None).await
    }

    /// Begins a session; its id.
    async fn begin(&mut self) -> String {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "claude-code", "version": "1"}}});
        let welcome = self.post(&hello).await;
        assert_eq!(welcome.status(), 200);
        let session = welcome.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        self.session = Some(session.clone());
        session
    }

    async fn ping(&self) -> u16 {
        let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
        self.post(&ping).await.status().as_u16()
    }
}

fn endpoint() -> (Endpoint, FakeHost) {
    (Endpoint::new(Options::default(), CancellationToken::new()), FakeHost::default())
}

/// The last message of a stream.
async fn last(response: Response<Answer>) -> Value {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.next_back().unwrap()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_session_does_not_die_while_a_question_waits_nor_while_nothing_does() {
    let (endpoint, host) = endpoint();
    let mut client = Client::new(&endpoint, &host, ONE);
    client.begin().await;
    let question = json!({"questions": [{"id": "q", "question": "Which?", "options": ["A", "B"]}]});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ask_user_question", "arguments": question, "_meta": {"progressToken": 1}}});
    let person = host.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // By a jump of its own: the SDK keeps the stream alive by the real clock, and would send comments
        // without a pause before this one comes to jump by itself.
        tokio::time::advance(Duration::from_secs(3 * 3_600)).await;
        person.answer(&json!({"answers": [{"id": "q", "selected": ["B"]}]}));
    });

    let result = last(client.post(&call).await).await;

    let answers = json!({"answers": [{"id": "q", "selected": ["B"]}]});
    assert_eq!(result["result"]["structuredContent"], answers);
    tokio::time::sleep(Duration::from_secs(24 * 3_600)).await;
    assert_eq!(client.ping().await, 200);
}

#[tokio::test(start_paused = true)]
async fn of_too_many_sessions_the_longest_unused_makes_room() {
    let (endpoint, host) = endpoint();
    let mut client = Client::new(&endpoint, &host, ONE);
    let mut other = Client::new(&endpoint, &host, OTHER);
    let others = other.begin().await;
    let mut sessions = Vec::new();
    for _ in 0..256 {
        client.session = None;
        sessions.push(client.begin().await);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // The first one is used: the second one is the oldest then.
    client.session = Some(sessions[0].clone());
    assert_eq!(client.ping().await, 200);

    client.session = None;
    client.begin().await;

    for (session, status) in [(0, 200), (1, 404), (2, 200)] {
        client.session = Some(sessions[session].clone());
        assert_eq!(client.ping().await, status, "{session}");
    }
    other.session = Some(others);
    assert_eq!(other.ping().await, 200);
    other.session = Some(sessions[0].clone());
    assert_eq!(other.ping().await, 404);
}
