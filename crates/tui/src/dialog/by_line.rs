//! What a person does who reads and writes lines instead of pressing keys: the same machine, with
//! whole texts in place of an editor's keys.

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::{Draft, limits};

use super::{Dialog, Effect, Focus, Other, Row, Status};
use crate::event::Merged;

impl Dialog {
    /// What just happened, told once.
    pub(crate) fn take_status(&mut self) -> Option<String> {
        match self.status.take()? {
            Status::Note(text) | Status::Error(text) => Some(text),
        }
    }

    /// Whether the field of a question is being written in: what is written elsewhere then does not
    /// replace it.
    pub(crate) fn writes_at(&mut self, index: usize, writing: bool) {
        self.questions[index].focus = if writing { Focus::Field } else { Focus::List };
    }

    /// The field holds `text`, which counts.
    pub(crate) fn write_text(&mut self, index: usize, text: &str) {
        self.questions[index].editor.set_text("");
        self.add_text(index, text);
        self.change(index, |draft, _| draft.send_kept());
    }

    /// The field holds one more line.
    pub(crate) fn add_line(&mut self, index: usize, line: &str) {
        self.questions[index].editor.to_end();
        match self.questions[index].editor.is_empty() {
            true => self.add_text(index, line),
            false => self.add_text(index, &format!("\n{line}")),
        }
    }

    fn add_text(&mut self, index: usize, text: &str) {
        let cut = self.questions[index].editor.paste(text).cut;
        if cut > 0 {
            self.too_long("paste-cut", limits::CUSTOM);
        }
        self.questions[index].row = Row::Custom;
        self.written(index);
    }

    /// The comment of a cancellation has one more line.
    pub(crate) fn add_comment_line(&mut self, line: &str) {
        self.comment.to_end();
        match self.comment.is_empty() {
            true => self.paste_comment(line),
            false => self.paste_comment(&format!("\n{line}")),
        }
    }

    /// Whether another screen shows something else here.
    pub(crate) fn differs_elsewhere(&self, index: usize) -> bool {
        matches!(self.questions[index].others.next(), Some(Other::Theirs(_)))
    }

    /// What another screen shows was replaced here by who had not seen it: it is kept, here and with
    /// the host.
    pub(crate) fn hold_theirs(
        &mut self,
        index: usize,
        theirs: DraftState,
        effects: &mut Vec<Effect>,
    ) {
        self.questions[index].others.hold(theirs.clone());
        effects.push(Effect::Merged(Merged { theirs, conflict: true, kept: None }));
    }

    /// The draft of a question is once more as it was, with its text.
    pub(crate) fn put_back(&mut self, index: usize, state: &DraftState) {
        let question = &self.request.questions[index];
        *self.draft.get_mut(index) = Draft::from_state(question, state);
        self.questions[index].editor.set_text(&state.custom);
        self.questions[index].editor.to_end();
        self.saving.edited(self.now);
    }

    /// When time alone changes something, but the clock that a drawn dialog shows.
    pub(crate) fn next_due(&self) -> Option<Duration> {
        let deadline = self.options.deadline.filter(|_| !self.options.stays_pending);
        let deadline = deadline.map(|end| end.max(self.now + Duration::from_millis(1)));
        [self.saving.due(), deadline].into_iter().flatten().min()
    }
}
