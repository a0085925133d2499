//! The devices of a person, and signing out: one, this one, or all of them.
//!
//! Invariant: a browser that signs out others is signed in itself until the last of them is out.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;
use maud::{Markup, html};

use askwell_core::ErrorCode;
use askwell_core::messages::Messages;
use askwell_core::text::sanitize_line;
use askwell_core::wire::{Credential, CredentialId, InboxError, UnixMillis};

use super::layout::{Page, Switch, see_other};
use super::phrase::{facts, phrase};
use super::{failures, head, language, sign_in, time};
use crate::app::App;
use crate::body;
use crate::failure::Failure;
use crate::form::Form;
use crate::session::{self, Session};

const HERE: &str = "/devices";

/// Lists them.
pub(crate) async fn show(State(app): State<App>, session: Session, request: Request) -> Response {
    page(&app, &session, StatusCode::OK, request.uri(), request.headers())
}

/// Signs out, as the button says.
pub(crate) async fn change(State(app): State<App>, request: Request) -> Response {
    let (parts, mut body) = request.into_parts();
    let Ok(session) = Session::from_parts(&app, &parts.headers) else {
        body::drain(&mut body, &parts.headers).await;
        return sign_in::needed(&app, &parts.uri, &parts.headers);
    };
    let form = match sign_in::read(&app, &parts, &mut body).await {
        Ok(form) => form,
        Err(failure) => return failed(&app, &parts.uri, &parts.headers, failure),
    };
    if session.check(form.get("token"), &parts.headers).is_err() {
        return page(&app, &session, StatusCode::FORBIDDEN, &parts.uri, &parts.headers);
    }
    if form.get("do") == "sign-out-everywhere" {
        return everywhere(&app, &session, &parts.uri, &parts.headers);
    }
    let done = match sign_out(&app, &session, &form).await {
        Ok(done) => done,
        Err(error) => return failed(&app, &parts.uri, &parts.headers, error),
    };
    if !done.own {
        return see_other(HERE);
    }
    let mut response = sign_in::signed_out(&app, &parts.uri, &parts.headers, done.count);
    match session::no_cookie(&app, &parts.headers) {
        Ok(cookie) => response.headers_mut().insert(header::SET_COOKIE, cookie),
        Err(failure) => return failed(&app, &parts.uri, &parts.headers, failure),
    };
    response
}

fn failed(app: &App, uri: &Uri, headers: &HeaderMap, why: impl Into<Failure>) -> Response {
    failures::page(app, &failures::Place::of(uri, headers), &why.into())
}

/// What was signed out.
struct Done {
    count: usize,
    /// Whether this very browser was.
    own: bool,
}

async fn sign_out(app: &App, session: &Session, form: &Form) -> Result<Done, InboxError> {
    let own = session.caller.credential();
    let mut ids: Vec<CredentialId> = match form.get("do") {
        "sign-out" => vec![own],
        "sign-out-everywhere-yes" => {
            app.host.devices(&session.caller)?.iter().map(|device| device.id).collect()
        }
        _ => form.get("device").parse().into_iter().collect(),
    };
    // It signs the others out only as long as it is signed in itself.
    ids.sort_by_key(|id| *id == own);
    let mut count = 0;
    for id in &ids {
        match app.host.sign_out(&session.caller, *id).await {
            Ok(()) => {
                app.rates.forget(*id);
                count += 1;
            }
            // From another page, a moment ago.
            Err(error) if error.code == ErrorCode::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Done { count, own: ids.contains(&own) })
}

/// Asks before all are signed out.
fn everywhere(app: &App, session: &Session, uri: &Uri, headers: &HeaderMap) -> Response {
    let count = match app.host.devices(&session.caller) {
        Ok(devices) => devices.len(),
        Err(error) => return failed(app, uri, headers, error),
    };
    let texts = language::texts(language::of(uri, headers));
    let title = texts.with("page-sign-out-everywhere-title", [("count", count.into())]);
    let content = html! {
        div.page {
            main #main.notice {
                h1 { (title) }
                p { (texts.get("page-sign-out-everywhere-what")) }
                form.actions method="post" action=(HERE) {
                    input type="hidden" name="token" value=(session.form_token());
                    a.button.quiet href=(HERE) { (texts.get("back")) }
                    button.button.primary type="submit" name="do" value="sign-out-everywhere-yes" {
                        (texts.get("page-sign-out-everywhere-yes"))
                    }
                }
            }
        }
    };
    let waiting = Some(app.host.stats().pending);
    let switch = Switch::Links(HERE.to_owned());
    Page { texts, kind: "devices", title, waiting, switch }.respond(app, StatusCode::OK, &content)
}

fn page(
    app: &App,
    session: &Session,
    status: StatusCode,
    uri: &Uri,
    headers: &HeaderMap,
) -> Response {
    let devices = match app.host.devices(&session.caller) {
        Ok(devices) => devices,
        Err(error) => return failed(app, uri, headers, error),
    };
    let texts = language::texts(language::of(uri, headers));
    let (own, now) = (session.caller.credential(), app.host.wall());
    let title = texts.get("page-devices");
    let token = html! { input type="hidden" name="token" value=(session.form_token()); };
    let content = html! {
        div.page {
            main #main.notice {
                h1 { (title) }
                @if status == StatusCode::FORBIDDEN {
                    p.problem role="alert" { (texts.get("page-form-foreign")) }
                }
                p {
                    @match head::person(session.caller.person()) {
                        Some(name) => (phrase(texts, "page-devices-of", [("name", name)])),
                        None => (texts.get("page-devices-here")),
                    }
                }
                ul.devices {
                    @for device in &devices {
                        li { (one(texts, device, device.id == own, now, &token)) }
                    }
                }
                @if devices.len() > 1 {
                    form.actions method="post" action=(HERE) {
                        (token)
                        button.button type="submit" name="do" value="sign-out-everywhere" {
                            (texts.get("page-sign-out-everywhere"))
                        }
                    }
                }
            }
        }
    };
    let waiting = Some(app.host.stats().pending);
    let switch = Switch::Links(HERE.to_owned());
    Page { texts, kind: "devices", title, waiting, switch }.respond(app, status, &content)
}

fn one(
    texts: &Messages,
    device: &Credential,
    is_own: bool,
    now: UnixMillis,
    token: &Markup,
) -> Markup {
    const HOUR: UnixMillis = 3_600_000;
    let name = sanitize_line(&device.name).into_owned();
    let used_at = device.device.map_or(device.created_at, |device| device.used_at);
    let signed_in = [("time", time::ago(texts, device.created_at, now))];
    let signed_in = phrase(texts, "page-device-signed-in", signed_in);
    // No more is kept than the hour.
    let used = match now - used_at < HOUR {
        true => html! { (texts.get("page-device-used-now")) },
        false => phrase(texts, "page-device-used", [("time", time::ago(texts, used_at, now))]),
    };
    html! {
        form.device method="post" action=(HERE) {
            (token)
            input type="hidden" name="device" value=(device.id);
            div {
                p.device-name {
                    strong dir="auto" { (name) }
                    @if is_own { " " span.badge { (texts.get("page-device-own")) } }
                }
                p.quiet { (facts([signed_in, used])) }
            }
            button.button type="submit" name="do" value=(if is_own { "sign-out" } else { "revoke" })
                aria-label=(texts.with("page-device-sign-out-name", [("name", name.into())])) {
                (texts.get("page-device-sign-out"))
            }
        }
    }
}
