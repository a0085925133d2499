//! `/mcp`: the tools of agents over HTTP, for a credential of the role asker.
//!
//! Owns who may call and how much is read; the protocol is `askwell_mcp`'s. Names and origins were
//! checked by then, as for every address of the host (`guard.rs`).

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

use askwell_core::ValidRequest;
use askwell_core::wire::{
    Asked, DraftSaved, DraftView, DraftWrite, Leaving, ListQuery, Page, Posting, ProviderName,
    RequestId, RequestView, Response as Answer, Role,
};
use askwell_host::{Caller, Host};
use askwell_mcp::{Calling, Desk, Endpoint, Person};

use crate::app::App;
use crate::body::{self, Received};
use crate::failure::Failure;
use crate::operation;
use crate::options::Listen;

/// Answers a message of an agent.
pub(crate) async fn call(State(app): State<App>, request: Request) -> Response {
    let (parts, mut body) = request.into_parts();
    let read = async {
        let caller = operation::admit_program(&app, &parts.headers, &[Role::Asker])?;
        let received = match parts.method {
            Method::POST => {
                let holder = app.held.by(&caller);
                body::read(&mut body, Endpoint::MESSAGE, &app.limits, holder, &app.shutdown).await?
            }
            _ => Received::default(),
        };
        Ok((caller, Bytes::copy_from_slice(received.bytes())))
    };
    let (caller, bytes) = match read.await {
        Ok(read) => read,
        Err(failure) => {
            body::drain(&mut body, &parts.headers).await;
            return refuse(failure);
        }
    };
    let (owner, person) = (caller.credential(), person_before(&app));
    let desk = Arc::new(HostDesk { host: app.host.clone(), caller });
    app.mcp.call(parts, bytes, owner, desk, person).await.map(Body::new)
}

/// The person before whom the forms of the clients are: that of the host, where all that reach it run on
/// their machine. Over a network an asker can't answer itself, by no form either.
fn person_before(app: &App) -> Option<Arc<dyn Person>> {
    if !matches!(app.listen, Listen::Loopback(_)) || app.public_url.is_some() {
        return None;
    }
    let person = app.host.first_answerer()?;
    Some(Arc::new(HostPerson { host: app.host.clone(), person }))
}

fn refuse(failure: Failure) -> Response {
    let mut response = failure.into_response();
    if response.status() == StatusCode::UNAUTHORIZED {
        let how = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}

/// The host in this process, as the tools call it.
struct HostDesk {
    host: Host,
    caller: Caller,
}

impl Desk for HostDesk {
    fn ask<'a>(&'a self, request: &'a ValidRequest, posting: &'a Posting) -> Calling<'a, Asked> {
        Box::pin(self.host.ask(&self.caller, request, posting))
    }

    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView> {
        Box::pin(self.host.show_end(&self.caller, id, at_most))
    }

    fn pick_up(&self, id: RequestId) -> Calling<'_, RequestView> {
        Box::pin(self.host.pick_up(&self.caller, id))
    }

    fn list<'a>(&'a self, query: &'a ListQuery) -> Calling<'a, Page> {
        Box::pin(self.host.list(&self.caller, query))
    }

    fn detach(&self, id: RequestId, leaving: Leaving) -> Calling<'_, RequestView> {
        Box::pin(self.host.detach(&self.caller, id, leaving))
    }

    fn abort<'a>(&'a self, id: RequestId, reason: &'a str) -> Calling<'a, RequestView> {
        Box::pin(self.host.abort(&self.caller, id, reason))
    }
}

/// The same as a person sees it.
struct HostPerson {
    host: Host,
    person: Caller,
}

impl Person for HostPerson {
    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView> {
        Box::pin(self.host.wait(&self.person, id, at_most))
    }

    fn draft(&self, id: RequestId) -> Calling<'_, DraftView> {
        Box::pin(self.host.draft(&self.person, id))
    }

    fn save_draft<'a>(&'a self, id: RequestId, write: &'a DraftWrite) -> Calling<'a, DraftSaved> {
        Box::pin(self.host.save_draft(&self.person, id, write))
    }

    fn answer<'a>(&'a self, id: RequestId, response: &'a Answer) -> Calling<'a, RequestView> {
        Box::pin(self.host.answer(&self.person, id, response.clone()))
    }

    fn cancel(&self, id: RequestId) -> Calling<'_, RequestView> {
        Box::pin(self.host.cancel(&self.person, id, None, ProviderName::Elicitation))
    }
}
