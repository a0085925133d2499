//! `askwell open --phone`: a link as a code for a camera, and what it opens to whom.

use std::io::{self, IsTerminal as _};

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
    let origin = url.split_once("/sign-in").map_or(url.as_str(), |(origin, _)| origin);
    let is_over_tls = url.starts_with("https:");
    if arguments.format == Format::Json {
        let document = json!({ "url": url, "expiresAt": link.expires_at, "tls": is_over_tls });
        arguments.format.deliver(|| document, Vec::new)?;
        return Ok(Exit::Success);
    }
    match qr::draw(&url, &qr::Screen::of_stdout()) {
        Ok(code) => report::deliver(code.as_bytes())?,
        Err(why) => report::note(&format!("no code to scan: {why}")),
    }
    report::deliver(&report::plain_lines(std::slice::from_ref(&url)))?;
    if io::stdout().is_terminal() {
        report::note("scan it with the phone's camera, or type the link there");
    }
    for line in [
        "it signs one device in, once, within ten minutes; who has it first can use it",
        &format!(
            "open to whoever reaches {origin} and is signed in: every question and answer, and \
             answering in your name"
        ),
        "signed-in devices are listed and revoked with: askwell token list, askwell token revoke",
    ] {
        report::note(line);
    }
    if !is_over_tls {
        report::note(
            "this is HTTP without TLS: others on the network can read the questions, the answers and \
             the sign-in; use it on a network that you trust, or put a proxy with TLS in front",
        );
    }
    Ok(Exit::Success)
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
        .hint("behind a proxy with TLS: askwell stop; askwell serve --public-url https://ask.example.com")
}
