//! `ask_user_question`: reads a request, and has it put to the person: in the inbox, in a form of the
//! client, or in both; or has it answered by rule.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::outcome::Outcome;
use askwell_core::wire::{Asked, IdempotencyKey, InboxError, Posting, RequestId};
use askwell_core::{Asker, ErrorCode, State, ValidRequest, lenient, limits, project, texts, tool};
use rmcp::model::{CallToolResponse, CallToolResult, JsonObject};

use crate::call::{Call, Waiting};
use crate::form::state::Binding;
use crate::form::{Asked as Once, Form, Shown, Shows, offer};
use crate::options::Provider;
use crate::reply;
use crate::wait::{Beside, Waited};

impl Call {
    /// Asks.
    pub async fn ask(mut self, arguments: JsonObject) -> CallToolResponse {
        let call = Binding::new(&self.principal, tool::ASK_USER_QUESTION, &arguments);
        let (request, note) = match self.read(arguments) {
            Ok(read) => read,
            Err(bad) => return (*bad).into(),
        };
        // Before anything else: a host may have to be started first.
        self.progress.tell().await;
        if let Some(rule) = self.seat.rule.clone() {
            return match rule.answers(&request).await {
                Ok(answers) => {
                    let answered = Outcome::Answered(answers);
                    reply::document(project::document(&answered, None)).into()
                }
                Err(why) => reply::no_recorded_answer(&why).into(),
            };
        }
        let form = self.form(&request);
        if self.shared.options.provider == Provider::Elicitation {
            return match form {
                Some(form) => self.by_form_alone(form, &call).await,
                None => nobody().into(),
            };
        }
        let rounds = self.modern && (form.is_some() || self.offers_links());
        let key = IdempotencyKey::of_session(&self.seat.session, &request);
        // While a form is shown in rounds no call is open, and the client is not away.
        let posting = Posting { attach: !rounds, key: Some(key) };
        // What the client knows by now is not joined.
        self.delivery.settled().await;
        let asked = match self.seat.desk.ask(&request, &posting).await {
            Ok(asked) => asked,
            Err(error) => return reply::not_asked(&error).into(),
        };
        let waiting = Waiting {
            id: asked.id,
            question: request.questions.first().map_or("", |question| question.question.as_str()),
            page: asked.url.as_deref(),
        };
        if asked.state != State::Pending {
            let waited = self.wait_for(&[asked.id], Duration::ZERO).await;
            return self.conclude(waiting, waited, note).await.into();
        }
        let shown = match &form {
            _ if !rounds => None,
            Some(form) => {
                self.round(Some(asked.id), Once::default(), form.params(None, &[]), &call)
            }
            None => self.round_of_link(asked.id, asked.url.as_deref(), &call),
        };
        if let Some(shown) = shown {
            return shown;
        }
        let beside = match rounds {
            // No state could be sealed.
            true => None,
            false => self.beside(&asked, form),
        };
        let waited = self.wait_beside(asked.id, self.longest(), beside).await;
        self.conclude(waiting, waited, note).await.into()
    }

    /// The request that is asked, with what is to be said of it unless it is answered.
    pub fn read(
        &self,
        arguments: JsonObject,
    ) -> Result<(ValidRequest, Option<String>), Box<CallToolResult>> {
        let request = lenient::request_from_value(arguments.into())
            .map_err(|bad| Box::new(reply::bad_request(&bad)))?;
        let least = self.shared.options.min_expiry;
        let (request, short) = self.signed(request).expiring_no_sooner_than(least);
        Ok((request, short.map(|asked| texts::expiry_raised(asked, least))))
    }

    /// The request with who asks. Its session is the client's, whatever a model says.
    fn signed(&self, request: ValidRequest) -> ValidRequest {
        let mut signed = request.clone().into_inner();
        let asker = signed.asker.get_or_insert_with(Asker::default);
        let fits = |text: &String| !text.trim().is_empty() && text.len() <= limits::ASKER;
        if let Some(name) = Some(self.client.clone()).filter(fits) {
            asker.name = Some(name);
        }
        if let Some(cwd) = self.seat.cwd.clone().filter(fits) {
            asker.cwd = Some(cwd);
        }
        asker.session = Some(self.seat.session.clone());
        // Only the size of the whole could be too much.
        signed.validate().unwrap_or(request)
    }

    /// The form of a request, where this client shows forms and there is somebody in whose name its
    /// answer is given.
    pub fn form(&self, request: &ValidRequest) -> Option<Form> {
        let may = match self.shared.options.provider {
            Provider::Inbox => false,
            Provider::Auto => self.seat.person.is_some(),
            Provider::Elicitation => true,
        };
        let shows = may && self.shows == Shows::Forms;
        let lang = self.shared.options.lang;
        shows.then(|| Form::new(request, self.version.clone(), lang)).flatten()
    }

    /// Whether this client is offered a link to the page.
    pub fn offers_links(&self) -> bool {
        let auto = self.shared.options.provider == Provider::Auto;
        auto && self.shows == Shows::Links && self.seat.person.is_some()
    }

    /// What is shown in the client while the request waits in the inbox, once for each request.
    fn beside(&self, asked: &Asked, form: Option<Form>) -> Option<Beside> {
        let (person, peer) = (Arc::clone(self.seat.person.as_ref()?), self.peer.clone());
        let id = asked.id;
        let link = asked.url.as_deref().filter(|_| self.offers_links());
        let link = link.map(|url| Form::link(url, id, self.shared.options.lang));
        if (form.is_none() && link.is_none()) || !self.shared.shown.begin(id) {
            return None;
        }
        let shared = Arc::clone(&self.shared);
        Some(Box::pin(async move {
            match (form, link) {
                (Some(form), _) => offer::beside_the_inbox(form, peer, person, id).await,
                (None, Some(link)) => offer::link_to_the_inbox(link, peer, person, id).await,
                (None, None) => {}
            }
            shared.shown.end(id);
        }))
    }

    /// Asks in the client's own form, and nowhere else.
    async fn by_form_alone(mut self, form: Form, call: &Binding) -> CallToolResponse {
        if self.modern {
            let shown = self.round(None, Once::default(), form.params(None, &[]), call);
            return shown.unwrap_or_else(|| nobody().into());
        }
        let Self { under_way, progress, peer, .. } = &mut self;
        let ended = tokio::select! {
            ended = offer::show(&form, peer, None, std::future::pending()) => Some(ended),
            _ = under_way.cut() => None,
            () = progress.tell_on() => None,
        };
        let outcome = match ended {
            Some(offer::Ended::Shown(Shown::Answered { answers, .. })) => {
                Outcome::Answered(answers)
            }
            Some(offer::Ended::Shown(Shown::Declined)) => Outcome::Cancelled { comment: None },
            Some(_) | None => return nobody().into(),
        };
        reply::document(project::document(&outcome, None)).into()
    }

    /// Waits for one request, while something is shown beside it. What is still shown then goes on by
    /// itself, until the request ends.
    async fn wait_beside(
        &mut self,
        id: RequestId,
        at_most: Duration,
        beside: Option<Beside>,
    ) -> Waited {
        /// How long a form is waited for that is withdrawn, so that it goes before the result comes.
        const WITHDRAWN: Duration = Duration::from_millis(300);
        let Some(mut beside) = beside else { return self.wait_for(&[id], at_most).await };
        let ids = [id];
        let waiting = self.wait_for(&ids, at_most);
        tokio::pin!(waiting);
        let mut is_shown = true;
        let waited = loop {
            tokio::select! {
                biased;
                waited = &mut waiting => break waited,
                () = &mut beside, if is_shown => is_shown = false,
            }
        };
        let is_over = matches!(waited, Waited::Ended(_));
        if is_shown && is_over {
            is_shown = tokio::time::timeout(WITHDRAWN, &mut beside).await.is_err();
        }
        if is_shown {
            tokio::spawn(beside);
        }
        waited
    }
}

/// The client shows nothing, and there is nothing else.
pub(crate) fn nobody() -> CallToolResult {
    let why = "the client shows no forms, and no other provider is set";
    reply::not_asked(&InboxError::new(ErrorCode::NoProvider, why))
}
