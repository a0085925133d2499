//! The inbox for who reads and writes lines: a numbered list, a dialog by lines on one of it, and on
//! to the next. Nothing is drawn twice, and no byte of it moves a cursor.
//!
//! The machine behind it is the same [`Inbox`], so that what opens next, what is confirmed and what is
//! kept are as in the drawn one. Here is what a line means and does at the list ([`command`], [`listing`]) and what is
//! read out ([`show`]); the dialog is [`crate::Plain`].
//!
//! Invariants: a number stands for the same request until the list is read out anew; what is heard
//! of comes before a prompt, never behind one at which somebody may be typing; what was typed before
//! a dialog or a confirmation could be read is never taken for its answer.

mod command;
mod listing;
mod newcomers;
mod show;

use std::collections::HashSet;
use std::time::Duration;

use askwell_core::wire::RequestId;

use super::open::Face;
use super::{Feed, Inbox, InboxEffect, InboxEvent, Place, Target};
use crate::dialog::{Status, TextEditor};
use crate::plain::page::Page;
use crate::plain::{LONGEST, Plain, text_of, typed};

/// An inbox by lines.
pub struct PlainInbox<'a> {
    inbox: &'a mut Inbox,
    page: Page,
    part: Part,
    /// What the numbers stand for, from 1.
    numbered: Vec<Target>,
    /// Whether a list is to be read out before the next prompt, and how.
    due: Option<Due>,
    /// The cursor stands after a prompt of the list.
    at_prompt: bool,
    /// Told before the next prompt.
    notices: Vec<String>,
    /// Which newcomers were told of and not listed yet.
    told: HashSet<RequestId>,
    /// What the host does before a line is read again.
    awaits: Option<Awaited>,
    /// Whether a page of what has ended was ever read.
    knows_ended: bool,
    /// What was typed before now does not count.
    flush: bool,
    leaving: bool,
}

/// Which list the numbers are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Waiting,
    Ended,
}

/// How a list is read out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    Anew,
    /// From where it was left.
    GoesOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// That a request is put aside.
    Cancel,
    /// A page of what has ended.
    Page,
}

impl<'a> PlainInbox<'a> {
    /// Begins: what waits, as far as it is known.
    pub fn new(inbox: &'a mut Inbox, columns: usize) -> Self {
        inbox.columns = columns;
        let mut plain = Self {
            inbox,
            page: Page::new(columns),
            part: Part::Waiting,
            numbered: Vec::new(),
            due: Some(Due::Anew),
            at_prompt: false,
            notices: Vec::new(),
            told: HashSet::new(),
            awaits: None,
            knows_ended: false,
            flush: true,
            leaving: false,
        };
        plain.settle(&mut Vec::new());
        plain
    }

    /// The columns of the window, which may have changed.
    pub fn set_columns(&mut self, columns: usize) {
        self.inbox.columns = columns;
        self.page.set_columns(columns);
        if let Some(plain) = self.dialog() {
            plain.set_columns(columns);
        }
    }

    /// Whether what was typed so far is to be thrown away before anything more is written.
    pub fn flushes(&mut self) -> bool {
        let dialogs = self.dialog().is_some_and(Plain::flushes);
        std::mem::take(&mut self.flush) || dialogs
    }

    /// What is to be written. `typed_ahead`: lines were thrown away.
    pub fn take_output(&mut self, typed_ahead: bool) -> String {
        let mut text = self.page.take();
        if let Some(plain) = self.dialog() {
            text.push_str(&plain.take_output(false));
        }
        if typed_ahead {
            self.page.own(&self.inbox.messages.get("keys-dropped"));
            text.insert_str(0, &self.page.take());
        }
        text
    }

    /// The person's own editor, where one is set.
    pub fn editor(&self) -> Option<&TextEditor> {
        self.inbox.options.editor.as_ref()
    }

    /// Whether lines are read now.
    pub fn takes_lines(&self) -> bool {
        match &self.inbox.place {
            Place::Dialog(open) => matches!(&open.face, Face::Lines(plain) if plain.takes_lines()),
            Place::List | Place::Reading(_) => self.at_prompt,
        }
    }

    /// When a tick is due, if nothing comes before: the list alone needs none.
    pub fn next_tick(&self) -> Option<Duration> {
        match &self.inbox.place {
            Place::Dialog(_) => self.inbox.next_tick(),
            Place::List | Place::Reading(_) => None,
        }
    }

    /// A line that was typed, without its end.
    pub fn line(&mut self, bytes: &[u8], now: Duration) -> Vec<InboxEffect> {
        self.inbox.now = now;
        let mut effects = Vec::new();
        if let Place::Dialog(_) = self.inbox.place {
            self.inbox.typed_in_dialog(|plain, now| plain.line(bytes, now), &mut effects);
        } else if std::mem::take(&mut self.at_prompt) {
            match text_of(bytes) {
                Some(line) => self.list_line(&typed(line), &mut effects),
                None => self.tell("plain-not-utf8"),
            }
            if bytes.len() >= LONGEST {
                self.tell("plain-cut");
            }
        }
        self.inbox.read_settled(&mut effects);
        self.settle(&mut effects);
        effects
    }

    /// Whether this ends the dialog in which a line is being typed.
    pub fn is_ended_by(&self, event: &InboxEvent, now: Duration) -> bool {
        let Place::Dialog(open) = &self.inbox.place else { return false };
        let Face::Lines(plain) = &open.face else { return false };
        match event {
            InboxEvent::Dialog(ticket, event) if *ticket == open.ticket => {
                plain.is_ended_by(event, now)
            }
            InboxEvent::Terminal(event) => plain.is_ended_by(event, now),
            _ => false,
        }
    }

    /// What was typed in the dialog and has no end of its line.
    pub fn half_line(&mut self, bytes: &[u8]) -> Vec<InboxEffect> {
        let mut effects = Vec::new();
        self.inbox.typed_in_dialog(|plain, _| plain.half_line(bytes), &mut effects);
        effects
    }

    /// The end of what is typed (Ctrl-D): a dialog goes back to the list, and the list is left.
    pub fn end_of_input(&mut self, now: Duration) -> Vec<InboxEffect> {
        self.inbox.now = now;
        let mut effects = Vec::new();
        match self.inbox.place {
            Place::Dialog(_) => self.inbox.typed_in_dialog(Plain::end_of_input, &mut effects),
            Place::List | Place::Reading(_) => self.inbox.leave("Ctrl-D", &mut effects),
        }
        self.settle(&mut effects);
        effects
    }

    /// Something else that happened.
    pub fn event(&mut self, event: InboxEvent, now: Duration) -> Vec<InboxEffect> {
        let was_reached = self.inbox.requests.is_reached();
        match &event {
            InboxEvent::Cancelled(..) => self.awaits.take_if(|it| *it == Awaited::Cancel),
            InboxEvent::Feed(Feed::Ended { .. } | Feed::Reached(false))
            | InboxEvent::NotListed(_) => self.awaits.take_if(|it| *it == Awaited::Page),
            _ => None,
        };
        if let InboxEvent::Cancelled(id, Err(_)) = &event {
            self.inbox.own.remove(id);
        }
        self.knows_ended |= matches!(event, InboxEvent::Feed(Feed::Ended { .. }));
        if let InboxEvent::Opened(..) = event {
            self.page.blank();
        }
        let mut effects = self.inbox.update(event, now);
        match (was_reached, self.inbox.requests.is_reached()) {
            (true, false) => self.hears(self.inbox.messages.get("inbox-no-host")),
            (false, true) => self.hears(self.inbox.messages.get("inbox-host-back")),
            _ => {}
        }
        self.settle(&mut effects);
        effects
    }

    /// The terminal was somebody else's meanwhile.
    pub fn resumed(&mut self) {
        match self.dialog() {
            Some(plain) => plain.resumed(),
            None => {
                self.begin_row();
                self.due.get_or_insert(Due::Anew);
                self.settle(&mut Vec::new());
            }
        }
    }

    fn dialog(&mut self) -> Option<&mut Plain> {
        match &mut self.inbox.place {
            Place::Dialog(open) => match &mut open.face {
                Face::Lines(plain) => Some(plain),
                Face::Drawn(_) => None,
            },
            Place::List | Place::Reading(_) => None,
        }
    }

    /// To be told where it disturbs nobody.
    fn hears(&mut self, text: String) {
        match self.dialog() {
            Some(plain) => plain.notice(text),
            None => self.notices.push(text),
        }
    }

    /// What came of it: told, listed, and asked for the next line.
    fn settle(&mut self, effects: &mut Vec<InboxEffect>) {
        let last_words = std::mem::take(&mut self.inbox.last_words);
        if !last_words.is_empty() {
            self.page.append(&last_words);
        }
        if let Some(Status::Note(text) | Status::Error(text)) = self.inbox.status.take() {
            self.hears(text);
        }
        if let Place::Dialog(_) = self.inbox.place {
            // The list is out of sight by then.
            (self.part, self.due) = (Part::Waiting, Some(Due::Anew));
            return self.tell_newcomers_in_dialog();
        }
        self.leaving |= effects.contains(&InboxEffect::Leave);
        if self.at_prompt && (self.leaving || self.is_awaited()) {
            self.begin_row();
        }
        if self.at_prompt {
            return self.number_newcomers();
        }
        if let Place::Reading(_) = self.inbox.place {
            self.show_reading();
        }
        if self.due.is_none() {
            self.number_newcomers();
        }
        for notice in std::mem::take(&mut self.notices) {
            self.page.own(&notice);
        }
        if self.leaving || self.is_busy() {
            return;
        }
        if self.inbox.options.only.is_some() {
            self.leaving = true;
            return effects.push(InboxEffect::Leave);
        }
        if let Some(due) = self.due.take() {
            self.show_list(due);
        }
        let words = self.prompt_words();
        self.page.prompt(&words);
        self.at_prompt = true;
    }

    /// Whether the host has something to say before the next line.
    fn is_busy(&self) -> bool {
        self.inbox.opening.is_some() || self.inbox.follow.is_some() || self.awaits.is_some()
    }

    fn begin_row(&mut self) {
        if std::mem::take(&mut self.at_prompt) {
            self.page.leave_prompt();
        }
    }

    fn tell(&mut self, id: &str) {
        self.page.own(&self.inbox.messages.get(id));
    }
}
