//! The host as the tools call it.

use std::pin::Pin;
use std::time::Duration;

use askwell_core::ValidRequest;
use askwell_core::wire::{
    Asked, DraftSaved, DraftWrite, InboxError, Leaving, ListQuery, Page, Posting, RequestId,
    RequestView, Response,
};

/// A call of a host that is under way.
pub type Calling<'a, T> = Pin<Box<dyn Future<Output = Result<T, InboxError>> + Send + 'a>>;

/// A host, seen with the credential of one asker: `askwell_core::wire::Inbox` without blocking, since
/// many calls wait at once for as long as a person takes.
///
/// Whoever implements it sees to it that a wait which is dropped is over for the host as well: an
/// outcome that comes then is not picked up.
pub trait Desk: Send + Sync {
    /// Posts a request. It is on disk when this returns.
    fn ask<'a>(&'a self, request: &'a ValidRequest, posting: &'a Posting) -> Calling<'a, Asked>;

    /// Waits until the request ends, at most for this long. An outcome that it brings counts as
    /// picked up.
    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView>;

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

    /// Writes to the person's draft.
    fn save_draft<'a>(&'a self, id: RequestId, write: &'a DraftWrite) -> Calling<'a, DraftSaved>;

    /// Answers.
    fn answer<'a>(&'a self, id: RequestId, response: &'a Response) -> Calling<'a, RequestView>;

    /// Puts the whole request aside, in a form.
    fn cancel(&self, id: RequestId) -> Calling<'_, RequestView>;
}
