//! Lists of requests, and forgetting old ones.

use std::time::Duration;

use askwell_core::fault::Rule;
use askwell_core::wire::{Answering, HistoryQuery, InboxError, ListQuery, Page, Role};
use askwell_store::{HistoryRead, ListRead};

use crate::{Caller, Host, errors};

/// How many requests are forgotten in one write.
const PURGED_AT_ONCE: u32 = 200;

impl Host {
    /// A page of what waits, in the order in which it was asked (answerer: everything; asker: its
    /// own).
    ///
    /// # Errors
    /// `BAD_REQUEST` where `after` is not from an earlier page; `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn list(&self, caller: &Caller, query: &ListQuery) -> Result<Page, InboxError> {
        self.admit(caller, &[Role::Asker, Role::Answerer])?;
        let after = query.after.as_deref().map(list_place).transpose()?;
        let is_asker = caller.role() == Role::Asker;
        let read = ListRead {
            filter: query.filter,
            credential: is_asker.then(|| caller.credential()),
            person: (!is_asker).then(|| caller.person().to_string()),
            others_since: (!is_asker).then(|| Answering::since(self.wall())),
            session: query.session.clone(),
            after,
            limit: ListQuery::page_size(query.limit),
        };
        let mut page = self.read(move |store| store.list(&read)).await?;
        for request in &mut page.requests {
            self.still_here(&mut request.answering);
        }
        let next = page.next.map(|next| format!("{}.{next}", page.event));
        let event_id = self.event_id(page.event);
        Ok(Page { requests: page.requests, next, event_id, now: self.wall() })
    }

    /// A page of what has ended, newest first (answerer).
    ///
    /// # Errors
    /// `BAD_REQUEST` where `after` is not from an earlier page; `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn history(&self, caller: &Caller, query: &HistoryQuery) -> Result<Page, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let read = HistoryRead {
            search: query.search.as_deref().map(str::to_lowercase),
            before: query.after.as_deref().map(history_place).transpose()?,
            limit: ListQuery::page_size(query.limit),
        };
        let page = self.read(move |store| store.history(&read)).await?;
        let next = page.next.map(|next| next.to_string());
        let event_id = self.event_id(page.event);
        Ok(Page { requests: page.requests, next, event_id, now: self.wall() })
    }

    /// Forgets what ended longer ago than this (admin). Tells how many requests that were.
    ///
    /// # Errors
    /// `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn purge(&self, caller: &Caller, keep: Duration) -> Result<u64, InboxError> {
        self.admit(caller, &[Role::Admin])?;
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let before = self.wall().saturating_sub(keep);
        let mut forgotten = 0;
        loop {
            let ids = self.read(move |store| store.ended_before(before, PURGED_AT_ONCE)).await?;
            let count = ids.len();
            if count > 0 {
                forgotten += self.write(|store, done| store.purge(ids, done), |_, _| {}).await?;
            }
            if count < PURGED_AT_ONCE as usize {
                return Ok(forgotten);
            }
        }
    }
}

fn list_place(after: &str) -> Result<(u64, u64), InboxError> {
    let place = after.split_once('.').and_then(|(event, row)| number(event).zip(number(row)));
    place.ok_or_else(bad_place)
}

fn history_place(after: &str) -> Result<u64, InboxError> {
    number(after).ok_or_else(bad_place)
}

/// What SQLite and PostgreSQL can hold.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| i64::try_from(*number).is_ok())
}

fn bad_place() -> InboxError {
    errors::fault("after", Rule::Unknown { expected: "the `next` of an earlier page" })
}
