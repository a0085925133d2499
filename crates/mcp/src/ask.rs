//! `ask_user_question`: reads a request, posts it, and waits for the person.

use askwell_core::wire::{IdempotencyKey, Posting};
use askwell_core::{Asker, State, ValidRequest, lenient, limits, texts};
use rmcp::model::{CallToolResult, JsonObject};
use std::time::Duration;

use crate::call::{Call, Waiting};
use crate::reply;

impl Call {
    /// Asks.
    pub async fn ask(mut self, arguments: JsonObject) -> CallToolResult {
        let request = match lenient::request_from_value(arguments.into()) {
            Ok(request) => request,
            Err(bad) => return reply::bad_request(&bad),
        };
        let least = self.shared.options.min_expiry;
        let (request, short) = self.signed(request).expiring_no_sooner_than(least);
        let note = short.map(|asked| texts::expiry_raised(asked, least));
        // Before anything else: a host may have to be started first.
        self.progress.tell().await;
        let key = IdempotencyKey::of_session(&self.session, &request);
        let asked = match self.desk.ask(&request, &Posting::attached().with_key(key)).await {
            Ok(asked) => asked,
            Err(error) => return reply::not_asked(&error),
        };
        let waiting = Waiting {
            id: asked.id,
            question: request.questions.first().map_or("", |question| question.question.as_str()),
            page: asked.url.as_deref(),
        };
        let at_most = match asked.state {
            State::Pending => self.longest(),
            _ => Duration::ZERO,
        };
        let waited = self.wait_for(&[asked.id], at_most).await;
        self.conclude(waiting, waited, note).await
    }

    /// The request with who asks. Its session is the client's, whatever a model says.
    fn signed(&self, request: ValidRequest) -> ValidRequest {
        let mut signed = request.clone().into_inner();
        let asker = signed.asker.get_or_insert_with(Asker::default);
        let fits = |text: &String| !text.trim().is_empty() && text.len() <= limits::ASKER;
        if let Some(name) = Some(self.client.clone()).filter(fits) {
            asker.name = Some(name);
        }
        if let Some(cwd) = self.cwd.clone().filter(fits) {
            asker.cwd = Some(cwd);
        }
        asker.session = Some(self.session.clone());
        // Only the size of the whole could be too much.
        signed.validate().unwrap_or(request)
    }
}
