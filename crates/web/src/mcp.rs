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
use askwell_core::wire::{Asked, Leaving, ListQuery, Page, Posting, RequestId, RequestView, Role};
use askwell_host::{Caller, Host};
use askwell_mcp::{Calling, Desk, Endpoint};

use crate::app::App;
use crate::body::{self, Received};
use crate::failure::Failure;
use crate::operation;

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
    let owner = caller.credential();
    let desk = Arc::new(HostDesk { host: app.host.clone(), caller });
    app.mcp.call(parts, bytes, owner, desk).await.map(Body::new)
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
        Box::pin(self.host.wait(&self.caller, id, at_most))
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
