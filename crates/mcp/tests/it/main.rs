//! The server over a pair of streams and over HTTP, with a host that does what a test says and a clock that jumps.

#![allow(clippy::unwrap_used, reason = "a broken fixture must stop the test where it broke")]

mod client;
mod host;
#[cfg(feature = "http")]
mod sessions;
mod waiting;
