//! What a line does at the list.

use askwell_core::State;
use askwell_core::wire::RequestId;

use super::command::Command;
use super::{Awaited, Due, Part, PlainInbox};
use crate::inbox::{InboxEffect, Target};

impl PlainInbox<'_> {
    pub(super) fn list_line(&mut self, line: &str, effects: &mut Vec<InboxEffect>) {
        if let Some(id) = self.inbox.confirm.take() {
            match line.trim().to_lowercase().as_str() {
                "y" | "ｙ" => self.cancel(id, effects),
                _ => self.tell("plain-inbox-not-aside"),
            }
            return;
        }
        match Command::of(line) {
            Command::Enter => {}
            Command::Open(number) => match self.target(number) {
                Some(Target::Waiting(id) | Target::Settled(id)) => self.inbox.open(id, effects),
                Some(Target::More) | None => self.no_number(number),
            },
            Command::Search(text) => {
                self.inbox.filter.set_text("");
                self.inbox.filter.paste(&text);
                self.inbox.search(effects);
                (self.part, self.due) = (Part::Waiting, Some(Due::Anew));
            }
            Command::List => (self.part, self.due) = (Part::Waiting, Some(Due::Anew)),
            Command::Ended => {
                (self.part, self.due) = (Part::Ended, Some(Due::Anew));
                let asked = self.inbox.listing || !self.knows_ended;
                let comes = asked && self.inbox.requests.is_reached();
                self.awaits = comes.then_some(Awaited::Page);
            }
            Command::More => self.more(effects),
            Command::Clear(number) => match self.target(number) {
                Some(Target::Waiting(id)) => self.clear(id, effects),
                Some(Target::Settled(_)) => self.tell("plain-inbox-has-ended"),
                Some(Target::More) | None => self.no_number(number),
            },
            Command::ClearAll => self.inbox.clear_all(),
            Command::Help => self.show_help(),
            Command::Leave => effects.push(InboxEffect::Leave),
            Command::Unknown => self.not_understood(line),
        }
    }

    pub(super) fn target(&self, number: u32) -> Option<Target> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.numbered.get(place).copied()
    }

    pub(super) fn more(&mut self, effects: &mut Vec<InboxEffect>) {
        if !self.unread().is_empty() {
            self.due = Some(Due::GoesOn);
            return;
        }
        let after = self.inbox.requests.more_settled().map(str::to_owned);
        match (self.part, after) {
            (Part::Ended, Some(after)) => {
                self.inbox.listing = true;
                let search = self.inbox.requests.search().to_owned();
                effects.push(InboxEffect::List { search, after: Some(after) });
                (self.awaits, self.due) = (Some(Awaited::Page), Some(Due::GoesOn));
            }
            _ => self.tell("plain-inbox-no-more"),
        }
    }

    pub(super) fn clear(&mut self, id: RequestId, effects: &mut Vec<InboxEffect>) {
        let Some(was) = self.inbox.requests.get(id).map(|request| request.state) else {
            return self.tell("plain-inbox-has-ended");
        };
        self.inbox.at = Some(Target::Waiting(id));
        self.inbox.clear(effects);
        if was != State::Pending {
            self.tell("plain-inbox-cleared");
        } else if self.inbox.confirm.is_some() {
            self.show_confirm();
            self.flush = true;
        } else {
            self.awaits_cancel(id);
        }
    }

    pub(super) fn cancel(&mut self, id: RequestId, effects: &mut Vec<InboxEffect>) {
        effects.push(InboxEffect::Cancel(id));
        self.awaits_cancel(id);
    }

    /// Its end is no news then, should that be heard of before the host's answer.
    pub(super) fn awaits_cancel(&mut self, id: RequestId) {
        self.inbox.own.insert(id);
        self.awaits = Some(Awaited::Cancel);
    }
}
