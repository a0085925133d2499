//! Ways to tell a person that a question waits, and a program that one has ended.
//!
//! Owns what is told ([`Notice`], [`Ending`]), how each way tells it ([`Channel`]), and how often one
//! that fails is tried ([`deliver`]). Whom to tell of what, and that it is told once, is the host's.
//!
//! Invariants:
//! - what an asker wrote reaches a channel as plain text, without control characters, and never a
//!   shell or an argument of a program;
//! - the text of a question is in a message only where its owner asked for it, and never in a log;
//! - no message carries a credential, or an answer;
//! - every try has a time limit, and is made again only where the other side has surely not taken
//!   it.

mod address;
mod bus;
mod channel;
mod command;
mod deliver;
mod desktop;
mod ending;
mod http;
mod message;
mod notice;
mod ntfy;
mod webhook;

pub use address::{Address, BadAddress};
pub use bus::Bus;
pub use channel::{Channel, Failed};
pub use command::{BadProgram, Program};
pub use deliver::{Pauses, deliver};
pub use desktop::Desktop;
pub use ending::Ending;
pub use message::Message;
pub use notice::{Notice, Waiting};
pub use ntfy::{Ntfy, Priority};
pub use webhook::{Secret, Webhook};
