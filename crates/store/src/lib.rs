//! Where a host's requests, drafts, outcomes and credentials are kept.
//!
//! Owns durability and the one decision that has to be made under a lock: whether a request is
//! still pending when a response comes ([`Store::settle`]). Rules about answers, who may do what,
//! and time are the host's; a store never asks a clock.
//!
//! Invariants:
//! - what a write reports is on disk when it is reported, and reports come in commit order;
//! - a request ends once; every later response to it is kept beside it;
//! - numbers of events are dense, and rise in commit order.

#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod records;
mod sqlite;
mod store;

pub use error::StoreError;
pub use records::{
    Condition, Digest, DraftWritten, EndedRow, Extended, Filed, Head, HistoryRead, KeyClaim,
    LateRow, ListPage, ListRead, Log, LogEvent, LogKind, NewRequest, Presence, Record, Settled,
    Settlement, StoredCredential, StoredDraft,
};
pub use sqlite::SqliteStore;
pub use store::{Done, Metrics, Store, wait_for};
