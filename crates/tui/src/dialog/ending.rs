//! How a dialog comes to its end: by a key of a prompt, by what happened elsewhere, by the clock. What
//! was not saved yet is, first.

use std::time::Duration;

use askwell_core::Outcome;

use super::{Dialog, Phase, Prompt, PromptKind, Status};
use crate::event::Effect;

impl Dialog {
    /// Whether its time has run out by then. Of a request of a host, the host alone says so.
    pub(crate) fn is_over(&self, now: Duration) -> bool {
        !self.options.stays_pending && self.options.deadline.is_some_and(|end| now >= end)
    }

    /// Leaves the request with an outcome. What was not saved yet is.
    pub(crate) fn end(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        let outcome = match (self.phase, &self.prompt) {
            (Phase::Open | Phase::Sending, _) => outcome,
            // It had ended elsewhere, which the person has not closed yet.
            (Phase::Ended, Some(Prompt { kind: PromptKind::Resolved(ended), .. })) => ended.clone(),
            (Phase::Ended, _) => return,
        };
        if self.external.is_some() {
            return self.end_after_editor(outcome, effects);
        }
        if self.saving.is_unsaved() {
            self.save(effects);
        }
        self.phase = Phase::Ended;
        self.prompt = None;
        effects.push(Effect::End(outcome));
    }

    pub(super) fn save(&mut self, effects: &mut Vec<Effect>) {
        self.saving.begin();
        effects.push(Effect::SaveDraft(self.entered()));
    }

    pub(super) fn resolved(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        if self.phase != Phase::Ended {
            self.phase = Phase::Ended;
            // Who else was at it is no news any more.
            self.status.take_if(|status| matches!(status, Status::Note(_)));
            if self.saving.is_unsaved() {
                self.save(effects);
            }
            self.appear(Prompt::new(PromptKind::Resolved(outcome)));
        }
    }

    /// How the request ended elsewhere, where the person sees so: not in an editor of their own.
    pub(crate) fn resolved_elsewhere(&self) -> Option<&Outcome> {
        match &self.prompt.as_ref()?.kind {
            PromptKind::Resolved(outcome) if self.external.is_none() => Some(outcome),
            _ => None,
        }
    }

    /// Whether what has ended is the dialog alone, and the request goes on waiting at its host.
    pub(crate) fn is_left(&self) -> bool {
        self.options.stays_pending && self.resolved_elsewhere().is_none()
    }

    /// A prompt that comes up by itself: keys count again only after a silence.
    pub(super) fn appear(&mut self, prompt: Prompt) {
        self.overlay = None;
        self.collapsed = false;
        self.prompt = Some(prompt);
        self.guard.rearm();
    }

    /// Back to the inbox. The request still waits.
    pub(super) fn back_to_inbox(&mut self, effects: &mut Vec<Effect>) {
        self.end(Outcome::Aborted { reason: "Esc".to_owned() }, effects);
    }
}
