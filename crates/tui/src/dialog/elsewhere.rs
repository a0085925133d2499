//! The same question on another screen.
//!
//! Invariant: a text that was written here is never replaced from elsewhere, but by the person, who
//! can have it back.

use askwell_core::Draft;
use askwell_core::draft::DraftState;
use askwell_core::merge::merge;
use askwell_core::text::{holds, is_blank};

use super::{Dialog, Effect, Focus, Phase, Screen, Status};
use crate::event::Merged;

/// What a question holds beside what this screen shows.
#[derive(Debug, Default)]
pub(crate) struct Others {
    /// What another screen shows, where this one keeps its own text.
    theirs: Option<Theirs>,
    /// What this screen showed before the person took theirs, and what the host has kept of the
    /// person's texts. Oldest first.
    own: Vec<DraftState>,
}

#[derive(Debug)]
struct Theirs {
    /// What both screens last had in common.
    base: DraftState,
    state: DraftState,
}

/// What Ctrl-T would show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Other<'a> {
    Theirs(&'a DraftState),
    Own(&'a DraftState),
}

impl Others {
    pub(crate) fn next(&self) -> Option<Other<'_>> {
        match &self.theirs {
            Some(theirs) => Some(Other::Theirs(&theirs.state)),
            None => self.own.first().map(Other::Own),
        }
    }

    /// What another screen shows was replaced here by who had not seen it.
    pub(super) fn hold(&mut self, state: DraftState) {
        self.theirs = Some(Theirs { base: state.clone(), state });
    }

    /// Takes what is to be shown, and keeps what is shown now.
    fn swap(&mut self, shown: &DraftState) -> Option<DraftState> {
        let next = match self.theirs.take() {
            Some(theirs) => theirs.state,
            None if self.own.is_empty() => return None,
            None => self.own.remove(0),
        };
        self.own.retain(|own| own != &next && own != shown);
        if !is_untouched(shown) {
            self.own.push(shown.clone());
        }
        Some(next)
    }
}

fn is_untouched(state: &DraftState) -> bool {
    state.chosen.is_empty() && is_blank(&state.custom) && !state.skipped
}

impl Dialog {
    /// Texts of the person that are kept, and are no part of what is shown, can be taken.
    pub(super) fn hold_kept(&mut self) {
        for (id, text) in &self.options.kept {
            let found = self.request.questions.iter().position(|question| question.id == *id);
            let Some(index) = found else { continue };
            let state = self.draft.get(index).state(&self.request.questions[index]);
            if !is_blank(text) && !holds(&state.custom, text) {
                let state = DraftState { custom: text.clone(), custom_on: true, ..state };
                self.questions[index].others.own.push(state);
            }
        }
    }

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
        at.others.theirs = conflict.then(|| Theirs { base: base.clone(), state: theirs.clone() });
        if state.custom != mine.custom {
            at.editor.set_text(&state.custom);
            at.editor.to_end();
            at.written = false;
        }
        if state != mine {
            *self.draft.get_mut(index) = Draft::from_state(question, &state);
        }
        match conflict {
            true if self.screen == Screen::Question(index) => self.note("elsewhere"),
            true => {
                let name = self.name(index).into();
                let text = self.messages.with("elsewhere-other", [("name", name)]);
                self.status = Some(Status::Note(text));
            }
            false if state != mine => self.note("taken-elsewhere"),
            false => {}
        }
        let kept = (conflict && mine == *base).then_some(state);
        effects.push(Effect::Merged(Merged { theirs, conflict, kept }));
    }

    /// A field that had the caret and was left follows the other screen again, unless something was
    /// written in it.
    pub(super) fn follow_again(&mut self, effects: &mut Vec<Effect>) {
        for index in 0..self.questions.len() {
            let Some(Theirs { base, state }) = &self.questions[index].others.theirs else {
                continue;
            };
            let written = self.draft.get(index).custom() != base.custom;
            if !written && !self.holds_text(index, &state.custom) {
                let (base, state) = (base.clone(), state.clone());
                self.draft_elsewhere(&base, state, effects);
            }
        }
    }

    /// Whether this screen keeps its text rather than show that one: somebody is at it, or it was
    /// written here and the other is not just more of it.
    fn holds_text(&self, index: usize, other: &str) -> bool {
        let at = &self.questions[index];
        if at.focus == Focus::Field && self.screen == Screen::Question(index) {
            return true;
        }
        let own = self.draft.get(index).custom();
        at.written && !is_blank(own) && !holds(other, own.trim())
    }

    /// Shows what the other screen shows; once more, what this one showed.
    pub(crate) fn swap(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Question(index) = self.screen else { return };
        let question = &self.request.questions[index];
        let shown = self.draft.get(index).state(question);
        let at = &mut self.questions[index];
        let theirs = matches!(at.others.next(), Some(Other::Theirs(_)));
        let Some(state) = at.others.swap(&shown) else { return self.note("elsewhere-nothing") };
        *self.draft.get_mut(index) = Draft::from_state(question, &state);
        at.editor.set_text(&state.custom);
        at.editor.to_end();
        at.written = true;
        self.saving.edited(self.now);
        self.note(if theirs { "elsewhere-taken" } else { "elsewhere-back" });
        // What it replaces there is to be kept there as well.
        effects.push(Effect::Merged(Merged { theirs: shown, conflict: true, kept: None }));
    }

    /// What Ctrl-T would show on the question that is shown.
    pub(crate) fn other(&self) -> Option<Other<'_>> {
        match self.screen {
            Screen::Question(index) => self.questions[index].others.next(),
            Screen::Review { .. } => None,
        }
    }
}
