//! The dialog on one request of the inbox: opening it, what it wants done, and what comes after it.

use std::time::Duration;

use askwell_core::wire::RequestId;
use askwell_core::{Outcome, facts};

use super::{
    Closing, Inbox, InboxEffect, LeftDialog, Opened, Place, Reading, Row, Settled, Status, Ticket,
    is_waited_for,
};
use crate::dialog::{Dialog, DialogOptions};
use crate::event::{Effect, Event};
use crate::plain::Plain;

/// A dialog on the screen.
pub(crate) struct OpenDialog {
    pub(crate) ticket: Ticket,
    pub(crate) id: RequestId,
    pub(crate) face: Face,
    /// Its time runs from here.
    pub(crate) began: Duration,
    /// It ended elsewhere, and the person sees so.
    ended: bool,
}

/// A dialog as it is met.
pub(crate) enum Face {
    Drawn(Dialog),
    Lines(Plain),
}

impl Face {
    pub(crate) fn dialog(&self) -> &Dialog {
        match self {
            Self::Drawn(dialog) => dialog,
            Self::Lines(plain) => plain.dialog(),
        }
    }

    fn update(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        match self {
            Self::Drawn(dialog) => dialog.update(event, now),
            Self::Lines(plain) => plain.event(event, now),
        }
    }

    pub(super) fn next_tick(&self) -> Option<Duration> {
        match self {
            Self::Drawn(dialog) => dialog.next_tick(),
            Self::Lines(plain) => plain.next_tick(),
        }
    }
}

impl Inbox {
    /// Has a request read, to be shown when it is there.
    pub(super) fn open(&mut self, id: RequestId, effects: &mut Vec<InboxEffect>) {
        let ticket = self.ticket();
        self.opening = Some((ticket, id));
        self.fresh.remove(&id);
        effects.push(InboxEffect::Open(ticket, id));
    }

    pub(super) fn opened(
        &mut self,
        ticket: Ticket,
        opened: Opened,
        effects: &mut Vec<InboxEffect>,
    ) {
        let Some(id) = self.taken(ticket) else {
            return effects.push(InboxEffect::Forget(ticket));
        };
        let options = DialogOptions {
            lang: self.options.lang,
            draft: opened.draft,
            kept: opened.kept,
            offered: opened.offered,
            deadline: opened.deadline,
            stays_pending: true,
            in_inbox: true,
            credential: Some(opened.credential),
            answering: opened.answering,
            no_color: self.options.no_color,
            ascii: self.options.ascii,
            editor: self.options.editor.clone(),
            edit_key: opened.edit_key,
            no_mouse: self.options.no_mouse,
            plain: self.options.plain,
            ..DialogOptions::default()
        };
        let mut dialog = Dialog::new(opened.request, options);
        let (began, ended) = (self.now, false);
        self.status = None;
        dialog.set_aside(self.others_than(id));
        let face = match self.options.plain {
            true => Face::Lines(Plain::new(dialog, self.columns)),
            false => Face::Drawn(dialog),
        };
        self.place = Place::Dialog(Box::new(OpenDialog { ticket, id, face, began, ended }));
    }

    /// It has ended: how, to be read.
    pub(super) fn read(
        &mut self,
        ticket: Ticket,
        settled: Box<Settled>,
        effects: &mut Vec<InboxEffect>,
    ) {
        if self.opening == Some((ticket, settled.view.id))
            && let Place::Dialog(open) = &self.place
            && open.id == settled.view.id
            && let Some(outcome) = open.face.dialog().resolved_elsewhere().cloned()
        {
            // It takes the place of the dialog, which has nothing more to say.
            self.dialog_over(outcome, effects);
        }
        if self.taken(ticket).is_some() {
            self.status = None;
            let typed = self.typed.take().filter(|(id, _)| *id == settled.view.id);
            let typed = typed.map(|(_, entered)| entered);
            self.place = Place::Reading(Box::new(Reading::settled(settled, typed)));
            self.appears();
        }
    }

    pub(super) fn not_opened(&mut self, ticket: Ticket, why: &str) {
        if self.taken(ticket).is_some() {
            self.fails(why);
        }
    }

    /// What was opened with this ticket, unless the person has gone elsewhere meanwhile.
    fn taken(&mut self, ticket: Ticket) -> Option<RequestId> {
        let (_, id) = self.opening.take_if(|(wanted, _)| *wanted == ticket)?;
        matches!(self.place, Place::List).then_some(id)
    }

    /// An event for the dialog with this ticket; nothing where another one is on the screen.
    pub(super) fn dialog_hears(
        &mut self,
        ticket: Ticket,
        event: Event,
        effects: &mut Vec<InboxEffect>,
    ) {
        if matches!(&self.place, Place::Dialog(open) if open.ticket == ticket) {
            self.dialog_event(event, effects);
        }
    }

    pub(super) fn dialog_event(&mut self, event: Event, effects: &mut Vec<InboxEffect>) {
        let Place::Dialog(open) = &mut self.place else { return };
        let ends = matches!(event, Event::Resolved(_)) && !open.ended;
        open.ended |= ends;
        let (id, is_drawn) = (open.id, matches!(open.face, Face::Drawn(_)));
        let wanted = open.face.update(event, self.now.saturating_sub(open.began));
        self.dialog_wants(wanted, effects);
        if ends && is_drawn {
            self.open(id, effects);
        }
    }

    /// Something that was typed at the open dialog.
    pub(super) fn typed_in_dialog(
        &mut self,
        tell: impl FnOnce(&mut Plain, Duration) -> Vec<Effect>,
        effects: &mut Vec<InboxEffect>,
    ) {
        let Place::Dialog(open) = &mut self.place else { return };
        let Face::Lines(plain) = &mut open.face else { return };
        let wanted = tell(plain, self.now.saturating_sub(open.began));
        self.dialog_wants(wanted, effects);
    }

    fn dialog_wants(&mut self, wanted: Vec<Effect>, effects: &mut Vec<InboxEffect>) {
        let Place::Dialog(open) = &self.place else { return };
        let ticket = open.ticket;
        let mut over = None;
        for effect in wanted {
            match effect {
                Effect::End(outcome) => over = Some(outcome),
                effect => effects.push(InboxEffect::Dialog(ticket, effect)),
            }
        }
        if let Some(outcome) = over {
            self.dialog_over(outcome, effects);
        }
    }

    fn dialog_over(&mut self, outcome: Outcome, effects: &mut Vec<InboxEffect>) {
        let Place::Dialog(open) = std::mem::replace(&mut self.place, Place::List) else { return };
        let OpenDialog { ticket, id, mut face, ended, .. } = *open;
        if let Face::Lines(plain) = &mut face {
            self.last_words.push_str(&plain.take_output(false));
        }
        let dialog = face.dialog();
        let entered = dialog.entered();
        let untouched = entered.is_untouched();
        let left = LeftDialog { outcome: outcome.clone(), entered, restored: dialog.restored() };
        self.moved_in_read = true;
        self.left = Some((id, self.now));
        self.elsewhere.remove(&id);
        if ended {
            // How it ended is told whole, and what was typed here with it.
            effects.push(InboxEffect::Close(ticket, left));
            self.own.insert(id);
            self.requests.put_away(id);
            self.typed = Some((id, dialog.entered()));
            if self.opening.is_none_or(|(_, opening)| opening != id) {
                self.open(id, effects);
            }
            return;
        }
        effects.push(InboxEffect::Close(ticket, left));
        match outcome {
            Outcome::Answered(_) => {
                self.own.insert(id);
                let next = self.next_after(id);
                self.requests.put_away(id);
                self.stale = true;
                self.go_on(next, effects);
            }
            Outcome::Cancelled { .. } => {
                self.follow = Some((ticket, id));
                self.note("inbox-putting-aside");
            }
            Outcome::Aborted { .. } | Outcome::Expired => {
                self.note(match untouched {
                    true => "inbox-still-waits",
                    false => "inbox-still-waits-draft",
                });
                if self.options.only.is_some() {
                    effects.push(InboxEffect::Leave);
                }
            }
        }
    }

    pub(super) fn closed(
        &mut self,
        ticket: Ticket,
        closing: Closing,
        effects: &mut Vec<InboxEffect>,
    ) {
        let cancelled = self.follow.take_if(|(waited, _)| *waited == ticket).map(|(_, id)| id);
        match closing {
            Closing::Done => {}
            Closing::KeptHere => self.fails(&self.messages.get("inbox-kept-here")),
            Closing::Unsaved => self.fails(&self.messages.get("inbox-unsaved")),
            Closing::EndedBefore(state) => {
                let how = self.messages.get(facts::standing(state));
                let text = self.messages.with("inbox-ended-before", [("how", how.into())]);
                self.status = Some(Status::Note(text));
            }
            Closing::NotCancelled(why) => {
                let why = self.messages.with("inbox-not-put-aside", [("reason", why.into())]);
                return self.fails(&why);
            }
        }
        if let Some(id) = cancelled {
            self.own.insert(id);
            let next = self.next_after(id);
            self.requests.put_away(id);
            self.stale = true;
            if !matches!(closing, Closing::EndedBefore(_)) {
                self.note("inbox-put-aside");
            }
            self.go_on(next, effects);
        }
    }

    /// The next one opens by itself; without one the list comes up.
    fn go_on(&mut self, next: Option<RequestId>, effects: &mut Vec<InboxEffect>) {
        match next {
            _ if self.options.only.is_some() => effects.push(InboxEffect::Leave),
            Some(next) if matches!(self.place, Place::List) => {
                self.at = Some(super::Target::Waiting(next));
                self.open(next, effects);
            }
            Some(_) => {}
            None => self.appears(),
        }
    }

    /// The next one that is waited for, in the order of the list: after this one, or else the first.
    fn next_after(&mut self, id: RequestId) -> Option<RequestId> {
        self.prepare();
        let waiting = self.rows.iter().filter_map(|row| match row {
            Row::Waiting(at) => self.requests.waiting().get(*at),
            _ => None,
        });
        let waiting: Vec<(RequestId, bool)> =
            waiting.map(|request| (request.id, is_waited_for(request))).collect();
        let at = waiting.iter().position(|(known, _)| *known == id).map_or(0, |at| at + 1);
        let mut round = waiting[at..].iter().chain(&waiting[..at]);
        round.find(|(other, waits)| *waits && *other != id).map(|(other, _)| *other)
    }

    /// Leaves for good: what was entered is saved, and the request still waits.
    pub(super) fn leave(&mut self, reason: &str, effects: &mut Vec<InboxEffect>) {
        if let Place::Dialog(open) = &self.place {
            let ticket = open.ticket;
            let event = Event::Aborted { reason: reason.to_owned() };
            self.dialog_hears(ticket, event, effects);
        }
        effects.retain(|effect| !matches!(effect, InboxEffect::Open(..) | InboxEffect::Leave));
        effects.push(InboxEffect::Leave);
    }

    /// The dialog tells how many others wait.
    pub(super) fn tell_dialog(&mut self) {
        let Place::Dialog(open) = &self.place else { return };
        let aside = self.others_than(open.id);
        if let Place::Dialog(open) = &mut self.place
            && let Face::Drawn(dialog) = &mut open.face
        {
            dialog.set_aside(aside);
        }
    }

    /// How many others wait, in words.
    fn others_than(&self, id: RequestId) -> Option<String> {
        let waiting = self.requests.waiting().iter();
        let others = waiting.filter(|it| is_waited_for(it) && it.id != id).count();
        match (others, self.fresh.len()) {
            (0, _) => None,
            (_, 0) => Some(self.messages.with("inbox-others", [("count", others.into())])),
            (_, fresh) => {
                let values = [("count", others.into()), ("fresh", fresh.into())];
                Some(self.messages.with("inbox-others-new", values))
            }
        }
    }
}
