//! What is heard of the host and of other screens: told, and nothing moved by it.

use askwell_core::text::{sanitize_line, truncate};
use askwell_core::wire::{Delivery, Event as HostEvent, RequestId};
use askwell_core::{State, facts};

use super::open::Face;
use super::{AT_IT, Feed, Inbox, InboxEffect, LAST_SAVE, News, Place, RINGS_APART, Status, Target};
use crate::event::Event;

impl Inbox {
    pub(super) fn feed(&mut self, feed: Feed, effects: &mut Vec<InboxEffect>) {
        match feed {
            Feed::Ended { .. } => self.listing = false,
            // What ended before the list began, or while the host was away, is told by no event.
            Feed::Waiting { first: true, .. } | Feed::Reached(true) => self.stale = true,
            _ => {}
        }
        if let Feed::Happened(Delivery::Event(HostEvent::Draft { request, .. })) = feed {
            self.drafted(request);
        }
        if let (Feed::Reached(reached), Place::Dialog(open)) = (&feed, &self.place)
            && let Face::Drawn(_) = open.face
        {
            // By lines it is told once, for list and dialog.
            self.dialog_event(Event::HostReached(*reached), effects);
        }
        let before: Vec<(RequestId, String)> = match &feed {
            Feed::Happened(Delivery::Event(event)) => {
                let known = event.request().and_then(|id| self.requests.get(id));
                known.map(|request| (request.id, request.question.clone())).into_iter().collect()
            }
            _ => Vec::new(),
        };
        for news in self.requests.take(feed, self.now) {
            match news {
                News::Arrived(id) => self.arrived(id, effects),
                News::Ended(id, state) => {
                    let question = before.iter().find(|(known, _)| *known == id);
                    self.ended(id, state, question.map_or("", |(_, question)| question));
                }
            }
        }
        self.tell_dialog();
        self.read_settled(effects);
    }

    /// Where a draft is written that is not this screen's, somebody is at it.
    pub(super) fn drafted(&mut self, id: RequestId) {
        let is_open = matches!(&self.place, Place::Dialog(open) if open.id == id);
        let was = self.left.is_some_and(|(left, at)| left == id && self.now < at + LAST_SAVE);
        if !is_open && !was {
            self.elsewhere.insert(id, self.now);
        }
    }

    /// Whether the person is at this one on another screen.
    pub(crate) fn is_written_elsewhere(&self, id: RequestId) -> bool {
        self.elsewhere.get(&id).is_some_and(|at| self.now < *at + AT_IT)
    }

    /// A newcomer is told of, and nothing else changes.
    pub(super) fn arrived(&mut self, id: RequestId, effects: &mut Vec<InboxEffect>) {
        self.fresh.insert(id);
        let silent = self.rang.is_some_and(|at| self.now < at + RINGS_APART);
        if self.options.bell && !silent {
            self.rang = Some(self.now);
            effects.push(InboxEffect::Ring);
        }
        if self.at.is_none() && matches!(self.place, Place::List) {
            // It gets the highlight, and no key that was meant for nothing.
            self.appears();
        }
        // By lines each is told by itself.
        if !self.options.plain {
            self.status = self.arrival(id).map(Status::Note).or(self.status.take());
        }
    }

    /// That a request came in, in words.
    pub(super) fn arrival(&self, id: RequestId) -> Option<String> {
        let request = self.requests.get(id)?;
        let question = sanitize_line(&request.question).into_owned();
        let name = request.asker.as_ref().and_then(facts::own_name);
        let name = name.unwrap_or_else(|| request.credential.clone());
        let name = truncate(&sanitize_line(&name), 24).into_owned();
        let values = [("name", name.into()), ("question", question.into())];
        Some(self.messages.with("inbox-arrived", values))
    }

    pub(super) fn ended(&mut self, id: RequestId, state: State, question: &str) {
        self.stale = true;
        self.fresh.remove(&id);
        let is_open = matches!(&self.place, Place::Dialog(open) if open.id == id);
        if self.own.contains(&id) || is_open {
            return;
        }
        let question = sanitize_line(question).into_owned();
        let how = self.messages.get(facts::standing(state));
        let values = [("how", how.into()), ("question", question.into())];
        self.status = Some(Status::Note(self.messages.with("inbox-ended", values)));
    }

    /// What has ended is read anew after something did, one page at a time.
    pub(super) fn read_settled(&mut self, effects: &mut Vec<InboxEffect>) {
        if self.stale && !self.listing {
            (self.stale, self.listing) = (false, true);
            let search = self.requests.search().to_owned();
            effects.push(InboxEffect::List { search, after: None });
        }
    }

    pub(super) fn cancelled(&mut self, id: RequestId, result: Result<State, String>) {
        match result {
            Ok(State::Cancelled) => {
                self.own.insert(id);
                self.requests.put_away(id);
                self.stale = true;
                self.note("inbox-put-aside");
                if self.at == Some(Target::Waiting(id)) {
                    // The person's own key took it away: the next one is meant for the next.
                    self.at = None;
                }
            }
            Ok(state) => {
                let how = self.messages.get(facts::standing(state));
                let text = self.messages.with("inbox-ended-before", [("how", how.into())]);
                self.status = Some(Status::Note(text));
            }
            Err(why) => self.fails(&why),
        }
    }
}
