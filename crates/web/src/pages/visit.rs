//! Somebody who is signed in and looks at a page: who, in which language, at which address.

use std::collections::HashMap;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};

use askwell_core::State;
use askwell_core::messages::Messages;
use askwell_core::wire::{EventId, RequestId, UnixMillis};

use super::action::Way;
use super::failures::{self, Place};
use super::layout::{Moment, lead};
use super::phrase::phrase;
use super::{head, language, sign_in};
use crate::app::App;
use crate::session::Session;

/// Somebody who is signed in, and the address that was asked for.
pub(super) struct Visit {
    pub app: App,
    pub session: Session,
    pub texts: &'static Messages,
    uri: Uri,
    query: HashMap<String, String>,
}

impl FromRequestParts<App> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let session = Session::from_parts(app, &parts.headers)
            .map_err(|_| sign_in::needed(app, &parts.uri, &parts.headers))?;
        let visit = Self::new(app, session, &parts.uri, &parts.headers);
        match app.rates.take(visit.session.caller.credential()) {
            Ok(()) => Ok(visit),
            Err(failure) => Err(failures::page(app, &visit.place(), &failure)),
        }
    }
}

impl Visit {
    pub fn new(app: &App, session: Session, uri: &Uri, headers: &HeaderMap) -> Self {
        let texts = language::texts(language::of(uri, headers));
        let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let query = query.into_owned().collect();
        Self { app: app.clone(), session, texts, uri: uri.clone(), query }
    }

    /// A value of the query.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// The path and query, for the same in another language.
    pub fn here(&self) -> String {
        self.uri.path_and_query().map_or("/", |here| here.as_str()).to_owned()
    }

    /// The same for a page that says what failed.
    pub fn place(&self) -> Place {
        Place { texts: self.texts, here: self.here(), waiting: Some(self.waiting()) }
    }

    /// How many requests wait.
    pub fn waiting(&self) -> u64 {
        self.app.host.stats().pending
    }

    pub fn now(&self) -> UnixMillis {
        self.app.host.wall()
    }

    pub fn moment(&self, event: EventId) -> Moment {
        Moment { event, now: self.now(), person: self.session.person_mark() }
    }

    /// What became of the request before this one, where the address says that there was one.
    pub async fn notice(&self, above_card: bool) -> Markup {
        for (name, state, id) in [
            ("sent", State::Answered, "page-sent"),
            ("dismissed", State::Cancelled, "page-dismissed"),
        ] {
            let done = self.query(name).and_then(|value| value.parse::<RequestId>().ok());
            let Some(done) = done else { continue };
            let found = self.app.host.get(&self.session.caller, done).await;
            // Anybody may send a link that says so.
            if let Ok(view) = found
                && view.state == state
            {
                let name = head::sender(self.texts, &view);
                let show = html! { (self.texts.get("page-show-it")) };
                return html! {
                    p.notice data-follows role="status" {
                        (phrase(self.texts, id, [("name", name)])) " "
                        (lead("", "link", Way::Request(done), above_card, &show))
                    }
                };
            }
        }
        html! {}
    }
}
