//! What a person meets in a terminal: the dialog on one request, and the inbox of many.
//!
//! [`Dialog`] is the state and the machine over it, [`view`] draws it, [`Plain`] reads it out by
//! lines, [`Session`] carries either out on the controlling terminal. The rules of drafts and answers are the core's.

mod dialog;
pub mod editor;
mod event;
pub mod inbox;
mod keymap;
mod plain;
mod terminal;
pub mod view;

pub use dialog::{Dialog, DialogOptions, OfferedDraft, TextEditor, Viewport};
pub use event::{EditorFault, EditorFaultKind, Effect, Event, Merged, Pointer, Target};
pub use inbox::{Inbox, InboxEffect, InboxEvent, InboxOptions, PlainInbox};
pub use plain::Plain;
#[doc(hidden)]
pub use terminal::keyboard;
pub use terminal::{
    Control, Desk, DraftSink, Ended, LeftText, Session, Unavailable, Worker, can_be_drawn_on,
    check_terminal, terminal_session, texts_left,
};
