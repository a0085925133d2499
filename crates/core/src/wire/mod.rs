//! What goes between askers, providers and a host, whether over HTTP or inside one process: plain
//! types with their JSON form (camelCase), and [`Inbox`], the calls that a host and its client both
//! implement.
//!
//! Owns the shapes, not the rules: who may do what, when a request ends and what is stored is the
//! host's. Invariant: every time is a whole number of Unix milliseconds by the host's clock, every
//! id is minted by the host, and a reader ignores what it does not know.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::outcome::State;

mod answering;
mod attention;
mod draft;
mod event;
mod ids;
mod inbox;
mod posting;
mod problem;
mod role;
mod summary;
mod view;

pub use answering::Answering;
pub use attention::{Attention, Elsewhere};
pub use draft::{
    DraftEntry, DraftSaved, DraftView, DraftWrite, EntrySaved, EntryWrite, OfferedDraft, Saved,
    StoredText,
};
pub use event::{Delivery, Event};
pub use ids::{BadId, CredentialId, EventId, RequestId};
pub use inbox::{EventStream, Inbox, InboxError};
pub use posting::{Asked, IdempotencyKey, Leaving, Posting};
pub use problem::{Details, Ended, FaultView, IssueView, Problem};
pub use role::{Credential, Device, LOCAL, NewCredential, NewSignIn, Role, SignInLink};
pub use summary::{HistoryQuery, ListFilter, ListQuery, Page, RequestSummary};
pub use view::{LateText, ProviderName, Receipt, RequestView, Response};

/// A point in time: milliseconds since 1970-01-01 UTC, by the host's clock.
pub type UnixMillis = i64;

impl JsonSchema for State {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "State".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": ["pending", "answered", "cancelled", "aborted", "expired"]
        })
    }
}
