//! The MCP server: the tools by which an agent asks, over standard input and output or over HTTP, for
//! clients of every revision of the protocol.
//!
//! Owns how long a call waits and what is said meanwhile, how a call may be cut and what that means,
//! and the form of its results. Owns no rule about requests, answers or who may see what: those are the
//! host's, which is called through a [`Desk`], the same for both transports. The words that a model
//! reads are `askwell_core::texts`. The only crate that names the MCP SDK.
//!
//! Invariants: an outcome is picked up once the client has taken it, and by no call that was cut; no outcome is invented; what fails is a
//! result that says so.

#![cfg_attr(
    not(any(feature = "http", feature = "stdio")),
    allow(dead_code, reason = "without a transport nothing is served")
)]

mod answers;
mod arguments;
mod ask;
mod call;
mod clients;
mod cut;
mod delivery;
mod desk;
#[cfg(feature = "fixture")]
mod fixture;
mod form;
#[cfg(feature = "http")]
mod http;
mod message;
mod options;
mod params;
mod progress;
mod reply;
mod rounds;
mod server;
#[cfg(feature = "stdio")]
mod stdio;
mod told;
mod wait;
mod withdraw;

pub use clients::{BadWait, Clients};
pub use desk::{Calling, Desk, Person, Rule, Ruling, Seat};
pub use form::state::Key;
#[cfg(feature = "http")]
pub use http::{Answer, Endpoint};
pub use options::{BadProvider, Options, Provider};
#[cfg(feature = "stdio")]
pub use stdio::{Ended, serve};

/// The name of a session that no other has.
///
/// # Errors
/// Where no random numbers are to be had.
pub fn new_session() -> std::io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("mcp-{digits}"))
}
