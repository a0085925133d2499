//! What tests of askwell stand on: a program in a real pseudo-terminal, a program without any
//! terminal, a real browser, a model that follows a script, and the language-neutral cases.
//!
//! Dev only and never published. It knows nothing of askwell's own types, so that every crate may
//! use it. Nothing here sleeps for luck: each wait has a name, a condition and a deadline.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a broken fixture must stop the test where it broke"
)]

#[cfg(feature = "browser")]
mod browser;
mod deadline;
mod environment;
#[cfg(feature = "terminal")]
pub mod keys;
#[cfg(feature = "model")]
mod model;
#[cfg(any(feature = "browser", feature = "terminal"))]
mod notation;
#[cfg(feature = "terminal")]
mod terminal;
pub mod vectors;

#[cfg(feature = "browser")]
pub use browser::{Browser, BrowserBuilder, Element, Media, Sent, Tab, Violation};
pub use deadline::deadline;
pub use environment::{Exit, Run, RunBuilder, TestEnvironment};
#[cfg(feature = "model")]
pub use model::{ScriptedModel, Turn};
#[cfg(feature = "terminal")]
pub use terminal::{Modes, Screen, Signal, TerminalBuilder, TestTerminal};
