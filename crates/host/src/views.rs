//! A stored request as it is shown.

use askwell_core::wire::{InboxError, RequestId, RequestView, Role};
use askwell_core::{ValidRequest, request};
use askwell_store::Record;

use crate::host::may_see;
use crate::{Caller, Host, errors};

impl Host {
    /// A stored request that the caller may see.
    pub(crate) async fn record(
        &self,
        caller: &Caller,
        id: RequestId,
    ) -> Result<Record, InboxError> {
        let record = self.read(move |store| store.request(id)).await?;
        let record = record.ok_or_else(|| errors::not_found(id))?;
        may_see(caller, id, record.head.credential)?;
        Ok(record)
    }

    /// A stored request as the caller sees it.
    pub(crate) fn view(&self, caller: &Caller, record: Record) -> Result<RequestView, InboxError> {
        let presence = record.head.presence;
        let (outcome, receipt) = match record.ended {
            Some(ended) => (Some(ended.outcome), Some(ended.receipt)),
            None => (None, None),
        };
        let is_answerer = caller.role() == Role::Answerer;
        Ok(RequestView {
            id: record.head.id,
            state: record.head.state,
            request: serde_json::from_slice(&record.text).map_err(errors::internal)?,
            credential: record.credential_name,
            created_at: record.head.created_at,
            deadline_at: record.head.deadline_at,
            away_since: presence.away_since,
            attached: presence.attached,
            watching: self.hub().watching(),
            url: self.page_url(record.head.id),
            receipt,
            outcome,
            late: if is_answerer { record.late } else { Vec::new() },
        })
    }
}

/// The request of a record, for the rules that need it.
pub(crate) fn valid_request(record: &Record) -> Result<ValidRequest, InboxError> {
    let text = std::str::from_utf8(&record.text).map_err(errors::internal)?;
    request::from_json(text).map_err(errors::internal)
}
