//! `askwell abort`: an asker withdraws a request.

use askwell::ErrorCode;
use askwell::inbox::wire::{Inbox as _, RequestId, Role};
use clap::Args;

use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Withdraw a request, so that nobody answers it any more
///
/// For whoever asked it, and for admins. (A person who does not want to answer uses
/// `askwell cancel`.)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell abort 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e
  askwell abort 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e --reason 'the release was called off'")]
pub struct Arguments {
    /// The id of the request
    id: RequestId,

    /// Why, for the asker: "Withdrawn before an answer: TEXT"
    #[arg(long, value_name = "TEXT", default_value = "somebody ran askwell abort")]
    reason: String,
}

/// Aborts.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (id, reason) = (arguments.id, arguments.reason.as_str());
    let asker = hosts::client(Role::Asker, Start::WithStore)?;
    let aborted = match asker.abort(id, reason) {
        // Asked with another credential: only an admin's withdraws it.
        Err(error) if matches!(error.code, ErrorCode::NotFound | ErrorCode::Forbidden) => {
            let admin = hosts::client(Role::Admin, Start::WithStore)?;
            admin.abort(id, reason).map_err(|_| error)
        }
        other => other,
    };
    aborted.map_err(|error| super::late(error, false))?;
    report::note(&format!("withdrawn: {id}"));
    Ok(Exit::Success)
}
