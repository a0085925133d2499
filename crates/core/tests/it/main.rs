//! The contract, as a consumer or a provider of it would test it.

mod documents;
mod lenient;
mod properties;
mod requests;
mod schema;
mod vectors;
