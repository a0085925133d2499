//! The inbox in a terminal: the list of what waits and what has ended, and the dialog on one of
//! them. Plain data in and out, as for [`crate::Dialog`].
//!
//! Owns which of the three is on the screen (list, dialog, a text to read), where the highlight is,
//! and what opens next. `requests` is what is known of the host; what a dialog does is
//! [`crate::Dialog`]'s; drawing is `view::inbox`; reading and writing at the host is whoever carries the
//! effects out.
//!
//! Invariants: nothing that arrives takes a key, the highlight or the screen away; what was meant for
//! one dialog never reaches another; leaving ends no request.

mod event;
mod lines;
mod list;
mod news;
mod open;
mod pointer;
mod reading;
mod requests;
mod rows;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use askwell_core::draft::Entered;
use askwell_core::messages::{Lang, Messages};
use askwell_core::text::sanitize_line;
use askwell_core::wire::RequestId;
use termina::event::{KeyEvent, KeyEventKind};

use crate::dialog::{Guard, Scroll, Status, TextEditor, Viewport};
use crate::editor::Editor;
use crate::event::Event;
use crate::keymap;

pub use event::{Closing, InboxEffect, InboxEvent, LeftDialog, Opened, Settled, Ticket};
pub use lines::PlainInbox;
pub(crate) use open::{Face, OpenDialog};
pub(crate) use reading::{Reading, Text};
pub use requests::{Feed, News, Requests, is_waited_for};
pub(crate) use rows::{Row, Target};

/// So long after somebody wrote they count as being at it.
const AT_IT: Duration = Duration::from_secs(60);
/// So long the bell is silent after it rang: many that arrive at once are one ring.
const RINGS_APART: Duration = Duration::from_secs(1);
/// So long after a dialog was closed its last save may be heard of.
const LAST_SAVE: Duration = Duration::from_secs(3);

/// How an inbox begins.
#[derive(Debug, Clone, Default)]
pub struct InboxOptions {
    /// The language of our own chrome.
    pub lang: Lang,
    /// Draw without colours. Every state shows by its shape as well.
    pub no_color: bool,
    /// Draw our own chrome in ASCII.
    pub ascii: bool,
    /// By plain lines: nothing is drawn.
    pub plain: bool,
    /// Show this request alone, and leave after it.
    pub only: Option<RequestId>,
    /// The person's own editor, where one is set.
    pub editor: Option<TextEditor>,
    /// Leave the mouse to the terminal.
    pub no_mouse: bool,
    /// Ring the terminal's bell for a request that arrives.
    pub bell: bool,
    /// Panic at the first draw, to prove that the terminal is restored.
    #[doc(hidden)]
    pub panic_on_draw: bool,
}

/// What is on the screen.
pub(crate) enum Place {
    List,
    Dialog(Box<OpenDialog>),
    Reading(Box<Reading>),
}

/// What the last drawing found out about sizes.
#[derive(Debug, Clone, Copy, Default)]
pub struct InboxViewport {
    pub(crate) dialog: Viewport,
    /// The rows of the list, and the first one that is seen.
    pub(crate) page: usize,
    pub(crate) top: usize,
    pub(crate) reading: Scroll,
}

/// The inbox.
pub struct Inbox {
    pub(crate) options: InboxOptions,
    pub(crate) messages: Messages,
    pub(crate) requests: Requests,
    pub(crate) place: Place,
    pub(crate) rows: Vec<Row>,
    /// Of what the rows were made.
    rows_of: Option<(u64, u64)>,
    pub(crate) at: Option<Target>,
    /// The row of the highlight, for when what it stood on is gone.
    pub(crate) at_row: usize,
    pub(crate) filter: Editor,
    pub(crate) filtering: bool,
    pub(crate) status: Option<Status>,
    /// Whether this one is to be cancelled.
    pub(crate) confirm: Option<RequestId>,
    /// Which came in since the person looked.
    pub(crate) fresh: HashSet<RequestId>,
    /// When the bell rang last.
    rang: Option<Duration>,
    /// Where the person was seen to be writing on another screen, and when.
    elsewhere: HashMap<RequestId, Duration>,
    /// Which was closed last, and when: what it saved then is no news.
    left: Option<(RequestId, Duration)>,
    /// What is being opened.
    pub(crate) opening: Option<(Ticket, RequestId)>,
    /// Which is to follow when this one is closed.
    follow: Option<(Ticket, RequestId)>,
    /// What was typed into a dialog whose request ended elsewhere.
    typed: Option<(RequestId, Entered)>,
    /// Which ended here, and are no news.
    own: HashSet<RequestId>,
    /// The columns of lines.
    columns: usize,
    /// What a dialog by lines had to say when it was closed.
    last_words: String,
    tickets: u64,
    listing: bool,
    stale: bool,
    guard: Guard,
    moved_in_read: bool,
    pub(crate) now: Duration,
    pub(crate) viewport: InboxViewport,
}

impl Inbox {
    /// An inbox that knows nothing yet, and what is to be done first.
    pub fn new(options: InboxOptions) -> (Self, Vec<InboxEffect>) {
        let mut inbox = Self {
            messages: Messages::new(options.lang).in_ascii(options.ascii),
            requests: Requests::new(),
            place: Place::List,
            rows: Vec::new(),
            rows_of: None,
            at: None,
            at_row: 0,
            filter: Editor::new().with_limit(askwell_core::limits::LABEL),
            filtering: false,
            status: None,
            confirm: None,
            fresh: HashSet::new(),
            rang: None,
            elsewhere: HashMap::new(),
            left: None,
            opening: None,
            follow: None,
            typed: None,
            own: HashSet::new(),
            columns: 0,
            last_words: String::new(),
            tickets: 0,
            listing: false,
            stale: false,
            guard: Guard::default(),
            moved_in_read: false,
            now: Duration::ZERO,
            viewport: InboxViewport::default(),
            options,
        };
        let mut effects = Vec::new();
        if let Some(only) = inbox.options.only {
            inbox.open(only, &mut effects);
        }
        (inbox, effects)
    }

    /// How it began.
    pub fn options(&self) -> &InboxOptions {
        &self.options
    }

    /// What is known of the host.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Takes an event in and says what to do. `now` is the time since the inbox began.
    pub fn update(&mut self, event: InboxEvent, now: Duration) -> Vec<InboxEffect> {
        self.now = now;
        self.guard.tick(now);
        let mut effects = Vec::new();
        match event {
            InboxEvent::Terminal(event) => self.terminal(event, &mut effects),
            InboxEvent::Feed(feed) => self.feed(feed, &mut effects),
            InboxEvent::Dialog(ticket, event) => self.dialog_hears(ticket, event, &mut effects),
            InboxEvent::Opened(ticket, opened) => self.opened(ticket, *opened, &mut effects),
            InboxEvent::Read(ticket, settled) => self.read(ticket, settled, &mut effects),
            InboxEvent::NotOpened(ticket, why) => self.not_opened(ticket, &why),
            InboxEvent::Closed(ticket, closing) => self.closed(ticket, closing, &mut effects),
            InboxEvent::Cancelled(id, result) => self.cancelled(id, result),
            InboxEvent::NotListed(why) => {
                self.listing = false;
                self.fails(&why);
            }
        }
        self.read_settled(&mut effects);
        effects
    }

    /// The keys that were read at once are all taken in.
    pub fn end_of_read(&mut self) {
        self.moved_in_read = false;
        if let Place::Dialog(open) = &mut self.place
            && let Face::Drawn(dialog) = &mut open.face
        {
            dialog.end_of_read();
        }
    }

    /// It is about to be drawn: the rows are those of what is known now.
    pub fn prepare(&mut self) {
        if self.rows_are_drawn() {
            return;
        }
        self.rows_of = Some((self.requests.revision(), self.filter.revision()));
        self.rows = rows::rows(&self.requests, self.filter.text());
        self.find_highlight();
    }

    /// Whether the rows are those of what is known.
    fn rows_are_drawn(&self) -> bool {
        self.rows_of == Some((self.requests.revision(), self.filter.revision()))
    }

    /// It was drawn, with these sizes.
    pub fn drawn(&mut self, viewport: InboxViewport, now: Duration) {
        self.viewport = viewport;
        match &mut self.place {
            Place::Dialog(open) => {
                let since = now.saturating_sub(open.began);
                if let Face::Drawn(dialog) = &mut open.face {
                    dialog.drawn(viewport.dialog, since);
                }
            }
            Place::List | Place::Reading(_) => self.guard.drawn(now),
        }
    }

    /// When a tick is due, if nothing comes before.
    pub fn next_tick(&self) -> Option<Duration> {
        match &self.place {
            Place::Dialog(open) => open.face.next_tick().map(|at| open.began + at),
            Place::Reading(_) => self.guard.opens_at(),
            Place::List => [self.guard.opens_at(), self.next_age()].into_iter().flatten().min(),
        }
    }

    fn terminal(&mut self, event: Event, effects: &mut Vec<InboxEffect>) {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            Event::Key(key) if keymap::is_interrupt(&key) => self.leave("Ctrl-C", effects),
            Event::Aborted { reason } => self.leave(&reason, effects),
            event => match &mut self.place {
                Place::Dialog(_) => self.dialog_event(event, effects),
                Place::List => self.list_event(event, effects),
                Place::Reading(_) => self.reading_event(&event, effects),
            },
        }
    }

    fn note(&mut self, id: &str) {
        self.status = Some(Status::Note(self.messages.get(id)));
    }

    fn fails(&mut self, why: &str) {
        self.status = Some(Status::Error(sanitize_line(why).into_owned()));
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    /// The list or a text comes up by itself, or changes under the highlight: keys count again only
    /// after a silence.
    fn appears(&mut self) {
        self.guard.rearm();
        self.moved_in_read = true;
    }

    /// Whether a key counts: not one that was typed before what it acts on could be seen.
    fn admits(&mut self, key: &KeyEvent) -> bool {
        use termina::event::KeyCode::Escape;
        if !self.guard.admits(self.now) || self.moved_in_read {
            return false;
        }
        key.code != Escape || self.guard.admits_esc(self.now)
    }

    /// Whether keys count yet.
    pub(crate) fn takes_keys(&self) -> bool {
        self.guard.is_open()
    }

    /// What is on the screen as a whole.
    pub(crate) fn scene(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        match &self.place {
            Place::List => (0, self.viewport.top, self.filter.revision()).hash(&mut hasher),
            Place::Dialog(open) => (1, open.ticket, open.face.dialog().scene()).hash(&mut hasher),
            Place::Reading(reading) => (2, reading.scroll).hash(&mut hasher),
        }
        hasher.finish()
    }
}
