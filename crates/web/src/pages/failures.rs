//! What failed, as a page. The same codes as everywhere; the words are for a person who did nothing
//! wrong.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;
use maud::{Markup, html};

use askwell_core::messages::Messages;

use super::language;
use super::layout::{Page, Switch};
use super::settled;
use crate::app::App;
use crate::failure::Failure;

/// Where it failed.
pub(crate) struct Place {
    pub texts: &'static Messages,
    pub here: String,
    /// How many requests wait; nothing where nobody is signed in.
    pub waiting: Option<u64>,
}

impl Place {
    /// Where nobody is known to be signed in.
    pub fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let here = uri.path_and_query().map_or("/", |here| here.as_str()).to_owned();
        Self { texts: language::texts(language::of(uri, headers)), here, waiting: None }
    }
}

/// The page of a failure.
pub(crate) fn page(app: &App, place: &Place, failure: &Failure) -> Response {
    page_with(app, place, failure, &[])
}

/// The same, with texts that were posted and are in no draft.
pub(crate) fn page_with(app: &App, place: &Place, failure: &Failure, typed: &[&str]) -> Response {
    if let Some(message) = failure.message_for_log() {
        tracing::error!(code = failure.code(), status = failure.status(), "{message}");
    }
    let status = StatusCode::from_u16(failure.status());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let texts = place.texts;
    let (title, text) = match words(status) {
        ("page-not-found-title", _) if !place.here.starts_with("/r/") => {
            ("page-not-found-title", "page-nothing-here")
        }
        words => words,
    };
    let content = notice(
        texts,
        title,
        text,
        &html! {
            @if !typed.is_empty() { (settled::typed(texts, "page-typed-unsaved", typed)) }
        },
    );
    let switch = Switch::Links(place.here.clone());
    let page =
        Page { texts, kind: "notice", title: texts.get(title), waiting: place.waiting, switch };
    let mut response = page.respond(app, status, &content);
    if let Some(seconds) = failure.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// A page that says one thing.
fn notice(texts: &Messages, title: &str, text: &str, more: &Markup) -> Markup {
    html! {
        div.page {
            main #main.notice {
                h1 { (texts.get(title)) }
                p { (texts.get(text)) }
                (more)
                p { a.button href="/" { (texts.get("page-to-inbox")) } }
            }
        }
    }
}

/// Title and text.
fn words(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::UNAUTHORIZED => ("page-signed-out-title", "page-signed-out"),
        StatusCode::FORBIDDEN => ("page-forbidden-title", "page-forbidden"),
        StatusCode::NOT_FOUND => ("page-not-found-title", "page-not-found"),
        StatusCode::TOO_MANY_REQUESTS => ("page-busy-title", "page-busy"),
        StatusCode::SERVICE_UNAVAILABLE => ("page-unavailable-title", "page-unavailable"),
        status if status.is_client_error() => ("page-bad-title", "page-bad"),
        _ => ("page-failed-title", "page-failed"),
    }
}
