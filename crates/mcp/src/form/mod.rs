//! Elicitation: the form of a client as a provider.
//!
//! [`fields`] makes a form of a request, [`content`] reads what was entered, [`offer`] is the way of a
//! form there and back where the server may ask, [`state`] and `rounds.rs` where it may only answer.
//!
//! Invariants: what a form brings is validated as any answer is; a form that nobody can have seen is no
//! decision, and leaves the request to the inbox.

pub(crate) mod content;
pub(crate) mod fields;
pub(crate) mod offer;
pub(crate) mod state;

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::messages::{Lang, Messages};
use askwell_core::wire::{DraftWrite, EntryWrite, InboxError, ProviderName, RequestId, Response};
use askwell_core::{Answers, ErrorCode, ValidRequest};
use rmcp::model::{
    ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationAction, ProtocolVersion,
};
use serde_json::{Value, json};

use crate::Person;
use content::Entered;

/// A refusal that comes sooner is no person's: the client shows no forms.
const NO_PERSON: Duration = Duration::from_millis(500);

/// What a client can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Forms,
    /// Only a link.
    Links,
    Nothing,
}

impl Shows {
    /// What was declared. An empty declaration means forms.
    pub fn of(declared: Option<&ClientCapabilities>) -> Self {
        match declared.and_then(|declared| declared.elicitation.as_ref()) {
            None => Self::Nothing,
            Some(it) if it.form.is_some() || it.url.is_none() => Self::Forms,
            Some(_) => Self::Links,
        }
    }
}

/// A form, as often as it is shown.
pub(crate) struct Form {
    request: ValidRequest,
    version: ProtocolVersion,
    messages: Messages,
}

/// What became of a form that was shown once.
#[derive(Debug)]
pub(crate) enum Shown {
    Answered {
        answers: Answers,
        /// Choices beside a text, which overrides them.
        overridden: Vec<DraftState>,
    },
    /// A person does not want to answer.
    Declined,
    /// Nobody has seen it.
    Unseen,
    /// It was filled in wrongly twice: so.
    Wrong(Vec<DraftState>),
    /// It is to be shown once more, with this said, and what was entered in it.
    Again { said: String, asked: Asked, entered: Vec<DraftState> },
}

/// For what a form was shown once more. For each it is once: a form that is left empty after its faults
/// were told is no skip yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// It was empty.
    pub empty: bool,
    /// It was filled in wrongly.
    pub wrong: bool,
}

impl Form {
    /// A form of this request; none where no client of this revision could show it.
    pub fn new(request: &ValidRequest, version: ProtocolVersion, lang: Lang) -> Option<Self> {
        let form = Self { request: request.clone(), version, messages: Messages::new(lang) };
        fields::can_be_shown(&form.request, &form.version).then_some(form)
    }

    /// The form, with this said before everything else, and what was entered before.
    pub fn params(&self, said: Option<&str>, entered: &[DraftState]) -> ElicitRequestParams {
        fields::form(&self.request, &self.version, &self.messages, said, entered)
    }

    /// What a reply means that came after so long. `asked`: for what the form was shown once more.
    pub fn read(&self, reply: &ElicitResult, after: Duration, asked: Asked) -> Shown {
        match reply.action {
            ElicitationAction::Accept => {}
            _ if after < NO_PERSON => return Shown::Unseen,
            _ => return Shown::Declined,
        }
        match content::read(&self.request, reply.content.as_ref()) {
            Entered::Nothing { .. } if !asked.empty => Shown::Again {
                said: self.messages.get("form-empty"),
                asked: Asked { empty: true, ..asked },
                entered: Vec::new(),
            },
            Entered::Nothing { skipped } => {
                Shown::Answered { answers: skipped, overridden: Vec::new() }
            }
            Entered::Answers { answers, overridden } => Shown::Answered { answers, overridden },
            Entered::Faults { entered, .. } if asked.wrong => Shown::Wrong(entered),
            Entered::Faults { faults, entered } => {
                let faults = faults.join("; ").into();
                let said = self.messages.with("form-again", [("faults", faults)]);
                Shown::Again { said, asked: Asked { wrong: true, ..asked }, entered }
            }
        }
    }

    /// Keeps what a reply holds to a request that has ended, so, by then. A copy of the answer that
    /// ended it is nothing more.
    pub async fn keep_late(
        &self,
        person: &dyn Person,
        id: RequestId,
        reply: &ElicitResult,
        outcome: Option<&Value>,
    ) {
        if reply.action != ElicitationAction::Accept {
            return;
        }
        let kept = match content::read(&self.request, reply.content.as_ref()) {
            Entered::Nothing { .. } => return,
            Entered::Answers { answers, .. }
                if outcome.is_some_and(|it| it["answers"] == json!(answers)["answers"]) =>
            {
                return;
            }
            Entered::Answers { answers, overridden } => {
                deliver(person, id, &answers, overridden).await
            }
            Entered::Faults { entered, .. } => {
                keep(person, id, entered).await;
                Ok(())
            }
        };
        if let Err(error) = kept {
            tracing::warn!(%error, %id, "what came too late in a form is not kept");
        }
    }

    /// A link to the page of a request.
    pub fn link(url: &str, id: RequestId, lang: Lang) -> ElicitRequestParams {
        ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: Messages::new(lang).get("form-page"),
            url: url.to_owned(),
            elicitation_id: id.to_string(),
        }
    }
}

/// Tells the host what a form has brought. One that came too late is none any more.
///
/// # Errors
/// What kept the host from taking it.
pub(crate) async fn deliver(
    person: &dyn Person,
    id: RequestId,
    answers: &Answers,
    overridden: Vec<DraftState>,
) -> Result<(), InboxError> {
    // Both that were entered are kept with the request, and one of them counts.
    keep(person, id, overridden).await;
    let answers = json!(answers)["answers"].take();
    let response = Response { answers, provider: ProviderName::Elicitation };
    unless_late(person.answer(id, &response).await)
}

/// Keeps in the person's draft what was entered in a form. What another screen has entered there
/// stays: then it is kept beside it.
pub(crate) async fn keep(person: &dyn Person, id: RequestId, entered: Vec<DraftState>) {
    if entered.is_empty() {
        return;
    }
    let kept = async {
        let before = person.draft(id).await?.questions;
        let write = |state: DraftState| {
            let before = before.iter().find(|entry| entry.state.id == state.id);
            let base = before.filter(|entry| holds_all_of(&state, &entry.state));
            EntryWrite { base: base.map_or(0, |entry| entry.revision), state }
        };
        let questions = entered.into_iter().map(write).collect();
        person.save_draft(id, &DraftWrite { questions }).await.map(drop)
    };
    match unless_late(kept.await) {
        Ok(()) => {}
        Err(error) => tracing::warn!(%error, %id, "what was entered in a form is not kept"),
    }
}

/// Whether nothing of the one is lost where the other takes its place.
fn holds_all_of(new: &DraftState, old: &DraftState) -> bool {
    new.custom.contains(&old.custom) && old.chosen.iter().all(|label| new.chosen.contains(label))
}

/// Tells the host that a person has put a request aside in a form.
///
/// # Errors
/// What kept the host from taking it.
pub(crate) async fn decline(person: &dyn Person, id: RequestId) -> Result<(), InboxError> {
    unless_late(person.cancel(id).await)
}

fn unless_late<T>(taken: Result<T, InboxError>) -> Result<(), InboxError> {
    match taken {
        Err(error) if error.code == ErrorCode::NotPending => Ok(()),
        taken => taken.map(drop),
    }
}
