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
use serde_json::json;

use crate::Person;
use content::{Entered, Overridden};

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
        overridden: Vec<Overridden>,
    },
    /// A person does not want to answer.
    Declined,
    /// Nobody has seen it, or it was filled in wrongly twice.
    Unseen,
    /// It is to be shown once more, with this said.
    Again(String),
}

impl Form {
    /// A form of this request; none where no client of this revision could show it.
    pub fn new(request: &ValidRequest, version: ProtocolVersion, lang: Lang) -> Option<Self> {
        let form = Self { request: request.clone(), version, messages: Messages::new(lang) };
        fields::can_be_shown(&form.request, &form.version).then_some(form)
    }

    /// The form, with this said before everything else.
    pub fn params(&self, said: Option<&str>) -> ElicitRequestParams {
        fields::form(&self.request, &self.version, &self.messages, said)
    }

    /// What a reply means that came after so long. `again`: whether the form was shown before.
    pub fn read(&self, reply: &ElicitResult, after: Duration, again: bool) -> Shown {
        match reply.action {
            ElicitationAction::Accept => {}
            _ if after < NO_PERSON => return Shown::Unseen,
            _ => return Shown::Declined,
        }
        match content::read(&self.request, reply.content.as_ref()) {
            Entered::Nothing { .. } if !again => Shown::Again(self.messages.get("form-empty")),
            Entered::Nothing { skipped } => {
                Shown::Answered { answers: skipped, overridden: Vec::new() }
            }
            Entered::Answers { answers, overridden } => Shown::Answered { answers, overridden },
            Entered::Faults(_) if again => Shown::Unseen,
            Entered::Faults(faults) => {
                let faults = faults.join("; ").into();
                Shown::Again(self.messages.with("form-again", [("faults", faults)]))
            }
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
    overridden: Vec<Overridden>,
) -> Result<(), InboxError> {
    if !overridden.is_empty() {
        // Both that were entered are kept with the request, and one of them counts.
        let states = overridden.into_iter().map(|it| DraftState {
            id: it.question,
            chosen: vec![it.label],
            custom: it.custom,
            custom_on: true,
            skipped: false,
        });
        let questions = states.map(|state| EntryWrite { state, base: 0 }).collect();
        if let Err(error) = person.save_draft(id, &DraftWrite { questions }).await {
            tracing::debug!(%error, "what was entered beside an answer is not kept");
        }
    }
    let answers = json!(answers)["answers"].take();
    let response = Response { answers, provider: ProviderName::Elicitation };
    unless_late(person.answer(id, &response).await)
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
