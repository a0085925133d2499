//! What comes to a dialog and what it wants done: plain data, so that everything in between can be
//! tested without a terminal, a host or a clock.

use std::time::Duration;

use askwell_core::draft::{DraftState, Entered};
use askwell_core::{Answers, Outcome};
use termina::event::KeyEvent;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A key.
    Key(KeyEvent),
    /// A bracketed paste. Never submits.
    Paste(String),
    /// The window may have another size now.
    Resize,
    /// Time went on.
    Tick,
    /// A draft was saved, or why it could not be.
    DraftSaved(Result<(), String>),
    /// Another provider saved a draft of one question.
    DraftElsewhere(DraftState),
    /// The answer is stored.
    SubmitAccepted,
    /// The answer was refused or could not be stored, in words; nothing has changed.
    SubmitRejected(Vec<String>),
    /// The request ended through another provider, or by its asker.
    Resolved(Outcome),
    /// The time until the request expires is now this; without one it never does.
    Deadline(Option<Duration>),
    /// The request's time ran out.
    Expired,
    /// The asker withdrew the request, or the dialog itself is being ended.
    Aborted {
        /// By whom and how.
        reason: String,
    },
}

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Save the draft.
    SaveDraft(Entered),
    /// Hand the answer over. [`Event::SubmitAccepted`] or [`Event::SubmitRejected`] follows.
    Submit(Answers),
    /// Leave with this outcome.
    End(Outcome),
}
