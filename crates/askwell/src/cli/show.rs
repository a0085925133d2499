//! `askwell show`: a whole request, with its draft, its outcome and what came too late.

use askwell::ErrorCode;
use askwell::inbox::wire::{Inbox as _, RequestId, Role};
use clap::Args;
use serde_json::json;

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{Exit, Failure};
use crate::words;

/// Show a request, what was entered so far, how it ended and what came too late
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell show 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e
  askwell show 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e --format json | jq .request.late")]
pub struct Arguments {
    /// The id of the request
    id: RequestId,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Shows.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Answerer, Start::WithStore)?;
    let view = client.get(arguments.id)?;
    // An asker's credential reads its request, but never a draft.
    let draft = match client.draft(arguments.id) {
        Err(error) if error.code == ErrorCode::Forbidden => None,
        draft => Some(draft?),
    };
    arguments.format.deliver(
        || json!({ "request": view, "draft": draft }),
        || words::request(&view, draft.as_ref(), hosts::now()),
    )?;
    Ok(Exit::Success)
}
