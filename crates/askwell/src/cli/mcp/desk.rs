//! A host over HTTP as the tools call it: each call on a thread that may block.

use std::time::Duration;

use askwell::ErrorCode;
use askwell::ValidRequest;
use askwell::inbox::wire::{
    Asked, DraftSaved, DraftView, DraftWrite, Inbox, InboxError, Leaving, ListQuery, Page, Posting,
    ProviderName, RequestId, RequestView, Response,
};
use askwell::inbox::{Client, Cut};
use askwell_mcp::{Calling, Desk, Person};

/// The host of a client.
pub struct ClientDesk {
    client: Client,
    panics: bool,
}

impl ClientDesk {
    /// The host of this client. `panics` is a test's wish.
    pub fn new(client: Client, panics: bool) -> Self {
        Self { client, panics }
    }
}

impl Desk for ClientDesk {
    fn ask<'a>(&'a self, request: &'a ValidRequest, posting: &'a Posting) -> Calling<'a, Asked> {
        assert!(!self.panics, "as the test wants");
        let (client, request, posting) = (self.client.clone(), request.clone(), posting.clone());
        Box::pin(blocking(move || client.ask(&request, &posting)))
    }

    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView> {
        // It counts as picked up once the agent has it, and not when it is here.
        wait(&self.client, move |client| client.wait_to_hand_on(id, at_most))
    }

    fn pick_up(&self, id: RequestId) -> Calling<'_, RequestView> {
        let client = self.client.clone();
        Box::pin(blocking(move || client.pick_up(id)))
    }

    fn list<'a>(&'a self, query: &'a ListQuery) -> Calling<'a, Page> {
        let (client, query) = (self.client.clone(), query.clone());
        Box::pin(blocking(move || client.list(&query)))
    }

    fn detach(&self, id: RequestId, leaving: Leaving) -> Calling<'_, RequestView> {
        let client = self.client.clone();
        Box::pin(blocking(move || client.detach(id, leaving)))
    }

    fn abort<'a>(&'a self, id: RequestId, reason: &'a str) -> Calling<'a, RequestView> {
        let (client, reason) = (self.client.clone(), reason.to_owned());
        Box::pin(blocking(move || client.abort(id, &reason)))
    }
}

/// The same host as a person sees it.
pub struct ClientPerson {
    client: Client,
}

impl ClientPerson {
    /// The host of this client, which has the credential of an answerer.
    pub fn new(client: Client) -> Self {
        Self { client }
    }
}

impl Person for ClientPerson {
    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView> {
        wait(&self.client, move |client| client.wait(id, at_most))
    }

    fn draft(&self, id: RequestId) -> Calling<'_, DraftView> {
        let client = self.client.clone();
        Box::pin(blocking(move || client.draft(id)))
    }

    fn save_draft<'a>(&'a self, id: RequestId, write: &'a DraftWrite) -> Calling<'a, DraftSaved> {
        let (client, write) = (self.client.clone(), write.clone());
        Box::pin(blocking(move || client.save_draft(id, &write)))
    }

    fn answer<'a>(&'a self, id: RequestId, response: &'a Response) -> Calling<'a, RequestView> {
        let (client, response) = (self.client.clone(), response.clone());
        Box::pin(blocking(move || client.answer(id, &response)))
    }

    fn cancel(&self, id: RequestId) -> Calling<'_, RequestView> {
        let client = self.client.clone();
        Box::pin(blocking(move || client.cancel(id, None, ProviderName::Elicitation)))
    }
}

fn wait(
    client: &Client,
    wait: impl FnOnce(&Client) -> Result<RequestView, InboxError> + Send + 'static,
) -> Calling<'static, RequestView> {
    let (client, cut) = client.apart();
    Box::pin(async move {
        // Whoever does not wait any more hangs up: the outcome is not for them.
        let hang_up = HangUp(Some(cut));
        let waited = blocking(move || wait(&client)).await;
        hang_up.disarm();
        waited
    })
}

/// Cuts a wait that is dropped.
struct HangUp(Option<Cut>);

impl HangUp {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for HangUp {
    fn drop(&mut self) {
        if let Some(cut) = self.0.take() {
            cut.cut();
        }
    }
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, InboxError> + Send + 'static,
) -> Result<T, InboxError> {
    let called = tokio::task::spawn_blocking(call).await;
    called.unwrap_or_else(|error| Err(InboxError::new(ErrorCode::Internal, error.to_string())))
}
