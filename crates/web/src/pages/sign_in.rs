//! Signing in: the page that a one-time link leads to, what its button does, and the page for whoever
//! is not signed in.
//!
//! Invariants: looking at a link uses nothing up, so that a preview of it does no harm; who is not
//! signed in gets the same page whatever the address.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};

use askwell_core::messages::Messages;
use askwell_host::{BadCode, NotSignedIn, SignIn};

use super::layout::{Page, Switch, see_other};
use super::phrase::phrase;
use super::{browser, failures, head, language, time};
use crate::app::App;
use crate::body;
use crate::failure::Failure;
use crate::form::Form;
use crate::options::SMALL;
use crate::rate::Stranger;
use crate::server::Peer;
use crate::session::{self, Session};

/// Shows a link's button; without a code, how to get one.
pub(crate) async fn show(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let session = Session::from_parts(&app, &parts.headers).ok();
    let view = View::of(&app, &parts);
    let code = code_of(&parts.uri);
    if code.is_empty() {
        return match session {
            Some(_) => see_other("/"),
            None => view.how(StatusCode::OK),
        };
    }
    if let Err(failure) = view.try_code() {
        return view.too_often(&failure);
    }
    match app.host.sign_in(&code) {
        Ok(sign_in) => {
            view.was_right();
            let signed_in = session.is_some_and(|it| **it.caller.person() == *sign_in.person);
            match signed_in {
                true => see_other(sign_in.next.as_deref().unwrap_or("/")),
                false => view.button(StatusCode::OK, &code, &sign_in),
            }
        }
        Err(bad) => view.bad_code(bad),
    }
}

/// Uses a code up, and signs the browser in.
pub(crate) async fn enter(State(app): State<App>, request: Request) -> Response {
    let (parts, mut body) = request.into_parts();
    let view = View::of(&app, &parts);
    let form = match read(&app, &parts, &mut body).await {
        Ok(form) => form,
        Err(failure) => return view.failed(&failure),
    };
    if let Err(failure) = view.try_code() {
        return view.too_often(&failure);
    }
    let former = Session::from_parts(&app, &parts.headers).ok().map(|session| session.caller);
    let code = form.get("code");
    match app.host.use_sign_in(code, &browser::name(&parts.headers), former.as_ref()).await {
        Ok(signed_in) => {
            view.was_right();
            let mut response = see_other(signed_in.next.as_deref().unwrap_or("/"));
            if let Some(token) = signed_in.token {
                match session::cookie(&app, &parts.headers, &token) {
                    Ok(cookie) => response.headers_mut().insert(header::SET_COOKIE, cookie),
                    Err(failure) => return view.failed(&failure),
                };
            }
            response
        }
        Err(NotSignedIn::Code(bad)) => view.bad_code(bad),
        Err(NotSignedIn::Host(error)) => {
            view.was_right();
            tracing::error!(%error, "nobody can sign in");
            match app.host.sign_in(code) {
                Ok(sign_in) => view.button(StatusCode::SERVICE_UNAVAILABLE, code, &sign_in),
                Err(bad) => view.bad_code(bad),
            }
        }
    }
}

/// What everybody gets who is not signed in.
pub(crate) fn needed(app: &App, uri: &Uri, headers: &HeaderMap) -> Response {
    View { app, uri, headers, address: None }.how(StatusCode::UNAUTHORIZED)
}

/// What a browser gets that was just signed out, alone or with others.
pub(super) fn signed_out(app: &App, uri: &Uri, headers: &HeaderMap, count: usize) -> Response {
    let view = View { app, uri, headers, address: None };
    let texts = view.texts();
    let content = html! {
        p.notice role="status" { (texts.with("page-signed-out-on", [("count", count.into())])) }
        p { (texts.get("page-needed")) }
        (commands(texts))
    };
    let title = texts.get("page-needed-title");
    view.page(StatusCode::OK, title, "/sign-in".to_owned(), content)
}

/// Reads a small form of a page.
pub(super) async fn read(app: &App, parts: &Parts, body: &mut Body) -> Result<Form, Failure> {
    let form = Form::read(app, &parts.headers, body, SMALL).await;
    if form.is_err() {
        body::drain(body, &parts.headers).await;
    }
    form
}

fn code_of(uri: &Uri) -> String {
    let query = uri.query().unwrap_or_default().as_bytes();
    let code = form_urlencoded::parse(query).find(|(name, _)| name == "code");
    code.map(|(_, code)| code.into_owned()).unwrap_or_default()
}

/// What the pages here are made for.
struct View<'a> {
    app: &'a App,
    uri: &'a Uri,
    headers: &'a HeaderMap,
    address: Option<IpAddr>,
}

impl<'a> View<'a> {
    fn of(app: &'a App, parts: &'a Parts) -> Self {
        let address = parts.extensions.get::<Peer>().map(|peer| peer.0);
        Self { app, uri: &parts.uri, headers: &parts.headers, address }
    }

    fn stranger(&self) -> Stranger {
        Stranger::new(self.address, self.app.names.is_public(self.headers))
    }

    /// Counts a try of a code, before anything is said of it.
    fn try_code(&self) -> Result<(), Failure> {
        self.app.tries.take(self.stranger())
    }

    fn was_right(&self) {
        self.app.tries.give_back(self.stranger());
    }

    fn failed(&self, failure: &Failure) -> Response {
        failures::page(self.app, &failures::Place::of(self.uri, self.headers), failure)
    }

    fn texts(&self) -> &'static Messages {
        language::texts(language::of(self.uri, self.headers))
    }

    fn page(&self, status: StatusCode, title: String, switch: String, content: Markup) -> Response {
        let kind = "sign-in";
        let switch = Switch::Links(switch);
        let content = html! { div.page { main #main.notice { h1 { (title) } (content) } } };
        let page = Page { texts: self.texts(), kind, title, waiting: None, switch };
        page.respond(self.app, status, &content)
    }

    fn button(&self, status: StatusCode, code: &str, sign_in: &SignIn) -> Response {
        let texts = self.texts();
        let content = html! {
            @if status != StatusCode::OK {
                p.problem role="alert" { (texts.get("page-sign-in-failed")) }
            }
            p {
                @match head::person(&sign_in.person) {
                    Some(name) => (phrase(texts, "page-sign-in-as", [("name", name)])),
                    None => (texts.get("page-sign-in-here")),
                }
            }
            form method="post" action="/sign-in" {
                input type="hidden" name="code" value=(code);
                button.primary type="submit" { (texts.get("page-sign-in-button")) }
            }
            p.quiet {
                @let left = time::left(texts, sign_in.expires_at, self.app.host.wall());
                (phrase(texts, "page-sign-in-once", [("left", left)]))
            }
        };
        let here = format!("/sign-in?code={code}");
        self.page(status, texts.get("page-sign-in-title"), here, content)
    }

    fn how(&self, status: StatusCode) -> Response {
        let texts = self.texts();
        let content = html! {
            p { (texts.get("page-needed")) }
            (commands(texts))
        };
        let mut response =
            self.page(status, texts.get("page-needed-title"), String::new(), content);
        if status == StatusCode::UNAUTHORIZED {
            let challenge = Failure::unauthorized("").into_response();
            let challenge = challenge.headers().get(header::WWW_AUTHENTICATE).cloned();
            response.headers_mut().extend(challenge.map(|it| (header::WWW_AUTHENTICATE, it)));
        }
        response
    }

    fn bad_code(&self, bad: BadCode) -> Response {
        let texts = self.texts();
        let (title, text) = match bad {
            BadCode::Used => ("page-code-used-title", "page-code-used"),
            BadCode::Unknown => ("page-code-unknown-title", "page-code-unknown"),
        };
        let content = html! {
            p { (texts.get(text)) }
            @if bad == BadCode::Used {
                dl.commands { (command(texts, "page-command-devices", "askwell token list")) }
            }
            p { (texts.get("page-code-new")) }
            (commands(texts))
        };
        self.page(StatusCode::GONE, texts.get(title), "/sign-in".to_owned(), content)
    }

    fn too_often(&self, failure: &Failure) -> Response {
        let texts = self.texts();
        let content = html! { p { (texts.get("page-tries")) } };
        let status = StatusCode::TOO_MANY_REQUESTS;
        let title = texts.get("page-tries-title");
        let mut response = self.page(status, title, "/sign-in".to_owned(), content);
        if let Some(seconds) = failure.retry_after() {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// What to type for a link.
fn commands(texts: &Messages) -> Markup {
    html! {
        dl.commands {
            (command(texts, "page-command-here", "askwell open"))
            (command(texts, "page-command-print", "askwell open --print"))
            (command(texts, "page-command-phone", "askwell open --phone"))
        }
    }
}

fn command(texts: &Messages, purpose: &str, line: &str) -> Markup {
    html! {
        dt { (texts.get(purpose)) }
        dd { code { (line) } }
    }
}
