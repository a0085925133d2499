//! The configuration of agents: what askwell adds to it, and how that is taken out again.
//!
//! Pure: where the files are ([`Places`]) and what they hold comes in, what they shall hold goes out.
//! Invariant: everything else in a file stays as it is, comments and order too; a file that is not
//! understood is refused with the place, never written anew.

mod agent;
mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod json;
mod opencode;
mod passed;
mod places;
mod rules;
mod table;
mod vscode;

use std::fmt;
use std::path::PathBuf;

pub use agent::{Agent, Found, Scope, Wish};
pub use passed::chosen as passed_on;
pub use places::Places;

/// How long, in seconds, an agent is told to wait for a person: a day.
pub const PATIENCE: u64 = 86_400;

/// What our MCP server is run with.
const ARGUMENTS: [&str; 1] = ["mcp"];

/// The same for an agent whose own limit for a call was raised: it need not be told pending so soon.
const PATIENT_ARGUMENTS: [&str; 3] = ["mcp", "--wait", "12h"];

/// The name of our MCP server in every configuration.
pub const SERVER: &str = "askwell";

/// A file that holds a part of the connection.
#[derive(Debug, Clone)]
pub struct Target {
    /// Where it is.
    pub path: PathBuf,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// JSON, with or without comments.
    Json(Vec<json::Change>),
    /// TOML.
    Toml(table::Server),
    /// A file of our own.
    Whole(String),
}

impl Target {
    fn json(path: PathBuf, changes: Vec<json::Change>) -> Self {
        Self { path, content: Content::Json(changes) }
    }

    fn whole(path: PathBuf, text: String) -> Self {
        Self { path, content: Content::Whole(text) }
    }

    /// Whether the file tells of the connection, and is not only a part of it.
    pub fn tells(&self) -> bool {
        !matches!(self.content, Content::Whole(_))
    }

    /// What the file shall hold, where it is not there or holds `text`.
    ///
    /// # Errors
    /// [`Refused`] where `text` is not understood.
    pub fn with(&self, text: Option<&str>) -> Result<String, Refused> {
        let text = text.unwrap_or_default();
        match &self.content {
            Content::Json(changes) => json::with(text, changes),
            Content::Toml(server) => table::with(text, server),
            Content::Whole(own) => Ok(own.clone()),
        }
    }

    /// What is left of `text` without the connection; nothing where the file was ours alone.
    ///
    /// # Errors
    /// [`Refused`] where `text` is not understood.
    pub fn without(&self, text: &str) -> Result<Option<String>, Refused> {
        match &self.content {
            Content::Json(changes) => json::without(text, changes).map(Some),
            Content::Toml(_) => table::without(text).map(Some),
            Content::Whole(_) => Ok(None),
        }
    }
}

/// A file that is not changed, since it is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(String);

impl Refused {
    fn because(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests;
