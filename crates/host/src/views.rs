//! A stored request as it is shown.

use std::sync::Arc;

use askwell_core::wire::{Answering, Ended, InboxError, RequestId, RequestView, Role};
use askwell_core::{State, request};
use askwell_store::Record;

use crate::host::may_see;
use crate::recent::Known;
use crate::{Caller, Host, errors};

impl Host {
    /// A stored request that the caller may see.
    pub(crate) async fn known(
        &self,
        caller: &Caller,
        id: RequestId,
    ) -> Result<Arc<Known>, InboxError> {
        let recent = self.recent().get(id);
        let known = match recent {
            Some(known) => known,
            None => {
                let record = self.read(move |store| store.request(id)).await?;
                Arc::new(read(record.ok_or_else(|| errors::not_found(id))?)?)
            }
        };
        may_see(caller, id, known.record.head.credential)?;
        Ok(known)
    }

    /// The same view with who else is at the request, for an answerer.
    pub(crate) async fn with_others(
        &self,
        caller: &Caller,
        mut view: RequestView,
    ) -> Result<RequestView, InboxError> {
        let id = view.id;
        // Somebody is at it, which may be the caller.
        let is_edited =
            |host: &Self| host.memory().get(id).is_some_and(|it| host.now() < it.rest_until);
        if caller.role() == Role::Answerer && view.state == State::Pending && is_edited(self) {
            let (person, since) = (Arc::clone(caller.person()), Answering::since(self.wall()));
            view.answering = self.read(move |store| store.answering(id, &person, since)).await?;
            self.still_here(&mut view.answering);
        }
        Ok(view)
    }

    /// A stored request as the caller sees it.
    pub(crate) fn view(&self, caller: &Caller, known: &Known) -> RequestView {
        self.view_ended(caller, known, known.record.ended.as_ref())
    }

    /// The same, ended so.
    pub(crate) fn view_ended(
        &self,
        caller: &Caller,
        known: &Known,
        ended: Option<&Ended>,
    ) -> RequestView {
        let record = &known.record;
        let is_answerer = caller.role() == Role::Answerer;
        RequestView {
            id: record.head.id,
            state: ended.map_or(record.head.state, |ended| ended.state),
            request: known.request.clone().into_inner(),
            credential: record.credential_name.clone(),
            created_at: record.head.created_at,
            deadline_at: record.head.deadline_at,
            away_since: record.head.presence.away_since,
            attached: record.head.presence.attached,
            watching: self.hub().watching(),
            answering: Vec::new(),
            url: self.page_url(record.head.id),
            receipt: ended.map(|ended| ended.receipt.clone()),
            outcome: ended.map(|ended| ended.outcome.clone()),
            late: if is_answerer { record.late.clone() } else { Vec::new() },
        }
    }
}

fn read(record: Record) -> Result<Known, InboxError> {
    let text = std::str::from_utf8(&record.text).map_err(errors::internal)?;
    let request = request::from_json(text).map_err(errors::internal)?;
    Ok(Known { record, request })
}
