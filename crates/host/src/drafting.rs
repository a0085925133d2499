//! Drafts: a person's unfinished answer, shared by all screens of that person.

use std::collections::HashSet;
use std::sync::Arc;

use askwell_core::draft::DraftState;
use askwell_core::fault::{Fault, Rule};
use askwell_core::wire::{
    DraftEntry, DraftSaved, DraftView, DraftWrite, EntryWrite, InboxError, OfferedDraft, RequestId,
    Role,
};
use askwell_core::{Draft, RequestDraft, ValidRequest, limits};
use askwell_store::DraftWritten;

use crate::memory::moment;
use crate::{Caller, Host, errors};

impl Host {
    /// The person's draft of a request, also of one that has ended (answerer).
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn draft(&self, caller: &Caller, id: RequestId) -> Result<DraftView, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let known = self.known(caller, id).await?;
        let request = &known.request;
        let person = Arc::clone(caller.person());
        let mut stored = self.read(move |store| store.draft(id, &person)).await?;
        let questions = request.questions.iter().map(|question| {
            let found = stored.entries.iter_mut().find(|entry| entry.state.id == question.id);
            match found {
                Some(entry) => {
                    let state = Draft::from_state(question, &entry.state).state(question);
                    DraftEntry {
                        state,
                        revision: entry.revision,
                        kept: std::mem::take(&mut entry.kept),
                    }
                }
                None => {
                    let state = Draft::new(question).state(question);
                    DraftEntry { state, revision: 0, kept: Vec::new() }
                }
            }
        });
        let questions = questions.collect();
        let is_pending = known.record.ended.is_none();
        let offered = stored.offered.filter(|_| is_pending);
        Ok(DraftView {
            request: id,
            revision: stored.revision,
            edited_at: stored.edited_at,
            questions,
            offered: offered.and_then(|offered| something_offered(request, offered)),
        })
    }

    /// Writes to the person's draft (answerer). A question that was edited on an old base is
    /// refused by itself, after its text was kept; that is a result, not an error.
    ///
    /// # Errors
    /// `NOT_PENDING` where the request has ended (what was written is kept all the same),
    /// `BAD_REQUEST` where a question was not asked or stands twice, `LIMIT_EXCEEDED`;
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn save_draft(
        &self,
        caller: &Caller,
        id: RequestId,
        write: &DraftWrite,
    ) -> Result<DraftSaved, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let known = self.known(caller, id).await?;
        let entries = canonical(&known.request, write)?;
        let (person, at) = (Arc::clone(caller.person()), self.wall());
        let name = person.to_string();
        let effect = move |host: &Self, written: &Option<DraftWritten>| {
            if let Some(written) = written {
                host.on_drafted(id, &person, written);
            }
        };
        let written = self
            .write(|store, done| store.save_draft(id, name, entries, at, done), effect)
            .await?
            .ok_or_else(|| errors::not_found(id))?;
        match written.ended {
            None => Ok(written.saved),
            Some(ended) => {
                let mut error = errors::not_pending(ended);
                error.details.draft = Some(written.saved);
                Err(error)
            }
        }
    }

    fn on_drafted(&self, id: RequestId, person: &Arc<str>, written: &DraftWritten) {
        let rest_until = self.now() + moment(self.config().draft_rest);
        let is_new = self.memory().change(id, |entry| {
            let is_new = entry.draft_writes != written.draft_writes;
            if is_new {
                entry.draft_writes = written.draft_writes;
                entry.rest_until = rest_until;
            }
            is_new
        });
        if is_new == Some(true) {
            self.hub().tell_draft(id, person, written.saved.revision);
            let left = written.is_emptied;
            let is_news = match left {
                true => self.memory().leaves(id, person),
                false => self.memory().goes_on(id, person, self.now()),
            };
            if is_news {
                self.tell_answering(id, person, left);
            }
        }
    }
}

/// The write as the core's draft keeps it: whatever can't be true of a question is mended, and
/// every text kept.
fn canonical(request: &ValidRequest, write: &DraftWrite) -> Result<Vec<EntryWrite>, InboxError> {
    let (mut faults, mut entries, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut bytes = 0;
    for (index, entry) in write.questions.iter().enumerate() {
        let path = format!("questions[{index}].id");
        let question = request.questions.iter().find(|question| question.id == entry.state.id);
        let Some(question) = question else {
            faults.push(Fault::at(path, Rule::Unknown { expected: "the id of a question" }));
            continue;
        };
        if !seen.insert(&entry.state.id) {
            let first = format!("an earlier one, {:?}", entry.state.id);
            faults.push(Fault::at(path, Rule::Repeats { first }));
            continue;
        }
        bytes += entry.state.custom.len();
        let state: DraftState = Draft::from_state(question, &entry.state).state(question);
        entries.push(EntryWrite { state, base: entry.base });
    }
    if bytes > limits::REQUEST {
        let rule = Rule::TooLong { max: limits::REQUEST, actual: bytes };
        faults.push(Fault::at("questions", rule));
    }
    match faults.is_empty() {
        true => Ok(entries),
        false => Err(errors::faults(faults)),
    }
}

/// The draft to be offered, for the questions as they are asked now; nothing where nothing was
/// entered.
fn something_offered(request: &ValidRequest, offered: OfferedDraft) -> Option<OfferedDraft> {
    let draft = RequestDraft::from_states(request, &offered.questions);
    (!draft.is_untouched()).then(|| OfferedDraft { questions: draft.states(request), ..offered })
}
