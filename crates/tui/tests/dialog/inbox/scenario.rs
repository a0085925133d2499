//! An inbox with a host that is made up: it answers at once, and knows what the test gives it.

use std::collections::HashMap;
use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::messages::Lang;
use askwell_core::wire::{
    Answering, Delivery, DraftEntry, DraftView, Event as HostEvent, EventId, Page, ProviderName,
    Receipt, RequestId, RequestSummary, RequestView, UnixMillis,
};
use askwell_core::{Outcome, State, ValidRequest, lenient, project};
use askwell_testkit::keys;
use askwell_tui::inbox::{Closing, Feed, LeftDialog, Opened, Settled, Ticket};
use askwell_tui::view::Renderer;
use askwell_tui::{Effect, Event, Inbox, InboxEffect, InboxEvent, InboxOptions, Pointer};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use crate::scenario::text_of;

/// The host's time when a scenario begins.
pub const NOW: UnixMillis = 1_800_000_000_000;
pub const MINUTE: UnixMillis = 60_000;

const EVENT: EventId = EventId { epoch: 1, number: 1 };

/// What the host has.
pub struct Stored {
    pub request: ValidRequest,
    pub summary: RequestSummary,
    pub outcome: Option<Outcome>,
    pub draft: Vec<DraftState>,
}

pub struct InboxScenario {
    pub inbox: Inbox,
    renderer: Renderer,
    terminal: Terminal<TestBackend>,
    picture: Buffer,
    parser: termina::Parser,
    pub now: Duration,
    pub effects: Vec<InboxEffect>,
    pub host: HashMap<RequestId, Stored>,
    /// Whether the host can be reached.
    pub reached: bool,
}

pub fn id(number: u8) -> RequestId {
    RequestId::mint(u64::from(number) + 1, [number; 10])
}

/// A request with this number, asked so many minutes ago.
pub fn asked(number: u8, request: &str, minutes: UnixMillis) -> Stored {
    let request = lenient::request_from_json(request).unwrap();
    let at = NOW - minutes * MINUTE;
    let deadline = request.expires_in_seconds.map(|seconds| at + seconds.cast_signed() * 1_000);
    let summary = RequestSummary::of(&request, id(number), "local", at, deadline, false);
    Stored { request, summary, outcome: None, draft: Vec::new() }
}

impl Stored {
    pub fn away(mut self, minutes: UnixMillis) -> Self {
        self.summary.away_since = Some(NOW - minutes * MINUTE);
        self
    }

    /// Somebody else edited a draft of it so many minutes ago.
    pub fn answered_by(mut self, person: &str, minutes: UnixMillis) -> Self {
        let edited_at = NOW - minutes * MINUTE;
        self.summary.answering.push(Answering {
            person: person.to_owned(),
            edited_at,
            left: false,
        });
        self
    }

    fn answering(&self) -> Vec<(String, Duration)> {
        let left = |other: &Answering| (other.ends_at() - NOW).max(0).unsigned_abs();
        let others = self.summary.answering.iter();
        others.map(|it| (it.person.clone(), Duration::from_millis(left(it)))).collect()
    }

    pub fn begun(mut self) -> Self {
        self.summary.draft_edited_at = Some(NOW - MINUTE);
        self
    }

    pub fn ended(mut self, outcome: Outcome, minutes: UnixMillis) -> Self {
        let by_person = matches!(outcome, Outcome::Answered(_) | Outcome::Cancelled { .. });
        self.summary.state = outcome.state();
        self.summary.receipt = Some(Receipt {
            at: NOW - minutes * MINUTE,
            provider: by_person.then_some(ProviderName::Web),
            by: by_person.then(|| "mara".to_owned()),
            picked_up_at: None,
        });
        self.outcome = Some(outcome);
        self
    }
}

impl InboxScenario {
    /// A list past the guard of early keys, at 80×24.
    pub fn of(stored: impl IntoIterator<Item = Stored>) -> Self {
        let mut it = Self::at(stored, 80, 24, Lang::En);
        it.wait(Duration::from_millis(400));
        it
    }

    /// A list as it is at its first draw.
    pub fn at(
        stored: impl IntoIterator<Item = Stored>,
        columns: u16,
        rows: u16,
        lang: Lang,
    ) -> Self {
        Self::with(stored, columns, rows, InboxOptions { lang, ..InboxOptions::default() })
    }

    pub fn with(
        stored: impl IntoIterator<Item = Stored>,
        columns: u16,
        rows: u16,
        options: InboxOptions,
    ) -> Self {
        let (inbox, effects) = Inbox::new(options);
        let mut it = Self {
            renderer: Renderer::of_inbox(&inbox),
            inbox,
            terminal: Terminal::new(TestBackend::new(columns, rows)).unwrap(),
            picture: Buffer::default(),
            parser: termina::Parser::default(),
            now: Duration::ZERO,
            effects: Vec::new(),
            host: HashMap::new(),
            reached: true,
        };
        let stored: Vec<Stored> = stored.into_iter().collect();
        let (waiting, ended): (Vec<_>, Vec<_>) =
            stored.iter().map(|it| it.summary.clone()).partition(|it| it.state == State::Pending);
        it.host = stored.into_iter().map(|stored| (stored.summary.id, stored)).collect();
        it.event(InboxEvent::Feed(Feed::Waiting { page: page(waiting), first: true }));
        // What has ended is read at the beginning.
        let (search, after) = (String::new(), None);
        it.event(InboxEvent::Feed(Feed::Ended { search, after, page: page(ended) }));
        it.effects.clear();
        it.carry_out(effects);
        it.draw();
        it
    }

    pub fn event(&mut self, event: InboxEvent) {
        let effects = self.inbox.update(event, self.now);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<InboxEffect>) {
        for effect in effects {
            let answer = answer(&self.host, self.reached, &effect);
            self.effects.push(effect);
            answer.into_iter().for_each(|event| self.event(event));
        }
    }

    /// One more is asked.
    pub fn arrives(&mut self, stored: Stored) -> &mut Self {
        let request = Box::new(stored.summary.clone());
        self.host.insert(stored.summary.id, stored);
        self.happens(HostEvent::Requested { id: EVENT, request })
    }

    /// It ends, by no key of this screen.
    pub fn ends(&mut self, number: u8, outcome: Outcome) -> &mut Self {
        let request = id(number);
        let state = outcome.state();
        let stored = self.host.remove(&request).unwrap().ended(outcome, 0);
        self.host.insert(request, stored);
        self.happens(HostEvent::Resolved { id: EVENT, request, state })
    }

    pub fn happens(&mut self, event: HostEvent) -> &mut Self {
        self.feed(Feed::Happened(Delivery::Event(event)))
    }

    pub fn feed(&mut self, feed: Feed) -> &mut Self {
        self.event(InboxEvent::Feed(feed));
        self.draw();
        self
    }

    /// To the dialog that is open.
    pub fn tells_dialog(&mut self, event: Event) -> &mut Self {
        let ticket = self.effects.iter().rev().find_map(|effect| match effect {
            InboxEffect::Open(ticket, _) => Some(*ticket),
            _ => None,
        });
        self.event(InboxEvent::Dialog(ticket.unwrap(), event));
        self.draw();
        self
    }

    /// Keys, each in a read of its own, with time to see what it did.
    pub fn keys(&mut self, notation: &str) -> &mut Self {
        for key in keys::parse(notation) {
            self.wait(Duration::from_millis(400));
            self.reads(&key.0);
        }
        self
    }

    pub fn types(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            self.now += Duration::from_millis(20);
            self.reads(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self
    }

    /// Keys in one read, as of a hand faster than the screen.
    pub fn reads(&mut self, bytes: &[u8]) -> &mut Self {
        self.parser.parse(bytes, false);
        while let Some(event) = self.parser.pop() {
            match event {
                termina::Event::Key(key) => self.event(Event::Key(key).into()),
                termina::Event::Paste(text) => self.event(Event::Paste(text).into()),
                _ => {}
            }
        }
        self.inbox.end_of_read();
        self.draw();
        self
    }

    /// Time goes by in the steps that the inbox asks for.
    pub fn wait(&mut self, time: Duration) -> &mut Self {
        let end = self.now + time;
        while let Some(next) = self.inbox.next_tick().filter(|next| *next < end) {
            self.now = next.max(self.now + Duration::from_millis(1)).min(end);
            self.event(Event::Tick.into());
            self.draw();
        }
        self.now = end;
        self.event(Event::Tick.into());
        self.draw();
        self
    }

    /// The mouse on this text of the picture.
    pub fn points(&mut self, how: Pointer, text: &str) -> &mut Self {
        self.now += Duration::from_millis(400);
        let screen = self.screen();
        let row = screen.lines().position(|row| row.contains(text));
        let row = row.unwrap_or_else(|| panic!("{text}:\n{screen}"));
        let target = self.renderer.target(5, row.try_into().unwrap());
        self.event(Event::Pointed(target, how).into());
        self.inbox.end_of_read();
        self.draw();
        self
    }

    pub fn draw(&mut self) {
        self.inbox.prepare();
        let (renderer, inbox) = (&mut self.renderer, &self.inbox);
        let mut viewport = None;
        let drawn =
            self.terminal.draw(|frame| viewport = Some(renderer.draw_inbox(inbox, frame))).unwrap();
        self.picture = drawn.buffer.clone();
        self.inbox.drawn(viewport.unwrap(), self.now);
    }

    pub fn screen(&self) -> String {
        text_of(&self.picture)
    }

    /// The row of the highlight.
    pub fn highlighted(&self) -> String {
        let screen = self.screen();
        let row = screen.lines().find(|row| row.starts_with(" ▸"));
        row.unwrap_or_else(|| panic!("nothing is highlighted:\n{screen}")).to_owned()
    }

    #[track_caller]
    pub fn assert_shows(&self, text: &str) -> &Self {
        assert!(self.screen().contains(text), "{text:?} is not shown:\n{}", self.screen());
        self
    }

    #[track_caller]
    pub fn assert_lacks(&self, text: &str) -> &Self {
        assert!(!self.screen().contains(text), "{text:?} is shown:\n{}", self.screen());
        self
    }

    /// Which were opened, in order.
    pub fn opened_ids(&self) -> Vec<RequestId> {
        let opened = self.effects.iter().filter_map(|effect| match effect {
            InboxEffect::Open(_, id) => Some(*id),
            _ => None,
        });
        opened.collect()
    }

    pub fn has_left(&self) -> bool {
        self.effects.contains(&InboxEffect::Leave)
    }

    pub fn clear(&mut self) -> &mut Self {
        self.effects.clear();
        self
    }
}

pub fn page(requests: Vec<RequestSummary>) -> Page {
    Page { requests, next: None, event_id: EVENT, now: NOW }
}

/// What the host says to it.
pub fn answer(
    host: &HashMap<RequestId, Stored>,
    reached: bool,
    effect: &InboxEffect,
) -> Option<InboxEvent> {
    match effect {
        InboxEffect::Open(ticket, _) if !reached => {
            Some(InboxEvent::NotOpened(*ticket, "HOST_UNREACHABLE: no host".to_owned()))
        }
        InboxEffect::Open(ticket, id) => opened(host, *ticket, *id),
        InboxEffect::Dialog(ticket, Effect::SaveDraft(_)) => {
            let saved = if reached { Ok(()) } else { Err("no host".to_owned()) };
            Some(InboxEvent::Dialog(*ticket, Event::DraftSaved(saved)))
        }
        InboxEffect::Dialog(ticket, Effect::Submit(_)) => {
            Some(InboxEvent::Dialog(*ticket, Event::SubmitAccepted))
        }
        InboxEffect::Close(ticket, LeftDialog { outcome: Outcome::Cancelled { .. }, .. })
            if !reached =>
        {
            Some(InboxEvent::Closed(*ticket, Closing::NotCancelled("no host".to_owned())))
        }
        InboxEffect::Close(ticket, _) => Some(InboxEvent::Closed(*ticket, Closing::Done)),
        InboxEffect::Cancel(id) => Some(InboxEvent::Cancelled(*id, Ok(State::Cancelled))),
        InboxEffect::Dialog(..)
        | InboxEffect::Forget(_)
        | InboxEffect::List { .. }
        | InboxEffect::Ring
        | InboxEffect::Leave => None,
    }
}

fn opened(host: &HashMap<RequestId, Stored>, ticket: Ticket, id: RequestId) -> Option<InboxEvent> {
    let stored = host.get(&id)?;
    let (request, credential) = (stored.request.clone(), stored.summary.credential.clone());
    let Some(outcome) = &stored.outcome else {
        let opened = Opened {
            request,
            credential,
            answering: stored.answering(),
            draft: stored.draft.clone(),
            kept: Vec::new(),
            offered: None,
            edit_key: String::new(),
            deadline: None,
        };
        return Some(InboxEvent::Opened(ticket, Box::new(opened)));
    };
    let view = RequestView {
        id,
        state: outcome.state(),
        request: request.clone().into_inner(),
        credential,
        created_at: stored.summary.created_at,
        deadline_at: None,
        away_since: None,
        attached: false,
        watching: 1,
        answering: Vec::new(),
        url: None,
        receipt: stored.summary.receipt.clone(),
        outcome: Some(project::document(outcome, None)),
        late: Vec::new(),
    };
    let questions = stored.draft.iter().map(|state| DraftEntry {
        state: state.clone(),
        revision: 1,
        kept: Vec::new(),
    });
    let questions = questions.collect();
    let draft = DraftView { request: id, revision: 1, edited_at: None, questions, offered: None };
    Some(InboxEvent::Read(ticket, Box::new(Settled { view, request, draft, now: NOW })))
}
