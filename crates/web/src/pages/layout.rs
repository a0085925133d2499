//! What every page has around its content: head, strip, languages, scripts, and the headers with
//! which it is sent.
//!
//! Invariant: no script or style stands in a page, and nothing is loaded from elsewhere.

use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use maud::{DOCTYPE, Markup, html};

use askwell_core::messages::Messages;
use askwell_core::wire::{EventId, UnixMillis};

use super::action::Way;
use super::{assets, language, texts};
use crate::app::App;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    manifest-src 'self'";

/// A page without its content.
pub(crate) struct Page {
    pub texts: &'static Messages,
    /// Which one it is, for styles and scripts.
    pub kind: &'static str,
    /// What it is about; no control character in it.
    pub title: String,
    /// How many requests wait. Nothing where nobody is signed in.
    pub waiting: Option<u64>,
    pub switch: Switch,
}

/// What a page is true of.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Events go on after this one.
    pub event: EventId,
    /// The host's time.
    pub now: UnixMillis,
    /// Names the person, for what the browser remembers of theirs.
    pub person: String,
}

/// How another language is switched to.
pub(crate) enum Switch {
    /// By the same address, asked for in the other language.
    Links(String),
    /// By the form of the card, so that what was entered in it goes with it.
    Card,
}

impl Page {
    /// The page with this content.
    pub fn respond(&self, app: &App, status: StatusCode, content: &Markup) -> Response {
        send(app, status, self.document(None, content))
    }

    /// The same for a page that events keep up to date.
    pub fn respond_as_of(
        &self,
        app: &App,
        status: StatusCode,
        moment: Moment,
        content: &Markup,
    ) -> Response {
        send(app, status, self.document(Some(moment), content))
    }

    fn document(&self, moment: Option<Moment>, content: &Markup) -> Markup {
        let texts = self.texts;
        html! {
            (DOCTYPE)
            html lang=(texts.lang().tag()) data-js="off" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content";
                    meta name="color-scheme" content="light dark";
                    title { (self.full_title()) }
                    (*ASSETS)
                }
                body data-page=(self.kind) data-texts=(texts::for_scripts(texts.lang()))
                    data-event-id=[moment.as_ref().map(|moment| moment.event)]
                    data-now=[moment.as_ref().map(|moment| moment.now)]
                    data-person=[moment.as_ref().map(|moment| &moment.person)] {
                    a.to-main href="#main" { (texts.get("page-to-main")) }
                    (self.strip())
                    (content)
                    div #live.visually-hidden role="status" aria-live="polite" {}
                }
            }
        }
    }

    fn full_title(&self) -> String {
        let title = match self.title.as_str() {
            "" => "askwell".to_owned(),
            title => format!("{title} · askwell"),
        };
        match self.waiting {
            Some(count @ 1..) => format!("({count}) {title}"),
            _ => title,
        }
    }

    fn strip(&self) -> Markup {
        let texts = self.texts;
        html! {
            header.top {
                @if self.is_card() {
                    // Enter in a field presses the first button of its form, wherever that stands.
                    button.default type="submit" form="card" name="do" value="submit" tabindex="-1"
                        aria-hidden="true" {}
                }
                (self.way("brand", Way::Inbox, &html! { strong { "askwell" } }))
                @if let Some(count) = self.waiting {
                    @let words = texts.with("page-waiting", [("count", count.into())]);
                    (self.way("waiting", Way::Inbox, &html! { span data-waiting-count=(count) { (words) } }))
                }
                span.sp {}
                @if self.waiting.is_some() {
                    button.link.js type="button" data-act="notify" aria-pressed="false" hidden {
                        (texts.get("page-js-notify"))
                    }
                    (self.way("devices-link", Way::Devices, &html! { (texts.get("page-devices")) }))
                }
                (self.languages())
            }
        }
    }

    fn is_card(&self) -> bool {
        matches!(self.switch, Switch::Card)
    }

    /// A link of the strip.
    fn way(&self, class: &str, way: Way, content: &Markup) -> Markup {
        lead(class, "link", way, self.is_card(), content)
    }

    fn languages(&self) -> Markup {
        let others = language::ALL.into_iter().filter(|(lang, _)| *lang != self.texts.lang());
        let others = others.map(|(lang, name)| (lang.tag(), name));
        html! {
            span.language {
                @for (tag, name) in others {
                    @match &self.switch {
                        Switch::Links(here) => {
                            a href=(with_lang(here, tag)) hreflang=(tag) lang=(tag)
                                data-act="language" data-lang=(tag) { (name) }
                        },
                        Switch::Card => {
                            button.link type="submit" form="card" name="do" value={ "lang-" (tag) }
                                lang=(tag) data-act="language" data-lang=(tag) { (name) }
                        },
                    }
                }
            }
        }
    }
}

/// A link to another page of ours. From a pending card it is a button of the card's form where no
/// script saves what was entered.
pub(super) fn lead(
    class: &str,
    button: &str,
    way: Way,
    from_card: bool,
    content: &Markup,
) -> Markup {
    html! {
        a class={ (class) @if from_card { " scripted" } } href=(way.address()) { (content) }
        @if from_card {
            noscript {
                button class={ (class) " " (button) } type="submit" form="card" name="do"
                    value=(way.button()) { (content) }
            }
        }
    }
}

/// A part of a page, for a script that puts it in its place.
pub(crate) fn part(app: &App, status: StatusCode, markup: Markup) -> Response {
    send(app, status, markup)
}

/// A page that leads on to another address of ours.
pub(crate) fn see_other(place: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(place) = HeaderValue::try_from(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    secure(&mut response);
    response
}

fn send(app: &App, status: StatusCode, markup: Markup) -> Response {
    let mut response = Response::new(app.held.page(markup.into_string().into_bytes()));
    *response.status_mut() = status;
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, html);
    secure(&mut response);
    response
}

/// Headers of every page. The own address is told to ourselves, so that our forms have an origin.
fn secure(response: &mut Response) {
    for (name, value) in
        [(header::CONTENT_SECURITY_POLICY, POLICY), (header::REFERRER_POLICY, "same-origin")]
    {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

/// An address of ours in another language. The rest of its query stays.
fn with_lang(here: &str, tag: &str) -> String {
    let (path, query) = here.split_once('?').unwrap_or((here, ""));
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name != "lang" {
            pairs.append_pair(&name, &value);
        }
    }
    format!("{path}?{}", pairs.append_pair("lang", tag).finish())
}

/// What every page loads. The script waits for the end of the page, and is asked for at its start.
static ASSETS: LazyLock<Markup> = LazyLock::new(|| {
    html! {
        @if let Some(place) = assets::place("style.css") { link rel="stylesheet" href=(place); }
        @if let Some(place) = assets::place("no-scripts.css") {
            noscript { link rel="stylesheet" href=(place); }
        }
        @if let Some(place) = assets::place("page.js") {
            script type="module" src=(place) fetchpriority="high" {}
        }
        @if let Some(place) = assets::place("icon.svg") {
            link rel="icon" type="image/svg+xml" href=(place);
        }
    }
});

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use askwell_core::messages::Lang;

    #[rstest]
    #[case("/", "/?lang=zh")]
    #[case("/?after=1.2&lang=en", "/?after=1.2&lang=zh")]
    #[case("/r/x?view=question", "/r/x?view=question&lang=zh")]
    #[case("/?search=%22%3E", "/?search=%22%3E&lang=zh")]
    fn the_rest_of_an_address_stays(#[case] here: &str, #[case] there: &str) {
        assert_eq!(with_lang(here, "zh"), there);
    }

    #[test]
    fn the_title_counts_what_waits() {
        let title = |waiting, title: &str| {
            let switch = Switch::Links("/".to_owned());
            let texts = language::texts(Lang::En);
            Page { texts, kind: "inbox", title: title.to_owned(), waiting, switch }.full_title()
        };

        assert_eq!(title(None, ""), "askwell");
        assert_eq!(title(Some(0), "Inbox"), "Inbox · askwell");
        assert_eq!(title(Some(3), "Ship?"), "(3) Ship? · askwell");
    }
}
