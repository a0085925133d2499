//! `askwell cancel`: a person puts a request aside.

use askwell::inbox::wire::{Inbox as _, ProviderName, RequestId, Role};
use clap::Args;

use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Cancel a request without an answer, and say why
///
/// Its asker is told that the person cancelled, with the comment, and does not ask again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell cancel 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e --comment 'explain DuckDB first'")]
pub struct Arguments {
    /// The id of the request
    id: RequestId,

    /// Why, in your words; the asker reads it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    comment: Option<String>,
}

/// Cancels.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Answerer, Start::WithStore)?;
    client
        .cancel(arguments.id, arguments.comment.as_deref(), ProviderName::Terminal)
        .map_err(|error| super::late(error, arguments.comment.is_some()))?;
    report::note(&format!("cancelled {}", arguments.id));
    Ok(Exit::Success)
}
