//! Going on, and handing the answer over.
//!
//! Invariant: no text that was written is left behind in silence, and nothing is sent while a
//! question is neither answered nor skipped.

use askwell_core::Outcome;

use super::{Dialog, Effect, Focus, Phase, Prompt, PromptKind, Status};

impl Dialog {
    /// Whether the answers are shown once more before they are sent.
    pub(crate) fn has_review(&self) -> bool {
        self.request.questions.len() > 1 || self.draft.iter().any(|draft| draft.is_skipped())
    }

    /// Whether Enter on this question would send the answer.
    pub(crate) fn enter_sends(&self, index: usize) -> bool {
        !self.has_review() && self.request.questions.len() == index + 1
    }

    /// The next unfinished question, then the review, then the end. Stays where this question
    /// would be left unfinished, and says so.
    pub(crate) fn go_on(&mut self, index: usize, effects: &mut Vec<Effect>) {
        if !self.draft.get(index).is_finished(self.question_at(index)) {
            return match self.questions[index].focus {
                Focus::Field if self.plan().is_some() => self.error("page-unfinished-reply"),
                Focus::Field => self.error("unfinished-field"),
                Focus::List | Focus::Filter => self.error("unfinished"),
            };
        }
        match self.next_unfinished(index) {
            Some(next) => self.open(next),
            None if self.has_review() => self.open_review(),
            None => self.submit(effects),
        }
    }

    /// Sends the answer, unless a question is unfinished or a text would stay behind.
    pub(crate) fn submit(&mut self, effects: &mut Vec<Effect>) {
        let unfinished = self.draft.unfinished(&self.request);
        if let Some(first) = unfinished.first() {
            let names: Vec<String> = unfinished.iter().map(|index| self.name(*index)).collect();
            self.open(*first);
            let names = names.join(", ").into();
            let text = self.messages.with("unfinished-batch", [("names", names)]);
            self.status = Some(Status::Error(text));
        } else if self.draft.kept_texts().next().is_some() {
            self.prompt_for(PromptKind::Unsent);
        } else {
            self.send(effects);
        }
    }

    /// Sends the answer as it stands.
    pub(super) fn send(&mut self, effects: &mut Vec<Effect>) {
        match self.draft.submit(&self.request) {
            Ok(answers) => {
                self.phase = Phase::Sending;
                if self.saving.is_unsaved() {
                    self.save(effects);
                }
                effects.push(Effect::Submit(answers));
            }
            Err(bad) => {
                let told = bad.issues.iter().map(|issue| {
                    let question = issue.question.as_deref().unwrap_or_default();
                    format!("{question}: {}", issue.message)
                });
                let told = told.collect();
                self.prompt = Some(Prompt::new(PromptKind::Rejected(told)));
            }
        }
    }

    pub(super) fn submit_accepted(&mut self, effects: &mut Vec<Effect>) {
        if self.phase == Phase::Sending
            && let Ok(answers) = self.draft.submit(&self.request)
        {
            self.end(Outcome::Answered(answers), effects);
        }
    }

    pub(super) fn submit_rejected(&mut self, issues: Vec<String>) {
        if self.phase == Phase::Sending {
            self.phase = Phase::Open;
            self.appear(Prompt::new(PromptKind::Rejected(issues)));
        }
    }

    /// A question's short name: its header, or its text.
    pub(crate) fn name(&self, index: usize) -> String {
        let question = self.question_at(index);
        let name = question.header.as_deref().filter(|header| !header.trim().is_empty());
        askwell_core::text::sanitize_line(name.unwrap_or(&question.question)).into_owned()
    }
}
