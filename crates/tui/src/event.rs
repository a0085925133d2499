//! What comes to a dialog and what it wants done: plain data, so that everything in between can be
//! tested without a terminal, a host or a clock.

use std::path::PathBuf;
use std::time::Duration;

use askwell_core::draft::{DraftState, Entered};
use askwell_core::{Answers, Outcome};
use termina::event::KeyEvent;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A key.
    Key(KeyEvent),
    /// The mouse was used on what stands there.
    Pointed(Target, Pointer),
    /// A bracketed paste. Never submits.
    Paste(String),
    /// The window may have another size now.
    Resize,
    /// Time went on.
    Tick,
    /// A draft was saved, or why it could not be.
    DraftSaved(Result<(), String>),
    /// Another provider saved a draft of one question.
    DraftElsewhere {
        /// What this screen and the other one last had in common.
        base: DraftState,
        /// What stands there now.
        state: DraftState,
    },
    /// The answer is stored.
    SubmitAccepted,
    /// The answer was refused or could not be stored, in words; nothing has changed.
    SubmitRejected(Vec<String>),
    /// The request ended through another provider, or by its asker.
    Resolved(Outcome),
    /// The time until the request expires is now this; without one it never does.
    Deadline(Option<Duration>),
    /// The deadline was put off, or why it was not, in words. [`Event::Deadline`] came before.
    Extended(Result<(), String>),
    /// Another person is answering the same request, or goes on.
    Answering {
        /// Who.
        person: String,
        /// For how long they count as doing so.
        lasts: Duration,
    },
    /// Whether the host of the request answers now.
    HostReached(bool),
    /// The request's time ran out.
    Expired,
    /// The person's own editor has closed: the text as it is now, or why it can't be taken.
    EditorClosed(Result<String, EditorFault>),
    /// The asker withdrew the request, or the dialog itself is being ended.
    Aborted {
        /// By whom and how.
        reason: String,
    },
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// The first button was pressed.
    Click,
    /// The wheel was turned up by a step.
    WheelUp,
    /// The wheel was turned down by a step.
    WheelDown,
}

/// What the mouse can point at. [`crate::view::Renderer::target`] knows what stands where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An option, by its place.
    Option(usize),
    /// A row and column of the text in the field.
    Field {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// The text that is read before answering.
    Reading,
    /// The preview of the highlighted option.
    Preview,
    /// A choice of a prompt, by its place.
    Choice(usize),
    /// A question in the review, or a row of the inbox.
    Question(usize),
    /// Nothing that does anything.
    Nothing,
}

/// What became of a draft from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// What stands there.
    pub theirs: DraftState,
    /// Whether a text from here stands against theirs: what is written next must not replace theirs
    /// unseen.
    pub conflict: bool,
    /// What this screen goes on showing in its place, though nothing was edited here since: to be
    /// kept here, and not to be written over theirs until the person goes on with it.
    pub kept: Option<DraftState>,
}

/// Why the person's own editor changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorFault {
    /// What went wrong.
    pub kind: EditorFaultKind,
    /// The file with what was written there and not taken.
    pub kept: Option<PathBuf>,
}

/// What can go wrong with the person's own editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorFaultKind {
    /// None is set.
    Unset,
    /// It, or its file, could not be opened.
    Start(String),
    /// It said that it failed, or was ended.
    Failed(String),
    /// Its file can't be read.
    Unreadable(String),
    /// Its file is not UTF-8 text.
    NotText,
    /// The text is longer than this many bytes.
    TooLong(usize),
}

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Save the draft.
    SaveDraft(Entered),
    /// What another provider saved was taken in, as far as nothing here stands against it.
    Merged(Merged),
    /// Hand the answer over. [`Event::SubmitAccepted`] or [`Event::SubmitRejected`] follows.
    Submit(Answers),
    /// Put the deadline off by ten minutes. [`Event::Extended`] follows.
    Extend,
    /// Give the terminal to the person's own editor. [`Event::EditorClosed`] follows.
    OpenEditor {
        /// The text to begin with.
        text: String,
        /// The most bytes that it may come back with.
        limit: usize,
        /// What its file is called, but for what makes it the only one.
        name: String,
    },
    /// End the editor, should it still be open: the dialog has to leave.
    CloseEditor,
    /// Leave with this outcome.
    End(Outcome),
}
