//! `askwell open --phone`: a link as a code for a camera, and what it opens to whom.

use askwell::inbox::Environment;
use askwell::inbox::wire::Role;
use serde_json::json;

use super::{Arguments, qr, sign_in};
use crate::cli::format::Format;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::settings::Settings;

/// Shows the code.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // One that would listen on this machine only is not started for it.
    let start = match is_set_up()? {
        true => Start::Always,
        false => Start::Never,
    };
    if start == Start::Never && Environment::read().url.is_none() && !hosts::runs(Role::Answerer) {
        return Err(out_of_reach("no host is running, and one would listen on this machine only"));
    }
    let link = sign_in(arguments, start)?;
    let Some(url) = link.elsewhere_url else {
        return Err(out_of_reach("the host listens on this machine only: no phone reaches it"));
    };
    if arguments.format == Format::Json {
        let tls = is_over_tls(&url);
        let document = json!({ "url": url, "expiresAt": link.expires_at, "tls": tls });
        arguments.format.deliver(|| document, Vec::new)?;
        return Ok(Exit::Success);
    }
    show(&url)?;
    report::note("signed out again by: askwell token list, askwell token revoke");
    Ok(Exit::Success)
}

/// Shows a link for another device, what it opens to whom, and its code.
///
/// # Errors
/// Where it can't be written.
pub fn show(url: &str) -> Result<(), Failure> {
    let origin = url.split_once("/sign-in").map_or(url, |(origin, _)| origin);
    report::note(&format!(
        "signs one device in at {origin}, once, within ten minutes: whoever has the link first; it then \
         reads every question and answer, and answers in your name"
    ));
    if !is_over_tls(url) {
        report::note(
            "HTTP without TLS: others on the network can read along; use one that you trust",
        );
    }
    // The code comes last: what is above it may scroll away, and it must not.
    let screen = qr::Screen::of_stdout();
    let code = qr::draw(url, &screen);
    match &code {
        Ok(code) => {
            if let Some(hint) = screen.is_too_low(code) {
                report::note(&hint);
            }
        }
        Err(why) => report::note(&format!("no code to scan: {why}")),
    }
    report::deliver(&report::plain_lines(&[url.to_owned()]))?;
    if let Ok(code) = code {
        report::deliver(code.as_bytes())?;
    }
    Ok(())
}

fn is_over_tls(url: &str) -> bool {
    url.starts_with("https:")
}

/// Whether a host that is started here can be reached from elsewhere.
fn is_set_up() -> Result<bool, Failure> {
    let settings = Settings::read(&[])?;
    let is_open = settings.bind()?.is_some_and(|address| !address.is_loopback());
    Ok(is_open || settings.public_url()?.is_some())
}

fn out_of_reach(why: &str) -> Failure {
    let address = askwell_web::address_of_this_machine();
    let address = address.map_or_else(|| "ADDRESS".to_owned(), |address| address.to_string());
    Failure::new(Exit::Failure, why)
        .hint(format!(
            "for a network that you trust, start it so: askwell stop; askwell serve --bind {address}"
        ))
        .hint("then, in another terminal: askwell open --phone")
        .hint("behind a proxy with TLS: askwell stop; askwell serve --public-url https://ask.example.com")
}
