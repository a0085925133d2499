//! What the buttons of a card do, without any script.
//!
//! Invariant: whatever comes of it, what was posted is in the draft on the host, in the page that
//! comes back, or both. What may be sent is the core's to say, who may send it the host's.

use axum::extract::{Path, Request, State as Extracted};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::Markup;

use askwell_core::wire::{DraftWrite, EntryWrite, InboxError, ProviderName, Saved};
use askwell_core::{ErrorCode, RequestDraft, limits};

use super::action::Action;
use super::card::{Card, Notice};
use super::entered::{CUSTOM, Entered, Posted};
use super::layout::{self, see_other};
use super::request::{Standing, respond};
use super::visit::Visit;
use super::{failures, prompt, review, sign_in};
use crate::app::App;
use crate::body;
use crate::failure::Failure;
use crate::form::Form;
use crate::options::{ANSWERED, SMALL};
use crate::session::Session;

/// `POST /r/{id}`
pub(super) async fn post(
    Extracted(app): Extracted<App>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (parts, mut body) = request.into_parts();
    let session = Session::from_parts(&app, &parts.headers);
    let most = if session.is_ok() { ANSWERED } else { SMALL };
    let place = failures::Place::of(&parts.uri, &parts.headers);
    let posted = match Form::read(&app, &parts.headers, &mut body, most).await {
        Ok(form) => Posted::of(form),
        Err(failure) => {
            body::drain(&mut body, &parts.headers).await;
            return failures::page(&app, &place, &failure);
        }
    };
    let texts = posted.texts();
    let session = match session {
        Ok(session) => session,
        Err(_) if texts.is_empty() => {
            return sign_in::needed(&app, &parts.uri, &parts.headers);
        }
        Err(failure) => return failures::page_with(&app, &place, &failure, &texts),
    };
    let visit = Visit::new(&app, session, &parts.uri, &parts.headers);
    let done = match app.rates.take(visit.session.caller.credential()) {
        Ok(()) => Turn::new(&visit, &posted).take(&id, &parts.headers).await,
        Err(failure) => Err(failure),
    };
    done.unwrap_or_else(|failure| failures::page_with(&app, &visit.place(), &failure, &texts))
}

/// One post, by somebody who is signed in.
pub(super) struct Turn<'a> {
    pub visit: &'a Visit,
    pub posted: &'a Posted,
    pub action: Action,
}

impl<'a> Turn<'a> {
    fn new(visit: &'a Visit, posted: &'a Posted) -> Self {
        Self { visit, posted, action: Action::of(posted) }
    }

    async fn take(&self, id: &str, headers: &HeaderMap) -> Result<Response, Failure> {
        let mut standing = Standing::read(self.visit, id).await?;
        let entered = self.entered(&standing);
        let token = self.posted.get("token").unwrap_or_default();
        if let Err(failure) = self.visit.session.check(token, headers) {
            return self.foreign(&standing, &entered, failure).await;
        }
        if self.visit.query("part") == Some("review") {
            let card = standing.card(self.visit, &entered.shown);
            return Ok(layout::part(&self.visit.app, StatusCode::OK, review::list(&card)));
        }
        if let Err(error) = self.save(&mut standing, &entered.writes).await {
            return self.failed(&standing, &entered.merged, error).await;
        }
        if !standing.is_pending() {
            return self.late(standing, &entered).await;
        }
        match self.action {
            action if action.sends() => self.send(standing, entered).await,
            Action::Review => self.review(&standing, &entered.shown).await,
            Action::SkipRest => self.skip_rest(&standing, &entered.shown).await,
            Action::SkipRestYes => self.skip_rest_yes(standing, entered).await,
            Action::Dismiss => self.dismiss(&standing, &entered.merged, None).await,
            Action::DismissYes => self.dismiss_yes(standing, entered).await,
            Action::Extend => self.extend(standing, entered).await,
            Action::Restore => self.restore(standing, entered).await,
            _ => Ok(see_other(&self.place(&standing))),
        }
    }

    /// What was posted, with the choice that the button itself is.
    fn entered(&self, standing: &Standing) -> Entered {
        let choice = match self.action {
            Action::Choose(option) => Some(option.to_string()),
            Action::Reply => Some(CUSTOM.to_owned()),
            _ => None,
        };
        let entries = &standing.draft.questions;
        match choice {
            None => Entered::read(&standing.request, entries, self.posted),
            Some(choice) => {
                let chosen = self.posted.with_choice(0, &choice);
                Entered::read(&standing.request, entries, &chosen)
            }
        }
    }

    /// Where a button leads that only saves.
    fn place(&self, standing: &Standing) -> String {
        if let Action::Leave(way) = self.action {
            return way.address();
        }
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        let as_question = match self.action {
            Action::AsQuestion => true,
            Action::AsPlan => false,
            _ => self.visit.query("view") == Some("question"),
        };
        if as_question {
            pairs.append_pair("view", "question");
        }
        let mut fragment = String::new();
        match self.action {
            Action::Save => {
                pairs.append_pair("saved", "");
            }
            Action::Extend => {
                pairs.append_pair("extended", "");
            }
            Action::StartEmpty => {
                pairs.append_pair("offer", "no");
            }
            Action::Language(lang) => {
                pairs.append_pair("lang", lang.tag());
            }
            Action::Edit(question) => fragment = format!("#q{question}"),
            _ => {}
        }
        let (id, query) = (standing.view.id, pairs.finish());
        match query.is_empty() {
            true => format!("/r/{id}{fragment}"),
            false => format!("/r/{id}?{query}{fragment}"),
        }
    }

    /// Puts what was edited on the host. What another screen wrote meanwhile is replaced by it, and
    /// kept there. `standing` is as it is then.
    async fn save(&self, standing: &mut Standing, writes: &[EntryWrite]) -> Result<(), InboxError> {
        let (host, caller) = (&self.visit.app.host, &self.visit.session.caller);
        let id = standing.view.id;
        let mut writes = writes.to_vec();
        // Once more on the base that is there now; a third time two screens would be racing.
        for _ in 0..2 {
            if writes.is_empty() {
                return Ok(());
            }
            let write = DraftWrite { questions: std::mem::take(&mut writes) };
            let saved = match host.save_draft(caller, id, &write).await {
                Ok(saved) => saved,
                Err(error) if error.code == ErrorCode::NotPending => {
                    standing.view = host.get(caller, id).await?;
                    standing.draft = host.draft(caller, id).await?;
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            let stale = write.questions.into_iter().zip(&saved.questions);
            let stale = stale.filter(|(_, saved)| saved.result == Saved::Stale);
            writes = stale
                .map(|(write, saved)| EntryWrite { base: saved.entry.revision, ..write })
                .collect();
            standing.draft = host.draft(caller, id).await?;
        }
        Ok(())
    }

    pub(super) async fn page(
        &self,
        standing: &Standing,
        status: StatusCode,
        main: &Markup,
    ) -> Result<Response, Failure> {
        respond(self.visit, standing, status, main).await
    }

    /// The card as it was entered, with what keeps it from being done.
    pub(super) async fn refused(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
        status: StatusCode,
        change: impl FnOnce(&mut Card<'_>),
    ) -> Result<Response, Failure> {
        let mut card = standing.card(self.visit, draft);
        change(&mut card);
        self.page(standing, status, &card.render()).await
    }

    /// A form that another sign-in's page holds, or another site's. Nothing is done; the person's own
    /// words are still there, in a form of this sign-in.
    async fn foreign(
        &self,
        standing: &Standing,
        entered: &Entered,
        failure: Failure,
    ) -> Result<Response, Failure> {
        if !standing.is_pending() {
            return Err(failure);
        }
        let text = self.visit.texts.get("page-form-foreign");
        self.refused(standing, &entered.merged, StatusCode::FORBIDDEN, |card| {
            card.notice = Some(Notice::Failed(text));
        })
        .await
    }

    /// The host could not do it.
    pub(super) async fn failed(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
        error: InboxError,
    ) -> Result<Response, Failure> {
        let texts = self.visit.texts;
        let text = match error.code {
            _ if !standing.is_pending() => return Err(error.into()),
            ErrorCode::Request(_) => texts.with("page-too-much", [("max", limits::REQUEST.into())]),
            ErrorCode::StoreUnavailable => texts.get("page-not-saved"),
            _ => return Err(error.into()),
        };
        let failure = Failure::from(error);
        let status = StatusCode::from_u16(failure.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if let Some(message) = failure.message_for_log() {
            tracing::error!(code = failure.code(), "{message}");
        }
        self.refused(standing, draft, status, |card| card.notice = Some(Notice::Failed(text))).await
    }

    pub(super) async fn review(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
    ) -> Result<Response, Failure> {
        let card = standing.card(self.visit, draft);
        self.page(standing, StatusCode::OK, &card.with(&review::face(&card))).await
    }

    async fn skip_rest(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
    ) -> Result<Response, Failure> {
        if draft.unfinished(&standing.request).is_empty() {
            return self.review(standing, draft).await;
        }
        let card = standing.card(self.visit, draft);
        self.page(standing, StatusCode::OK, &card.with(&prompt::skip_rest(&card))).await
    }

    async fn skip_rest_yes(
        &self,
        mut standing: Standing,
        entered: Entered,
    ) -> Result<Response, Failure> {
        let mut draft = entered.shown;
        let open = draft.unfinished(&standing.request);
        for index in &open {
            draft.get_mut(*index).set_skipped(true);
        }
        let write = |index: &usize| EntryWrite {
            state: draft.get(*index).state(&standing.request.questions[*index]),
            base: standing.draft.questions[*index].revision,
        };
        let writes: Vec<EntryWrite> = open.iter().map(write).collect();
        match self.save(&mut standing, &writes).await {
            Ok(()) => self.review(&standing, &draft).await,
            Err(error) => self.failed(&standing, &draft, error).await,
        }
    }

    async fn dismiss(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
        refused: Option<String>,
    ) -> Result<Response, Failure> {
        let mut card = standing.card(self.visit, draft);
        let status = match refused {
            Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
            None => StatusCode::OK,
        };
        card.notice = refused.map(Notice::Failed);
        let comment = self.posted.get("comment").unwrap_or_default();
        self.page(standing, status, &card.with(&prompt::dismiss(&card, comment))).await
    }

    async fn dismiss_yes(&self, standing: Standing, entered: Entered) -> Result<Response, Failure> {
        match self.cancel(&standing).await {
            Ok(()) => self.next(&standing, "dismissed").await,
            Err(error) if error.code == ErrorCode::NotPending => self.ended(standing).await,
            Err(error) if matches!(error.code, ErrorCode::Request(_)) => {
                let max = [("max", limits::COMMENT.into())];
                let text = self.visit.texts.with("page-too-long", max);
                self.dismiss(&standing, &entered.merged, Some(text)).await
            }
            Err(error) => self.failed(&standing, &entered.merged, error).await,
        }
    }

    pub(super) async fn cancel(&self, standing: &Standing) -> Result<(), InboxError> {
        let comment = self.posted.get("comment");
        let (host, caller) = (&self.visit.app.host, &self.visit.session.caller);
        host.cancel(caller, standing.view.id, comment, ProviderName::Web).await.map(|_| ())
    }

    async fn extend(&self, standing: Standing, entered: Entered) -> Result<Response, Failure> {
        let (host, caller) = (&self.visit.app.host, &self.visit.session.caller);
        match host.extend(caller, standing.view.id).await {
            Ok(_) => Ok(see_other(&self.place(&standing))),
            Err(error) if error.code == ErrorCode::NotPending => self.ended(standing).await,
            Err(error) => self.failed(&standing, &entered.merged, error).await,
        }
    }

    /// Takes up what was entered when the same was asked before, where nothing was entered since.
    async fn restore(&self, mut standing: Standing, entered: Entered) -> Result<Response, Failure> {
        let offered = standing.draft.offered.take();
        let states = offered.map(|offered| offered.questions).unwrap_or_default();
        let entries = standing.draft.questions.iter().enumerate();
        let untouched = entries.filter(|(index, _)| entered.merged.get(*index).is_untouched());
        let writes: Vec<EntryWrite> = untouched
            .filter_map(|(index, entry)| {
                let state = states.get(index)?.clone();
                Some(EntryWrite { state, base: entry.revision })
            })
            .collect();
        match self.save(&mut standing, &writes).await {
            Ok(()) => Ok(see_other(&self.place(&standing))),
            Err(error) => self.failed(&standing, &entered.merged, error).await,
        }
    }
}
