//! The same question on another screen.
//!
//! Invariant: a text that was written here is never replaced from elsewhere, but by the person.

use askwell_core::Draft;
use askwell_core::draft::DraftState;
use askwell_core::merge::merge;
use askwell_core::text::is_blank;

use super::{Dialog, Effect, Focus, Phase, Screen};
use crate::event::Merged;

impl Dialog {
    /// Another provider changed a question: taken in as far as nothing here stands against it.
    pub(super) fn draft_elsewhere(
        &mut self,
        base: &DraftState,
        theirs: DraftState,
        effects: &mut Vec<Effect>,
    ) {
        let found = self.request.questions.iter().position(|question| question.id == theirs.id);
        // What is on its way to the asker stays what it is.
        let (Some(index), Phase::Open) = (found, self.phase) else { return };
        let question = &self.request.questions[index];
        let mine = self.draft.get(index).state(question);
        let merged = merge(question, base, &mine, &theirs);
        let (mut state, mut conflict) = (merged.state, merged.conflict);
        if state.custom != mine.custom && self.holds_text(index, &state.custom) {
            match question.is_multi_select() {
                true => (state.custom, state.custom_on) = (mine.custom.clone(), mine.custom_on),
                false => state = mine.clone(),
            }
            conflict = true;
        }
        let at = &mut self.questions[index];
        at.elsewhere = conflict.then(|| theirs.clone());
        if state.custom != mine.custom {
            at.editor.set_text(&state.custom);
            at.written = false;
        }
        if state != mine {
            *self.draft.get_mut(index) = Draft::from_state(question, &state);
        }
        match conflict {
            true => self.note("elsewhere"),
            false if state != mine => self.note("taken-elsewhere"),
            false => {}
        }
        let kept = (conflict && mine == *base).then_some(state);
        effects.push(Effect::Merged(Merged { theirs, conflict, kept }));
    }

    /// Whether this screen keeps its text rather than show that one: somebody is at it, or it was
    /// written here and the other is not just more of it.
    fn holds_text(&self, index: usize, other: &str) -> bool {
        let at = &self.questions[index];
        if at.focus == Focus::Field && self.screen == Screen::Question(index) {
            return true;
        }
        let own = self.draft.get(index).custom();
        at.written && !is_blank(own) && !other.contains(own.trim())
    }

    /// Shows what the other screen shows; once more, what this one showed.
    pub(super) fn take_theirs(&mut self) {
        let Screen::Question(index) = self.screen else { return };
        let question = &self.request.questions[index];
        let Some(theirs) = self.questions[index].elsewhere.take() else { return };
        let mine = self.draft.get(index).state(question);
        *self.draft.get_mut(index) = Draft::from_state(question, &theirs);
        let at = &mut self.questions[index];
        at.editor.set_text(&theirs.custom);
        at.editor.to_end();
        at.elsewhere = Some(mine);
        self.saving.edited(self.now);
        self.note("taken-elsewhere");
    }
}
