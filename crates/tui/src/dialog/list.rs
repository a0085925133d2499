//! The keys of a question's list: moving, choosing, skipping, filtering.

use askwell_core::{Draft, Question};
use termina::event::KeyEvent;

use super::{Dialog, Effect, Focus, Overlay, Row, Screen, Status};
use crate::keymap::FieldKey;
use crate::keymap::{self, ListKey};

/// Older steps than these are not worth their memory.
const UNDO_STEPS: usize = 200;

impl Dialog {
    pub(super) fn question_key(&mut self, index: usize, key: &KeyEvent, effects: &mut Vec<Effect>) {
        match self.questions[index].focus {
            Focus::List => {
                if let Some(plan) = self.plan().map(|plan| (plan.approve, plan.decline))
                    && let Some(key) = keymap::plan(key)
                {
                    self.plan_key(index, plan, key);
                } else if let Some(key) = keymap::list(key) {
                    self.list_key(index, key, effects);
                }
            }
            Focus::Field => {
                if let Some(key) = keymap::field(key) {
                    self.field_key(index, key, effects);
                }
            }
            Focus::Filter => {
                if let Some(key) = keymap::field(key) {
                    self.filter_key(index, key);
                }
            }
        }
    }

    fn list_key(&mut self, index: usize, key: ListKey, effects: &mut Vec<Effect>) {
        match key {
            ListKey::Up => self.step(index, -1),
            ListKey::Down => {
                if self.is_at_last_row(index) {
                    self.enter_field(index);
                } else {
                    self.step(index, 1);
                }
            }
            ListKey::StepDown => self.step(index, 1),
            ListKey::First | ListKey::Last if self.plan().is_some() => {
                self.scroll_reading(
                    index,
                    if key == ListKey::First { isize::MIN } else { isize::MAX },
                );
            }
            ListKey::First => self.step(index, isize::MIN),
            ListKey::Last => self.step(index, isize::MAX),
            ListKey::PageUp => self.page(index, -1),
            ListKey::PageDown => self.page(index, 1),
            ListKey::PeekUp => self.peek(index, -1, false),
            ListKey::PeekDown => self.peek(index, 1, false),
            ListKey::PeekPageUp => self.peek(index, -1, true),
            ListKey::PeekPageDown => self.peek(index, 1, true),
            ListKey::Next => self.next_question(index),
            ListKey::Previous => self.previous_question(index),
            ListKey::Help => self.overlay = Some(Overlay::help()),
            ListKey::Reader => self.overlay = Some(Overlay::reader()),
            ListKey::Fold => self.collapsed = true,
            ListKey::Filter => {
                if !self.question_at(index).is_free_text() {
                    self.questions[index].focus = Focus::Filter;
                }
            }
            ListKey::Field => self.enter_field(index),
            ListKey::Esc if self.questions[index].is_filtered() => self.clear_filter(index),
            ListKey::Esc if self.options.in_inbox => self.back_to_inbox(effects),
            ListKey::Leave if !self.options.stays_pending => {}
            ListKey::Esc | ListKey::Leave => self.ask_to_leave(),
            ListKey::Enter => self.enter(index, effects),
            ListKey::Choose => self.choose_row(index),
            ListKey::Digit(number) => self.choose_number(index, number),
            ListKey::Skip => self.skip(index),
            ListKey::All => self.choose_all(index, true),
            ListKey::None => self.choose_all(index, false),
            ListKey::Undo => self.undo(index),
            ListKey::Review => self.open_review(),
            ListKey::View => self.change_view(),
        }
    }

    fn filter_key(&mut self, index: usize, key: FieldKey) {
        let width = self.viewport.field_width;
        let state = &mut self.questions[index];
        match key {
            FieldKey::Esc => return self.clear_filter(index),
            FieldKey::Enter
            | FieldKey::Down
            | FieldKey::Up
            | FieldKey::Next
            | FieldKey::Previous => return self.leave_filter(index),
            FieldKey::PageUp | FieldKey::PageDown => {}
            FieldKey::Edit(keymap::Edit::Newline) => {}
            FieldKey::Edit(edit) => {
                super::text_entry::apply(&mut state.filter, edit, width);
            }
        }
        let shown = self.questions[index].shown(self.question_at(index));
        let state = &mut self.questions[index];
        if let Row::Option(at) = state.row
            && !shown.contains(&at)
        {
            state.row = shown.first().map_or(state.row, |first| Row::Option(*first));
        }
    }

    /// Back to the list with the filter kept. What it hides can't be chosen: where it shows
    /// nothing there is no list to go back to.
    fn leave_filter(&mut self, index: usize) {
        if self.questions[index].shown(self.question_at(index)).is_empty() {
            return self.error("filter-nothing");
        }
        self.questions[index].focus = Focus::List;
        self.moved_in_read = true;
    }

    fn clear_filter(&mut self, index: usize) {
        let state = &mut self.questions[index];
        state.filter.set_text("");
        state.focus = Focus::List;
    }

    /// Moves the highlight among the options that are shown.
    pub(super) fn step(&mut self, index: usize, by: isize) {
        let shown = self.questions[index].shown(self.question_at(index));
        let state = &mut self.questions[index];
        let Some(last) = shown.len().checked_sub(1) else {
            return;
        };
        let at = match state.row {
            Row::Option(option) => shown.iter().position(|shown| *shown == option).unwrap_or(0),
            Row::Custom if by >= 0 => return,
            Row::Custom => last + 1,
        };
        state.row = Row::Option(shown[at.saturating_add_signed(by).min(last)]);
    }

    fn is_at_last_row(&self, index: usize) -> bool {
        let state = &self.questions[index];
        match state.row {
            Row::Custom => true,
            Row::Option(option) => {
                state.shown(self.question_at(index)).last().is_none_or(|last| *last == option)
            }
        }
    }

    /// A page of the reading pane, where it scrolls; a page of options otherwise.
    fn page(&mut self, index: usize, by: isize) {
        let reading = self.viewport.reading;
        if reading.last > 0 {
            self.scroll_reading(index, by * rows(reading.page));
        } else if self.plan().is_none() {
            self.step(index, by * rows(self.viewport.list_page));
        }
    }

    pub(super) fn scroll_reading(&mut self, index: usize, by: isize) {
        let scroll = &mut self.questions[index].scroll;
        *scroll = self.viewport.reading.moved(*scroll, by);
    }

    /// Scrolls the preview of the highlighted option; a plan itself.
    pub(super) fn peek(&mut self, index: usize, by: isize, page: bool) {
        let is_plan = self.plan().is_some();
        let seen = if is_plan { self.viewport.reading } else { self.viewport.preview };
        let by = if page { by * rows(seen.page) } else { by };
        if is_plan {
            self.scroll_reading(index, by);
        } else if let Row::Option(option) = self.questions[index].row {
            let state = &mut self.questions[index];
            state.preview = (option, seen.moved(state.preview_scroll(option), by));
        }
    }

    pub(super) fn page_reading(&mut self, index: usize, by: isize) {
        if self.viewport.reading.last > 0 {
            self.page(index, by);
        }
    }

    pub(crate) fn next_question(&mut self, index: usize) {
        if index + 1 < self.request.questions.len() {
            self.open(index + 1);
        } else if self.has_review() {
            self.open_review();
        }
    }

    pub(crate) fn previous_question(&mut self, index: usize) {
        if index > 0 {
            self.open(index - 1);
        }
    }

    pub(super) fn enter_field(&mut self, index: usize) {
        if !self.question_at(index).allow_custom {
            return self.note("no-custom");
        }
        let state = &mut self.questions[index];
        state.row = Row::Custom;
        state.focus = Focus::Field;
    }

    /// Enter: a single choice is made first, then it goes on. Never toggles where several may be
    /// chosen.
    fn enter(&mut self, index: usize, effects: &mut Vec<Effect>) {
        let question = self.question_at(index);
        if !question.is_multi_select() {
            match self.questions[index].row {
                Row::Option(option) => self.change(index, |draft, question| {
                    if !draft.is_sent(question, option) {
                        draft.choose(question, option);
                    }
                }),
                Row::Custom => self.change(index, |draft, _| {
                    if !draft.is_skipped() {
                        draft.send_kept();
                    }
                }),
            }
        }
        self.go_on(index, effects);
    }

    pub(super) fn choose_row(&mut self, index: usize) {
        match self.questions[index].row {
            Row::Option(option) => self.change(index, |draft, question| {
                draft.choose(question, option);
            }),
            Row::Custom if self.draft.get(index).custom().trim().is_empty() => {
                self.enter_field(index);
            }
            Row::Custom => self.change(index, Draft::toggle_custom),
        }
    }

    fn choose_number(&mut self, index: usize, number: usize) {
        let option = number - 1;
        let question = self.question_at(index);
        if option >= question.options.len() {
            return;
        }
        if !self.questions[index].shown(question).contains(&option) {
            let number = number.into();
            let text = self.messages.with("hidden-by-filter", [("number", number)]);
            self.status = Some(Status::Note(text));
            return;
        }
        self.questions[index].row = Row::Option(option);
        self.change(index, |draft, question| draft.choose(question, option));
    }

    fn choose_all(&mut self, index: usize, chosen: bool) {
        if !self.question_at(index).is_multi_select() {
            return self.note("only-multi");
        }
        let shown = self.questions[index].shown(self.question_at(index));
        self.change(index, |draft, question| draft.choose_all(question, shown, chosen));
    }

    /// Marks the question skipped and goes on, but never sends; or takes the skip back and stays.
    pub(crate) fn skip(&mut self, index: usize) {
        let skipped = !self.draft.get(index).is_skipped();
        self.change(index, |draft, _| draft.set_skipped(skipped));
        if skipped {
            match self.next_unfinished(index) {
                Some(next) => self.open(next),
                None => self.open_review(),
            }
        }
    }

    fn undo(&mut self, index: usize) {
        match self.questions[index].undo.pop() {
            Some(earlier) => {
                let question = &self.request.questions[index];
                self.draft.get_mut(index).restore_choices(question, earlier);
                self.saving.edited(self.now);
            }
            None => self.note("undo-nothing"),
        }
    }

    /// Changes a draft, remembers what can be undone and that it is to be saved.
    pub(crate) fn change(&mut self, index: usize, change: impl FnOnce(&mut Draft, &Question)) {
        let draft = self.draft.get_mut(index);
        let before = draft.clone();
        change(draft, &self.request.questions[index]);
        if *draft == before {
            return;
        }
        if draft.choices() != before.choices() {
            let undo = &mut self.questions[index].undo;
            if undo.len() == UNDO_STEPS {
                undo.remove(0);
            }
            undo.push(before.choices().clone());
        }
        self.saving.edited(self.now);
    }

    /// The next question that is unfinished, after this one first.
    pub(super) fn next_unfinished(&self, index: usize) -> Option<usize> {
        let unfinished = self.draft.unfinished(&self.request);
        let after = unfinished.iter().find(|unfinished| **unfinished > index);
        after.or(unfinished.first()).copied()
    }

    /// Read from its top; where something is unfinished, from there.
    pub(crate) fn open_review(&mut self) {
        if let Screen::Question(from) = self.screen {
            let at = self.draft.unfinished(&self.request).first().copied().unwrap_or(0);
            self.reviewed_from = from;
            self.screen = Screen::Review { at };
        }
        self.moved_in_read = true;
    }
}

/// A page as a number to move by.
fn rows(page: usize) -> isize {
    isize::try_from(page.max(1)).unwrap_or(1)
}
