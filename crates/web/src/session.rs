//! Who is at a browser: the cookie as a credential, and what makes a change that it sends a page's own.
//!
//! Owns the cookie and the form token. Making and ending sign-ins is the host's; the pages of it are
//! `pages::sign_in` and `pages::devices`. Invariants: only a device's credential is taken from a
//! cookie; a change that a cookie allows comes with an Origin (which [`crate::guard`] compares) and is
//! either JSON or a form with the token of this very session.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use askwell_host::Caller;

use crate::app::App;
use crate::failure::Failure;
use crate::pages;

/// How long a browser keeps the cookie, in seconds: as long as the host takes it.
const KEPT: u32 = 365 * 24 * 60 * 60;

/// A browser that is signed in.
///
/// As an argument of a page's handler it lets in nobody else: they get a page that says how to sign in,
/// the same whatever they asked for.
#[derive(Debug)]
pub(crate) struct Session {
    /// The device.
    pub caller: Caller,
    form_token: String,
}

impl Session {
    /// The session of a request, for whoever does not answer with a page.
    pub fn from_parts(app: &App, headers: &HeaderMap) -> Result<Self, Failure> {
        let token = token(&app.cookie, headers)
            .ok_or_else(|| Failure::unauthorized("a credential is needed"))?;
        let caller = app.host.authenticate_device(token)?;
        Ok(Self { caller, form_token: form_token(token) })
    }

    /// What a form of this session's pages holds in its hidden field `token`.
    pub fn form_token(&self) -> &str {
        &self.form_token
    }

    /// Names the person in what their browser remembers, which others may read who sign in there.
    pub fn person_mark(&self) -> String {
        let mut mark = hash("person", self.caller.person());
        mark.truncate(16);
        mark
    }

    /// Fails unless a form was sent by a page of this session: with its token, and with an Origin.
    pub fn check(&self, token: &str, headers: &HeaderMap) -> Result<(), Failure> {
        expect_origin(headers)?;
        match is_same(token.as_bytes(), self.form_token.as_bytes()) {
            true => Ok(()),
            false => Err(Failure::forbidden("the form is of another sign-in")
                .with_hint("Load the page again, and send it once more.")),
        }
    }
}

impl FromRequestParts<App> for Session {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let session = Self::from_parts(app, &parts.headers);
        let session =
            session.map_err(|_| pages::sign_in::needed(app, &parts.uri, &parts.headers))?;
        app.rates.take(session.caller.credential()).map_err(Failure::into_response)?;
        Ok(session)
    }
}

/// Fails where a page does not say where it is from. That it is from here was checked before.
pub(crate) fn expect_origin(headers: &HeaderMap) -> Result<(), Failure> {
    match headers.contains_key(header::ORIGIN) {
        true => Ok(()),
        false => Err(Failure::forbidden("a change that a cookie allows has to send its Origin")
            .with_hint("Programs send a credential as `Authorization: Bearer TOKEN` instead.")),
    }
}

/// Fails where a browser says that another site's page has sent this. A link from elsewhere may lead
/// to a page; nothing but our own pages has business with the API.
pub(crate) fn expect_same_origin(headers: &HeaderMap) -> Result<(), Failure> {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    match site {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Failure::forbidden("the page that sent this is not one of this host")),
    }
}

/// The name of the cookie of the instance with this label. Each has its own, since browsers do not
/// tell the ports of one name apart.
pub(crate) fn cookie_name(label: &str) -> String {
    format!("askwell_{label}")
}

/// The header that keeps a device's token in the browser that sent these headers.
pub(crate) fn cookie(app: &App, headers: &HeaderMap, token: &str) -> Result<HeaderValue, Failure> {
    set_cookie(app, headers, token, KEPT)
}

/// The header that takes it out again.
pub(crate) fn no_cookie(app: &App, headers: &HeaderMap) -> Result<HeaderValue, Failure> {
    set_cookie(app, headers, "", 0)
}

fn set_cookie(
    app: &App,
    headers: &HeaderMap,
    token: &str,
    seconds: u32,
) -> Result<HeaderValue, Failure> {
    let name = &app.cookie;
    let secure = if app.names.is_over_tls(headers) { "; Secure" } else { "" };
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    text.try_into()
        .map_err(|_| Failure::new(askwell_core::ErrorCode::Internal, "the cookie can't be written"))
}

/// The token in the cookie of this name.
fn token<'h>(name: &str, headers: &'h HeaderMap) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|value| value.split(';')).filter_map(|it| it.split_once('='));
    let mut values = pairs.filter(|(own, _)| own.trim() == name).map(|(_, value)| value.trim());
    let first = values.next()?;
    // Of two that differ, one was set by somebody else.
    values.all(|value| value == first).then_some(first)
}

/// The token's hash under a name of its own: who reads a page learns nothing of the cookie.
fn form_token(token: &str) -> String {
    hash("form", token)
}

/// A hash of this text for this use, in hexadecimal.
fn hash(of: &str, text: &str) -> String {
    use std::fmt::Write as _;

    let hash = Sha256::new().chain_update(format!("askwell {of}\0")).chain_update(text).finalize();
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares in a time that does not tell where two texts of one length differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["askwell_x=abc"], Some("abc"))]
    #[case(&["a=b; askwell_x=abc; c=d"], Some("abc"))]
    #[case(&["a=b", "askwell_x=abc"], Some("abc"))]
    #[case(&["askwell_x=abc; askwell_x=abc"], Some("abc"))]
    #[case(&["askwell_x=abc; askwell_x=other"], None)]
    #[case(&["askwell_x=abc", "askwell_x=other"], None)]
    #[case(&["askwell_y=abc"], None)]
    #[case(&["askwell_xy=abc; xaskwell_x=abc"], None)]
    #[case(&["askwell_x"], None)]
    #[case(&[], None)]
    fn a_cookie_is_read_by_its_whole_name(#[case] sent: &[&str], #[case] expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        for value in sent {
            headers.append(header::COOKIE, value.parse().unwrap());
        }

        assert_eq!(token("askwell_x", &headers), expected);
    }

    #[test]
    fn texts_are_the_same_only_whole() {
        assert!(is_same(b"abc", b"abc") && is_same(b"", b""));
        for other in [&b"abd"[..], b"ab", b"abcd", b""] {
            assert!(!is_same(b"abc", other));
        }
    }

    #[test]
    fn a_form_token_is_of_one_session_and_does_not_tell_its_secret() {
        let (one, other) = (form_token("askwell_1"), form_token("askwell_2"));

        assert_eq!(one.len(), 64);
        assert_eq!(one, form_token("askwell_1"));
        assert_ne!(one, other);
        assert!(!one.contains("askwell"));
    }
}
