//! `askwell purge`: forgets what ended long ago.

use std::time::Duration;

use askwell::State;
use askwell::inbox::Client;
use askwell::inbox::wire::{ListFilter, ListQuery, Role};
use clap::Args;

use super::list;
use super::timeout::Timeout;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Forget requests that ended long ago, with their answers and drafts
///
/// What waits for a person is never forgotten, and an answer that no program has picked up only
/// with --unread.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell purge --keep 30d
  askwell purge --keep 0          # everything that has ended and was picked up")]
pub struct Arguments {
    /// Keep what ended within this time: 0, 12h, 30d
    #[arg(long, value_name = "TIME")]
    keep: Timeout,

    /// Also forget what a person answered or cancelled and no program has picked up yet
    #[arg(long)]
    unread: bool,
}

/// Purges.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let keep = Duration::from_secs(arguments.keep.seconds);
    if !arguments.unread {
        let answerer = hosts::client(Role::Answerer, Start::WithStore)?;
        match unread(&answerer, keep)? {
            0 => {}
            count => return Err(still_unread(count)),
        }
    }
    let purged = hosts::client(Role::Admin, Start::WithStore)?.purge(keep)?.requests;
    let what = if purged == 1 { "request" } else { "requests" };
    report::note(&format!("forgot {purged} {what}"));
    Ok(Exit::Success)
}

/// How many of what would be forgotten were ended by a person, and the asker does not know it yet.
fn unread(client: &Client, keep: Duration) -> Result<usize, Failure> {
    let query = ListQuery { filter: ListFilter::Open, ..ListQuery::default() };
    let (requests, now) = list::whole(client, query)?;
    let before = now.saturating_sub(i64::try_from(keep.as_millis()).unwrap_or(i64::MAX));
    let ended = requests.iter().filter(|request| request.state != State::Pending);
    Ok(ended.filter(|it| it.receipt.as_ref().is_some_and(|it| it.at < before)).count())
}

fn still_unread(count: usize) -> Failure {
    let what = match count {
        1 => "1 answer or cancel has".to_owned(),
        count => format!("{count} answers or cancels have"),
    };
    Failure::new(Exit::Failure, format!("{what} not been picked up yet; nothing was forgotten"))
        .hint("see them with: askwell list --open; --unread forgets them as well")
}
