//! A line at a question or at the review.

use std::ops::RangeInclusive;

use askwell_core::Draft;
use askwell_core::text::{is_blank, sanitize_line, truncate};

use super::command::{Command, Letter};
use super::{Entry, Plain};
use crate::dialog::{Phase, PromptKind, Screen};
use crate::event::Effect;

/// Older steps than these are not worth their memory.
const UNDO_STEPS: usize = 200;
/// So much of a line that was not understood is said back.
pub(crate) const SAID_BACK: usize = 60;

impl Plain {
    pub(super) fn command_line(&mut self, line: &str, effects: &mut Vec<Effect>) {
        let command = Command::of(line);
        match (self.dialog.screen, command) {
            (_, Command::Letter(Letter::Help)) => self.show_help(),
            (_, Command::Letter(Letter::Later)) => self.dialog.extend(effects),
            (_, Command::Letter(Letter::Cancel)) => self.dialog.ask_to_leave(),
            (_, Command::Letter(Letter::Quit)) => self.quit(effects),
            (_, Command::Letter(Letter::Again)) => self.show_again(),
            (_, Command::Letter(Letter::Review)) => {
                self.dialog.open_review();
                self.show_again();
            }
            (Screen::Review { .. }, command) => self.review_line(command, line, effects),
            (Screen::Question(index), command) => {
                if !self.plan_line(index, line, effects) {
                    self.question_line(index, command, line, effects);
                }
            }
        }
        if let Screen::Question(index) = self.dialog.screen
            && self.entry == Entry::Command
            && !self.dialog.is_at_editor()
        {
            self.dialog.writes_at(index, false);
        }
    }

    fn quit(&mut self, effects: &mut Vec<Effect>) {
        match self.dialog.options.stays_pending {
            true => {
                let outcome = askwell_core::Outcome::Aborted { reason: "the person".to_owned() };
                self.dialog.end(outcome, effects);
            }
            false => self.dialog.ask_to_leave(),
        }
    }

    fn review_line(&mut self, command: Command, line: &str, effects: &mut Vec<Effect>) {
        let last = self.dialog.request.questions.len();
        match command {
            Command::Enter => self.dialog.submit(effects),
            Command::Numbers { chosen, taken_back } => match (&chosen[..], &taken_back[..]) {
                ([one], []) if one.start() == one.end() && places(one, last).is_some() => {
                    self.dialog.open(*one.start() as usize - 1);
                }
                _ => self.not_understood(line, "plain-unknown-place"),
            },
            Command::Letter(Letter::Skip) => {
                if !self.dialog.draft.unfinished(&self.dialog.request).is_empty() {
                    self.dialog.prompt_for(PromptKind::SkipRest);
                }
            }
            Command::Letter(Letter::Back) => self.dialog.open(last - 1),
            _ => self.not_understood(line, "plain-unknown-place"),
        }
    }

    fn question_line(
        &mut self,
        index: usize,
        command: Command,
        line: &str,
        effects: &mut Vec<Effect>,
    ) {
        match command {
            Command::Enter => self.dialog.go_on(index, effects),
            Command::Numbers { chosen, taken_back } => {
                self.numbers(index, &chosen, &taken_back, effects);
            }
            Command::Text(text) => self.text(index, text, effects),
            Command::Find(text) => self.find(index, &text),
            Command::Details(None) => self.show_details(index),
            Command::Details(Some(number)) => match self.options(index, &[number..=number]) {
                Some(options) => options.into_iter().for_each(|it| self.show_option(index, it)),
                None => self.no_option(index, number),
            },
            Command::Letter(letter) => self.letter(index, letter, effects),
            Command::Unknown => {
                let id = match self.dialog.question_at(index).allow_custom {
                    true => "plain-unknown-text",
                    false => "plain-unknown",
                };
                self.not_understood(line, id);
            }
        }
    }

    /// Answers with this text, or with the lines that follow.
    pub(super) fn text(&mut self, index: usize, text: Option<String>, effects: &mut Vec<Effect>) {
        match text.filter(|text| !is_blank(text)) {
            _ if !self.dialog.question_at(index).allow_custom => self.tell("no-custom"),
            Some(text) => self.write(index, &text, effects),
            None => self.begin_text(index),
        }
    }

    fn letter(&mut self, index: usize, letter: Letter, effects: &mut Vec<Effect>) {
        match letter {
            Letter::Skip => {
                self.remember(index);
                self.dialog.skip(index);
                self.show_entered(index, 0);
            }
            Letter::Back if index == 0 => self.tell("plain-first"),
            Letter::Back => self.dialog.previous_question(index),
            Letter::Forward if index + 1 == self.dialog.request.questions.len() => {
                self.dialog.open_review();
            }
            Letter::Forward => self.dialog.next_question(index),
            Letter::All | Letter::None => {
                let question = self.dialog.question_at(index);
                if !question.multi_select || question.is_free_text() {
                    return self.tell("only-multi");
                }
                self.remember(index);
                self.dialog.change(index, |draft, question| {
                    draft.choose_all(question, 0..question.options.len(), letter == Letter::All);
                });
                self.show_entered(index, 0);
            }
            Letter::Undo => match self.undo[index].pop() {
                Some(state) => {
                    self.dialog.put_back(index, &state);
                    self.show_entered(index, 0);
                }
                None => self.tell("undo-nothing"),
            },
            Letter::DeleteText => {
                if self.dialog.draft.get(index).custom().is_empty() {
                    return self.tell("plain-no-text");
                }
                self.remember(index);
                self.dialog.write_text(index, "");
                self.tell("plain-deleted");
                self.show_entered(index, 0);
            }
            Letter::SwitchText => {
                if is_blank(self.dialog.draft.get(index).custom()) {
                    return self.tell("plain-no-text");
                }
                self.remember(index);
                self.dialog.change(index, Draft::toggle_custom);
                self.show_entered(index, 0);
            }
            Letter::Theirs => {
                if self.dialog.other().is_none() {
                    return self.tell("elsewhere-nothing");
                }
                self.dialog.swap(effects);
                // Its words are those of a key.
                self.dialog.take_status();
                self.show_entered(index, 0);
                self.show_other();
            }
            Letter::Editor => {
                self.remember(index);
                self.dialog.open_external(effects);
            }
            // They mean the same everywhere, and were taken before.
            Letter::Review
            | Letter::Again
            | Letter::Later
            | Letter::Cancel
            | Letter::Quit
            | Letter::Help => {}
        }
    }

    fn numbers(
        &mut self,
        index: usize,
        chosen: &[RangeInclusive<u32>],
        taken_back: &[RangeInclusive<u32>],
        effects: &mut Vec<Effect>,
    ) {
        let question = self.dialog.question_at(index);
        let multi = question.multi_select;
        for range in chosen.iter().chain(taken_back) {
            if places(range, question.options.len()).is_none() {
                return self.no_option(index, *range.end());
            }
        }
        if let ([one], false) = (chosen, multi)
            && one.start() == one.end()
            && taken_back.is_empty()
        {
            return self.decide(index, *one.start() as usize - 1, effects);
        }
        let of = |ranges: &[RangeInclusive<u32>]| self.options(index, ranges).unwrap_or_default();
        let (chosen, taken_back) = (of(chosen), of(taken_back));
        if !multi {
            return self.tell("only-multi");
        }
        self.remember(index);
        self.dialog.change(index, |draft, question| {
            draft.choose_all(question, chosen, true);
            draft.choose_all(question, taken_back, false);
        });
        self.show_entered(index, 0);
    }

    /// Chooses the only one that can be.
    pub(super) fn decide(&mut self, index: usize, option: usize, effects: &mut Vec<Effect>) {
        self.remember(index);
        self.dialog.change(index, |draft, question| draft.choose(question, option));
        self.show_entered(index, 0);
        self.go_on_by_itself(index, effects);
    }

    fn write(&mut self, index: usize, text: &str, effects: &mut Vec<Effect>) {
        let earlier = self.dialog.draft.get(index).custom().to_owned();
        let theirs = self.unread[index].take_if(|theirs| theirs.custom == earlier);
        self.remember(index);
        self.dialog.write_text(index, text);
        match theirs {
            _ if is_blank(&earlier) => {}
            // Written by who had not seen theirs: it is kept, here and with the host.
            Some(theirs) => {
                self.notices.clear();
                self.dialog.hold_theirs(index, theirs, effects);
                let at = (index + 1).into();
                self.page.own(&self.dialog.messages.with("plain-elsewhere", [("at", at)]));
            }
            None => self.tell("plain-replaced"),
        }
        self.show_entered(index, 0);
        self.go_on_by_itself(index, effects);
    }

    fn begin_text(&mut self, index: usize) {
        self.remember(index);
        self.dialog.writes_at(index, true);
        self.entry = Entry::Text(index);
        let written = self.dialog.draft.get(index).custom().trim().to_owned();
        if written.is_empty() {
            return self.tell("plain-write");
        }
        let own = format!("{}{}", self.dialog.messages.get("plain-your-text"), self.colon());
        self.page.after(&own, 2, &written);
        self.tell("plain-add");
    }

    pub(super) fn end_text(&mut self, index: usize, effects: &mut Vec<Effect>) {
        self.entry = Entry::Command;
        self.dialog.writes_at(index, false);
        self.show_text(index, effects);
    }

    /// The editor is closed, unless the dialog has ended meanwhile.
    pub(super) fn after_editor(&mut self, effects: &mut Vec<Effect>) {
        // What was typed into its last moments is not meant for us.
        self.flush = true;
        let Screen::Question(index) = self.dialog.screen else { return };
        self.dialog.writes_at(index, false);
        if self.dialog.phase == Phase::Open && self.dialog.prompt.is_none() {
            self.show_text(index, effects);
        }
    }

    /// What stands there after a text was written, and on where that answers.
    fn show_text(&mut self, index: usize, effects: &mut Vec<Effect>) {
        self.show_entered(index, 0);
        let state = self.dialog.draft.get(index).state(self.dialog.question_at(index));
        let untouched = self.undo[index].pop_if(|before| *before == state);
        if untouched.is_none() && self.dialog.draft.get(index).custom_counts() {
            self.go_on_by_itself(index, effects);
        }
    }

    /// Where one line answers a question the next one follows; nothing is ever sent by it.
    fn go_on_by_itself(&mut self, index: usize, effects: &mut Vec<Effect>) {
        let question = self.dialog.question_at(index);
        let whole = !question.is_multi_select();
        if whole && !self.dialog.enter_sends(index) {
            self.dialog.go_on(index, effects);
        }
    }

    fn find(&mut self, index: usize, text: &str) {
        let wanted = text.to_lowercase();
        let question = self.dialog.question_at(index);
        let found: Vec<bool> = question
            .options
            .iter()
            .map(|option| {
                let description = option.description.as_deref().unwrap_or_default();
                [option.label.as_str(), description]
                    .iter()
                    .any(|text| text.to_lowercase().contains(&wanted))
            })
            .collect();
        if found.contains(&true) {
            return self.show_options(index, |option| found[option]);
        }
        let values = [("filter", text.to_owned().into())];
        self.page.own(&self.dialog.messages.with("filter-none", values));
    }

    /// The places of options in these ranges, in order and each once.
    fn options(&self, index: usize, ranges: &[RangeInclusive<u32>]) -> Option<Vec<usize>> {
        let count = self.dialog.question_at(index).options.len();
        let mut options = Vec::new();
        for range in ranges {
            options.extend(places(range, count)?);
        }
        options.sort_unstable();
        options.dedup();
        Some(options)
    }

    fn no_option(&mut self, index: usize, number: u32) {
        let question = self.dialog.question_at(index);
        let count = question.options.len();
        let id = match (count, question.allow_custom) {
            (0, _) => "plain-no-options",
            (_, true) => "plain-no-option-text",
            (_, false) => "plain-no-option",
        };
        let values = [("number", number.into()), ("count", count.into())];
        self.page.own(&self.dialog.messages.with(id, values));
        self.flush = true;
    }

    /// A line that means nothing here. What was typed after it was meant for something else, too.
    pub(super) fn not_understood(&mut self, line: &str, id: &str) {
        let line = sanitize_line(line.trim());
        let line = truncate(&line, SAID_BACK).into_owned();
        self.page.own(&self.dialog.messages.with(id, [("line", line.into())]));
        self.flush = true;
    }

    pub(super) fn tell(&mut self, id: &str) {
        self.page.own(&self.dialog.messages.get(id));
    }

    fn remember(&mut self, index: usize) {
        let state = self.dialog.draft.get(index).state(self.dialog.question_at(index));
        let undo = &mut self.undo[index];
        if undo.last() == Some(&state) {
            return;
        }
        if undo.len() == UNDO_STEPS {
            undo.remove(0);
        }
        undo.push(state);
    }
}

/// The places that these numbers name, where all of them are on the list.
fn places(range: &RangeInclusive<u32>, count: usize) -> Option<std::ops::Range<usize>> {
    let (from, to) = (*range.start() as usize, *range.end() as usize);
    (from >= 1 && from <= to && to <= count).then(|| from - 1..to)
}
