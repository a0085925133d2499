//! Where a key or a paste goes: to the prompt, the overlay, the question or the review that is on the
//! screen, once keys count at all.

use termina::event::{KeyCode, KeyEvent};

use super::{Dialog, Phase, PromptKind, Screen};
use crate::event::Effect;
use crate::keymap;

impl Dialog {
    pub(super) fn key(&mut self, key: &KeyEvent, effects: &mut Vec<Effect>) {
        if !self.guard.admits(self.now) {
            return;
        }
        if key.code == KeyCode::Escape && !self.guard.admits_esc(self.now) {
            return;
        }
        self.status = None;
        if self.phase == Phase::Sending || self.typed_blind() {
            return;
        }
        if keymap::is_extend(key) {
            self.extend(effects);
        } else if self.collapsed {
            self.collapsed_key(key);
        } else if keymap::is_external(key) {
            self.open_external(effects);
        } else if self.prompt.is_some() {
            self.prompt_key(key, effects);
        } else if self.overlay.is_some() {
            self.overlay_key(key);
        } else if keymap::is_swap(key) {
            self.swap(effects);
        } else {
            match self.screen {
                Screen::Question(index) => self.question_key(index, key, effects),
                Screen::Review { at } => self.review_key(at, key, effects),
            }
            self.follow_again(effects);
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        if !self.guard.admits(self.now) || self.phase != Phase::Open {
            return;
        }
        self.status = None;
        if self.typed_blind() {
            return;
        }
        if matches!(self.prompt.as_ref().map(|prompt| &prompt.kind), Some(PromptKind::Comment)) {
            self.paste_comment(text);
        } else if self.prompt.is_none()
            && self.overlay.is_none()
            && !self.collapsed
            && let Screen::Question(index) = self.screen
        {
            self.paste_into(index, text);
        } else {
            self.note("paste-nowhere");
        }
    }

    pub(super) fn collapsed_key(&mut self, key: &KeyEvent) {
        if matches!(key.code, KeyCode::Escape | KeyCode::Enter | KeyCode::Char('z')) {
            self.collapsed = false;
        }
    }

    /// Whether a key was typed before the screen that it would act on could be seen.
    pub(super) fn typed_blind(&mut self) -> bool {
        if self.moved_in_read {
            self.note("keys-dropped");
        }
        self.moved_in_read
    }
}
