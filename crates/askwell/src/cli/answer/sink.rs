//! Where the drafts and the answer of a dialog go: to the host, each question on its own base.
//!
//! Owns what this screen knows of the host's draft. Invariants: a question that was edited nowhere
//! here is not written; one that was edited elsewhere meanwhile is merged and written again on the new
//! base, after the host has kept the text that lost; what the host does not have after a second is
//! in a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use askwell::draft::{DraftState, Entered};
use askwell::drafts::DraftSaver;
use askwell::inbox::Client;
use askwell::inbox::wire::{
    Answering, DraftView, DraftWrite, EntryWrite, Inbox as _, InboxError, ProviderName, RequestId,
    Response, Saved, UnixMillis,
};
use askwell::merge::merge;
use askwell::messages::Messages;
use askwell::{Answers, ErrorCode, Outcome, ValidRequest, project};
use askwell_tui::{Control, DraftSink, Event, Merged};

use super::Ended;
use super::follow::HostClock;

/// The draft as this screen and the host have it. Shared by the one that writes and the one that
/// follows.
#[derive(Clone)]
pub struct SharedDraft {
    client: Client,
    id: RequestId,
    request: Arc<ValidRequest>,
    control: Control,
    clock: HostClock,
    known: Arc<Mutex<Known>>,
    /// Held while an answer is on its way: its end is not from elsewhere.
    ended: Arc<Mutex<Option<Ended>>>,
}

#[derive(Default)]
struct Known {
    questions: Vec<KnownQuestion>,
    /// Writes of which is not known whether they arrived.
    uncertain: Vec<DraftState>,
}

struct KnownQuestion {
    /// What this screen last had in common with the host, and its revision there.
    common: DraftState,
    base: u64,
    /// What another screen wrote since, if this one is not known to have taken it in.
    elsewhere: Option<(u64, DraftState)>,
    /// What this screen shows in the place of `common`, and nobody went on with.
    shown: Option<DraftState>,
    /// The next write replaces a text from elsewhere. The host keeps one that is replaced by a write
    /// that it has refused before.
    conflict: bool,
}

impl SharedDraft {
    /// The draft with which the dialog begins.
    pub fn new(
        client: Client,
        id: RequestId,
        request: ValidRequest,
        (control, clock): (Control, HostClock),
        draft: &DraftView,
    ) -> Self {
        let questions = draft.questions.iter().map(|entry| KnownQuestion {
            common: entry.state.clone(),
            base: entry.revision,
            elsewhere: None,
            shown: None,
            conflict: false,
        });
        let known = Known { questions: questions.collect(), ..Known::default() };
        let known = Arc::new(Mutex::new(known));
        let (request, ended) = (Arc::new(request), Arc::default());
        Self { client, id, request, control, clock, known, ended }
    }

    /// Shows what was written elsewhere since the last look.
    pub fn look(&self) -> Result<(), InboxError> {
        // Locked over the call: a write of our own that is on its way is not from elsewhere.
        let mut known = self.lock();
        let draft = self.client.waiting_for(Duration::ZERO).draft(self.id)?;
        known.take_in(&draft, &self.control);
        Ok(())
    }

    /// Shows all that may have changed elsewhere.
    pub fn look_anew(&self) {
        let _ = self.look();
        self.look_whether_ended();
    }

    /// What is asked.
    pub fn request(&self) -> &ValidRequest {
        &self.request
    }

    /// How the request ended, if it did. An answer that is still on its way has not.
    pub fn ended(&self) -> Option<Ended> {
        self.ended.try_lock().ok().and_then(|mut ended| ended.take())
    }

    /// Whether it is known to have ended.
    pub fn has_ended(&self) -> bool {
        self.ending().is_some()
    }

    /// Writes what the host does not have. One try: whoever calls comes again.
    fn save(&self, states: &[DraftState], merged: Vec<Merged>) -> Result<(), InboxError> {
        let client = self.client.waiting_for(Duration::ZERO);
        let mut known = self.lock();
        merged.into_iter().for_each(|merged| known.merged(merged));
        if !known.uncertain.is_empty() {
            let draft = client.draft(self.id)?;
            known.after_a_cut(&draft);
        }
        let mut states = states.to_vec();
        // Once more for what was stale, and for one that comes in between.
        for _ in 0..3 {
            let write = known.write(&states);
            if write.questions.is_empty() {
                break;
            }
            known.uncertain = write.questions.iter().map(|entry| entry.state.clone()).collect();
            let saved = match client.save_draft(self.id, &write) {
                Ok(saved) => saved,
                Err(error) => {
                    if error.code != ErrorCode::HostUnreachable {
                        known.uncertain.clear();
                    }
                    return Err(error);
                }
            };
            known.uncertain.clear();
            for (written, saved) in write.questions.iter().zip(saved.questions) {
                let theirs = saved.entry.state;
                let Some(question) = known.question(&theirs.id) else { continue };
                question.base = saved.entry.revision;
                (question.elsewhere, question.shown, question.conflict) = (None, None, false);
                if saved.result == Saved::Saved {
                    question.common = written.state.clone();
                    continue;
                }
                let asked = self.request.questions.iter().find(|asked| asked.id == theirs.id);
                let state = states.iter_mut().find(|state| state.id == theirs.id);
                let base = std::mem::replace(&mut question.common, theirs.clone());
                if let (Some(asked), Some(state)) = (asked, state) {
                    *state = merge(asked, &base, state, &theirs).state;
                }
                if base != theirs {
                    self.control.send(Event::DraftElsewhere { base, state: theirs });
                }
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

    /// Puts the deadline off by ten minutes.
    fn extend(&self) -> Result<(), InboxError> {
        let mut ended = self.ending();
        match self.client.waiting_for(Duration::ZERO).extend(self.id) {
            Ok(view) => {
                self.tell_deadline(view.deadline_at);
                Ok(())
            }
            Err(error) => {
                if error.code == ErrorCode::NotPending {
                    self.tell_ended(&mut ended);
                }
                Err(error)
            }
        }
    }

    /// Tells the dialog when the request expires.
    pub fn tell_deadline(&self, deadline_at: Option<UnixMillis>) {
        self.control.send(Event::Deadline(deadline_at.map(|at| self.clock.time_left(at))));
    }

    /// Tells the dialog whether the host answers.
    pub fn tell_reached(&self, reached: bool) {
        self.control.send(Event::HostReached(reached));
    }

    /// Tells the dialog that somebody else is answering.
    pub fn tell_answering(&self, other: &Answering) {
        let (person, lasts) = self.clock.answering(other);
        self.control.send(Event::Answering { person, lasts });
    }

    /// Tells the dialog that the request ended elsewhere, if it did; how it stands otherwise.
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
        } else {
            self.tell_deadline(view.deadline_at);
            view.answering.iter().for_each(|other| self.tell_answering(other));
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
            let (seen, base) = match &question.elsewhere {
                Some((seen, state)) => (*seen, state),
                None => (question.base, &question.common),
            };
            if entry.revision > seen {
                let (base, state) = (base.clone(), entry.state.clone());
                question.elsewhere = Some((entry.revision, state.clone()));
                control.send(Event::DraftElsewhere { base, state });
            }
        }
    }

    /// The dialog has taken in what another screen has written.
    fn merged(&mut self, merged: Merged) {
        let Some(question) = self.question(&merged.theirs.id) else { return };
        let taken = question.elsewhere.take_if(|(_, theirs)| *theirs == merged.theirs);
        if let Some((revision, theirs)) = taken {
            (question.base, question.common) = (revision, theirs);
        }
        if question.common == merged.theirs {
            (question.shown, question.conflict) = (merged.kept, merged.conflict);
        }
    }

    /// What of these states the host does not have.
    fn write(&mut self, states: &[DraftState]) -> DraftWrite {
        let mut write = DraftWrite::default();
        for state in states {
            let Some(question) = self.question(&state.id) else { continue };
            if question.common == *state {
                question.shown = None;
            } else if question.shown.as_ref() != Some(state) {
                let base = question.base.saturating_sub(question.conflict.into());
                write.questions.push(EntryWrite { state: state.clone(), base });
            }
        }
        write
    }

    /// A write may have arrived whose answer did not: what stands there as we sent it is ours.
    fn after_a_cut(&mut self, draft: &DraftView) {
        let sent = std::mem::take(&mut self.uncertain);
        for entry in &draft.questions {
            let ours = sent.contains(&entry.state);
            let Some(question) = self.question(&entry.state.id) else { continue };
            if ours && entry.revision > question.base {
                (question.base, question.common) = (entry.revision, entry.state.clone());
            }
        }
    }
}

/// How long a save may take before what it holds is kept in a file as well.
const SOON: Duration = Duration::from_millis(450);
/// The same while the host is known not to answer.
const BEHIND: Duration = Duration::from_millis(200);

/// Saves to the host, and beside it while the host is not there.
pub struct HostSink {
    draft: SharedDraft,
    /// Where there is no folder for it the host is all.
    saver: Option<DraftSaver>,
    messages: Messages,
    /// A save that takes long.
    running: Option<Receiver<Result<(), InboxError>>>,
    merged: Vec<Merged>,
    behind: Arc<AtomicBool>,
}

impl HostSink {
    /// Saves this draft.
    pub fn new(draft: SharedDraft, saver: Option<DraftSaver>, messages: Messages) -> Self {
        let (running, merged, behind) = (None, Vec::new(), Arc::default());
        Self { draft, saver, messages, running, merged, behind }
    }

    /// Whether the host does not have all that was to be saved.
    pub fn behind(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.behind)
    }

    fn is_behind(&self) -> bool {
        self.behind.load(Ordering::SeqCst)
    }

    fn in_words(&self, error: InboxError) -> String {
        match error.code {
            ErrorCode::HostUnreachable | ErrorCode::NoProvider => {
                self.messages.get("draft-no-host")
            }
            _ => error.message,
        }
    }

    /// Saves to the host; nothing where that takes too long.
    fn save_soon(&mut self, states: &[DraftState]) -> Option<Result<(), InboxError>> {
        let until = Instant::now() + if self.is_behind() { BEHIND } else { SOON };
        let left = || until.saturating_duration_since(Instant::now());
        if let Some(running) = self.running.take()
            && matches!(running.recv_timeout(left()), Err(RecvTimeoutError::Timeout))
        {
            self.running = Some(running);
            return None;
        }
        let (done, running) = channel();
        let (draft, states) = (self.draft.clone(), states.to_vec());
        let merged = std::mem::take(&mut self.merged);
        thread::spawn(move || done.send(draft.save(&states, merged)));
        let saved = running.recv_timeout(left().max(BEHIND / 2)).ok();
        if saved.is_none() {
            self.running = Some(running);
        }
        saved
    }
}

impl DraftSink for HostSink {
    fn save(&mut self, entered: &Entered) -> Result<(), String> {
        let why = match self.save_soon(&entered.states) {
            Some(Ok(())) => None,
            // It is kept all the same, and the dialog is told by whoever follows.
            Some(Err(error)) if error.code == ErrorCode::NotPending => None,
            Some(Err(error)) => Some(self.in_words(error)),
            None => Some(self.messages.get("draft-host-silent")),
        };
        self.behind.store(why.is_some(), Ordering::SeqCst);
        match (&self.saver, why) {
            (saver, None) => {
                saver.iter().for_each(DraftSaver::clear);
                Ok(())
            }
            (saver, Some(why)) => {
                // Where that fails as well it is told when the person leaves.
                let _ = saver.as_ref().map(|saver| saver.save(entered));
                Err(why)
            }
        }
    }

    fn merged(&mut self, merged: Merged) {
        self.merged.push(merged);
    }

    fn submit(&mut self, answers: &Answers) -> Result<(), Vec<String>> {
        self.draft.submit(answers)
    }

    fn extend(&mut self) -> Result<(), String> {
        self.draft.extend().map_err(|error| self.in_words(error))
    }
}
