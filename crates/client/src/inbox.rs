//! The calls of [`Inbox`] as they go over HTTP.

use std::thread;
use std::time::{Duration, Instant};

use askwell_core::ValidRequest;
use askwell_core::outcome::State;
use askwell_core::wire::{
    Asked, DraftSaved, DraftView, DraftWrite, EventId, EventStream, HistoryQuery, IdempotencyKey,
    Inbox, InboxError, Leaving, ListFilter, ListQuery, Page, Posting, ProviderName, RequestId,
    RequestView, Response,
};
use askwell_core::{ErrorCode, request};
use serde_json::{Value, json};

use crate::backoff::Backoff;
use crate::call::Call;
use crate::client::{Again, Client};
use crate::events::Events;

/// A wait is asked for in slices: shorter than a lease, so that it is renewed, and than what cuts
/// silent connections.
const SLICE: Duration = Duration::from_secs(25);

/// How much longer than it was asked for an answer to a wait may take.
const GRACE: Duration = Duration::from_secs(10);

pub(crate) const REQUESTS: &str = "/api/v1/requests";

impl Inbox for Client {
    fn ask(&self, request: &ValidRequest, posting: &Posting) -> Result<Asked, InboxError> {
        // With a key of its own a call that broke is found again and not asked twice.
        let own = match &posting.key {
            Some(_) => None,
            None => Some(own_key()?),
        };
        let key = posting.key.as_ref().or(own.as_ref());
        let path = format!("{REQUESTS}?attach={}", posting.attach);
        let mut call = Call::send("POST", path, &json!(**request));
        // An earlier post that arrived is a live waiter, which a derived key does not join.
        let mut again = Again::IfUnsent;
        if let Some(key) = key {
            let derived = key.is_derived();
            let name = if derived { "askwell-derived-key" } else { "idempotency-key" };
            call.headers.push((name, key.as_str()));
            again = if derived { Again::IfUnsent } else { Again::Always };
        }
        let mut asked: Asked = self.call(&call, again)?;
        // Joined with ourselves is not joined.
        asked.joined &= own.is_none();
        Ok(asked)
    }

    fn get(&self, id: RequestId) -> Result<RequestView, InboxError> {
        self.call(&Call::get(at(id, "")), Again::Always)
    }

    fn wait(&self, id: RequestId, at_most: Duration) -> Result<RequestView, InboxError> {
        self.wait_at(id, at_most, "")
    }

    fn list(&self, query: &ListQuery) -> Result<Page, InboxError> {
        let state = match query.filter {
            ListFilter::Pending => "pending",
            ListFilter::Open => "open",
        };
        let parts = [
            ("state", Some(state.to_owned())),
            ("session", query.session.clone()),
            ("after", query.after.clone()),
            ("limit", query.limit.map(|limit| limit.to_string())),
        ];
        self.call(&Call::get(with_query(REQUESTS, parts)), Again::Always)
    }

    fn detach(&self, id: RequestId, leaving: Leaving) -> Result<RequestView, InboxError> {
        self.post(id, "/detach", &json!({ "leaving": leaving }), Again::Always)
    }

    fn draft(&self, id: RequestId) -> Result<DraftView, InboxError> {
        self.call(&Call::get(at(id, "/draft")), Again::Always)
    }

    fn save_draft(&self, id: RequestId, write: &DraftWrite) -> Result<DraftSaved, InboxError> {
        // A second one with the same content on an old base would be told stale, and its text kept
        // beside itself.
        let call = Call::send("PUT", at(id, "/draft"), &json!(write));
        self.call(&call, Again::IfUnsent).or_else(|mut error: InboxError| {
            // The rest was saved: what became of each question says which one was stale.
            match error.details.draft.take() {
                Some(saved) if error.code == ErrorCode::StaleDraft => Ok(saved),
                _ => Err(error),
            }
        })
    }

    fn answer(&self, id: RequestId, response: &Response) -> Result<RequestView, InboxError> {
        let first = self.post(id, "/answer", &json!(response), Again::IfUnsent);
        self.after_a_cut(
            id,
            first,
            |view, request| {
                let sent = json!({ "answers": response.answers });
                let sent = askwell_core::answer::validate_json(request, &sent).ok();
                let there = view.typed_outcome(request);
                sent.is_some_and(|sent| there == Some(askwell_core::Outcome::Answered(sent)))
            },
            || self.post(id, "/answer", &json!(response), Again::IfUnsent),
        )
    }

    fn cancel(
        &self,
        id: RequestId,
        comment: Option<&str>,
        provider: ProviderName,
    ) -> Result<RequestView, InboxError> {
        let body = match comment {
            Some(comment) => json!({ "comment": comment, "provider": provider }),
            None => json!({ "provider": provider }),
        };
        let cancelled = askwell_core::Outcome::Cancelled { comment: comment.map(str::to_owned) };
        let first = self.post(id, "/cancel", &body, Again::IfUnsent);
        self.after_a_cut(
            id,
            first,
            |view, request| view.typed_outcome(request).as_ref() == Some(&cancelled),
            || self.post(id, "/cancel", &body, Again::IfUnsent),
        )
    }

    fn extend(&self, id: RequestId) -> Result<RequestView, InboxError> {
        self.post(id, "/extend", &json!({}), Again::IfUnsent)
    }

    fn abort(&self, id: RequestId, reason: &str) -> Result<RequestView, InboxError> {
        let body = json!({ "reason": reason });
        let aborted = askwell_core::Outcome::Aborted { reason: reason.to_owned() };
        let first = self.post(id, "/abort", &body, Again::IfUnsent);
        self.after_a_cut(
            id,
            first,
            |view, request| view.typed_outcome(request).as_ref() == Some(&aborted),
            || self.post(id, "/abort", &body, Again::IfUnsent),
        )
    }

    fn history(&self, query: &HistoryQuery) -> Result<Page, InboxError> {
        let parts = [
            ("search", query.search.clone()),
            ("after", query.after.clone()),
            ("limit", query.limit.map(|limit| limit.to_string())),
        ];
        self.call(&Call::get(with_query("/api/v1/history", parts)), Again::Always)
    }

    fn events(&self, after: Option<EventId>) -> Result<Box<dyn EventStream>, InboxError> {
        Ok(Box::new(Events::open(self.clone(), after)?))
    }
}

impl Client {
    /// Waits as [`Inbox::wait`] does, for who has yet to hand an outcome on: it counts as picked up once
    /// [`Client::pick_up`] says so.
    ///
    /// # Errors
    /// As [`Inbox::wait`].
    pub fn wait_to_hand_on(
        &self,
        id: RequestId,
        at_most: Duration,
    ) -> Result<RequestView, InboxError> {
        self.wait_at(id, at_most, "&pickUp=false")
    }

    /// An outcome that [`Client::wait_to_hand_on`] brought has arrived where it was to go.
    ///
    /// # Errors
    /// Those of every call.
    pub fn pick_up(&self, id: RequestId) -> Result<RequestView, InboxError> {
        self.post(id, "/pick-up", &json!({}), Again::Always)
    }

    fn wait_at(
        &self,
        id: RequestId,
        at_most: Duration,
        how: &str,
    ) -> Result<RequestView, InboxError> {
        let now = Instant::now();
        let until = now.checked_add(at_most).unwrap_or(now + Duration::from_hours(24 * 3_650));
        let mut backoff = Backoff::new();
        loop {
            let asked = Instant::now();
            let view: RequestView = self.call_until(Again::Waiting, until, || {
                let left = until.saturating_duration_since(Instant::now()).min(SLICE);
                let seconds = left.as_millis().div_ceil(1_000);
                let mut call = Call::get(format!("{}?wait={seconds}{how}", at(id, "")));
                call.time = left + GRACE;
                call
            })?;
            if view.state != State::Pending || Instant::now() >= until {
                return Ok(view);
            }
            // A host that stops lets every wait end early.
            match asked.elapsed() < SLICE / 2 {
                true => thread::sleep(backoff.pause()),
                false => backoff = Backoff::new(),
            }
        }
    }

    fn post(
        &self,
        id: RequestId,
        what: &str,
        body: &Value,
        again: Again,
    ) -> Result<RequestView, InboxError> {
        self.call(&Call::send("POST", at(id, what), body), again)
    }

    /// A call that ends a request, and whose answer did not arrive: looks whether it was taken
    /// before it is sent again. (A second one would be told to be late, and its text kept as such.)
    fn after_a_cut(
        &self,
        id: RequestId,
        first: Result<RequestView, InboxError>,
        is_ours: impl Fn(&RequestView, &ValidRequest) -> bool,
        again: impl Fn() -> Result<RequestView, InboxError>,
    ) -> Result<RequestView, InboxError> {
        let cut = match first {
            Err(error) if error.code == ErrorCode::HostUnreachable => error,
            other => return other,
        };
        let view = self.get(id).map_err(|_| cut)?;
        let request = request::from_value(json!(view.request))?;
        match view.state == State::Pending || !is_ours(&view, &request) {
            true => again(),
            false => Ok(view),
        }
    }
}

/// A key that no other call has.
fn own_key() -> Result<IdempotencyKey, InboxError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        InboxError::new(ErrorCode::Internal, format!("no random numbers are to be had: {error}"))
    })?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    IdempotencyKey::explicit(format!("call-{digits}")).map_err(InboxError::from)
}

fn at(id: RequestId, what: &str) -> String {
    format!("{REQUESTS}/{id}{what}")
}

/// A path and the parts of its query that are there.
pub(crate) fn with_query<const N: usize>(path: &str, parts: [(&str, Option<String>); N]) -> String {
    let parts = parts.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let parts: Vec<String> =
        parts.map(|(name, value)| format!("{name}={}", percent_encoded(&value))).collect();
    match parts.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", parts.join("&")),
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_holds_what_is_there_and_nothing_that_could_be_read_otherwise() {
        let parts = [("search", Some("a&b=ü é".to_owned())), ("after", None)];

        assert_eq!(with_query("/x", parts), "/x?search=a%26b%3D%C3%BC%20%C3%A9");
        assert_eq!(with_query("/x", [("after", None)]), "/x");
    }
}
