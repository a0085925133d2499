//! What a host needs of a store, whatever it is made of.

use std::time::Duration;

use askwell_core::wire::{
    Answering, Credential, CredentialId, EntryWrite, LateText, RequestId, UnixMillis,
};

use crate::{
    Digest, DraftWritten, EndedRow, Extended, Filed, Head, HistoryRead, ListPage, ListRead, Log,
    NewRequest, Presence, Record, Settled, Settlement, StoreError, StoredCredential, StoredDraft,
};

/// Told once, when a write is on disk or has failed.
pub type Done<T> = Box<dyn FnOnce(Result<T, StoreError>) + Send>;

/// A store. Object-safe, and shared between threads.
///
/// **Writes** return at once and tell their `done` when they are on disk: in commit order, one
/// after another, on a thread of the store's own, which `done` must not block. Whoever stops
/// listening half-way can't half-do a write. Writes of one caller are carried out in the order in
/// which they were made. **Reads** block for as long as a disk takes, and see every write that was
/// reported before they began.
///
/// # Another backend
///
/// One on PostgreSQL passes the whole of `conformance` with these signatures, built as follows: one
/// thread takes many writes into a transaction, as here, each with its savepoint; it begins by locking
/// the one row that counts events (a write of its own transaction that locks it last lets two stores
/// file the same key twice, and a sequence lets a reader miss events); one statement a write, since
/// ways over the network are what it costs; reads on threads of their own, REPEATABLE READ; every
/// text from outside as bytes, since it may hold U+0000. A COMMIT whose reply was lost is told by
/// `pg_xact_status`.
///
/// Replicas of a host need more than this trait has: to hear of what others wrote (`NOTIFY`, ids
/// only), and presence and derived keys that are compared and set in the store. [`Condition`](crate::Condition)
/// holds what a timer of one host saw, so that a timer of another can't end what has changed since.
pub trait Store: Send + Sync + 'static {
    /// What tells this store's events from those of any other.
    fn epoch(&self) -> u64;

    /// A name for this store, drawn when it was made: letters and digits as in a host name. It is no
    /// secret.
    fn label(&self) -> &str;

    /// Files a request, unless its key makes it an earlier one.
    fn file(&self, request: NewRequest, done: Done<Filed>);

    /// The requests that a derived key may join, in the order in which they were asked: those
    /// pending, and those that a person ended and whose asker does not know it.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn derived(&self, credential: CredentialId, key: &str) -> Result<Vec<RequestId>, StoreError>;

    /// Ends a request, once, or keeps what came late.
    fn settle(&self, settlement: Settlement, done: Done<Settled>);

    /// Puts the deadline of a pending request off.
    fn extend(&self, id: RequestId, by: Duration, done: Done<Extended>);

    /// Says whether the asker of a pending request stays. Told: whether it is pending.
    fn set_presence(&self, id: RequestId, presence: Presence, done: Done<bool>);

    /// Says that the outcome reached its asker. May wait for the next write, and be lost with it.
    fn pick_up(&self, id: RequestId, at: UnixMillis);

    /// Writes to some questions of a person's draft, each on its own base. Told: `None` where there
    /// is no such request.
    fn save_draft(
        &self,
        id: RequestId,
        person: String,
        entries: Vec<EntryWrite>,
        at: UnixMillis,
        done: Done<Option<DraftWritten>>,
    );

    /// Keeps a credential.
    fn add_credential(&self, credential: StoredCredential, done: Done<()>);

    /// Revokes a credential. Told: whether there is one that was not revoked.
    fn revoke_credential(&self, id: CredentialId, at: UnixMillis, done: Done<bool>);

    /// Says that a device was used. May wait for the next write, and be lost with it.
    fn use_credential(&self, id: CredentialId, at: UnixMillis);

    /// Says since when a person is elsewhere, or that it is not any more.
    fn set_elsewhere(&self, person: String, since: Option<UnixMillis>, done: Done<()>);

    /// Forgets these requests as far as they have ended, with everything that belongs to them.
    /// Told: how many it forgot.
    fn purge(&self, ids: Vec<RequestId>, done: Done<u64>);

    /// Keeps how far a reader of the event log has come, or forgets it.
    fn set_bookmark(&self, name: &'static str, event: Option<u64>, done: Done<()>);

    /// Keeps how far a reader has come. May wait for the next write, which is never on disk without
    /// it, and be lost with it.
    fn move_bookmark(&self, name: &'static str, event: u64);

    /// How far a reader had come.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn bookmark(&self, name: &str) -> Result<Option<u64>, StoreError>;

    /// The pending requests, in the order in which they were asked.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn pending(&self, each: &mut dyn FnMut(Head)) -> Result<(), StoreError>;

    /// A whole request.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn request(&self, id: RequestId) -> Result<Option<Record>, StoreError>;

    /// How a request ended, if it did.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn ended(&self, id: RequestId) -> Result<Option<EndedRow>, StoreError>;

    /// The responses to a request that came too late, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn late(&self, id: RequestId) -> Result<Vec<LateText>, StoreError>;

    /// A person's draft of a request, and the one to be offered; untouched where there is none.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn draft(&self, id: RequestId, person: &str) -> Result<StoredDraft, StoreError>;

    /// Who, beside this person, edited a draft of a request after this time.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn answering(
        &self,
        id: RequestId,
        beside: &str,
        since: UnixMillis,
    ) -> Result<Vec<Answering>, StoreError>;

    /// A page of requests, in the order in which they were asked.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn list(&self, read: &ListRead) -> Result<ListPage, StoreError>;

    /// A page of ended requests, the last one to end first.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn history(&self, read: &HistoryRead) -> Result<ListPage, StoreError>;

    /// The requests that ended before this time, at most so many.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn ended_before(&self, at: UnixMillis, limit: u32) -> Result<Vec<RequestId>, StoreError>;

    /// The number of the last event; 0 where there is none.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn last_event(&self) -> Result<u64, StoreError>;

    /// The events after this number, at most so many.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn events(&self, after: u64, limit: u32) -> Result<Log, StoreError>;

    /// Every credential, revoked ones included, in the order in which they were made.
    ///
    /// # Errors
    /// [`StoreError`] where they can't be read.
    fn credentials(&self) -> Result<Vec<StoredCredential>, StoreError>;

    /// The credential whose token has this hash.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn credential(&self, token: &Digest) -> Result<Option<Credential>, StoreError>;

    /// Who is elsewhere, and since when.
    ///
    /// # Errors
    /// [`StoreError`] where it can't be read.
    fn elsewhere(&self) -> Result<Vec<(String, UnixMillis)>, StoreError>;

    /// How the writes went since the store was opened.
    fn metrics(&self) -> Metrics;

    /// Carries out what was written, and closes. Later writes fail.
    fn close(&self);
}

/// Counts since a store was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Transactions that were committed.
    pub commits: u64,
    /// Writes that they held.
    pub writes: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// The time that the commits took in all.
    pub commit_time: Duration,
    /// How many commits took at most [`Metrics::BOUNDS`] microseconds each; the last, longer.
    pub commits_within: [u64; 9],
}

impl Metrics {
    /// The upper bounds of [`Metrics::commits_within`], in microseconds.
    pub const BOUNDS: [u64; 8] = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000];
}

/// Makes a write and blocks until it is reported.
///
/// # Errors
/// That of the write.
pub fn wait_for<T: Send + 'static>(write: impl FnOnce(Done<T>)) -> Result<T, StoreError> {
    let (told, heard) = std::sync::mpsc::channel();
    write(Box::new(move |result| {
        let _ = told.send(result);
    }));
    heard.recv().unwrap_or_else(|_| Err(StoreError::closed()))
}
