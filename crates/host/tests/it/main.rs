//! What a host promises, as scenarios: a store in a file, a clock that a test moves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a broken fixture must stop the test where it broke"
)]

mod answers;
mod asking;
mod away;
mod devices;
mod drafts;
mod events;
mod expiry;
mod gate;
mod keys;
mod lists;
mod model;
mod race;
mod restart;
mod story;
mod telling;
mod trust;
mod used;
