//! `askwell list`: what waits for a person.

use askwell::inbox::Client;
use askwell::inbox::wire::{
    Inbox as _, InboxError, ListFilter, ListQuery, RequestSummary, Role, UnixMillis,
};
use clap::Args;
use serde_json::json;

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{Exit, Failure};
use crate::words;

/// List the requests that wait for a person
///
/// In the order in which they were asked; those whose asker is away come last.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell list
  askwell list --format json | jq -r '.requests[].id'
  askwell list --open --session 7f3a         # also what was answered and not picked up yet")]
pub struct Arguments {
    /// Also those that a person ended and whose asker does not know it yet
    #[arg(long)]
    open: bool,

    /// Only those whose asker says that it is of this session
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,

    /// How to print them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Lists.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Answerer, Start::WithStore)?;
    let filter = if arguments.open { ListFilter::Open } else { ListFilter::Pending };
    let query = ListQuery { filter, session: arguments.session, ..ListQuery::default() };
    let (mut requests, now) = whole(&client, query)?;
    // Stable: within each the order stays.
    requests.sort_by_key(|request| request.away_since.is_some());
    arguments.format.deliver(
        || json!({ "requests": requests, "now": now }),
        || match requests.is_empty() {
            true => vec!["nothing waits".to_owned()],
            false => requests.iter().flat_map(|request| words::summary(request, now)).collect(),
        },
    )?;
    Ok(Exit::Success)
}

/// All pages of a list, and when it was read by the host's clock.
pub fn whole(
    client: &Client,
    mut query: ListQuery,
) -> Result<(Vec<RequestSummary>, UnixMillis), InboxError> {
    query.limit = Some(ListQuery::MOST);
    let (mut requests, mut now) = (Vec::new(), 0);
    loop {
        let page = client.list(&query)?;
        requests.extend(page.requests);
        now = page.now.max(now);
        query.after = page.next;
        if query.after.is_none() {
            return Ok((requests, now));
        }
    }
}
