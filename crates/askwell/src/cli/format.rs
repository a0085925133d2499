//! What a command that tells something prints.

use clap::ValueEnum;
use serde_json::Value;

use crate::report::{self, Failure};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON document
    Json,
}

impl Format {
    /// Prints in this form.
    ///
    /// # Errors
    /// Where stdout takes nothing.
    pub fn deliver(
        self,
        document: impl FnOnce() -> Value,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Result<(), Failure> {
        match self {
            Self::Json => report::deliver(&report::json_line(&document())),
            Self::Text => report::deliver_to_reader(&report::plain_lines(&lines())),
        }
    }
}
