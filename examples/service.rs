//! A web service that asks now and continues later: whoever starts a release gets an address at once, a
//! person decides at the inbox of a host when they have the time, and the address then says what was decided.
//! The service holds nothing meanwhile: it may be restarted, or be many.
//!
//! ```sh
//! askwell serve &
//! cargo run --example service                                # prints where it listens
//! curl -X POST http://127.0.0.1:PORT/releases/1.4            # {"decision":"/releases/1.4/ID"}
//! curl http://127.0.0.1:PORT/releases/1.4/ID                 # 202 while nobody has decided
//! ```
//!
//! The host is that of this user. One on another machine is reached by its address and the token of an asker:
//! `Client::new` takes whatever implements `Locate`.

#![allow(clippy::print_stdout, reason = "it says where it listens")]

use std::error::Error;
use std::time::Duration;

use askwell::inbox::wire::{IdempotencyKey, RequestId, Role};
use askwell::inbox::{Client, InboxProvider, Local, Place};
use askwell::{AskError, Outcome, Question, Request, ValidRequest};
use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

/// How long a reader is kept waiting for a decision before it is told to come again.
const PATIENCE: Duration = Duration::from_secs(20);

type Reply = Result<(StatusCode, Json<Value>), Failure>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let place = Place::of_this_user().ok_or("no home folder")?;
    let inbox = InboxProvider::new(Client::new(Local::new(place, Role::Asker)));
    let service = Router::new()
        .route("/releases/{version}", post(start))
        .route("/releases/{version}/{id}", get(decision))
        .with_state(inbox);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, service).await?)
}

/// What is asked about a release: made anew from the version alone, whenever it is needed.
fn release(version: &str) -> Result<ValidRequest, AskError> {
    let question = Question::new("targets", format!("Where should {version} ship?"));
    let question = question.option("Code").option("Docs").multi_select();
    Ok(Request::new([question]).validate()?)
}

/// Asks, and does not wait. Starting the same release again is the same question, by its key.
async fn start(State(inbox): State<InboxProvider>, Path(version): Path<String>) -> Reply {
    let asking = spawn_blocking(move || {
        let request = release(&version)?;
        let key = IdempotencyKey::explicit(format!("release-{version}"))?;
        let id = inbox.with_key(key).post(&request)?.id;
        Ok::<_, AskError>(format!("/releases/{version}/{id}"))
    });
    let address = asking.await??;
    Ok((StatusCode::ACCEPTED, Json(json!({ "decision": address }))))
}

/// What was decided, as soon as somebody has.
async fn decision(
    State(inbox): State<InboxProvider>,
    Path((version, id)): Path<(String, RequestId)>,
) -> Reply {
    let waiting = spawn_blocking(move || inbox.outcome(id, &release(&version)?, PATIENCE));
    Ok(match waiting.await?? {
        None => (StatusCode::ACCEPTED, Json(json!({ "decided": false }))),
        Some(Outcome::Answered(answers)) => {
            let targets = &answers.as_slice()[0];
            let said = json!({ "ship": targets.selected, "also": targets.custom });
            (StatusCode::OK, Json(said))
        }
        Some(other) => (StatusCode::GONE, Json(json!({ "ended": other.state().as_str() }))),
    })
}

/// What askwell could not do, with its code.
struct Failure(String);

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl axum::response::IntoResponse for Failure {
    fn into_response(self) -> axum::response::Response {
        (StatusCode::BAD_GATEWAY, Json(json!({ "error": self.0 }))).into_response()
    }
}
