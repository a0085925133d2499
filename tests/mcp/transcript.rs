//! Recorded transcripts of raw JSON-RPC: what a client of each era writes, and every byte of meaning that
//! comes back, over both transports.
//!
//! A line of a transcript is `> MESSAGE` of the client, `< MESSAGE` of the server, `! [ARGUMENTS]` of a
//! person at the command line, or `#` and words. In what the server says `"$any"` stands for anything,
//! `"$tools"` for the list of tools, and `$request` within a string for the id of the request.

use std::time::Duration;

use askwell::tool;
use askwell_testkit::deadline;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::stream::Http;
use super::{Host, Process, Wire};

const LEGACY: &str = include_str!("transcripts/legacy.jsonl");
const MODERN: &str = include_str!("transcripts/modern.jsonl");

fn process(host: &Host) -> Process {
    Process::start(&host.askwell.clone().env("CI", "true"), &[])
}

#[test]
fn a_legacy_client_over_standard_input() {
    let host = Host::start();
    play(&host, &mut process(&host), LEGACY);
}

#[test]
fn a_legacy_client_over_http() {
    let host = Host::start();
    play(&host, &mut Http::new(&host), LEGACY);
}

#[test]
fn a_modern_client_over_standard_input() {
    let host = Host::start();
    play(&host, &mut process(&host), MODERN);
}

#[test]
fn a_modern_client_over_http() {
    let host = Host::start();
    play(&host, &mut Http::new(&host), MODERN);
}

/// Plays a transcript.
#[track_caller]
fn play(host: &Host, wire: &mut impl Wire, transcript: &str) {
    let mut request = None;
    for (number, line) in transcript.lines().enumerate() {
        let place = format!("line {}", number + 1);
        let (mark, rest) = line.split_at(line.len().min(2));
        match mark.trim() {
            "" | "#" => {}
            ">" => {
                let id = request.as_deref().unwrap_or_default();
                wire.send(&serde_json::from_str(&rest.replace("$request", id)).unwrap());
            }
            "!" => {
                let id = request.get_or_insert_with(|| host.next_waiting()).clone();
                let arguments: Vec<String> = serde_json::from_str(rest).unwrap();
                let arguments: Vec<String> =
                    arguments.iter().map(|it| it.replace("$request", &id)).collect();
                let run = host.run(arguments.iter().map(String::as_str));
                assert_eq!(run.code(), 0, "{place}: {run}");
            }
            "<" => {
                let expected: Value = serde_json::from_str(rest).unwrap();
                let got = wire.receive(deadline()).unwrap_or_else(|| panic!("{place}: nothing"));
                let expected = filled(expected, &got, &mut request);
                assert_eq!(got, expected, "{place}");
                assert_eq!(got.to_string(), expected.to_string(), "{place}: the order of the keys");
            }
            _ => panic!("{place}: {line}"),
        }
    }
    assert_eq!(wire.receive(Duration::from_millis(50)), None, "more than was expected");
}

/// What is expected, with what stands for something replaced by it.
fn filled(expected: Value, got: &Value, request: &mut Option<String>) -> Value {
    match expected {
        Value::String(text) if text == "$any" => got.clone(),
        Value::String(text) if text == "$tools" => json!(tool::list()),
        Value::String(text) => match (text.split_once("$request"), got.as_str()) {
            (Some((before, _)), Some(got)) => {
                // The first time it is known by its place.
                let found = got.get(before.len()..before.len() + 36).unwrap_or_default().to_owned();
                json!(text.replace("$request", request.get_or_insert(found)))
            }
            _ => text.into(),
        },
        Value::Array(items) => {
            let items = items.into_iter().enumerate();
            items.map(|(at, item)| filled(item, &got[at], request)).collect()
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let filled = fields.map(|(name, value)| {
                let value = filled(value, &got[&name], request);
                (name, value)
            });
            Value::Object(filled.collect())
        }
        other => other,
    }
}
