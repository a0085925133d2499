//! The mouse: a click does what a key does on what it points at, the wheel scrolls.
//!
//! Invariant: nothing is done by the mouse that no key could do, and none of it before keys count.

use super::{Dialog, Effect, Focus, Phase, PromptKind, Row, Screen};
use crate::event::{Pointer, Target};

/// Lines of a text that one step of the wheel scrolls.
const WHEEL_LINES: isize = 3;

impl Dialog {
    pub(super) fn pointed(&mut self, target: Target, how: Pointer, effects: &mut Vec<Effect>) {
        if self.external.is_some() || !self.guard.admits(self.now) {
            return;
        }
        if self.phase == Phase::Sending || self.typed_blind() {
            return;
        }
        match how {
            Pointer::Click => {
                self.status = None;
                self.click(target, effects);
            }
            Pointer::WheelUp => self.wheel(target, -1),
            Pointer::WheelDown => self.wheel(target, 1),
        }
    }

    fn click(&mut self, target: Target, effects: &mut Vec<Effect>) {
        if self.collapsed {
            self.collapsed = false;
            return;
        }
        if let Some(prompt) = &self.prompt {
            match target {
                Target::Choice(at) => {
                    if let Some((_, _, choice)) = prompt.choices().get(at) {
                        self.choose(*choice, effects);
                    }
                }
                Target::Field { row, column } if matches!(prompt.kind, PromptKind::Comment) => {
                    self.comment.place(self.viewport.field_width, row, column);
                }
                _ => {}
            }
            return;
        }
        if self.overlay.is_some() {
            return;
        }
        match (self.screen, target) {
            (Screen::Question(index), Target::Option(option)) => {
                self.questions[index].focus = Focus::List;
                self.questions[index].row = Row::Option(option);
                self.choose_row(index);
            }
            (Screen::Question(index), Target::Field { row, column }) => {
                self.enter_field(index);
                self.questions[index].editor.place(self.viewport.field_width, row, column);
            }
            (Screen::Review { at }, Target::Question(index)) if at == index => self.open(index),
            (Screen::Review { .. }, Target::Question(at)) => self.screen = Screen::Review { at },
            _ => {}
        }
    }

    fn wheel(&mut self, target: Target, by: isize) {
        if self.collapsed {
            return;
        }
        if let Some(overlay) = &mut self.overlay {
            overlay.scroll = self.viewport.overlay.moved(overlay.scroll, by * WHEEL_LINES);
            return;
        }
        if self.prompt.is_some() {
            return;
        }
        match (self.screen, target) {
            (Screen::Review { at }, _) => {
                let at = at.saturating_add_signed(by).min(self.request.questions.len() - 1);
                self.screen = Screen::Review { at };
            }
            (Screen::Question(index), Target::Reading) => {
                self.scroll_reading(index, by * WHEEL_LINES);
            }
            (Screen::Question(index), Target::Preview) => {
                self.peek(index, by * WHEEL_LINES, false);
            }
            (Screen::Question(index), Target::Field { .. })
                if self.questions[index].focus == Focus::Field =>
            {
                let width = self.viewport.field_width;
                let editor = &mut self.questions[index].editor;
                if by < 0 {
                    editor.up(width)
                } else {
                    editor.down(width)
                };
            }
            (Screen::Question(index), Target::Option(_))
                if self.questions[index].focus == Focus::List =>
            {
                self.step(index, by);
            }
            _ => {}
        }
    }
}
