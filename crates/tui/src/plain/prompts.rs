//! The words after which a line is typed, and what a line means at a prompt of letters.

use askwell_core::text::is_blank;

use super::{Entry, Plain};
use crate::dialog::{Choice, Phase, PromptKind, Screen};
use crate::event::Effect;
use crate::view::prompt as view;
use crate::view::theme::Theme;

impl Plain {
    /// What a prompt is about, and its choices by letter.
    pub(super) fn show_prompt(&mut self) {
        let Some(prompt) = &self.dialog.prompt else { return };
        let theme = Theme::new(false, self.dialog.options.ascii);
        let lines = view::text(&self.dialog, prompt, self.page.room(2), &theme, false);
        self.page.blank();
        for (at, line) in lines.iter().enumerate() {
            // Our own title stands first; what others wrote is further to the right.
            let line = line.to_string();
            self.page.row(if at == 0 { 0 } else { 2 }, line.trim_start());
        }
        let choices = prompt.choices().iter();
        let choices: Vec<String> = choices
            .map(|(letter, id, _)| {
                format!("{letter}. {}", self.dialog.messages.get(self.dialog.choice_text(id)))
            })
            .collect();
        choices.iter().for_each(|choice| self.page.own(choice));
    }

    /// A line at a prompt of letters.
    pub(super) fn prompt_line(&mut self, line: &str, effects: &mut Vec<Effect>) {
        let Some(prompt) = &self.dialog.prompt else { return };
        let choices = prompt.choices();
        let line = line.trim();
        let (letter, rest) = match line.chars().next() {
            Some(letter) => (letter.to_ascii_lowercase(), &line[letter.len_utf8()..]),
            None => match prompt.at {
                Some(at) => (choices.get(at).map_or(' ', |(letter, _, _)| *letter), ""),
                None => (' ', ""),
            },
        };
        let chosen = choices.iter().find(|(own, _, _)| letter == *own);
        // With a comment the `c` of cancelling may have it on the same line.
        match chosen.map(|(_, _, choice)| *choice) {
            Some(choice) if is_blank(rest) => self.choose(choice, effects),
            Some(Choice::CancelWithComment) if rest.starts_with(char::is_whitespace) => {
                self.dialog.choose(Choice::CancelWithComment, effects);
                self.dialog.add_comment_line(rest.trim());
                self.dialog.cancel_with_comment(effects);
            }
            _ => self.not_understood(line, "plain-unknown-letter"),
        }
    }

    fn choose(&mut self, choice: Choice, effects: &mut Vec<Effect>) {
        self.dialog.choose(choice, effects);
        match choice {
            Choice::CancelWithComment => self.begin_comment(),
            // What is on the page is no longer so.
            Choice::SkipRest | Choice::Restore | Choice::StartEmpty => self.shown = None,
            _ => {}
        }
    }

    fn begin_comment(&mut self) {
        self.entry = Entry::Comment;
        self.shown = None;
        self.page.blank();
        self.page.own(&self.dialog.messages.get("comment-title"));
        let written = self.dialog.comment.text().trim().to_owned();
        if !written.is_empty() {
            let own = format!("{}{}", self.dialog.messages.get("plain-comment"), self.colon());
            self.page.after(&own, 2, &written);
        }
        self.page.own(&self.dialog.messages.get("plain-comment-how"));
    }

    /// The comment is written, or given up: nothing but its own end cancels.
    pub(super) fn end_comment(&mut self, send: bool, effects: &mut Vec<Effect>) {
        self.entry = Entry::Command;
        if !send || !self.dialog.cancel_with_comment(effects) {
            self.dialog.ask_to_leave();
        }
    }

    /// What can be typed here, in one line; shorter where it was said just before.
    pub(super) fn prompt_words(&self, fresh: bool) -> String {
        let messages = &self.dialog.messages;
        let keys: Vec<String> = match (&self.dialog.prompt, self.dialog.screen) {
            (Some(prompt), _) => {
                let letters = prompt.choices().iter().map(|(letter, _, _)| letter.to_string());
                let mut words =
                    vec![letters.collect::<Vec<_>>().join(&messages.get("plain-between"))];
                if let Some((letter, _, _)) = prompt.at.and_then(|at| prompt.choices().get(at)) {
                    let values = [("letter", letter.to_string().into())];
                    words.push(messages.with("plain-enter-is", values));
                }
                words
            }
            (None, Screen::Review { .. }) => {
                let open = !self.dialog.draft.unfinished(&self.dialog.request).is_empty();
                let on = if open { "plain-key-skip-rest" } else { "plain-key-send" };
                [on, "plain-key-open", "plain-key-help"].map(|id| messages.get(id)).into()
            }
            (None, Screen::Question(index)) => self.question_keys(index, fresh),
        };
        format!("{}{}", keys.join(&messages.get("plain-between")), self.colon())
            .trim_end()
            .to_owned()
    }

    fn question_keys(&self, index: usize, fresh: bool) -> Vec<String> {
        let question = self.dialog.question_at(index);
        let draft = self.dialog.draft.get(index);
        let mut ids = Vec::new();
        // Once something is entered the way on comes first.
        let finished = draft.is_finished(question);
        if finished {
            ids.push(match self.dialog.enter_sends(index) {
                true => "plain-key-send",
                false => "plain-key-next",
            });
        }
        let known = finished && !fresh;
        match (question.is_free_text(), question.multi_select) {
            _ if known => {}
            _ if self.dialog.plan().is_some() => ids.extend(self.plan_keys(index)),
            (true, _) => {}
            (false, true) => ids.push("plain-key-numbers"),
            (false, false) => ids.push("plain-key-number"),
        }
        if question.allow_custom && !known && self.dialog.plan().is_none() {
            ids.push("plain-key-text");
        }
        if draft.is_skipped() {
            ids.push("plain-key-unskip");
        } else if !known {
            ids.push("plain-key-skip");
        }
        ids.push("plain-key-help");
        ids.into_iter().map(|id| self.dialog.messages.get(id)).collect()
    }

    /// Whether what is typed at this place can end the request or answer blindly, so that nothing
    /// that was typed before counts.
    pub(super) fn is_confirmation(&self) -> bool {
        match (&self.dialog.prompt, self.dialog.screen) {
            (Some(_), _) | (None, Screen::Review { .. }) => true,
            (None, Screen::Question(index)) => {
                let question = self.dialog.question_at(index);
                self.dialog.enter_sends(index) && self.dialog.draft.get(index).is_finished(question)
            }
        }
    }

    /// Whether the request has ended elsewhere and only waits to be closed.
    pub(super) fn has_ended(&self) -> bool {
        let kind = self.dialog.prompt.as_ref().map(|prompt| &prompt.kind);
        self.dialog.phase == Phase::Ended && matches!(kind, Some(PromptKind::Resolved(_)))
    }
}
