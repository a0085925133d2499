//! A host over HTTP, as clients and hostile strangers meet it: in process, and on loopback sockets
//! with a client that writes its own bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken fixture must stop the test")]

mod access;
mod answers;
mod asking;
mod bodies;
mod connections;
mod document;
mod drafts;
mod errors;
mod logs;
mod mcp;
mod metrics;
mod origins;
mod pages;
mod rates;
mod sessions;
mod shutdown;
mod sign_in;
mod streams;
mod support;
