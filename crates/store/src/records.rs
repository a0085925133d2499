//! What goes into a store and comes out of it.

use askwell_core::State;
use askwell_core::draft::DraftState;
use askwell_core::wire::{
    Credential, CredentialId, DraftEntry, DraftSaved, Ended, LateText, ListFilter, OfferedDraft,
    ProviderName, Receipt, RequestId, RequestSummary, UnixMillis,
};
use serde_json::Value;

/// A SHA-256 hash.
pub type Digest = [u8; 32];

/// A request to be filed.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// Its id.
    pub id: RequestId,
    /// Whose it is.
    pub credential: CredentialId,
    /// The request as JSON. Bytes: it may hold U+0000.
    pub text: Vec<u8>,
    /// Its entry in a list.
    pub summary: RequestSummary,
    /// The whole session of its asker.
    pub session: Option<String>,
    /// The hash of its questions: what a key compares.
    pub questions: Digest,
    /// The hashes under which "the same is asked again".
    pub matches: Vec<Digest>,
    /// What may make it an earlier request.
    pub key: Option<KeyClaim>,
}

/// The key of a request to be filed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyClaim {
    /// The asker's own key.
    Explicit(String),
    /// A consumer's key.
    Derived {
        /// The key.
        key: String,
        /// The earlier request that is to be joined: one of [`crate::Store::derived`] whose waiter
        /// is gone.
        join: Option<RequestId>,
    },
}

/// What became of a request to be filed.
#[derive(Debug, Clone, PartialEq)]
pub enum Filed {
    /// It is pending.
    New {
        /// The number of its `requested` event.
        event: u64,
    },
    /// It is this earlier one.
    Joined(Head),
    /// Its key was used for other questions.
    Conflict,
    /// The earlier request can't be joined any more. Nothing was filed.
    Moved,
}

/// What a host keeps of a pending request in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its id.
    pub id: RequestId,
    /// Whose it is.
    pub credential: CredentialId,
    /// How it stands.
    pub state: State,
    /// When it was accepted.
    pub created_at: UnixMillis,
    /// When it expires.
    pub deadline_at: Option<UnixMillis>,
    /// Whether its asker stays, and since when it is away.
    pub presence: Presence,
    /// Counts the writes to drafts of it, of all persons.
    pub draft_writes: u64,
    /// When a draft of it was last edited.
    pub draft_edited_at: Option<UnixMillis>,
}

/// Whether the asker of a request stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// Whether it is attached.
    pub attached: bool,
    /// Since when it is away.
    pub away_since: Option<UnixMillis>,
}

/// A whole request.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What a host keeps of it.
    pub head: Head,
    /// The request as JSON.
    pub text: Vec<u8>,
    /// The name of its asker's credential.
    pub credential_name: String,
    /// How it ended.
    pub ended: Option<EndedRow>,
    /// Responses that came too late, oldest first.
    pub late: Vec<LateText>,
}

/// How a request ended.
pub type EndedRow = Ended;

/// When a request may be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// While it is pending.
    Pending,
    /// While it is pending and this is still its deadline.
    Deadline(UnixMillis),
    /// While it is pending, its asker is away since then, and no draft was written since.
    Away {
        /// Since when.
        since: UnixMillis,
        /// The writes to its drafts by then.
        draft_writes: u64,
    },
}

/// How a request is to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// The request.
    pub id: RequestId,
    /// When it may be ended so.
    pub condition: Condition,
    /// How.
    pub state: State,
    /// The outcome as the asker gets it.
    pub outcome: Value,
    /// When, by which provider and by whom.
    pub receipt: Receipt,
    /// What to keep where it has ended before.
    pub late: Option<LateRow>,
}

/// What became of a settlement.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// The request ended so.
    Won {
        /// The number of its `resolved` event.
        event: u64,
    },
    /// It had ended, this way. What came late is kept.
    Late(EndedRow),
    /// It is pending, and the condition does not hold (any more).
    NotDue,
    /// There is no such request.
    Missing,
}

/// A response that came too late.
#[derive(Debug, Clone, PartialEq)]
pub struct LateRow {
    /// When.
    pub at: UnixMillis,
    /// What collected it.
    pub provider: ProviderName,
    /// The person.
    pub by: String,
    /// As it was sent.
    pub response: Value,
}

/// What became of a deadline that a person puts off.
#[derive(Debug, Clone, PartialEq)]
pub enum Extended {
    /// It is now this one.
    Until(UnixMillis),
    /// The request never expires.
    Never,
    /// The request had ended.
    Ended(EndedRow),
    /// There is no such request.
    Missing,
}

/// A person's draft of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredDraft {
    /// Counts its writes.
    pub revision: u64,
    /// When it was last edited.
    pub edited_at: Option<UnixMillis>,
    /// The questions that were ever edited, in no order.
    pub entries: Vec<DraftEntry>,
    /// The draft to be offered, as it was stored.
    pub offered: Option<OfferedDraft>,
}

/// What became of a write to a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftWritten {
    /// What the writer is told.
    pub saved: DraftSaved,
    /// How the request had ended, where it had. The draft is written all the same.
    pub ended: Option<EndedRow>,
    /// The writes to drafts of the request, of all persons.
    pub draft_writes: u64,
    /// Whether nothing is entered in the draft, as far as this write may have emptied it.
    pub is_emptied: bool,
}

/// A page of requests to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListRead {
    /// Which.
    pub filter: ListFilter,
    /// Only those of this credential.
    pub credential: Option<CredentialId>,
    /// Whose drafts to look at.
    pub person: Option<String>,
    /// After which time others have to have edited a draft to be named. Absent: nobody is named.
    pub others_since: Option<UnixMillis>,
    /// Only those of this session.
    pub session: Option<String>,
    /// The last event of the list and the last request of the page before.
    pub after: Option<(u64, u64)>,
    /// The most requests in the page.
    pub limit: u32,
}

/// A page of ended requests to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRead {
    /// Only those that hold this text, in lower case.
    pub search: Option<String>,
    /// The last request of the page before.
    pub before: Option<u64>,
    /// The most requests in the page.
    pub limit: u32,
}

/// A page of requests.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage {
    /// The requests.
    pub requests: Vec<RequestSummary>,
    /// The last event when the list was begun.
    pub event: u64,
    /// Where the next page begins.
    pub next: Option<u64>,
}

/// A part of the event log.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// The events, in order.
    pub events: Vec<LogEvent>,
    /// Whether something before them is missing, since it was purged.
    pub cut: bool,
}

/// An event of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEvent {
    /// Its number.
    pub number: u64,
    /// Whose request it concerns.
    pub credential: CredentialId,
    /// What happened.
    pub kind: LogKind,
}

/// What an event of the log says.
#[derive(Debug, Clone, PartialEq)]
pub enum LogKind {
    /// This was asked. It is shown as it stands now.
    Requested(Box<RequestSummary>),
    /// This ended so.
    Resolved(RequestId, State),
}

/// A credential and the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCredential {
    /// The credential.
    pub credential: Credential,
    /// The hash of its token.
    pub token: Digest,
}

/// The state of a question that nobody has touched.
pub(crate) fn untouched(id: &str) -> DraftState {
    DraftState { id: id.to_owned(), ..DraftState::default() }
}
