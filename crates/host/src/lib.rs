//! The host: the process that owns pending requests and drafts, and serves every provider and
//! consumer.
//!
//! Owns the use cases (ask, wait, draft, answer, cancel, put off, withdraw, expire), who may do
//! what, the time, the events, and what is told outside of them. What a request or an answer may be is the core's; what is on
//! disk is the store's; HTTP is not here.
//!
//! Invariants:
//! - nobody is told of an answer before it is on disk, and a request ends once;
//! - a call is one write: a caller that goes away half-way has done it or not;
//! - shutting down writes no outcome;
//! - what is kept in memory of a pending request is its id, its times and who waits; texts only of
//!   the newest few, within a fixed bound.

mod answering;
mod asking;
mod attention;
mod caller;
mod claim;
mod clock;
mod config;
mod credentials;
mod drafting;
mod errors;
mod hashes;
mod host;
mod hub;
mod listing;
mod local;
mod memory;
mod recent;
mod sign_in;
mod subscription;
mod telling;
mod timers;
mod views;
mod waiting;

pub use caller::Caller;
#[cfg(feature = "testing")]
pub use clock::ManualClock;
pub use clock::{Clock, SystemClock};
pub use config::{Config, Timers};
pub use errors::StartError;
pub use host::{Host, Stats};
pub use hub::Told;
pub use local::LocalInbox;
pub use sign_in::{BadCode, NotSignedIn, SignIn, SignInCode, SignedIn};
pub use subscription::Subscription;
pub use telling::{Ends, Settling, Unwatched, Waits};
pub use waiting::Handing;
