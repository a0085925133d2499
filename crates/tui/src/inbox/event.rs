//! What comes to an inbox and what it wants done: plain data, as for a dialog.

use std::time::Duration;

use askwell_core::draft::{DraftState, Entered};
use askwell_core::wire::{DraftView, RequestId, RequestView, UnixMillis};
use askwell_core::{Outcome, State, ValidRequest};

use super::Feed;
use crate::dialog::OfferedDraft;
use crate::event::{Effect, Event};

/// Tells one opening of a request from every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub(super) u64);

/// Something that happened.
#[derive(Debug)]
pub enum InboxEvent {
    /// At the terminal.
    Terminal(Event),
    /// At the host.
    Feed(Feed),
    /// To the dialog with this ticket.
    Dialog(Ticket, Event),
    /// A request was read, and waits for an answer.
    Opened(Ticket, Box<Opened>),
    /// A request was read, and has ended.
    Read(Ticket, Box<Settled>),
    /// A request could not be read, in words.
    NotOpened(Ticket, String),
    /// A dialog was closed: its draft is kept, and a cancel was carried out.
    Closed(Ticket, Closing),
    /// A request was cancelled from the list, or why not.
    Cancelled(RequestId, Result<State, String>),
    /// More of what has ended could not be read, in words.
    NotListed(String),
}

impl From<Event> for InboxEvent {
    fn from(event: Event) -> Self {
        Self::Terminal(event)
    }
}

/// A request that waits, for its dialog.
#[derive(Debug)]
pub struct Opened {
    /// What is asked.
    pub request: ValidRequest,
    /// The verified name of its asker's credential.
    pub credential: String,
    /// Other persons who are answering it, and for how long they count as doing so.
    pub answering: Vec<(String, Duration)>,
    /// What was entered so far.
    pub draft: Vec<DraftState>,
    /// The texts that lost against another screen's, and the questions they are of.
    pub kept: Vec<(String, String)>,
    /// What was entered when the same was asked before.
    pub offered: Option<OfferedDraft>,
    /// By which the files of the person's own editor are found again.
    pub edit_key: String,
    /// The time until it expires.
    pub deadline: Option<Duration>,
}

/// A request that has ended, to be read.
#[derive(Debug)]
pub struct Settled {
    /// How it stands.
    pub view: RequestView,
    /// What was asked.
    pub request: ValidRequest,
    /// What the person had entered.
    pub draft: DraftView,
    /// When it was read, by the host's clock.
    pub now: UnixMillis,
}

/// What became of a dialog that was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closing {
    /// Nothing is left to tell.
    Done,
    /// Its draft could not be saved at the host, and is kept here and offered again.
    KeptHere,
    /// Its draft could be saved nowhere.
    Unsaved,
    /// It was to be cancelled, and had ended before.
    EndedBefore(State),
    /// It could not be cancelled, in words. It still waits, and the comment is kept.
    NotCancelled(String),
}

/// How a dialog was left.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftDialog {
    /// With this outcome; aborted: it still waits.
    pub outcome: Outcome,
    /// What was entered.
    pub entered: Entered,
    /// Whether the offered draft was taken up.
    pub restored: bool,
}

/// Something to do.
#[derive(Debug, PartialEq)]
pub enum InboxEffect {
    /// Read a request: [`InboxEvent::Opened`], [`InboxEvent::Read`] or [`InboxEvent::NotOpened`]
    /// follows.
    Open(Ticket, RequestId),
    /// What the dialog with this ticket wants done. Never [`Effect::End`].
    Dialog(Ticket, Effect),
    /// What was read for this ticket is not wanted any more.
    Forget(Ticket),
    /// A dialog is over: keep its draft, cancel the request where that is the outcome.
    /// [`InboxEvent::Closed`] follows.
    Close(Ticket, LeftDialog),
    /// Cancel a request. [`InboxEvent::Cancelled`] follows.
    Cancel(RequestId),
    /// Read a page of what has ended. [`Feed::Ended`] or [`InboxEvent::NotListed`] follows.
    List {
        /// What it has to hold.
        search: String,
        /// Where the page before ended.
        after: Option<String>,
    },
    /// Ring the terminal's bell.
    Ring,
    /// Leave. Everything goes on waiting.
    Leave,
}
