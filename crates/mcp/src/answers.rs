//! `get_answers`: collects what was pending, one request or all of a session.

use std::time::Duration;

use askwell_core::wire::{InboxError, ListFilter, ListQuery, RequestId, RequestSummary};
use askwell_core::{ErrorCode, State, texts};
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::call::{Call, Waiting};
use crate::reply;
use crate::wait::Waited;

/// So many requests of a session are told at once.
const MOST: u32 = 50;

impl Call {
    /// Collects.
    pub async fn get_answers(mut self, arguments: JsonObject) -> CallToolResult {
        let arguments = match Arguments::read(arguments) {
            Ok(arguments) => arguments,
            Err(wrong) => return reply::failed("BAD_REQUEST", wrong),
        };
        let longest = self.longest();
        let at_most = arguments.wait.unwrap_or(longest).min(longest);
        self.progress.tell().await;
        match arguments.request_id {
            Some(id) => self.one(&id, at_most).await,
            None => self.all(at_most).await,
        }
    }

    async fn one(&mut self, written: &str, at_most: Duration) -> CallToolResult {
        let Ok(id) = written.trim().parse::<RequestId>() else {
            return self.unknown(written).await;
        };
        // What it is, at once; then its end.
        let view = match self.look(id).await {
            Ok(view) => view,
            Err(error) => return self.not_found(written, &error).await,
        };
        let waited = match view.state {
            State::Pending => self.wait_for(&[id], at_most).await,
            _ => Waited::Ended(Box::new(view.clone())),
        };
        self.conclude(Waiting::of(&view), waited, None).await
    }

    async fn all(&mut self, at_most: Duration) -> CallToolResult {
        let mut open = match self.open().await {
            Ok(open) => open,
            Err(error) => return reply::refused(&error),
        };
        if open.iter().all(|request| request.state == State::Pending) && !open.is_empty() {
            let ids: Vec<RequestId> = open.iter().map(|request| request.id).collect();
            match self.wait_for(&ids, at_most).await {
                // Nobody reads it; and each is left as it was told.
                Waited::Cut(_) => return reply::document(nothing()),
                Waited::Failed(error) if error.code == ErrorCode::Unauthorized => {
                    return reply::refused(&error);
                }
                Waited::Ended(view) => {
                    for request in open.iter_mut().filter(|request| request.id == view.id) {
                        request.state = view.state;
                    }
                }
                Waited::Over | Waited::Failed(_) => {}
            }
        }
        if open.is_empty() {
            return reply::document(nothing());
        }
        let mut requests = Vec::with_capacity(open.len());
        for request in &open {
            requests.push(self.told_of(request).await);
        }
        reply::document(json!({ "requests": requests }))
    }

    /// What is told of one of several: which it is, and its outcome or that it is pending.
    async fn told_of(&self, request: &RequestSummary) -> Value {
        let waiting = Waiting { id: request.id, question: &request.question, page: None };
        let told = match request.state {
            State::Pending => self.pending(waiting).await,
            _ => match self.seat.desk.wait(request.id, Duration::ZERO).await {
                Ok(view) => self.outcome(&view),
                Err(error) => json!({ "error": error.code.as_str(), "message": error.message }),
            },
        };
        let mut item = json!({ "request_id": request.id, "question": request.question });
        if let (Value::Object(item), Value::Object(told)) = (&mut item, told) {
            item.extend(told);
        }
        item
    }

    /// What is open in this session: what waits, and what has ended and was not picked up.
    async fn open(&self) -> Result<Vec<RequestSummary>, InboxError> {
        self.delivery.settled().await;
        let session = Some(self.seat.session.clone());
        let filter = ListFilter::Open;
        let query = ListQuery { filter, session, limit: Some(MOST), after: None };
        let mut open = match self.seat.desk.list(&query).await {
            Ok(page) => page.requests,
            Err(error) if self.needs_no_host(&error) => Vec::new(),
            Err(error) => return Err(error),
        };
        let told = &self.shared.told;
        open.retain(|it| it.state == State::Pending || !told.knows_end(it.id));
        Ok(open)
    }

    /// A request that the host does not know, or does not show.
    pub async fn not_found(&self, written: &str, error: &InboxError) -> CallToolResult {
        match error.code {
            ErrorCode::NotFound => self.unknown(written).await,
            _ if self.needs_no_host(error) => self.unknown(written).await,
            _ => reply::refused(error),
        }
    }

    /// Where a rule answers no host has to run, and then nothing waits anywhere.
    fn needs_no_host(&self, error: &InboxError) -> bool {
        self.seat.rule.is_some() && error.code == ErrorCode::HostUnreachable
    }

    /// An id that means nothing, with those that would.
    pub async fn unknown(&self, written: &str) -> CallToolResult {
        let open = self.open().await.unwrap_or_default();
        let ids = |pending: bool| {
            let of = open.iter().filter(|request| (request.state == State::Pending) == pending);
            of.map(|request| request.id.to_string()).collect::<Vec<_>>()
        };
        let message = texts::unknown_id(written, &ids(true), &ids(false));
        reply::failed(ErrorCode::NotFound.as_str(), message)
    }
}

fn nothing() -> Value {
    json!({ "requests": [], "message": texts::NOTHING_OPEN })
}
