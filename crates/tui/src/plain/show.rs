//! What is read out: who asks, a question with its options, what is entered, everything about a
//! question, the review, the help.

use askwell_core::facts::{self, said_of_itself};
use askwell_core::text::markdown::blocks;
use askwell_core::text::{is_blank, sanitize_line};

use super::Plain;
use super::page::INDENT;
use crate::dialog::Other;
use crate::view::options::Verbs;
use crate::view::theme::Theme;
use crate::view::{markdown, strip};

/// A detail of more rows than this begins only; `o` shows all of it.
const DETAIL: usize = 20;

/// So much of what an asker calls itself.
pub(crate) const NAME: usize = 60;

const HELP: [&str; 17] = [
    "plain-help-numbers",
    "plain-help-text",
    "plain-help-lines",
    "plain-help-editor",
    "plain-help-change",
    "plain-help-kept",
    "plain-help-enter",
    "plain-help-skip",
    "plain-help-move",
    "plain-help-all",
    "plain-help-again",
    "plain-help-find",
    "plain-help-undo",
    "plain-help-theirs",
    "plain-help-later",
    "plain-help-leave",
    "plain-help-quit",
];

impl Plain {
    pub(super) fn show_asker(&mut self) {
        let asker = self.dialog.request.asker.clone().unwrap_or_default();
        let messages = &self.dialog.messages;
        let own = asker.name.as_deref().filter(|name| !is_blank(name));
        let name = match &self.dialog.options.credential {
            // The verified name stands behind the one that it gives itself.
            Some(verified) => {
                let theme = Theme::new(false, self.dialog.options.ascii);
                let own = facts::own_name(&asker);
                strip::who(messages, &theme, own.as_deref(), verified, NAME)
            }
            None => sanitize_line(own.unwrap_or("askwell")).into_owned(),
        };
        let by = match asker.cwd.filter(|cwd| !is_blank(cwd)) {
            Some(cwd) => {
                let folder = sanitize_line(&cwd).into_owned();
                let values = [("name", name.into()), ("folder", folder.into())];
                messages.with("plain-asked-in", values)
            }
            None => messages.with("plain-asked-by", [("name", name.into())]),
        };
        self.page.own(&by);
        if let Some(others) = self.dialog.aside.clone() {
            self.page.own(&others);
        }
        if let Some(left) = self.time_left("time-left") {
            self.page.own(&left);
        }
        if let Some(context) = self.dialog.request.context.as_deref().filter(|it| !is_blank(it)) {
            let lines = context.trim().lines().count();
            self.page.own(&self.dialog.messages.with("plain-context", [("lines", lines.into())]));
        }
    }

    /// A question, from its number to what is entered.
    pub(super) fn show_question(&mut self, index: usize) {
        self.page.blank();
        self.show_place(index);
        let question = self.dialog.question_at(index).clone();
        self.page.quoted(INDENT, question.question.trim_end());
        let messages = &self.dialog.messages;
        if let Some(detail) = question.detail.as_deref().filter(|detail| !is_blank(detail)) {
            let rows = self.markdown(detail, INDENT);
            // A few rows more are sooner read than asked for.
            let whole = rows.len() <= DETAIL + 3 || self.dialog.request.plan_review().is_some();
            let shown = if whole { rows.len() } else { DETAIL };
            self.page.blank();
            rows[..shown].iter().for_each(|row| self.page.row(INDENT, row));
            let more = rows.len() - shown;
            if more > 0 {
                self.page.own(&messages.with("plain-more-lines", [("count", more.into())]));
            }
        }
        self.page.blank();
        self.page.own(&messages.get(match (question.is_free_text(), question.multi_select) {
            (true, _) => "page-hint-text",
            (false, true) if question.allow_custom => "page-hint-multi",
            (false, true) => "page-hint-multi-only",
            (false, false) if question.allow_custom => "page-hint-single",
            (false, false) => "page-hint-single-only",
        }));
        self.show_options(index, |_| true);
        self.show_entered(index, 0);
        self.show_other();
    }

    /// What `w` would show in place of what is entered.
    pub(super) fn show_other(&mut self) {
        let (id, state) = match self.dialog.other() {
            Some(Other::Theirs(state)) => ("plain-theirs", state),
            Some(Other::Own(state)) => ("plain-own", state),
            None => return,
        };
        let own = format!("{}{}", self.dialog.messages.get(id), self.colon());
        let mut parts = state.chosen.clone();
        parts.extend((!is_blank(&state.custom)).then(|| state.custom.trim().to_owned()));
        let text = match parts.is_empty() {
            true => self.dialog.messages.get("elsewhere-empty"),
            false => parts.join(&self.dialog.messages.get("plain-labels-between")),
        };
        self.page.after(&own, INDENT, &text);
    }

    /// Who else is answering, where anybody is.
    pub(super) fn show_company(&mut self) {
        if let Some(words) = self.dialog.company_in("answering-now") {
            self.page.own(&words);
        }
    }

    /// `Question 2 of 3: Scope`.
    fn show_place(&mut self, index: usize) {
        let messages = &self.dialog.messages;
        let total = self.dialog.request.questions.len();
        let place = match total {
            1 => messages.get("plain-question-only"),
            _ => {
                let values = [("at", (index + 1).into()), ("total", total.into())];
                messages.with("plain-question", values)
            }
        };
        let header = self.dialog.question_at(index).header.as_deref().unwrap_or_default();
        let header = sanitize_line(header.trim()).into_owned();
        match header.is_empty() {
            true => self.page.own(&place),
            false => self.page.after(&format!("{place}{}", self.colon()), INDENT, &header),
        }
    }

    /// The options that are wanted, each with its number, a star where it is chosen, and its
    /// description.
    pub(super) fn show_options(&mut self, index: usize, wanted: impl Fn(usize) -> bool) {
        let question = self.dialog.question_at(index).clone();
        let draft = self.dialog.draft.get(index).clone();
        let digits = question.options.len().to_string().len();
        let decisions = self.decisions();
        for (option, offered) in question.options.iter().enumerate().filter(|(it, _)| wanted(*it)) {
            let mark = if draft.is_sent(&question, option) { '*' } else { ' ' };
            let number = format!("{mark} {:>digits$}. ", option + 1);
            let indent = number.len();
            match decisions.get(option) {
                Some(decision) => self.page.after(&number, indent, decision),
                None => self.page.after(&number, indent, &sanitize_line(&offered.label)),
            }
            if let Some(other) = self.dialog.questions[index].look_alike(&question, option) {
                let values = [("number", (other + 1).into())];
                self.page.quoted(indent, &self.dialog.messages.with("looks-like", values));
            }
            if let Some(text) = offered.description.as_deref().filter(|text| !is_blank(text)) {
                self.page.quoted(indent + 1, text.trim_end());
            }
        }
    }

    /// What the decisions on a plan are called, where it is one.
    fn decisions(&self) -> Vec<String> {
        let Some(plan) = self.dialog.plan() else { return Vec::new() };
        let options = 0..plan.question.options.len();
        let verbs = Verbs::of(plan, &self.dialog.messages);
        options.map(|option| verbs.with(option, &self.colon())).collect()
    }

    /// What would be sent for a question, and what would not.
    pub(super) fn show_entered(&mut self, index: usize, indent: usize) {
        let question = self.dialog.question_at(index).clone();
        let draft = self.dialog.draft.get(index).clone();
        let messages = &self.dialog.messages;
        let lead = " ".repeat(indent);
        let colon = self.colon();
        let name = |option: usize| {
            format!("{} {}", option + 1, sanitize_line(&question.options[option].label))
        };
        let labels: Vec<String> = draft.sent(&question).map(name).collect();
        let mut kept: Vec<String> = draft.kept_choices(&question).map(name).collect();
        kept.extend(draft.kept_text().map(|text| text.trim().to_owned()));
        let indent = indent + INDENT;
        if draft.is_skipped() {
            self.page.row(0, &format!("{lead}{}", messages.get("plain-skipped")));
        } else if !draft.is_finished(&question) {
            self.page.row(0, &format!("{lead}{}", messages.get("plain-nothing")));
        }
        if !labels.is_empty() {
            let own = format!("{lead}{}{colon}", messages.get(self.chosen_words(&draft)));
            self.page.after(
                &own,
                indent,
                &labels.join(&self.dialog.messages.get("plain-labels-between")),
            );
        }
        if draft.custom_counts() {
            let own = format!("{lead}{}{colon}", messages.get("plain-your-text"));
            self.page.after(&own, indent, draft.custom().trim());
        }
        for kept in kept {
            let own = format!("{lead}{}{colon}", messages.get("plain-kept"));
            self.page.after(&own, indent, &kept);
        }
    }

    /// Everything about a question and who asks it, with nothing cut.
    pub(super) fn show_details(&mut self, index: usize) {
        let question = self.dialog.question_at(index).clone();
        self.page.blank();
        self.show_place(index);
        self.page.quoted(INDENT, question.question.trim_end());
        self.show_markdown("reader-detail", question.detail.as_deref());
        if !question.is_free_text() {
            self.page.blank();
            self.show_options(index, |_| true);
            for option in 0..question.options.len() {
                self.show_preview(index, option);
            }
        }
        let context = self.dialog.request.context.clone();
        self.show_markdown("reader-context", context.as_deref());
        let Some(asker) = self.dialog.request.asker.clone() else { return };
        self.page.blank();
        self.page.own(&self.dialog.messages.get("reader-asker"));
        for (id, value) in said_of_itself(&asker) {
            let own = format!("  {}{}", self.dialog.messages.get(id), self.colon());
            self.page.after(&own, 2 * INDENT, &sanitize_line(&value));
        }
    }

    /// One option whole.
    pub(super) fn show_option(&mut self, index: usize, option: usize) {
        self.page.blank();
        self.show_options(index, |it| it == option);
        self.show_preview(index, option);
    }

    fn show_preview(&mut self, index: usize, option: usize) {
        let preview = self.dialog.question_at(index).options[option].preview.clone();
        let Some(preview) = preview.filter(|preview| !is_blank(preview)) else { return };
        self.page.blank();
        let title = self.dialog.messages.with("plain-preview", [("number", (option + 1).into())]);
        self.page.own(&title);
        self.markdown(&preview, INDENT).iter().for_each(|row| self.page.row(INDENT, row));
    }

    fn show_markdown(&mut self, title: &str, source: Option<&str>) {
        let Some(source) = source.filter(|source| !is_blank(source)) else { return };
        self.page.blank();
        self.page.own(&self.dialog.messages.get(title));
        self.markdown(source, INDENT).iter().for_each(|row| self.page.row(INDENT, row));
    }

    pub(super) fn show_review(&mut self) {
        self.page.blank();
        self.page.own(&self.dialog.messages.get("review-title"));
        for index in 0..self.dialog.request.questions.len() {
            let question = self.dialog.question_at(index);
            let text = sanitize_line(question.question.trim()).into_owned();
            let name = match &question.header {
                Some(_) => format!("{}{}{text}", self.dialog.name(index), self.colon()),
                None => text,
            };
            let number = format!("{}. ", index + 1);
            self.page.after(&number, number.len(), &name);
            self.show_entered(index, 2 * INDENT);
        }
    }

    pub(super) fn show_help(&mut self) {
        self.page.blank();
        let ctrl_c = match self.dialog.options.stays_pending {
            true => "help-cancel-leave",
            false => "help-cancel",
        };
        let plan = self.dialog.plan().map(|_| "plain-help-plan");
        for id in plan.iter().chain(&HELP).chain(&[ctrl_c]) {
            let id = match *id {
                "plain-help-quit" if self.dialog.options.in_inbox => "plain-help-to-inbox",
                id => id,
            };
            self.page.own(&self.dialog.messages.get(id));
        }
    }

    /// The rows of a markdown text, as they stand on this many columns less than there are.
    fn markdown(&self, source: &str, indent: usize) -> Vec<String> {
        let theme = Theme::new(false, self.dialog.options.ascii);
        let lines = markdown::lines(&blocks(source), self.page.room(indent), &theme);
        lines.iter().map(ToString::to_string).collect()
    }

    pub(super) fn colon(&self) -> String {
        self.dialog.messages.get("plain-colon")
    }
}
