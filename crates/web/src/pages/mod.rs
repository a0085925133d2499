//! The pages that the host serves: forms that work without any script.
//!
//! Owns markup, addresses and what buttons do. Owns no rule: what a draft may be is the core's, what
//! may be done is the host's. Invariants: text of an asker is text, in an element of its own
//! direction; whatever a page is told, nothing that a person wrote is gone afterwards.

mod action;
mod assets;
mod browser;
mod card;
mod compress;
pub(crate) mod devices;
mod entered;
pub(crate) mod failures;
mod form;
mod head;
mod inbox;
mod language;
mod layout;
pub(crate) mod markdown;
pub(crate) mod opener;
mod phrase;
mod plan;
mod prompt;
mod question;
mod request;
mod review;
mod sending;
mod settled;
pub(crate) mod sign_in;
mod texts;
mod time;
mod visit;

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use futures_util::FutureExt as _;
use tracing::Instrument as _;
use tracing::field::Empty;

use askwell_core::ErrorCode;

use crate::app::App;
use crate::failure::Failure;

/// The routes of the pages and of what they load.
pub(crate) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/", get(inbox::show))
        .route("/r/{id}", get(request::show).post(form::post))
        .route("/sign-in", get(sign_in::show).post(sign_in::enter))
        .route("/devices", get(devices::show).post(devices::change))
        .route_layer(from_fn_with_state(app.clone(), every_page))
        .route("/assets/{name}", get(assets::get))
}

/// Whether what asks for it wants a page, rather than a document for a program.
pub(crate) fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let is_page = path == "/" || path.starts_with("/r/");
    is_page || (!path.starts_with("/api/") && accept.is_some_and(|it| it.contains("text/html")))
}

/// What comes before and after every page.
async fn every_page(State(app): State<App>, request: Request, next: Next) -> Response {
    let span = tracing::info_span!("page", path = request.uri().path(), status = Empty);
    let place = failures::Place::of(request.uri(), request.headers());
    let switched = language::switched_to(request.uri());
    let compresses = compress::is_wanted(&app, request.headers());
    let may_hold = opener::may_hold(request.headers());
    async move {
        let made = AssertUnwindSafe(next.run(request)).catch_unwind().await;
        let mut response = made.unwrap_or_else(|_| {
            tracing::error!("a page panicked");
            let failure = Failure::new(ErrorCode::Internal, "the page failed");
            failures::page(&app, &place, &failure)
        });
        if let Some(cookie) = switched.and_then(language::cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        if !may_hold {
            let as_it_is = HeaderValue::from_static(opener::AS_IT_IS);
            response.headers_mut().insert(opener::POLICY, as_it_is);
        }
        tracing::Span::current().record("status", response.status().as_u16());
        match compresses {
            true => compress::response(&app, response).await,
            false => response,
        }
    }
    .instrument(span)
    .await
}
