//! Structured user questions for agents, scripts and services: a program asks, a person answers,
//! the program gets the whole answer.
//!
//! [`Askwell::ask`] takes a [`ValidRequest`] and brings back [`Answers`], or an [`AskError`] that
//! says which of the other things happened: put aside, withdrawn, too late, or shown to nobody. It
//! collects through one [`Provider`]: `terminal::Terminal` asks the person at this terminal,
//! `inbox::InboxProvider` asks whoever looks at the inbox of a host, `recorded::Recorded` answers
//! from a file, [`scripted::Scripted`] is a person in your tests, and an own one is a trait with two methods.
//!
//! ```
//! # #[cfg(feature = "recorded")] {
//! use askwell::recorded::Recorded;
//! use askwell::{Askwell, Cancel, Question, Request};
//!
//! let request = Request::new([
//!     Question::new("db", "Which database?").option("Postgres").option("SQLite"),
//!     Question::new("name", "Project name?"),
//! ])
//! .validate()?;
//!
//! let recorded = Recorded::from_json(
//!     r#"{"answers": [{"id": "db", "selected": ["SQLite"]},
//!                     {"match": "(?i)name", "selected": [], "custom": "askwell"}]}"#,
//! )?;
//! let answers = Askwell::new().with(recorded)?.ask(&request, &Cancel::new())?;
//!
//! assert_eq!(answers.as_slice()[0].selected, ["SQLite"]);
//! assert_eq!(answers.as_slice()[1].custom.as_deref(), Some("askwell"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For an agent
//!
//! [`tool_spec`] is the tool as each model API takes it, and [`handle_tool_call`] what comes of a call:
//! what a model writes goes through [`lenient`], which also reads the odd shapes that models send; what
//! it gets back is [`project::tool_result`], errors included.
//!
//! # In an async program
//!
//! Everything here blocks and no async runtime is needed. An async program asks on a thread that
//! may block, and withdraws the request when its own future is dropped: see [`Cancel`].
//!
//! # Features
//!
//! A library wants `default-features = false`: what is left has no terminal, no server, no database and no
//! async runtime in it. `terminal`, `inbox` and `recorded` bring the provider of that name, `drafts` what the
//! terminal keeps in files; `cli` (default) is the `askwell` program with all of it.

mod cancel;
#[cfg(feature = "drafts")]
pub mod drafts;
#[cfg(feature = "inbox")]
pub mod inbox;
mod provider;
#[cfg(feature = "recorded")]
pub mod recorded;
pub mod scripted;
mod service;
#[cfg(feature = "terminal")]
pub mod terminal;
mod tools;

pub use askwell_core::tool::spec as tool_spec;
pub use askwell_core::{
    Answer, Answers, AskError, Asker, BadRequest, BadResponse, Draft, ErrorCode, Fault, Intent,
    Outcome, Question, QuestionOption, Request, RequestCode, RequestDraft, State, ValidRequest,
    answer, draft, error, facts, fault, lenient, limits, lint, merge, messages, outcome, project,
    request, schema, text, texts, tool,
};
pub use cancel::{Cancel, CancelOnDrop, OnCancel};
pub use provider::Provider;
pub use service::Askwell;
pub use tools::handle_tool_call;
