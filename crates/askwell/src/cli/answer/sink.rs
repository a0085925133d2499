//! Where the drafts and the answer of a dialog go: to the host, each question on its own base.
//!
//! Owns what this screen knows of the host's draft. Invariants: a question that was edited nowhere
//! here is not written; one that was edited elsewhere meanwhile is written again on the new base,
//! after the host has kept the text that lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askwell::draft::{DraftState, Entered};
use askwell::inbox::Client;
use askwell::inbox::wire::{
    DraftView, DraftWrite, EntryWrite, Inbox as _, InboxError, ProviderName, RequestId, Response,
    Saved,
};
use askwell::{Answers, ErrorCode, Outcome, project};
use askwell_tui::{Control, DraftSink, Event};

use super::Ended;

/// The draft as this screen and the host have it. Shared by the one that writes and the one that
/// follows.
#[derive(Clone)]
pub struct SharedDraft {
    client: Client,
    id: RequestId,
    control: Control,
    known: Arc<Mutex<Known>>,
    /// Held while an answer is on its way: its end is not from elsewhere.
    ended: Arc<Mutex<Option<Ended>>>,
}

#[derive(Default)]
struct Known {
    questions: Vec<KnownQuestion>,
    /// Whether a write was sent of which is not known whether it arrived.
    uncertain: bool,
}

struct KnownQuestion {
    /// What this screen last had in common with the host, and its revision there.
    common: DraftState,
    base: u64,
    /// What another screen wrote since, if this one has not taken it.
    elsewhere: Option<(u64, DraftState)>,
}

impl SharedDraft {
    /// The draft with which the dialog begins.
    pub fn new(client: Client, id: RequestId, control: Control, draft: &DraftView) -> Self {
        let questions = draft.questions.iter().map(|entry| KnownQuestion {
            common: entry.state.clone(),
            base: entry.revision,
            elsewhere: None,
        });
        let known = Known { questions: questions.collect(), ..Known::default() };
        Self { client, id, control, known: Arc::new(Mutex::new(known)), ended: Arc::default() }
    }

    /// Shows what was written elsewhere since the last look.
    pub fn look(&self) -> Result<(), InboxError> {
        // Locked over the call: a write of our own that is on its way is not from elsewhere.
        let mut known = self.lock();
        let draft = self.client.draft(self.id)?;
        known.take_in(&draft, &self.control);
        Ok(())
    }

    /// How the request ended, if it did.
    pub fn ended(&self) -> Option<Ended> {
        self.ending().take()
    }

    fn save(&self, states: &[DraftState]) -> Result<(), InboxError> {
        let mut known = self.lock();
        if known.uncertain {
            let draft = self.client.draft(self.id)?;
            known.after_a_cut(&draft, states);
        }
        // A second time for what was stale: it was edited here, and this screen shows it.
        for _ in 0..2 {
            let write = known.write(states);
            if write.questions.is_empty() {
                break;
            }
            let saved = match self.client.save_draft(self.id, &write) {
                Ok(saved) => saved,
                Err(error) => {
                    known.uncertain = error.code == ErrorCode::HostUnreachable;
                    return Err(error);
                }
            };
            for (written, saved) in write.questions.iter().zip(&saved.questions) {
                let Some(question) = known.question(&saved.entry.state.id) else { continue };
                question.base = saved.entry.revision;
                question.elsewhere = None;
                if saved.result == Saved::Saved {
                    question.common = written.state.clone();
                }
            }
        }
        // What the dialog could not take while something here was unsaved.
        for question in &known.questions {
            if let Some((_, state)) = &question.elsewhere {
                self.control.send(Event::DraftElsewhere(state.clone()));
            }
        }
        Ok(())
    }

    fn submit(&self, answers: &Answers) -> Result<(), Vec<String>> {
        let document = project::document(&Outcome::Answered(answers.clone()), None);
        let answers = document["answers"].clone();
        let response = Response { answers, provider: ProviderName::Terminal };
        let mut ended = self.ending();
        match self.client.answer(self.id, &response) {
            Ok(view) => {
                *ended = Some(Ended::Here(view));
                Ok(())
            }
            Err(error) if error.code == ErrorCode::NotPending => {
                self.tell_ended(&mut ended);
                Err(vec![error.message])
            }
            Err(error) => {
                let issues = error.details.issues.iter().map(|issue| issue.message.clone());
                let issues: Vec<String> = issues.collect();
                Err(if issues.is_empty() { vec![error.to_string()] } else { issues })
            }
        }
    }

    /// Tells the dialog that the request ended elsewhere, if it did.
    pub fn look_whether_ended(&self) {
        self.tell_ended(&mut self.ending());
    }

    fn tell_ended(&self, ended: &mut Option<Ended>) {
        if ended.is_some() {
            return;
        }
        let Ok(view) = self.client.get(self.id) else { return };
        let request = view.request.clone().validate().ok();
        if let Some(outcome) = request.and_then(|request| view.typed_outcome(&request)) {
            *ended = Some(Ended::Elsewhere(view));
            self.control.send(Event::Resolved(outcome));
        }
    }

    fn ending(&self) -> MutexGuard<'_, Option<Ended>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn question(&mut self, id: &str) -> Option<&mut KnownQuestion> {
        self.questions.iter_mut().find(|question| question.common.id == id)
    }

    /// What another screen has written.
    fn take_in(&mut self, draft: &DraftView, control: &Control) {
        for entry in &draft.questions {
            let Some(question) = self.question(&entry.state.id) else { continue };
            let seen = question.elsewhere.as_ref().map_or(question.base, |(seen, _)| *seen);
            if entry.revision > seen {
                question.elsewhere = Some((entry.revision, entry.state.clone()));
                control.send(Event::DraftElsewhere(entry.state.clone()));
            }
        }
    }

    /// What of these states the host does not have.
    fn write(&mut self, states: &[DraftState]) -> DraftWrite {
        let mut write = DraftWrite::default();
        for state in states {
            let Some(question) = self.question(&state.id) else { continue };
            if let Some((revision, theirs)) = &question.elsewhere
                && theirs == state
            {
                // The dialog has taken it.
                (question.base, question.common) = (*revision, state.clone());
                question.elsewhere = None;
            }
            if question.common != *state {
                write.questions.push(EntryWrite { state: state.clone(), base: question.base });
            }
        }
        write
    }

    /// A write may have arrived whose answer did not: what stands there as we sent it is ours.
    fn after_a_cut(&mut self, draft: &DraftView, states: &[DraftState]) {
        for entry in &draft.questions {
            let ours = states.contains(&entry.state);
            let Some(question) = self.question(&entry.state.id) else { continue };
            if ours && entry.revision > question.base {
                (question.base, question.common) = (entry.revision, entry.state.clone());
            }
        }
        self.uncertain = false;
    }
}

impl DraftSink for SharedDraft {
    fn save(&mut self, entered: &Entered) -> Result<(), String> {
        match Self::save(self, &entered.states) {
            Ok(()) => Ok(()),
            // It is kept all the same, and the dialog is told by whoever follows.
            Err(error) if error.code == ErrorCode::NotPending => Ok(()),
            Err(error) => Err(error.message),
        }
    }

    fn submit(&mut self, answers: &Answers) -> Result<(), Vec<String>> {
        Self::submit(self, answers)
    }
}
