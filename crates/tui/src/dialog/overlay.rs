//! Texts to read over the dialog: the keys, and everything about a question.

use termina::event::KeyEvent;

use super::Dialog;
use crate::keymap::{self, ReaderKey};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverlayKind {
    Help,
    Reader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overlay {
    pub(crate) kind: OverlayKind,
    pub(crate) scroll: usize,
}

impl Overlay {
    pub(super) fn help() -> Self {
        Self { kind: OverlayKind::Help, scroll: 0 }
    }

    pub(super) fn reader() -> Self {
        Self { kind: OverlayKind::Reader, scroll: 0 }
    }
}

impl Dialog {
    pub(super) fn overlay_key(&mut self, key: &KeyEvent) {
        let (Some(overlay), Some(key)) = (&mut self.overlay, keymap::reader(key)) else {
            return;
        };
        let extent = self.viewport.overlay;
        let at = overlay.scroll.min(extent.last);
        let page = extent.page.max(1);
        overlay.scroll = match key {
            ReaderKey::Up => at.saturating_sub(1),
            ReaderKey::Down => (at + 1).min(extent.last),
            ReaderKey::PageUp => at.saturating_sub(page),
            ReaderKey::PageDown => (at + page).min(extent.last),
            ReaderKey::First => 0,
            ReaderKey::Last => extent.last,
            ReaderKey::Close => {
                self.overlay = None;
                return;
            }
        };
    }
}
