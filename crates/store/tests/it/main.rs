//! The SQLite store on real files.

#![allow(clippy::unwrap_used, reason = "a broken fixture must stop the test where it broke")]

mod child;
mod conformance;
mod crash;
mod file;
mod former;
mod race;
