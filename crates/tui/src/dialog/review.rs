//! The review: every question with its answer, before a batch is sent.

use termina::event::KeyEvent;

use super::{Dialog, Effect, Overlay, PromptKind, Screen};
use crate::keymap::{self, ReviewKey};

impl Dialog {
    pub(super) fn review_key(&mut self, at: usize, key: &KeyEvent, effects: &mut Vec<Effect>) {
        let last = self.request.questions.len() - 1;
        let mut go = |at: usize| self.screen = Screen::Review { at: at.min(last) };
        match keymap::review(key) {
            Some(ReviewKey::Up) => go(at.saturating_sub(1)),
            Some(ReviewKey::Down) => go(at + 1),
            Some(ReviewKey::First) => go(0),
            Some(ReviewKey::Last) => go(last),
            Some(ReviewKey::Help) => self.overlay = Some(Overlay::help()),
            Some(ReviewKey::Fold) => self.collapsed = true,
            Some(ReviewKey::Leave) if !self.options.stays_pending => {}
            Some(ReviewKey::Leave) => self.ask_to_leave(),
            Some(ReviewKey::Edit) => self.open(at),
            Some(ReviewKey::Back) => self.open(self.reviewed_from),
            Some(ReviewKey::Send) => self.submit(effects),
            Some(ReviewKey::SkipRest) if self.draft.unfinished(&self.request).is_empty() => {}
            Some(ReviewKey::SkipRest) => self.prompt_for(PromptKind::SkipRest),
            None => {}
        }
    }
}
