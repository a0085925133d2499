//! The client against a host of a few lines on a real socket, which answers as each test says.

#![allow(clippy::unwrap_used, reason = "a broken fixture must stop the test where it broke")]

mod calls;
mod events;
mod server;
mod start;
mod waits;

use askwell_client::{Access, Client, Token};
use askwell_core::wire::RequestId;
use askwell_core::{Question, Request, ValidRequest};
use serde_json::{Value, json};
use server::Server;

fn client(server: &Server) -> Client {
    Client::new(access(server))
}

fn access(server: &Server) -> Access {
    Access { url: server.url(), token: Some(Token::new("secret")) }
}

fn request() -> ValidRequest {
    Request::new([Question::new("db", "Which database?").option("Postgres").option("SQLite")])
        .validate()
        .unwrap()
}

fn id() -> RequestId {
    RequestId::mint(0, [7; 10])
}

/// The request as a host shows it.
fn view(state: &str, outcome: Option<Value>) -> Value {
    let mut view = json!({"id": id(), "state": state, "request": *request(), "credential": "local",
        "createdAt": 0, "attached": true, "watching": 0});
    if let Some(outcome) = outcome {
        view["receipt"] = json!({"at": 1, "provider": "web", "by": "me"});
        view["outcome"] = outcome;
    }
    view
}

fn postgres() -> Value {
    json!({"answers": [{"id": "db", "selected": ["Postgres"]}]})
}

fn asked(joined: bool) -> Value {
    json!({"id": id(), "state": "pending", "watching": 0, "joined": joined})
}

fn problem(code: &str, status: u16) -> Value {
    json!({"type": format!("urn:askwell:problem:{code}"), "title": "t", "status": status,
        "code": code, "detail": "as the host says it"})
}
