//! Every bound of the contract, in one table. Schema, code and messages read them from here.
//!
//! Lengths are bytes of UTF-8. JSON Schema counts characters, so a `maxLength` there is necessary
//! and not sufficient.

/// Questions in one request.
pub const QUESTIONS: usize = 50;
/// Options in one question.
pub const OPTIONS: usize = 500;
/// Bytes of a question's id.
pub const ID: usize = 1024;
/// Bytes of an option's label.
pub const LABEL: usize = 1024;
/// Bytes of a question's header. A long one is shown cut, never refused below this.
pub const HEADER: usize = 1024;
/// Bytes of a question's text.
pub const QUESTION: usize = 16 * 1024;
/// Bytes of an option's description.
pub const DESCRIPTION: usize = 16 * 1024;
/// Bytes of the comment of a cancelled request.
pub const COMMENT: usize = 16 * 1024;
/// Bytes of a question's detail.
pub const DETAIL: usize = 256 * 1024;
/// Bytes of an option's preview.
pub const PREVIEW: usize = 256 * 1024;
/// Bytes of a request's context.
pub const CONTEXT: usize = 256 * 1024;
/// Bytes of the text that a person writes as the answer to one question.
pub const CUSTOM: usize = 256 * 1024;
/// Bytes of each string of an asker.
pub const ASKER: usize = 1024;
/// Names in an asker's chain of sub-agents.
pub const CHAIN: usize = 50;
/// Bytes of a whole request as JSON.
pub const REQUEST: usize = 4 * 1024 * 1024;
/// The shortest expiry, in seconds.
pub const EXPIRY_MIN: u64 = 1;
/// The longest expiry, in seconds: 365 days.
pub const EXPIRY_MAX: u64 = 31_536_000;
/// The shortest expiry, in seconds, that a model may set where the person has not set another one.
pub const MIN_EXPIRY: u64 = 600;
/// By how many seconds a person puts a deadline off.
pub const EXTENSION: u64 = 600;
/// Levels of lists and objects within each other, in what is carried without being understood: the
/// members of an intent, an answer as it was sent. Readers of JSON give up at some depth.
pub const NESTING: usize = 32;
/// Texts that are kept beside the draft of one question, written on old bases.
pub const KEPT: usize = 100;
