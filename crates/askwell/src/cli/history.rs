//! `askwell history`: what has ended; and answers as a file that answers the same again.

use askwell::State;
use askwell::inbox::Client;
use askwell::inbox::wire::{HistoryQuery, Inbox as _, ListQuery, RequestSummary, Role};
use clap::Args;
use serde_json::{Value, json};

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::words;

/// List the requests that have ended, the latest first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell history --limit 20
  askwell history --search database
  askwell history --search release --export > release.answers.json
  askwell ask release.json --answers release.answers.json")]
pub struct Arguments {
    /// Only those that hold this text somewhere, in whatever case
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,

    /// At most so many
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,

    /// Print the answers as a file for `askwell ask --answers`: each question by its text, with the
    /// latest answer to it
    #[arg(long, conflicts_with = "format")]
    export: bool,

    /// How to print them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Lists, or exports.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Answerer, Start::WithStore)?;
    let (requests, now) = read(&client, arguments)?;
    if arguments.export {
        let entries = export(&client, &requests)?;
        report::deliver(&report::json_line(&json!({ "answers": entries })))?;
        return Ok(Exit::Success);
    }
    arguments.format.deliver(
        || json!({ "requests": requests, "now": now }),
        || match requests.is_empty() {
            true => vec!["nothing was found".to_owned()],
            false => requests.iter().flat_map(|request| words::summary(request, now)).collect(),
        },
    )?;
    Ok(Exit::Success)
}

fn read(client: &Client, arguments: &Arguments) -> Result<(Vec<RequestSummary>, i64), Failure> {
    let most = arguments.limit.unwrap_or(usize::MAX);
    let (mut requests, mut now): (Vec<RequestSummary>, i64) = (Vec::new(), 0);
    let mut query = HistoryQuery { search: arguments.search.clone(), ..HistoryQuery::default() };
    loop {
        let left = u32::try_from(most - requests.len()).unwrap_or(u32::MAX);
        query.limit = Some(left.clamp(1, ListQuery::MOST));
        let page = client.history(&query)?;
        requests.extend(page.requests);
        now = page.now.max(now);
        query.after = page.next;
        if query.after.is_none() || requests.len() >= most {
            requests.truncate(most);
            return Ok((requests, now));
        }
    }
}

/// The latest answer to each question.
fn export(client: &Client, requests: &[RequestSummary]) -> Result<Vec<Value>, Failure> {
    let mut entries: Vec<Value> = Vec::new();
    for summary in requests.iter().filter(|request| request.state == State::Answered) {
        let view = client.get(summary.id)?;
        let answers = view.outcome.as_ref().and_then(|outcome| outcome.get("answers"));
        let answers = answers.and_then(Value::as_array).into_iter().flatten();
        let questions = &view.request.questions;
        for (question, answer) in questions.iter().zip(answers) {
            let pattern = format!("^{}$", regex_lite::escape(&question.question));
            let same = questions.iter().filter(|other| other.question == question.question);
            // The text alone does not tell which of them it was.
            let mut entry = match same.count() {
                1 => json!({ "match": pattern }),
                _ => json!({ "id": question.id, "match": pattern }),
            };
            let is_answered = |earlier: &Value| {
                (&earlier["id"], &earlier["match"]) == (&entry["id"], &entry["match"])
            };
            if entries.iter().any(is_answered) {
                continue;
            }
            entry["selected"] = answer["selected"].clone();
            if let Some(custom) = answer.get("custom") {
                entry["custom"] = custom.clone();
            }
            entries.push(entry);
        }
    }
    Ok(entries)
}
