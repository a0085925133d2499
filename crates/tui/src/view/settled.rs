//! A request that has ended, to be read: how, when and by whom, what was answered, and what the
//! person had entered and did not send, whole, so that it can be copied.

use askwell_core::draft::{DraftState, Entered};
use askwell_core::messages::Messages;
use askwell_core::text::{holds, is_blank, sanitize, sanitize_line};
use askwell_core::wire::LateText;
use askwell_core::{Answer, Outcome, Question, State, facts};
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::Value;

use super::markdown::plain_lines;
use super::strip;
use super::theme::Theme;
use crate::inbox::Settled;

/// All of it.
pub(crate) fn lines(
    settled: &Settled,
    typed: Option<&Entered>,
    messages: &Messages,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let page = Page { settled, typed, messages, columns, theme };
    let outcome = settled.view.typed_outcome(&settled.request);
    let mut lines = page.text(&page.ending(), theme.title());
    lines.extend(page.words(outcome.as_ref()));
    lines.extend(page.text(&page.asker(), theme.dim()));
    for (index, question) in settled.request.questions.iter().enumerate() {
        let answer = match &outcome {
            Some(Outcome::Answered(answers)) => answers.get(&question.id),
            _ => None,
        };
        lines.push(Line::default());
        lines.extend(page.text(question.question.trim_end(), theme.title()));
        lines.extend(page.answer(question, answer));
        lines.extend(page.entered(index, question, answer));
    }
    if let Some(comment) = typed.map(|typed| typed.comment.trim()).filter(|it| !it.is_empty()) {
        lines.push(Line::default());
        lines.extend(page.text(&messages.get("page-entered"), theme.warning()));
        lines.extend(page.indented(comment, Style::new()));
    }
    for late in &settled.view.late {
        lines.push(Line::default());
        lines.extend(page.late(late));
    }
    lines
}

struct Page<'a> {
    settled: &'a Settled,
    typed: Option<&'a Entered>,
    messages: &'a Messages,
    columns: usize,
    theme: &'a Theme,
}

impl Page<'_> {
    fn text(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        plain_lines(&sanitize(text), self.columns, style)
    }

    fn indented(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        let mut lines = plain_lines(&sanitize(text), self.columns.saturating_sub(2).max(1), style);
        lines.iter_mut().for_each(|line| line.spans.insert(0, "  ".into()));
        lines
    }

    fn ending(&self) -> String {
        let (messages, view) = (self.messages, &self.settled.view);
        let mut told = vec![messages.get(facts::standing(view.state))];
        if let Some(receipt) = &view.receipt {
            // Who withdrew it is told with the reason.
            let by = receipt.by.as_deref().filter(|_| view.state != State::Aborted);
            told.extend(by.map(|by| {
                let by = sanitize_line(by).into_owned();
                messages.with("page-by", [("name", by.into())])
            }));
            told.extend(receipt.provider.map(|it| messages.get(facts::provider(it))));
            told.push(facts::ago(messages, receipt.at, self.settled.now));
            if matches!(view.state, State::Answered | State::Cancelled) {
                told.push(messages.get(match receipt.picked_up_at {
                    Some(_) => "page-picked-up",
                    None => "page-not-picked-up",
                }));
            }
        }
        told.join(self.theme.marks.between)
    }

    /// What belongs to an outcome that is no answer.
    fn words(&self, outcome: Option<&Outcome>) -> Vec<Line<'static>> {
        match outcome {
            Some(Outcome::Cancelled { comment: Some(comment) }) => {
                self.indented(comment, Style::new())
            }
            Some(Outcome::Aborted { reason }) => {
                let reason = sanitize_line(reason).into_owned();
                let text = self.messages.with("summary-aborted", [("reason", reason.into())]);
                self.text(&text, Style::new())
            }
            _ => Vec::new(),
        }
    }

    fn asker(&self) -> String {
        let (messages, view) = (self.messages, &self.settled.view);
        let asker = view.request.asker.as_ref();
        let own = asker.and_then(facts::own_name);
        let who = strip::who(messages, self.theme, own.as_deref(), &view.credential, self.columns);
        let folder = asker.and_then(facts::folder).map(|folder| sanitize_line(folder).into_owned());
        let ago = facts::ago(messages, view.created_at, self.settled.now);
        let asked = messages.with("page-asked", [("time", ago.into())]);
        let told: Vec<String> = [Some(who), folder, Some(asked)].into_iter().flatten().collect();
        told.join(self.theme.marks.between)
    }

    fn answer(&self, question: &Question, answer: Option<&Answer>) -> Vec<Line<'static>> {
        let Some(answer) = answer else { return Vec::new() };
        if answer.is_skipped() {
            return self.indented(&self.messages.get("page-skipped"), self.theme.warning());
        }
        let mark = self.theme.mark(question, true);
        let labels = answer
            .selected
            .iter()
            .flat_map(|label| self.indented(&format!("{mark} {label}"), self.theme.accent()));
        let text = answer
            .custom
            .iter()
            .flat_map(|text| self.indented(&self.theme.quoted(text), self.theme.accent()));
        labels.chain(text).collect()
    }

    /// What the person had entered and is in no answer.
    fn entered(
        &self,
        index: usize,
        question: &Question,
        answer: Option<&Answer>,
    ) -> Vec<Line<'static>> {
        let entry = self.settled.draft.questions.get(index);
        let typed = self.typed.and_then(|typed| typed.states.get(index));
        let sent = answer.and_then(|answer| answer.custom.as_deref()).unwrap_or_default();
        let is_unsent = |text: &str| !is_blank(text) && !holds(sent, text.trim());
        let mut texts: Vec<&str> = Vec::new();
        let states: Vec<&DraftState> =
            typed.into_iter().chain(entry.map(|entry| &entry.state)).collect();
        let kept = entry.into_iter().flat_map(|entry| &entry.kept).map(|kept| kept.text.as_str());
        for text in states.iter().map(|state| state.custom.as_str()).chain(kept) {
            if is_unsent(text) && !texts.contains(&text) {
                texts.push(text);
            }
        }
        // With an answer there, ticks of a draft say nothing that anybody could miss.
        let labels = match (answer, states.first()) {
            (None, Some(state)) => state.chosen.as_slice(),
            _ => &[],
        };
        if texts.is_empty() && labels.is_empty() {
            return Vec::new();
        }
        let mut lines = self.indented(&self.messages.get("page-entered"), self.theme.warning());
        let mark = self.theme.mark(question, true);
        for label in labels {
            lines.extend(self.indented(&format!("{mark} {label}"), Style::new()));
        }
        lines.extend(texts.into_iter().flat_map(|text| self.indented(text, Style::new())));
        lines
    }

    fn late(&self, late: &LateText) -> Vec<Line<'static>> {
        let messages = self.messages;
        let told = [
            messages.get("page-late"),
            sanitize_line(&late.by).into_owned(),
            messages.get(facts::provider(late.provider)),
            facts::ago(messages, late.at, self.settled.now),
        ];
        let mut lines = self.text(&told.join(self.theme.marks.between), self.theme.warning());
        let items = late.response.get("answers").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            let labels = item.get("selected").and_then(Value::as_array);
            let labels = labels.into_iter().flatten().filter_map(Value::as_str);
            lines.extend(labels.flat_map(|label| self.indented(label, Style::new())));
            let text = item.get("custom").and_then(Value::as_str);
            lines.extend(text.into_iter().flat_map(|text| self.indented(text, Style::new())));
        }
        let comment = late.response.get("comment").and_then(Value::as_str);
        lines.extend(comment.into_iter().flat_map(|text| self.indented(text, Style::new())));
        lines
    }
}
