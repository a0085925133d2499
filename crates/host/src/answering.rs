//! The end of a request: answered, put aside, withdrawn; and putting its deadline off.

use askwell_core::fault::Rule;
use askwell_core::outcome::Outcome;
use askwell_core::text::is_blank;
use askwell_core::wire::{
    Ended, InboxError, ProviderName, Receipt, RequestId, RequestView, Response, Role,
};
use askwell_core::{State, answer, json, limits, project};
use askwell_store::{Condition, Extended, LateRow, Settled, Settlement};
use serde_json::{Value, json};

use crate::memory::moment;
use crate::recent::Known;
use crate::{Caller, Host, errors};

impl Host {
    /// Answers (answerer). The first valid answer wins, once; it is on disk when this returns.
    ///
    /// # Errors
    /// `BAD_RESPONSE` with every issue, and nothing changed; `NOT_PENDING` with the outcome, and
    /// what was sent kept beside it; `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn answer(
        &self,
        caller: &Caller,
        id: RequestId,
        response: Response,
    ) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let sent = json!({ "answers": response.answers });
        within_a_request(&sent)?;
        let known = self.known(caller, id).await?;
        let answers = answer::validate_json(&known.request, &sent);
        // Of a request that has ended, whatever was sent is kept.
        let (outcome, late) = match answers {
            Ok(answers) => {
                let document = project::document(&Outcome::Answered(answers), None);
                (document.clone(), document)
            }
            Err(bad) if known.record.ended.is_none() => return Err(bad.into()),
            Err(_) => (Value::Null, sent),
        };
        let ending = Ending { state: State::Answered, outcome, late: Some(late) };
        self.end(caller, &known, ending, Some(response.provider)).await
    }

    /// Puts the whole request aside (answerer), optionally saying why.
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome, and the comment kept; `LIMIT_EXCEEDED` for a comment over
    /// its bound; `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn cancel(
        &self,
        caller: &Caller,
        id: RequestId,
        comment: Option<&str>,
        provider: ProviderName,
    ) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let comment = comment.map(answer::canonical_custom).filter(|comment| !is_blank(comment));
        if let Some(comment) = &comment {
            errors::within("comment", comment, limits::COMMENT)?;
        }
        let known = self.known(caller, id).await?;
        let late = comment.as_ref().map(|comment| json!({ "comment": comment }));
        let outcome = project::document(&Outcome::Cancelled { comment }, None);
        let ending = Ending { state: State::Cancelled, outcome, late };
        self.end(caller, &known, ending, Some(provider)).await
    }

    /// Withdraws (its own asker, admin). The reason says why, as in "withdrawn before an answer: …".
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome; `LIMIT_EXCEEDED` for a reason over the bound of a comment;
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn abort(
        &self,
        caller: &Caller,
        id: RequestId,
        reason: &str,
    ) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Asker, Role::Admin])?;
        errors::within("reason", reason, limits::COMMENT)?;
        let reason = if is_blank(reason) { caller.name() } else { reason.trim() }.to_owned();
        let known = self.known(caller, id).await?;
        let outcome = project::document(&Outcome::Aborted { reason }, None);
        let ending = Ending { state: State::Aborted, outcome, late: None };
        self.end(caller, &known, ending, None).await
    }

    async fn end(
        &self,
        caller: &Caller,
        known: &Known,
        ending: Ending,
        provider: Option<ProviderName>,
    ) -> Result<RequestView, InboxError> {
        let (id, at) = (known.record.head.id, self.wall());
        let by = match caller.role() {
            Role::Answerer => caller.person().to_string(),
            Role::Asker | Role::Admin => caller.name().to_owned(),
        };
        let late = ending.late.map(|response| LateRow {
            at,
            provider: provider.unwrap_or_default(),
            by: by.clone(),
            response,
        });
        let receipt = Receipt { at, provider, by: Some(by), picked_up_at: None };
        let settlement = Settlement {
            id,
            condition: Condition::Pending,
            state: ending.state,
            outcome: ending.outcome.clone(),
            receipt: receipt.clone(),
            late,
        };
        match self.settle(settlement).await? {
            Settled::Won { .. } => {
                let (state, outcome) = (ending.state, ending.outcome);
                let ended = Ended { state, receipt, outcome };
                Ok(self.view_ended(caller, known, Some(&ended)))
            }
            Settled::Late(ended) => Err(errors::not_pending(ended)),
            Settled::Missing | Settled::NotDue => Err(errors::not_found(id)),
        }
    }

    /// Ends a request, if it may be ended so; then everybody hears of it.
    pub(crate) async fn settle(&self, settlement: Settlement) -> Result<Settled, InboxError> {
        let id = settlement.id;
        let ended = Ended {
            state: settlement.state,
            receipt: settlement.receipt.clone(),
            outcome: settlement.outcome.clone(),
        };
        self.write(
            |store, done| store.settle(settlement, done),
            move |host, settled| {
                if let Settled::Won { event } = settled {
                    host.on_settled(*event, id, ended);
                }
            },
        )
        .await
    }

    /// Puts the deadline off (answerer), from what it is now. Nothing changes where there is none.
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome; `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn extend(&self, caller: &Caller, id: RequestId) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let by = self.config().extension;
        let effect = move |host: &Self, extended: &Extended| {
            let Extended::Until(deadline_at) = *extended else { return };
            host.recent().remove(id);
            host.memory().change(id, |entry| {
                let counted = entry.deadline.map_or_else(|| host.now(), |(_, counted)| counted);
                entry.deadline = Some((deadline_at, counted + moment(by)));
            });
            host.tell_changed(id);
        };
        match self.write(|store, done| store.extend(id, by, done), effect).await? {
            Extended::Until(_) | Extended::Never => {
                let known = self.known(caller, id).await?;
                self.with_others(caller, self.view(caller, &known)).await
            }
            Extended::Ended(ended) => Err(errors::not_pending(ended)),
            Extended::Missing => Err(errors::not_found(id)),
        }
    }
}

/// How a request is to end.
struct Ending {
    state: State,
    outcome: Value,
    /// What to keep where it comes too late.
    late: Option<Value>,
}

/// An answer is kept as it was sent where it comes too late, so it may not be boundless.
fn within_a_request(sent: &Value) -> Result<(), InboxError> {
    /// Every text of every question at its bound, and some more.
    const MOST: usize = 4 * limits::REQUEST;
    if json::is_deeper_than(&sent["answers"], limits::NESTING) {
        return Err(errors::fault("answers", Rule::TooDeep { max: limits::NESTING }));
    }
    errors::within("answers", &sent.to_string(), MOST)
}
