//! The keys of the list: moving, searching, opening, putting away.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::RequestId;
use termina::event::{KeyCode, KeyEvent};

use super::{Inbox, InboxEffect, Place, Reading, Row, Target};
use crate::dialog::apply_edit;
use crate::event::Event;
use crate::keymap::{self, Edit, FieldKey, InboxKey};

/// How often ages are drawn anew, and how often a time that is nearly over.
const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

impl Inbox {
    pub(super) fn list_event(&mut self, event: Event, effects: &mut Vec<InboxEffect>) {
        match event {
            Event::Key(key) if self.admits(&key) => self.list_key(&key, effects),
            Event::Pointed(target, how) => self.list_pointed(target, how, effects),
            Event::Paste(text) if self.filtering => {
                let line = text.split(['\r', '\n']).next().unwrap_or_default();
                self.filter.paste(line);
                self.prepare();
            }
            _ => {}
        }
    }

    fn list_key(&mut self, key: &KeyEvent, effects: &mut Vec<InboxEffect>) {
        self.prepare();
        self.status = None;
        if let Some(id) = self.confirm.take() {
            if matches!(key.code, KeyCode::Char('y' | 'Y')) {
                effects.push(InboxEffect::Cancel(id));
            }
            return;
        }
        if self.filtering {
            if let Some(key) = keymap::field(key) {
                self.filter_key(key, effects);
            }
            return;
        }
        let page = self.viewport.page.max(1).cast_signed();
        match keymap::inbox(key) {
            Some(InboxKey::Up) => self.step(-1),
            Some(InboxKey::Down) => self.step(1),
            Some(InboxKey::PageUp) => self.step(-page),
            Some(InboxKey::PageDown) => self.step(page),
            Some(InboxKey::First) => self.step(isize::MIN),
            Some(InboxKey::Last) => self.step(isize::MAX),
            Some(InboxKey::Part) => self.other_part(),
            Some(InboxKey::Open) => self.open_highlighted(effects),
            Some(InboxKey::Search) => self.filtering = true,
            Some(InboxKey::Clear) => self.clear(effects),
            Some(InboxKey::ClearAll) => self.clear_all(),
            Some(InboxKey::Help) => self.place = Place::Reading(Box::new(Reading::help())),
            Some(InboxKey::Esc) if !self.filter.is_empty() => self.clear_filter(effects),
            Some(InboxKey::Esc) => self.note("inbox-how-to-leave"),
            Some(InboxKey::Leave) => effects.push(InboxEffect::Leave),
            None => {}
        }
    }

    fn filter_key(&mut self, key: FieldKey, effects: &mut Vec<InboxEffect>) {
        match key {
            FieldKey::Esc => self.clear_filter(effects),
            FieldKey::Enter => {
                self.filtering = false;
                self.search(effects);
            }
            FieldKey::Down | FieldKey::Up | FieldKey::Next | FieldKey::Previous => {
                self.filtering = false;
            }
            FieldKey::PageUp | FieldKey::PageDown | FieldKey::Edit(Edit::Newline) => {}
            FieldKey::Edit(edit) => {
                apply_edit(&mut self.filter, edit, usize::MAX);
            }
        }
        self.prepare();
    }

    /// What has ended is searched by the host, which has more of it.
    pub(super) fn search(&mut self, effects: &mut Vec<InboxEffect>) {
        let search = self.filter.text().trim().to_owned();
        if search != self.requests.search() {
            self.listing = true;
            effects.push(InboxEffect::List { search, after: None });
        }
    }

    fn clear_filter(&mut self, effects: &mut Vec<InboxEffect>) {
        self.filter.set_text("");
        self.filtering = false;
        self.search(effects);
        self.prepare();
    }

    /// The highlight stands on what it stood on; where that is gone on what took its place, and keys
    /// wait until that was seen.
    pub(super) fn find_highlight(&mut self) {
        let stands =
            |at: Target| self.rows.iter().position(|row| row.target(&self.requests) == Some(at));
        if let Some(at) = self.at
            && let Some(row) = stands(at)
        {
            self.at_row = row;
            return;
        }
        let had = self.at.is_some();
        let nearest = |wanted: &dyn Fn(&Row) -> bool| {
            let after = self.rows.iter().skip(self.at_row).position(wanted);
            let before = self.rows.iter().take(self.at_row).rposition(wanted);
            after.map(|row| self.at_row + row).or(before)
        };
        // What waits before what has ended, unless the person was among that.
        let was_lower = matches!(self.at, Some(Target::Settled(_) | Target::More));
        let waiting = nearest(&|row| matches!(row, Row::Waiting(_))).filter(|_| !was_lower);
        // Nothing stands there by itself where nothing waits: what comes next is to be met first.
        let row = waiting
            .or_else(|| nearest(&|row| row.target(&self.requests).is_some()).filter(|_| was_lower));
        self.at = row.and_then(|row| self.rows[row].target(&self.requests));
        self.at_row = row.unwrap_or(0);
        // Searching moves it on purpose.
        if had && matches!(self.place, Place::List) && !self.filtering {
            self.appears();
        }
    }

    pub(super) fn highlight(&mut self, row: usize) {
        self.at_row = row;
        self.at = self.rows[row].target(&self.requests);
        if let Some(Target::Waiting(id)) = self.at {
            self.fresh.remove(&id);
        }
    }

    /// Moves the highlight by so many rows that can have it.
    pub(super) fn step(&mut self, by: isize) {
        let rows: Vec<usize> = (0..self.rows.len())
            .filter(|row| self.rows[*row].target(&self.requests).is_some())
            .collect();
        let Some(last) = rows.len().checked_sub(1) else { return };
        let Some(at) = rows.iter().position(|row| self.at.is_some() && *row == self.at_row) else {
            return self.highlight(rows[if by < 0 { last } else { 0 }]);
        };
        self.highlight(rows[at.saturating_add_signed(by).min(last)]);
    }

    /// To what has ended, and back to what waits.
    fn other_part(&mut self) {
        let is_waiting = !matches!(self.at, Some(Target::Settled(_) | Target::More));
        let first = self.rows.iter().position(|row| match row {
            Row::Waiting(_) => !is_waiting,
            Row::Settled(_) | Row::More => is_waiting,
            Row::Blank | Row::Part(_) | Row::Asker(_) => false,
        });
        if let Some(row) = first {
            self.highlight(row);
        }
    }

    pub(super) fn open_highlighted(&mut self, effects: &mut Vec<InboxEffect>) {
        match self.at {
            Some(Target::Waiting(id) | Target::Settled(id)) => self.open(id, effects),
            Some(Target::More) if !self.listing => {
                self.listing = true;
                let search = self.requests.search().to_owned();
                let after = self.requests.more_settled().map(str::to_owned);
                effects.push(InboxEffect::List { search, after });
            }
            Some(Target::More) | None => {}
        }
    }

    /// Puts away what is not waited for any more; asks before a person's draft or somebody who
    /// waits is put aside with it.
    pub(super) fn clear(&mut self, effects: &mut Vec<InboxEffect>) {
        let Some(Target::Waiting(id)) = self.at else { return };
        let Some(request) = self.requests.get(id) else { return };
        if request.state != State::Pending {
            self.own.insert(id);
            self.requests.put_away(id);
            return self.prepare_quietly();
        }
        if request.away_since.is_some() && request.draft_edited_at.is_none() {
            effects.push(InboxEffect::Cancel(id));
        } else {
            self.confirm = Some(id);
            self.moved_in_read = true;
        }
    }

    pub(super) fn clear_all(&mut self) {
        let ended = self.requests.waiting().iter().filter(|it| it.state != State::Pending);
        let ended: Vec<RequestId> = ended.map(|request| request.id).collect();
        if ended.is_empty() {
            return self.note("inbox-nothing-to-clear");
        }
        let takes_highlight = ended.iter().any(|id| self.at == Some(Target::Waiting(*id)));
        ended.into_iter().for_each(|id| self.requests.put_away(id));
        self.note("inbox-cleared-all");
        match takes_highlight {
            true => self.prepare_quietly(),
            false => self.prepare(),
        }
    }

    /// The person's own key took the highlighted one away: the next key is meant for the next one.
    fn prepare_quietly(&mut self) {
        self.at = None;
        self.prepare();
    }

    /// When an age or a time left is to be drawn anew.
    pub(super) fn next_age(&self) -> Option<Duration> {
        let rows = self.rows.iter().skip(self.viewport.top).take(self.viewport.page.max(1));
        let host_time = self.requests.host_time(self.now);
        let (mut any, mut soon) = (false, false);
        for row in rows {
            match row {
                Row::Waiting(at) => {
                    let request = self.requests.waiting().get(*at);
                    let left = request.and_then(|it| it.deadline_at).map(|at| at - host_time);
                    soon |= left.is_some_and(|left| (1..61_000).contains(&left));
                    any = true;
                }
                Row::Settled(_) => any = true,
                Row::Blank | Row::Part(_) | Row::Asker(_) | Row::More => {}
            }
        }
        match (soon, any) {
            (true, _) => Some(self.now + SECOND),
            (false, true) => Some(self.now + MINUTE),
            (false, false) => None,
        }
    }

    /// What is put into the status line, where nothing else is: where in a long list the highlight
    /// is, and how many wait in vain.
    pub(crate) fn summary(&self, between: &str) -> String {
        let mut parts = Vec::new();
        if self.rows.len() > self.viewport.page.max(1) {
            let is_row = |row: &&Row| row.target(&self.requests).is_some();
            let total = self.rows.iter().filter(is_row).count();
            let at = self.rows.iter().take(self.at_row + 1).filter(is_row).count();
            let values = [("at", at.into()), ("total", total.into())];
            parts.push(self.messages.with("position", values));
        }
        let away = self.requests.waiting().iter();
        let away = away.filter(|it| it.state == State::Pending && it.away_since.is_some()).count();
        if away > 0 {
            parts.push(self.messages.with("inbox-away", [("count", away.into())]));
        }
        parts.join(between)
    }

    /// Whether this is what asks to be confirmed.
    pub(crate) fn question_to_confirm(&self) -> Option<&str> {
        let request = self.requests.get(self.confirm?)?;
        Some(&request.question)
    }
}
