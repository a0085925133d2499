//! The terminal dialog of askwell: one request, one person, one terminal.
//!
//! [`Dialog`] is the state and the machine over it, [`view`] draws it, [`Plain`] reads it out by
//! lines, [`Session`] carries either out on the controlling terminal. The rules of drafts and answers are the core's.

mod dialog;
pub mod editor;
mod event;
mod keymap;
mod plain;
mod terminal;
pub mod view;

pub use dialog::{Dialog, DialogOptions, OfferedDraft, Viewport};
pub use event::{Effect, Event, Merged};
pub use plain::Plain;
pub use terminal::{
    Control, DraftSink, Ended, Session, Unavailable, check_terminal, terminal_session,
};
