//! Sending the answer of a card, and what comes too late.
//!
//! Invariant: no text is left behind in silence, and nothing is sent while a question is neither
//! answered nor skipped.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use askwell_core::answer::IssueCode;
use askwell_core::outcome::Outcome;
use askwell_core::wire::{InboxError, ProviderName, Response as Answering};
use askwell_core::{BadResponse, ErrorCode, RequestDraft, limits, project};

use super::action::Action;
use super::card::Notice;
use super::entered::Entered;
use super::form::Turn;
use super::inbox::{Lists, next_place};
use super::layout::see_other;
use super::prompt;
use super::request::Standing;
use crate::failure::Failure;

impl Turn<'_> {
    pub(super) async fn send(
        &self,
        standing: Standing,
        entered: Entered,
    ) -> Result<Response, Failure> {
        let mut draft = entered.shown;
        let (request, action) = (&standing.request, self.action);
        if action == Action::SendWith {
            draft.send_kept();
        }
        if !draft.unfinished(request).is_empty() {
            return self.unfinished(&standing, &entered.merged).await;
        }
        let is_batch = request.questions.len() > 1 || draft.iter().any(|draft| draft.is_skipped());
        if action == Action::Submit && is_batch && self.posted.get("reviewed").is_none() {
            return self.review(&standing, &draft).await;
        }
        let is_told = matches!(action, Action::SendWith | Action::SendWithout);
        if !is_told && draft.kept_texts().next().is_some() {
            let card = standing.card(self.visit, &draft);
            return self.page(&standing, StatusCode::OK, &card.with(&prompt::unsent(&card))).await;
        }
        let answers = match draft.submit(request) {
            Ok(answers) => project::document(&Outcome::Answered(answers), None),
            Err(bad) => return self.rejected(&standing, &draft, &bad).await,
        };
        match self.answer(&standing, answers.clone()).await {
            Ok(()) => self.next(&standing, "sent").await,
            Err(error) if ended_so(&error, &answers) => self.next(&standing, "sent").await,
            Err(error) if error.code == ErrorCode::NotPending => self.ended(standing).await,
            Err(error) => self.failed(&standing, &draft, error).await,
        }
    }

    async fn answer(&self, standing: &Standing, mut document: Value) -> Result<(), InboxError> {
        let (host, caller) = (&self.visit.app.host, &self.visit.session.caller);
        let answers = document["answers"].take();
        let answering = Answering { answers, provider: ProviderName::Web };
        host.answer(caller, standing.view.id, answering).await.map(|_| ())
    }

    /// Names what is open, in order.
    async fn unfinished(
        &self,
        standing: &Standing,
        merged: &RequestDraft,
    ) -> Result<Response, Failure> {
        let texts = self.visit.texts;
        let open = merged.unfinished(&standing.request);
        let why = match self.action {
            Action::Reply => "page-unfinished-reply",
            _ => "page-unfinished",
        };
        let elsewhere = texts.get("page-elsewhere");
        self.refused(standing, merged, StatusCode::UNPROCESSABLE_ENTITY, |card| {
            // With what was entered elsewhere meanwhile nothing is open any more.
            if open.is_empty() {
                card.notice = Some(Notice::Failed(elsewhere));
            }
            card.errors = open.into_iter().map(|index| (index, texts.get(why))).collect();
        })
        .await
    }

    async fn rejected(
        &self,
        standing: &Standing,
        draft: &RequestDraft,
        bad: &BadResponse,
    ) -> Result<Response, Failure> {
        let texts = self.visit.texts;
        let questions = &standing.request.questions;
        let errors = bad.issues.iter().map(|issue| {
            let id = issue.question.as_deref();
            let index = questions.iter().position(|question| Some(question.id.as_str()) == id);
            let text = match issue.code {
                IssueCode::CustomTooLong => {
                    texts.with("page-too-long", [("max", limits::CUSTOM.into())])
                }
                _ => texts.get("page-rejected"),
            };
            (index.unwrap_or(0), text)
        });
        let errors = errors.collect();
        self.refused(standing, draft, StatusCode::UNPROCESSABLE_ENTITY, |card| card.errors = errors)
            .await
    }

    /// On to what waits next.
    pub(super) async fn next(&self, standing: &Standing, how: &str) -> Result<Response, Failure> {
        let lists = Lists::read(self.visit).await?;
        Ok(see_other(&next_place(&lists, Some(standing.view.id), how)))
    }

    /// The request had ended before this came. What was posted is kept with it.
    pub(super) async fn late(
        &self,
        standing: Standing,
        entered: &Entered,
    ) -> Result<Response, Failure> {
        let told = match self.action {
            action if action.sends() => {
                let sent = self.everything(&standing, entered);
                if standing.view.outcome.as_ref() == Some(&sent) {
                    return self.next(&standing, "sent").await;
                }
                match sent["answers"].as_array().is_none_or(Vec::is_empty) {
                    true => Ok(()),
                    false => self.answer(&standing, sent).await,
                }
            }
            Action::DismissYes => self.cancel(&standing).await,
            _ => Ok(()),
        };
        match told {
            Err(error) if error.code != ErrorCode::NotPending => Err(error.into()),
            _ => self.ended(standing).await,
        }
    }

    /// Everything that was entered, as an answer: texts go before choices, since it is to be kept.
    fn everything(&self, standing: &Standing, entered: &Entered) -> Value {
        let mut draft = entered.shown.clone();
        if self.action != Action::SendWithout {
            draft.send_kept();
        }
        if let Ok(answers) = draft.submit(&standing.request) {
            return project::document(&Outcome::Answered(answers), None);
        }
        let questions = standing.request.questions.iter().zip(draft.iter());
        let finished = questions.filter(|(question, draft)| draft.is_finished(question));
        let answers: Vec<_> = finished.map(|(question, draft)| draft.answer(question)).collect();
        json!({ "answers": answers })
    }

    /// How it ended, with what was posted, to be copied.
    pub(super) async fn ended(&self, standing: Standing) -> Result<Response, Failure> {
        let standing = Standing::read(self.visit, &standing.view.id.to_string()).await?;
        let settled = standing.settled(self.visit, self.posted.texts());
        self.page(&standing, StatusCode::CONFLICT, &settled.render()).await
    }
}

/// Whether a request ended so before this came: it was sent twice, by a finger that was too fast.
fn ended_so(error: &InboxError, sent: &Value) -> bool {
    error.details.ended.as_ref().is_some_and(|ended| ended.outcome == *sent)
}
