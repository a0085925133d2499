//! One call of a tool: who calls, what it may use, and how it leaves a request behind.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{Leaving, RequestId, RequestView};
use askwell_core::{ErrorCode, State, project, texts};
use rmcp::model::{CallToolResult, ProtocolVersion};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};

use crate::cut::{Cut, UnderWay};
use crate::delivery::Delivery;
use crate::form::Shows;
use crate::progress::Progress;
use crate::server::Shared;
use crate::wait::Waited;
use crate::{Seat, reply};

/// How long a call whose stream was closed may be taken up again, where the transport can do that.
const TAKEN_UP: Duration = Duration::from_secs(45);

/// One call of a tool.
pub(crate) struct Call {
    pub shared: Arc<Shared>,
    pub seat: Seat,
    /// What the client calls itself.
    pub client: String,
    pub over_http: bool,
    /// Whose calls these are, as far as that was verified.
    pub principal: String,
    pub shows: Shows,
    pub version: ProtocolVersion,
    /// Whether the server may only answer, and never ask.
    pub modern: bool,
    pub peer: Peer<RoleServer>,
    /// Whether a stream that was closed can be taken up again.
    pub resumable: bool,
    pub under_way: UnderWay,
    pub progress: Progress,
    /// The outcomes that its result carries.
    pub delivery: Delivery,
}

impl Call {
    /// How long this call may wait.
    pub fn longest(&self) -> Duration {
        let Self { shared, client, progress, over_http, .. } = self;
        shared.options.clients.longest(client, progress.is_told(), *over_http)
    }

    /// The result of a wait for one request. `note`: what else is to be said of it, unless it is
    /// answered.
    pub async fn conclude(
        &mut self,
        request: Waiting<'_>,
        waited: Waited,
        note: Option<String>,
    ) -> CallToolResult {
        let document = match waited {
            Waited::Ended(view) => self.outcome(&view),
            Waited::Over => self.pending(request).await,
            Waited::Cut(cut) => {
                self.leave(request.id, cut).await;
                // Nobody reads it, or who takes the stream up again.
                told_pending(request, 1)
            }
            Waited::Failed(error) => match error.code {
                // What was asked waits in the store of the host, which may come back.
                ErrorCode::HostUnreachable
                | ErrorCode::NoProvider
                | ErrorCode::StoreUnavailable
                | ErrorCode::RateLimited => self.told(request),
                _ => return reply::refused(&error),
            },
        };
        reply::document(with_note(document, note))
    }

    /// The outcome of a request that has ended.
    pub fn outcome(&self, view: &RequestView) -> Value {
        self.delivery.carries(view.id);
        project::of_view(view).unwrap_or_else(|| json!({ "state": view.state }))
    }

    /// The client is told that a request is pending, and so it is not away. Where it has ended in
    /// the meantime it is told that.
    pub async fn pending(&self, request: Waiting<'_>) -> Value {
        match self.seat.desk.detach(request.id, Leaving::Told).await {
            Ok(view) if view.state == State::Pending => self.told(request),
            Ok(_) => match self.seat.desk.wait(request.id, Duration::ZERO).await {
                Ok(view) => self.outcome(&view),
                Err(_) => self.told(request),
            },
            Err(error) => {
                tracing::debug!(%error, "the host could not be told that its asker was told");
                self.told(request)
            }
        }
    }

    fn told(&self, request: Waiting<'_>) -> Value {
        told_pending(request, self.shared.told.pending(request.id))
    }

    /// The call was cut while a request waits.
    async fn leave(&self, id: RequestId, cut: Cut) {
        self.left(id, cut).await;
        if cut == Cut::Gone && self.resumable {
            // The notice that it was the person may come after the end of the stream.
            let cancelled = tokio::time::timeout(TAKEN_UP, self.under_way.cancelled()).await;
            if cancelled == Ok(Cut::ByPerson) {
                self.left(id, Cut::ByPerson).await;
            }
        }
    }

    async fn left(&self, id: RequestId, cut: Cut) {
        let left = match cut {
            Cut::ByPerson => {
                let reason = format!("the person, at {}", self.client);
                self.seat.desk.abort(id, &reason).await
            }
            Cut::Gone => self.seat.desk.detach(id, Leaving::Cut).await,
        };
        if let Err(error) = left {
            tracing::debug!(%error, "the host could not be told that a call was cut");
        }
    }
}

/// A request that a call waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting<'a> {
    pub id: RequestId,
    /// Its first question.
    pub question: &'a str,
    /// Where the person finds it.
    pub page: Option<&'a str>,
}

impl<'a> Waiting<'a> {
    /// The request of this view.
    pub fn of(view: &'a RequestView) -> Self {
        let question = view.request.questions.first();
        Self {
            id: view.id,
            question: question.map_or("", |question| question.question.as_str()),
            page: view.url.as_deref(),
        }
    }
}

fn told_pending(request: Waiting<'_>, times: u32) -> Value {
    let id = request.id.to_string();
    let message = texts::pending(&id, times, request.question, request.page);
    json!({ "state": State::Pending, "request_id": id, "message": message })
}

/// With one more thing to be said, where anything is said in words.
fn with_note(mut document: Value, note: Option<String>) -> Value {
    if let Some(note) = note
        && let Some(Value::String(message)) = document.get_mut("message")
    {
        message.push(' ');
        message.push_str(&note);
    }
    document
}
