//! `askwell` without a command: what waits, and what to do about it.

use askwell::inbox::wire::{Inbox as _, ListQuery, Role};
use clap::Command;

use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::words;

/// More than these are counted.
const SHOWN: u32 = 5;

/// Tells what waits; where there is nothing to tell of, what the program can do.
pub fn run(command: &mut Command) -> Result<Exit, Failure> {
    if !hosts::runs(Role::Answerer) {
        if hosts::place().is_ok_and(|place| place.database().exists()) {
            report::note("no host is running; askwell list starts one and shows what waits");
        }
        return Ok(report::short_help(command));
    }
    let client = hosts::client(Role::Answerer, Start::Never)?;
    let page = client.list(&ListQuery { limit: Some(SHOWN), ..ListQuery::default() })?;
    let mut lines = Vec::new();
    for request in &page.requests {
        lines.extend(words::summary(request, page.now));
    }
    match page.requests.as_slice() {
        [] => lines.push("nothing waits".to_owned()),
        all @ [first, ..] => {
            // Rather one that somebody waits for.
            let first = all.iter().find(|it| it.away_since.is_none()).unwrap_or(first);
            if page.next.is_some() {
                lines.push("and more: askwell list".to_owned());
            }
            lines.push(format!("answer with: askwell answer {}", first.id));
        }
    }
    lines.push("everything askwell can do: askwell --help".to_owned());
    report::deliver_to_reader(&report::plain_lines(&lines))?;
    Ok(Exit::Success)
}
