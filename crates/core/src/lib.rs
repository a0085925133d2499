//! The contract of askwell: requests, answers, drafts and outcomes, and every rule about them.
//!
//! Pure: no I/O, no async, no clock, no environment. Every consumer (what turns an asker's call
//! into a request) and every provider (what collects an answer from a person) uses these rules, so
//! that a rule is written once.
//!
//! The way of one request: [`request::from_json`] or [`lenient::request_from_json`] makes a
//! [`ValidRequest`]; a person fills a [`RequestDraft`]; [`answer::validate`] makes [`Answers`], the
//! canonical form that nothing else can make; [`project`] turns the [`Outcome`] into what the asker
//! gets.

pub mod answer;
pub mod draft;
pub mod error;
pub mod facts;
pub mod fault;
pub mod json;
pub mod lenient;
pub mod limits;
pub mod lint;
pub mod merge;
pub mod messages;
pub mod outcome;
pub mod project;
pub mod request;
pub mod schema;
pub mod text;
pub mod texts;
pub mod tool;
mod validate;
pub mod wire;

pub use answer::{Answer, Answers, BadResponse};
pub use draft::{Draft, RequestDraft};
pub use error::{AskError, ErrorCode};
pub use fault::{BadRequest, Fault, RequestCode};
pub use outcome::{Outcome, State};
pub use request::{
    Asker, Intent, PLAN_REVIEW, PlanReview, Question, QuestionOption, Request, ValidRequest,
};
