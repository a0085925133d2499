//! A text to read in the place of the list: how a request ended, or the keys.

use askwell_core::draft::Entered;
use termina::event::KeyCode;

use super::{Inbox, InboxEffect, Place, Settled};
use crate::event::Event;
use crate::keymap::{self, ReaderKey};

/// What is read.
pub(crate) enum Text {
    Help,
    Settled {
        settled: Box<Settled>,
        /// What was typed here, where that is more than the host has.
        typed: Option<Entered>,
    },
}

/// A text, and how far it was read.
pub(crate) struct Reading {
    pub(crate) text: Text,
    pub(crate) scroll: usize,
}

impl Reading {
    pub(super) fn help() -> Self {
        Self { text: Text::Help, scroll: 0 }
    }

    pub(super) fn settled(settled: Box<Settled>, typed: Option<Entered>) -> Self {
        Self { text: Text::Settled { settled, typed }, scroll: 0 }
    }
}

impl Inbox {
    pub(super) fn reading_event(&mut self, event: &Event, effects: &mut Vec<InboxEffect>) {
        if let Event::Pointed(_, how) = event {
            return self.reading_pointed(*how);
        }
        let Event::Key(key) = event else { return };
        if !self.admits(key) {
            return;
        }
        self.status = None;
        let extent = self.viewport.reading;
        let Place::Reading(reading) = &mut self.place else { return };
        let at = reading.scroll.min(extent.last);
        let page = extent.page.max(1);
        reading.scroll = match keymap::reader(key) {
            Some(ReaderKey::Up) => at.saturating_sub(1),
            Some(ReaderKey::Down) => (at + 1).min(extent.last),
            Some(ReaderKey::PageUp) => at.saturating_sub(page),
            Some(ReaderKey::PageDown) => (at + page).min(extent.last),
            Some(ReaderKey::First) => 0,
            Some(ReaderKey::Last) => extent.last,
            // Enter went on to this text perhaps, and is not to lead away from it.
            Some(ReaderKey::Close) if key.code == KeyCode::Enter => return,
            Some(ReaderKey::Close) => {
                let is_settled = matches!(reading.text, Text::Settled { .. });
                self.place = Place::List;
                self.moved_in_read = true;
                if is_settled && self.options.only.is_some() {
                    effects.push(InboxEffect::Leave);
                }
                return;
            }
            None => return,
        };
    }
}
