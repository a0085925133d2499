//! The dialog and the inbox as a person meets them, without a terminal: keys in, pictures and answers out.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken fixture must stop the test")]

mod answering;
mod company;
mod deadlines;
mod editor;
mod elsewhere;
mod inbox;
mod leaving;
mod mouse;
mod pictures;
mod plain;
mod plans;
mod previews;
mod scenario;
mod talk;
mod verbs;
