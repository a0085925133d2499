//! Calls in rounds, for clients of the revisions in which a server may not ask: the call ends with what is
//! to be shown, and the client makes it again with what was entered. No call is open meanwhile.

use std::time::Duration;

use askwell_core::outcome::Outcome;
use askwell_core::wire::{InboxError, RequestId};
use askwell_core::{ErrorCode, State as RequestState, project};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
    ErrorData, InputRequest, InputRequiredResult, InputResponses,
};

use crate::ask::nobody;
use crate::call::{Call, Waiting};
use crate::form::state::{Binding, State};
use crate::form::{Asked, Form, Shown, decline, deliver, keep};
use crate::reply;
use crate::wait::Waited;

/// The name of what is to be shown.
const SHOWN: &str = "form";

impl Call {
    /// What is to be shown, with what brings the client back to this call; nothing where no state can
    /// be sealed.
    pub fn round(
        &self,
        id: Option<RequestId>,
        asked: Asked,
        params: ElicitRequestParams,
        call: &Binding,
    ) -> Option<CallToolResponse> {
        let state = State::new(id, asked).ok()?;
        let sealed = self.shared.seal.seal(&state, call)?;
        let request = InputRequest::Elicitation(ElicitRequest::new(params));
        let requests = [(SHOWN.to_owned(), request)].into();
        Some(InputRequiredResult::new(Some(requests), Some(sealed)).into())
    }

    /// The same with a link to the page of a request, where there is one.
    pub fn round_of_link(
        &self,
        id: RequestId,
        url: Option<&str>,
        call: &Binding,
    ) -> Option<CallToolResponse> {
        let link = Form::link(url?, id, self.shared.options.lang);
        self.round(Some(id), Asked::default(), link, call)
    }

    /// The client has come back.
    ///
    /// # Errors
    /// A state that is not of this call, and a reply that is none.
    pub async fn next_round(
        mut self,
        params: CallToolRequestParams,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = params.arguments.unwrap_or_default();
        let call = Binding::new(&self.principal, &params.name, &arguments);
        let sealed = params.request_state.unwrap_or_default();
        let state = self.shared.seal.open(&sealed, &call).map_err(|why| unusable(&why))?;
        let (request, note) = match self.read(arguments) {
            Ok(read) => read,
            Err(bad) => return Ok((*bad).into()),
        };
        let mut page = None;
        if let Some(id) = state.id {
            match self.look(id).await {
                Ok(view) if view.state == RequestState::Pending => page = view.url,
                Ok(view) => {
                    let brought = self.reply(&state, params.input_responses.as_ref());
                    if let (Some(form), Ok(Some(reply)), Some(person)) =
                        (self.form(&request), brought, &self.seat.person)
                    {
                        form.keep_late(&**person, id, &reply, view.outcome.as_ref()).await;
                    }
                    return Ok(reply::document(self.outcome(&view)).into());
                }
                Err(error) if error.code == ErrorCode::NotFound => {
                    return Err(unusable(&error.message));
                }
                // The state is as good as before, once a host can be had.
                Err(error) => return Ok(reply::refused(&error).into()),
            }
        }
        let reply = self.reply(&state, params.input_responses.as_ref())?;
        let (form, reply) = match (self.form(&request), reply, state.id) {
            (Some(form), Some(reply), _) => (form, reply),
            (Some(form), None, id) => {
                let shown = self.round(id, state.asked, form.params(None, &[]), &call);
                return Ok(shown.unwrap_or_else(|| nobody().into()));
            }
            // It was the link to the page: whatever was said to it, the request waits there.
            (None, Some(_), Some(id)) => return Ok(self.go_on_waiting(id, note).await),
            (None, None, Some(id)) => {
                let shown = self.round_of_link(id, page.as_deref(), &call);
                return Ok(match shown.filter(|_| self.offers_links()) {
                    Some(shown) => shown,
                    None => self.go_on_waiting(id, note).await,
                });
            }
            (None, _, None) => return Ok(nobody().into()),
        };
        let shown = form.read(&reply, state.age(), state.asked);
        if let Shown::Again { said, asked, entered } = shown {
            let params = form.params(Some(&said), &entered);
            if let (Some(person), Some(id)) = (&self.seat.person, state.id) {
                keep(&**person, id, entered).await;
            }
            let shown = self.round(state.id, asked, params, &call);
            return Ok(shown.unwrap_or_else(|| nobody().into()));
        }
        match state.id {
            Some(id) => Ok(self.taken(id, &state, shown, note).await),
            None => Ok(by_form_alone(shown)),
        }
    }

    /// What the client has brought back for this state, unless it was used before: that shows the same
    /// again, and does nothing else.
    fn reply(
        &self,
        state: &State,
        replies: Option<&InputResponses>,
    ) -> Result<Option<ElicitResult>, ErrorData> {
        let Some(reply) = replies.and_then(|replies| replies.get(SHOWN)) else { return Ok(None) };
        let reply: ElicitResult = serde_json::from_value(reply.clone()).map_err(|error| {
            let message = format!("inputResponses.{SHOWN} can't be read: {error}");
            ErrorData::invalid_params(message, None)
        })?;
        Ok(self.shared.seal.use_up(state).then_some(reply))
    }

    /// Tells the host what a form has brought for a request, and how the request stands then.
    async fn taken(
        &mut self,
        id: RequestId,
        state: &State,
        shown: Shown,
        note: Option<String>,
    ) -> CallToolResponse {
        let taken: Result<(), InboxError> = match (&self.seat.person, shown) {
            (Some(person), Shown::Answered { answers, overridden }) => {
                deliver(&**person, id, &answers, overridden).await
            }
            (Some(person), Shown::Declined) => decline(&**person, id).await,
            (Some(person), Shown::Wrong(entered)) => {
                keep(&**person, id, entered).await;
                Ok(())
            }
            (_, Shown::Unseen | Shown::Again { .. }) | (None, _) => Ok(()),
        };
        match taken {
            Ok(()) => self.go_on_waiting(id, note).await,
            Err(error) => {
                // So that what was entered can be brought once more.
                self.shared.seal.give_back(state);
                reply::refused(&error).into()
            }
        }
    }

    /// Waits for what has ended by now, or is left to the inbox.
    async fn go_on_waiting(&mut self, id: RequestId, note: Option<String>) -> CallToolResponse {
        self.progress.tell().await;
        let waited = self.wait_for(&[id], self.longest()).await;
        if let Waited::Ended(view) = waited {
            return reply::document(self.outcome(&view)).into();
        }
        match self.seat.desk.wait(id, Duration::ZERO).await {
            Ok(view) => self.conclude(Waiting::of(&view), waited, note).await.into(),
            Err(error) => reply::refused(&error).into(),
        }
    }
}

/// What a form means that nothing else was shown beside.
fn by_form_alone(shown: Shown) -> CallToolResponse {
    let outcome = match shown {
        Shown::Answered { answers, .. } => Outcome::Answered(answers),
        Shown::Declined => Outcome::Cancelled { comment: None },
        Shown::Unseen | Shown::Wrong(_) | Shown::Again { .. } => return nobody().into(),
    };
    reply::document(project::document(&outcome, None)).into()
}

/// What is said of a state that is not of this call.
pub(crate) fn unusable(why: &str) -> ErrorData {
    ErrorData::invalid_params(format!("requestState can't be used: {why}"), None)
}
