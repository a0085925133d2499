//! Entering text: the custom field of a question, and the comment of a cancellation.

use askwell_core::limits;

use super::{Dialog, Effect, Focus, Row, Status};
use crate::editor::Editor;
use crate::keymap::{Edit, FieldKey};

impl Dialog {
    pub(super) fn field_key(&mut self, index: usize, key: FieldKey, effects: &mut Vec<Effect>) {
        let width = self.viewport.field_width;
        let state = &mut self.questions[index];
        match key {
            FieldKey::Enter => self.go_on(index, effects),
            FieldKey::Esc => state.focus = Focus::List,
            FieldKey::Next => self.next_question(index),
            FieldKey::Previous => self.previous_question(index),
            FieldKey::PageUp => self.page_reading(index, -1),
            FieldKey::PageDown => self.page_reading(index, 1),
            FieldKey::Up => {
                if !state.editor.up(width) {
                    self.leave_field_upwards(index);
                }
            }
            FieldKey::Down => {
                state.editor.down(width);
            }
            FieldKey::Edit(edit) => {
                if !apply(&mut state.editor, edit, width) {
                    self.too_long("field-full", limits::CUSTOM);
                }
                self.written(index);
            }
        }
    }

    pub(super) fn paste_into(&mut self, index: usize, text: &str) {
        let allowed = self.question_at(index).allow_custom;
        let state = &mut self.questions[index];
        match state.focus {
            Focus::Field => {
                if state.editor.paste(text).cut > 0 {
                    self.too_long("paste-cut", limits::CUSTOM);
                }
                self.written(index);
            }
            Focus::Filter => {
                let line = text.split(['\r', '\n']).next().unwrap_or_default();
                state.filter.paste(line);
            }
            // A paste onto the list is meant as text, not as keys.
            Focus::List if allowed => {
                state.focus = Focus::Field;
                state.row = Row::Custom;
                self.paste_into(index, text);
            }
            Focus::List => self.note("no-custom"),
        }
    }

    pub(crate) fn paste_comment(&mut self, text: &str) {
        if self.comment.paste(text).cut > 0 {
            self.too_long("paste-cut", limits::COMMENT);
        }
        self.saving.edited(self.now);
    }

    /// The field holds what the editor holds.
    pub(super) fn written(&mut self, index: usize) {
        let text = self.questions[index].editor.text().to_owned();
        self.questions[index].written = true;
        self.change(index, |draft, question| draft.write(question, &text));
    }

    fn leave_field_upwards(&mut self, index: usize) {
        let shown = self.questions[index].shown(self.question_at(index));
        let state = &mut self.questions[index];
        if let Some(last) = shown.last() {
            state.focus = Focus::List;
            state.row = Row::Option(*last);
        }
    }

    pub(super) fn too_long(&mut self, id: &str, limit: usize) {
        self.status = Some(Status::Error(self.messages.with(id, [("limit", limit.into())])));
    }
}

/// Carries an edit out. `false`: the field is full.
pub(crate) fn apply(editor: &mut Editor, edit: Edit, width: usize) -> bool {
    match edit {
        Edit::Insert(character) => return editor.insert_char(character),
        Edit::Newline => return editor.newline(),
        Edit::Backspace => editor.backspace(),
        Edit::Delete => editor.delete(),
        Edit::DeleteWordBack => editor.delete_word_back(),
        Edit::DeleteWordForward => editor.delete_word_forward(),
        Edit::DeleteToLineStart => editor.delete_to_line_start(),
        Edit::DeleteToLineEnd => editor.delete_to_line_end(),
        Edit::Yank => return editor.yank().cut == 0,
        Edit::Left => editor.left(),
        Edit::Right => editor.right(),
        Edit::WordLeft => editor.word_left(),
        Edit::WordRight => editor.word_right(),
        Edit::Home => editor.home(width),
        Edit::End => editor.end(width),
        Edit::Start => editor.to_start(),
        Edit::Finish => editor.to_end(),
        Edit::Undo => editor.undo(),
        Edit::Redo => editor.redo(),
    };
    true
}
