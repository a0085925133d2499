//! A plan by lines: the verbs that the keys of the drawn one stand for. Numbers and letters mean what
//! they mean everywhere.

use askwell_core::Draft;
use askwell_core::messages::Messages;
use askwell_core::text::is_blank;

use super::Plain;
use super::command::{Command, after_first_word};
use crate::event::Effect;

/// What is decided on a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Verb {
    Approve,
    Decline,
    /// In the person's own words: these, or the lines that follow.
    Reply(Option<String>),
    Dismiss,
}

impl Verb {
    /// The verb that a line begins with, in English or in the language of our own words.
    fn of(line: &str, messages: &Messages) -> Option<Self> {
        let word = line.trim_start().split(char::is_whitespace).next()?.to_lowercase();
        let rest = after_first_word(line);
        let is = |english: &str, id: &str| word == english || word == messages.get(id);
        if is("reply", "plain-verb-reply") {
            return Some(Self::Reply(rest.filter(|text| !is_blank(text))));
        }
        let verbs = [
            (is("approve", "plain-verb-approve"), Self::Approve),
            (is("decline", "plain-verb-decline"), Self::Decline),
            // Whoever thinks of the control by its other name is understood.
            (word == "dismiss" || is("cancel", "plain-verb-cancel"), Self::Dismiss),
        ];
        let (_, verb) = verbs.into_iter().find(|(is_meant, _)| *is_meant)?;
        // With more behind it it is a sentence, which belongs after `t` or `reply`.
        rest.is_none_or(|rest| is_blank(&rest)).then_some(verb)
    }
}

impl Plain {
    /// Does what a verb says, where a plan is read out and the line begins with one.
    pub(super) fn plan_line(
        &mut self,
        index: usize,
        line: &str,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let Some(plan) = self.dialog.plan() else { return false };
        let (approve, decline) = (plan.approve, plan.decline);
        let Some(verb) = Verb::of(line, &self.dialog.messages) else { return false };
        let option = match verb {
            Verb::Approve => Some(approve),
            Verb::Decline => decline,
            Verb::Reply(text) => {
                self.text(index, text, effects);
                return true;
            }
            Verb::Dismiss => {
                self.dialog.ask_to_leave();
                return true;
            }
        };
        match option {
            Some(option) => self.decide(index, option, effects),
            None => self.tell("plan-no-decline"),
        }
        true
    }

    /// The text that a line which was not ended would have answered with.
    pub(super) fn text_after_command(&self, index: usize, line: &str) -> Option<String> {
        let verb = self.dialog.plan().and_then(|_| Verb::of(line, &self.dialog.messages));
        let text = match (verb, Command::of(line)) {
            (Some(Verb::Reply(text)), _) | (None, Command::Text(text)) => text,
            _ => None,
        };
        text.filter(|text| !is_blank(text) && self.dialog.question_at(index).allow_custom)
    }

    /// The id of the words before what is chosen: on a plan the verb, whatever its option is called.
    pub(super) fn chosen_words(&self, draft: &Draft) -> &'static str {
        let Some(plan) = self.dialog.plan() else { return "plain-chosen" };
        if draft.is_chosen(plan.approve) {
            return "plain-approved";
        }
        match plan.decline {
            Some(decline) if draft.is_chosen(decline) => "plain-declined",
            _ => "plain-chosen",
        }
    }

    /// The words for what can be decided.
    pub(super) fn plan_keys(&self, index: usize) -> Vec<&'static str> {
        let declines = self.dialog.plan().is_some_and(|plan| plan.decline.is_some());
        let mut ids = vec!["plain-verb-approve"];
        ids.extend(declines.then_some("plain-verb-decline"));
        ids.extend(self.dialog.question_at(index).allow_custom.then_some("plain-key-reply"));
        ids
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::messages::Lang;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("approve", Some(Verb::Approve))]
    #[case(" Decline ", Some(Verb::Decline))]
    #[case("cancel", Some(Verb::Dismiss))]
    #[case("reply", Some(Verb::Reply(None)))]
    #[case("reply  two  steps ", Some(Verb::Reply(Some(" two  steps ".into()))))]
    #[case("回复 先迁移数据", Some(Verb::Reply(Some("先迁移数据".into()))))]
    #[case("批准", Some(Verb::Approve))]
    #[case("approve, but slowly", None)]
    #[case("approve it", None)]
    #[case("a", None)]
    #[case("", None)]
    fn a_line_is_a_verb_or_something_else(#[case] line: &str, #[case] verb: Option<Verb>) {
        assert_eq!(Verb::of(line, &Messages::new(Lang::Zh)), verb);
    }
}
