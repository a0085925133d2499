//! `askwell open`: the inbox in a browser, signed in by a link that works once.

pub mod browser;
pub mod phone;
pub mod qr;

use askwell::ErrorCode;
use askwell::inbox::wire::{Inbox as _, NewSignIn, RequestId, Role, SignInLink};
use askwell::inbox::{Client, Environment};
use askwell::messages::Messages;
use clap::Args;
use serde_json::json;

use self::browser::NoBrowser;
use super::format::Format;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Open the inbox, or one request, in the browser
///
/// Starts a host in the background where none runs. The link signs one browser in, once, within ten
/// minutes; it stays signed in for a year. Without a desktop, and over SSH, the link is printed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell open
  askwell open 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e
  askwell open --print               # a link for a browser of your choice
  askwell open --phone               # a code for the camera of a phone

The devices that are signed in: askwell token list, or the page of devices.")]
pub struct Arguments {
    /// The id of the request to show [default: the inbox]
    id: Option<RequestId>,

    /// Print the link and open nothing
    #[arg(long)]
    print: bool,

    /// Show a code that a phone's camera reads, for a host that others can reach
    #[arg(long, conflicts_with = "print")]
    phone: bool,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Opens.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.phone {
        return phone::run(arguments);
    }
    let link = sign_in(arguments, Start::Always)?;
    let url = browser::reachable(&link.url);
    let opened = match arguments.print {
        true => Err(NoBrowser::NotWanted),
        false => browser::open(&url),
    };
    let tunnel = match &opened {
        Err(_) if Environment::read().url.is_none() => browser::tunnel(&url),
        _ => None,
    };
    if arguments.format == Format::Json {
        let document = json!({
            "url": url,
            "expiresAt": link.expires_at,
            "opened": opened.is_ok(),
            "tunnel": tunnel,
        });
        arguments.format.deliver(|| document, Vec::new)?;
        return Ok(Exit::Success);
    }
    let messages = Messages::new(Config::from_environment().lang);
    match opened {
        Ok(()) => report::note(&messages.get("note-browser-opened")),
        Err(why) => {
            if let Some(why) = why.words(&messages) {
                report::note(&messages.with("note-browser-link", [("why", why.into())]));
            }
            if let Some(tunnel) = tunnel {
                report::note(&messages.with("note-browser-tunnel", [("command", tunnel.into())]));
            }
            report::deliver(&report::plain_lines(&[url]))?;
            report::note(&messages.get("note-browser-once"));
        }
    }
    Ok(Exit::Success)
}

/// A link to the request or the inbox.
fn sign_in(arguments: &Arguments, start: Start) -> Result<SignInLink, Failure> {
    let client = hosts::client(Role::Answerer, start)?;
    if let Some(id) = arguments.id {
        expect_request(&client, id)?;
    }
    let next = arguments.id.map(|id| format!("/r/{id}"));
    Ok(client.sign_in(&NewSignIn { next, ..NewSignIn::default() })?)
}

/// A link to what is not there helps nobody.
fn expect_request(client: &Client, id: RequestId) -> Result<(), Failure> {
    match client.get(id) {
        // An admin makes links, and reads no requests.
        Err(error) if error.code == ErrorCode::Forbidden => Ok(()),
        found => Ok(found.map(drop)?),
    }
}
