//! Talks to an askwell host: where it is, starting one in the background where none runs, and its
//! calls over HTTP.
//!
//! [`Place`] names the files of the state folder, which a host writes and its clients read;
//! [`Starter`] finds a host or starts one; [`Client`] is the [`Inbox`](askwell_core::wire::Inbox)
//! of a host somewhere else. Blocking, without a runtime. Invariants: a credential goes to nobody but
//! the host that it belongs to; nothing is asked twice because a connection broke.

mod access;
mod admin;
mod attention;
mod backoff;
mod call;
mod client;
mod discovery;
mod events;
mod inbox;
mod lock;
mod owner_only;
mod place;
mod secret;
mod sse;
mod start;
mod tokens;

pub use access::{Access, Environment, Local, Locate};
pub use admin::{Health, HostStatus, NewToken, Purged};
pub use client::{Client, Cut};
pub use discovery::{API_VERSION, Discovery};
pub use lock::HostLock;
pub use owner_only::write as write_owner_only;
pub use place::Place;
pub use start::{NoStart, Starter};
pub use tokens::Token;
