//! The host as the tools call it, and what else a client is served with.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{
    Asked, DraftSaved, DraftView, DraftWrite, InboxError, Leaving, ListQuery, Page, Posting,
    RequestId, RequestView, Response,
};
use askwell_core::{Answers, ValidRequest};

/// A call of a host that is under way.
pub type Calling<'a, T> = Pin<Box<dyn Future<Output = Result<T, InboxError>> + Send + 'a>>;

/// A host, seen with the credential of one asker: `askwell_core::wire::Inbox` without blocking, since
/// many calls wait at once for as long as a person takes.
///
/// Whoever implements it sees to it that a wait which is dropped is over for the host as well.
pub trait Desk: Send + Sync {
    /// Posts a request. It is on disk when this returns.
    fn ask<'a>(&'a self, request: &'a ValidRequest, posting: &'a Posting) -> Calling<'a, Asked>;

    /// Waits until the request ends, at most for this long. An outcome that it brings does not count
    /// as picked up yet.
    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView>;

    /// The client has taken an outcome: it counts as picked up.
    fn pick_up(&self, id: RequestId) -> Calling<'_, RequestView>;

    /// A page of this asker's requests.
    fn list<'a>(&'a self, query: &'a ListQuery) -> Calling<'a, Page>;

    /// Stops waiting without withdrawing.
    fn detach(&self, id: RequestId, leaving: Leaving) -> Calling<'_, RequestView>;

    /// Withdraws.
    fn abort<'a>(&'a self, id: RequestId, reason: &'a str) -> Calling<'a, RequestView>;
}

/// The same host, seen with the credential of the person before whom a client's forms are: what they
/// bring is an answer like any other.
pub trait Person: Send + Sync {
    /// Waits until a request ends, at most for this long. It counts as picked up by nobody.
    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView>;

    /// The person's draft.
    fn draft(&self, id: RequestId) -> Calling<'_, DraftView>;

    /// Writes to the person's draft.
    fn save_draft<'a>(&'a self, id: RequestId, write: &'a DraftWrite) -> Calling<'a, DraftSaved>;

    /// Answers.
    fn answer<'a>(&'a self, id: RequestId, response: &'a Response) -> Calling<'a, RequestView>;

    /// Puts the whole request aside, in a form.
    fn cancel(&self, id: RequestId) -> Calling<'_, RequestView>;
}

/// Answers that are being looked up; or why there are none.
pub type Ruling<'a> = Pin<Box<dyn Future<Output = Result<Answers, String>> + Send + 'a>>;

/// What answers in the place of a person, where decisions were taken beforehand. Nobody is asked then.
pub trait Rule: Send + Sync {
    /// The answers to a request.
    fn answers<'a>(&'a self, request: &'a ValidRequest) -> Ruling<'a>;
}

/// What one client is served with.
#[derive(Clone)]
pub struct Seat {
    /// The host, as the asker sees it.
    pub desk: Arc<dyn Desk>,
    /// The host as the person sees it before whom the client's forms are.
    pub person: Option<Arc<dyn Person>>,
    /// What answers in the place of a person, if anything does.
    pub rule: Option<Arc<dyn Rule>>,
    /// The session that the client's questions are of.
    pub session: String,
    /// The folder that it works in, where that is known.
    pub cwd: Option<String>,
}
