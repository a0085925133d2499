//! A host over HTTP: the API under `/api/v1`, its event stream, and the pages.
//!
//! Owns the transport: routes and the OpenAPI document (both from one table, `table.rs`), credentials
//! as they are sent, Host and Origin checks, bounds of bodies, connections and rates, server-sent
//! events, shutdown. Owns no rule about requests, answers or who may see what: those are the host's.
//!
//! Invariant: whatever is sent, the reply under `/api` is JSON; an error is a problem document with a
//! stable code.

mod admin;
mod app;
mod asking;
mod attention;
mod body;
mod connection;
mod events;
mod failure;
mod form;
mod guard;
mod input;
mod listen;
mod mcp;
mod metrics;
mod openapi;
mod operation;
mod options;
mod pages;
mod params;
mod rate;
mod responding;
mod router;
mod server;
mod session;
mod table;

pub use listen::{Listeners, ServeError, address_of_this_machine, bind};
pub use openapi::openapi_document;
pub use options::{BadPublicUrl, DEFAULT_PORT, Limits, Listen, PublicUrl, ServeOptions};
pub use router::router;
#[doc(hidden)]
pub use server::serve_tools;
pub use server::{serve, serve_on};

/// Markdown as a page shows it, for `fuzz/targets/html.rs`.
#[doc(hidden)]
pub fn markdown_markup(markdown: &str) -> String {
    pages::markdown::document(markdown, 2).into_string()
}
