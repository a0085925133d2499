//! What particular agents say to askwell, and in which form they want to hear the outcome: one module
//! an agent.
//!
//! Pure: text in, text out. Which host is asked, and what is read and written where, is the program's.
//! Invariant: what is not understood is refused with a reason, never guessed; nothing here turns
//! anything but a person's answer into an answer.

pub mod claude_code;
pub mod connect;
