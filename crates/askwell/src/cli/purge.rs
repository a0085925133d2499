//! `askwell purge`: forgets what ended long ago.

use std::time::Duration;

use askwell::inbox::wire::Role;
use clap::Args;

use super::timeout::Timeout;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Forget requests that ended long ago, with their answers and drafts
///
/// What waits for a person is never forgotten.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell purge --keep 30d
  askwell purge --keep 0          # everything that has ended")]
pub struct Arguments {
    /// Keep what ended within this time: 0, 12h, 30d
    #[arg(long, value_name = "TIME")]
    keep: Timeout,
}

/// Purges.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Admin, Start::WithStore)?;
    let purged = client.purge(Duration::from_secs(arguments.keep.seconds))?.requests;
    let what = if purged == 1 { "request" } else { "requests" };
    report::note(&format!("forgot {purged} {what}"));
    Ok(Exit::Success)
}
