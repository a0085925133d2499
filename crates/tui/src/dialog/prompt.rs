//! The prompts: a few choices with a letter each. Enter takes what is highlighted; where that could
//! lose something nothing is highlighted at first.

use std::time::Duration;

use askwell_core::{Outcome, RequestDraft, limits};
use termina::event::KeyEvent;

use super::{Dialog, Effect, Phase, Screen};
use crate::keymap::{self, FieldKey, PromptKey};

/// The `x` that asked whether to cancel, held down, does not say yes.
const HELD: Duration = Duration::from_millis(300);

pub(crate) struct Prompt {
    pub(crate) kind: PromptKind,
    /// The highlighted choice.
    pub(crate) at: Option<usize>,
}

pub(crate) enum PromptKind {
    /// An earlier draft is there.
    Offered,
    /// Whether to cancel.
    Leave,
    /// The comment of a cancellation.
    Comment,
    /// Written text would not be sent.
    Unsent,
    /// Whether to skip all open questions.
    SkipRest,
    /// The answer was not accepted, and why.
    Rejected(Vec<String>),
    /// The request ended elsewhere.
    Resolved(Outcome),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Stay,
    Cancel,
    CancelWithComment,
    SendWithout,
    SendWith,
    SkipRest,
    Back,
    Restore,
    StartEmpty,
    Close,
}

impl Prompt {
    pub(super) fn new(kind: PromptKind) -> Self {
        let at = match kind {
            PromptKind::Offered | PromptKind::Comment | PromptKind::Unsent => None,
            PromptKind::Leave
            | PromptKind::SkipRest
            | PromptKind::Rejected(_)
            | PromptKind::Resolved(_) => Some(0),
        };
        Self { kind, at }
    }

    /// The choices, each with its letter and the id of its message.
    pub(crate) fn choices(&self) -> &'static [(char, &'static str, Choice)] {
        match self.kind {
            PromptKind::Offered => &[
                ('r', "offered-restore", Choice::Restore),
                ('n', "offered-empty", Choice::StartEmpty),
            ],
            PromptKind::Leave => &[
                ('g', "leave-stay", Choice::Stay),
                ('x', "leave-cancel", Choice::Cancel),
                ('c', "leave-comment", Choice::CancelWithComment),
            ],
            PromptKind::Comment => &[],
            PromptKind::Unsent => &[
                ('w', "unsent-without", Choice::SendWithout),
                ('t', "unsent-with", Choice::SendWith),
                ('b', "unsent-back", Choice::Back),
            ],
            PromptKind::SkipRest => {
                &[('y', "skip-rest-yes", Choice::SkipRest), ('b', "skip-rest-no", Choice::Back)]
            }
            PromptKind::Rejected(_) => &[('b', "back", Choice::Back)],
            PromptKind::Resolved(_) => &[('q', "close", Choice::Close)],
        }
    }

    /// What Esc does: the choice that changes nothing.
    fn way_out(&self) -> Option<Choice> {
        match self.kind {
            PromptKind::Offered => None,
            PromptKind::Resolved(_) => Some(Choice::Close),
            _ => Some(Choice::Back),
        }
    }
}

impl Dialog {
    /// The id of a choice's words, where they depend on what would happen.
    pub(crate) fn choice_text(&self, id: &'static str) -> &'static str {
        if id != "unsent-with" {
            return id;
        }
        let replaces = |index: usize| {
            let question = self.question_at(index);
            !question.is_multi_select() && self.draft.get(index).sent(question).next().is_some()
        };
        let kept: Vec<bool> = self.draft.kept_texts().map(|(index, _)| replaces(index)).collect();
        match (kept.contains(&true), kept.contains(&false)) {
            (true, false) => "unsent-instead",
            (true, true) => "unsent-mixed",
            (false, _) => id,
        }
    }

    pub(super) fn prompt_key(&mut self, key: &KeyEvent, effects: &mut Vec<Effect>) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        if let PromptKind::Comment = prompt.kind {
            if let Some(key) = keymap::field(key) {
                self.comment_key(key, effects);
            }
            return;
        }
        let choices = prompt.choices();
        let choice = match keymap::prompt(key) {
            Some(PromptKey::Up) => {
                prompt.at = Some(prompt.at.map_or(choices.len() - 1, |at| at.saturating_sub(1)));
                None
            }
            Some(PromptKey::Down) => {
                prompt.at = Some(prompt.at.map_or(0, |at| (at + 1).min(choices.len() - 1)));
                None
            }
            Some(PromptKey::Enter) => prompt.at.map(|at| choices[at].2),
            Some(PromptKey::Esc)
                if self.options.in_inbox && matches!(prompt.kind, PromptKind::Offered) =>
            {
                return self.back_to_inbox(effects);
            }
            Some(PromptKey::Esc) => prompt.way_out(),
            Some(PromptKey::Letter(letter)) => {
                let found = choices.iter().find(|(own, _, _)| letter.eq_ignore_ascii_case(own));
                let held = letter == 'x' && self.now < self.prompted + HELD;
                found.map(|(_, _, choice)| *choice).filter(|_| !held)
            }
            None => None,
        };
        if let Some(choice) = choice {
            self.choose(choice, effects);
        }
    }

    /// Asks whether to cancel.
    pub(crate) fn ask_to_leave(&mut self) {
        self.prompt_for(PromptKind::Leave);
    }

    /// A prompt that the person's own key brought up. That key, held down, chooses nothing in it.
    pub(crate) fn prompt_for(&mut self, kind: PromptKind) {
        self.prompt = Some(Prompt::new(kind));
        self.moved_in_read = true;
        self.prompted = self.now;
    }

    pub(crate) fn choose(&mut self, choice: Choice, effects: &mut Vec<Effect>) {
        let prompt = self.prompt.take();
        self.moved_in_read = true;
        match choice {
            Choice::Stay | Choice::Back => {}
            Choice::Cancel => self.end(Outcome::Cancelled { comment: None }, effects),
            Choice::CancelWithComment => {
                self.prompt = Some(Prompt::new(PromptKind::Comment));
            }
            Choice::SendWithout => self.send(effects),
            Choice::SendWith => {
                self.draft.send_kept();
                self.saving.edited(self.now);
                self.send(effects);
            }
            Choice::SkipRest => {
                for index in self.draft.unfinished(&self.request) {
                    self.change(index, |draft, _| draft.set_skipped(true));
                }
            }
            Choice::Restore => self.restore(),
            Choice::StartEmpty => self.note("started-empty"),
            Choice::Close => {
                if let Some(PromptKind::Resolved(outcome)) = prompt.map(|prompt| prompt.kind) {
                    effects.push(Effect::End(outcome));
                }
            }
        }
    }

    fn comment_key(&mut self, key: FieldKey, effects: &mut Vec<Effect>) {
        let width = self.viewport.field_width;
        let editor = &mut self.comment;
        match key {
            FieldKey::Enter => {
                if !self.cancel_with_comment(effects) {
                    self.error("comment-blank");
                }
            }
            FieldKey::Esc => self.prompt = Some(Prompt::new(PromptKind::Leave)),
            FieldKey::Up => {
                editor.up(width);
            }
            FieldKey::Down => {
                editor.down(width);
            }
            FieldKey::Edit(edit) => {
                if !super::text_entry::apply(editor, edit, width) {
                    self.too_long("field-full", limits::COMMENT);
                }
                self.saving.edited(self.now);
            }
            FieldKey::Next | FieldKey::Previous | FieldKey::PageUp | FieldKey::PageDown => {}
        }
    }

    /// Cancels with the comment as it stands. `false`: there is none.
    pub(crate) fn cancel_with_comment(&mut self, effects: &mut Vec<Effect>) -> bool {
        let comment = askwell_core::answer::canonical_custom(self.comment.text());
        let written = !comment.is_empty();
        if written {
            self.end(Outcome::Cancelled { comment: Some(comment) }, effects);
        }
        written
    }

    fn restore(&mut self) {
        let Some(offered) = self.options.offered.take() else {
            return;
        };
        self.restored = true;
        self.questions.iter_mut().for_each(|question| question.written = true);
        self.draft = RequestDraft::from_states(&self.request, &offered.entered.states);
        self.comment.set_text(&offered.entered.comment);
        self.comment.to_end();
        self.show_texts();
        self.saving.edited(self.now);
        if self.phase == Phase::Open
            && let Screen::Question(index) = self.screen
        {
            self.open(self.draft.unfinished(&self.request).first().copied().unwrap_or(index));
        }
        self.note("restored");
    }
}
