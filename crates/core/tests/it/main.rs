//! The contract, as a consumer or a provider of it would test it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken fixture must stop the test")]

mod documents;
mod lenient;
mod properties;
mod requests;
mod schema;
mod vectors;
