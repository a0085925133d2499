//! The calls of a host, as a host itself and a client over HTTP both answer them.
//!
//! Blocking and object-safe, so that a consumer can hold either without knowing which. An inbox
//! acts with one credential, whose role decides what is allowed.

use std::fmt;
use std::time::Duration;

use super::{
    Asked, Delivery, Details, DraftSaved, DraftView, DraftWrite, EventId, HistoryQuery, Leaving,
    ListQuery, Page, Posting, ProviderName, RequestId, RequestView, Response,
};
use crate::answer::BadResponse;
use crate::error::ErrorCode;
use crate::fault::BadRequest;
use crate::request::ValidRequest;

/// Why a call to a host failed.
#[derive(Debug, Clone, PartialEq)]
pub struct InboxError {
    /// The stable code.
    pub code: ErrorCode,
    /// What happened, in a sentence without the code.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What belongs to this code.
    pub details: Box<Details>,
}

impl InboxError {
    /// An error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, details: Box::default() }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with details.
    #[must_use]
    pub fn with_details(mut self, details: Details) -> Self {
        self.details = Box::new(details);
        self
    }
}

impl fmt::Display for InboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for InboxError {}

impl From<BadRequest> for InboxError {
    fn from(bad: BadRequest) -> Self {
        let message = without_code(&bad.to_string());
        Self::new(ErrorCode::Request(bad.code()), message).with_details(Details::from(&bad))
    }
}

impl From<BadResponse> for InboxError {
    fn from(bad: BadResponse) -> Self {
        let message = without_code(&bad.to_string());
        Self::new(ErrorCode::BadResponse, message).with_details(Details::from(&bad))
    }
}

/// The text of an error that begins with its own code, without it.
fn without_code(text: &str) -> String {
    text.split_once(": ").map_or(text, |(_, message)| message).to_owned()
}

/// A host's requests, seen with one credential. Every call may block for as long as a disk or a
/// network takes, [`Inbox::wait`] for as long as it is told to.
///
/// Beside what is said at each call, a call fails with `UNAUTHORIZED`, `FORBIDDEN` (wrong role),
/// `NOT_FOUND` (no such request, or another asker's), `STORE_UNAVAILABLE`, `RATE_LIMITED` or
/// `INTERNAL`; over HTTP also with `HOST_UNREACHABLE` and `HOST_VERSION`.
pub trait Inbox: Send + Sync {
    /// Posts a request (asker). It is on disk when this returns.
    ///
    /// # Errors
    /// `KEY_CONFLICT` where its key was used for other questions.
    fn ask(&self, request: &ValidRequest, posting: &Posting) -> Result<Asked, InboxError>;

    /// A request as it stands (its own asker, answerer). By its own asker this renews the lease as
    /// [`Inbox::wait`] does, and an outcome counts as picked up.
    ///
    /// # Errors
    /// Those of every call.
    fn get(&self, id: RequestId) -> Result<RequestView, InboxError>;

    /// Waits until the request ends, at most for this long, and shows it as it stands then. By its
    /// own asker it renews the lease, and an outcome that it brings counts as picked up.
    ///
    /// # Errors
    /// Those of every call. A wait that runs out is none.
    fn wait(&self, id: RequestId, at_most: Duration) -> Result<RequestView, InboxError>;

    /// A page of what waits (answerer: everything; asker: its own, and where it wants to, what it
    /// does not know the end of yet).
    ///
    /// # Errors
    /// `BAD_REQUEST` where `after` is not from an earlier page.
    fn list(&self, query: &ListQuery) -> Result<Page, InboxError>;

    /// Stops waiting without withdrawing (its own asker).
    ///
    /// # Errors
    /// Those of every call. A request that has ended is none.
    fn detach(&self, id: RequestId, leaving: Leaving) -> Result<RequestView, InboxError>;

    /// The person's draft of a request, also of one that has ended (answerer).
    ///
    /// # Errors
    /// Those of every call.
    fn draft(&self, id: RequestId) -> Result<DraftView, InboxError>;

    /// Writes to the person's draft (answerer). A question that was edited on an old base is
    /// refused by itself, after its text was stored; that is a result, not an error.
    ///
    /// # Errors
    /// `NOT_PENDING` where the request has ended (what was written is kept all the same),
    /// `BAD_REQUEST` where a question was not asked, `LIMIT_EXCEEDED`.
    fn save_draft(&self, id: RequestId, write: &DraftWrite) -> Result<DraftSaved, InboxError>;

    /// Answers (answerer). It is on disk when this returns.
    ///
    /// # Errors
    /// `BAD_RESPONSE` with every issue, and nothing changed; `NOT_PENDING` with the outcome, and
    /// the text kept.
    fn answer(&self, id: RequestId, response: &Response) -> Result<RequestView, InboxError>;

    /// Puts the whole request aside (answerer), optionally saying why.
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome, and the comment kept; `LIMIT_EXCEEDED`.
    fn cancel(
        &self,
        id: RequestId,
        comment: Option<&str>,
        provider: ProviderName,
    ) -> Result<RequestView, InboxError>;

    /// Puts the deadline off by 600 seconds (answerer). Nothing changes where there is none.
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome.
    fn extend(&self, id: RequestId) -> Result<RequestView, InboxError>;

    /// Withdraws (its own asker, admin). The reason says why, as in "withdrawn before an answer: …".
    ///
    /// # Errors
    /// `NOT_PENDING` with the outcome; `LIMIT_EXCEEDED`.
    fn abort(&self, id: RequestId, reason: &str) -> Result<RequestView, InboxError>;

    /// A page of what has ended, newest first (answerer).
    ///
    /// # Errors
    /// `BAD_REQUEST` where `after` is not from an earlier page.
    fn history(&self, query: &HistoryQuery) -> Result<Page, InboxError>;

    /// Follows what happens (answerer: everything; asker: its own requests), from the event after
    /// this one, or from now on.
    ///
    /// # Errors
    /// Those of every call.
    fn events(&self, after: Option<EventId>) -> Result<Box<dyn EventStream>, InboxError>;
}

/// Events as they happen: every `requested` and `resolved` once, in order.
pub trait EventStream: Send {
    /// The next one, if it comes within this time.
    ///
    /// # Errors
    /// Where the stream has ended: a revoked credential, a host that stops.
    fn next(&mut self, at_most: Duration) -> Result<Option<Delivery>, InboxError>;

    /// Has it told when nothing can come any more for now, and when it can again. Told while
    /// [`EventStream::next`] waits, which goes on by itself. A stream that has no way to break tells
    /// nothing.
    fn on_connection(&mut self, tell: Box<dyn Fn(bool) + Send>) {
        let _ = tell;
    }
}
