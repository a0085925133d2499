//! JSON on a page that nothing printed: it is read as what it claims to be, by the code that reads it
//! in earnest. And what was printed is compared, but for what is another value every time.

use std::collections::BTreeMap;

use askwell::recorded::Recorded;
use askwell_core::error::ErrorCode;
use askwell_core::wire::{Event, Problem};
use askwell_core::{lenient, texts};
use askwell_testkit::TestEnvironment;
use serde_json::{Value, json};

/// The documents of a text, one after the other.
pub fn parse(text: &str) -> Result<Vec<Value>, String> {
    let documents = serde_json::Deserializer::from_str(text).into_iter();
    documents.collect::<Result<_, _>>().map_err(|error| format!("no JSON: {error}"))
}

/// What is wrong with a document as that which it claims to be.
pub fn fault(askwell: &TestEnvironment, document: &Value) -> Option<String> {
    let fault = if document.get("questions").is_some() {
        lenient::request_from_json(&document.to_string()).err().map(|error| error.to_string())
    } else if document.get("answers").is_some() {
        answers(askwell, document)
    } else if document.get("state").is_some() {
        outcome(document)
    } else if let Some(code) = document.get("error") {
        let code = code.as_str().and_then(ErrorCode::from_wire);
        code.is_none().then(|| "no such code".to_owned())
    } else if document.get("kind").is_some() {
        serde_json::from_value::<Event>(document.clone()).err().map(|error| error.to_string())
    } else if document.get("code").is_some() {
        serde_json::from_value::<Problem>(document.clone()).err().map(|error| error.to_string())
    } else {
        Some("nobody knows what it claims to be".to_owned())
    };
    fault.map(|fault| format!("{fault}: {document}"))
}

/// Answers fit some request: one that offers what they choose.
fn answers(askwell: &TestEnvironment, document: &Value) -> Option<String> {
    let entries = document["answers"].as_array()?;
    if entries.iter().any(|entry| entry.get("match").is_some()) {
        let recorded = Recorded::from_json(&document.to_string());
        return recorded.err().map(|error| error.to_string());
    }
    let questions = entries.iter().map(|entry| {
        let labels = entry["selected"].as_array().cloned().unwrap_or_default();
        let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
        json!({"id": entry["id"], "question": "?", "options": options, "multiSelect": true})
    });
    let request = json!({ "questions": questions.collect::<Vec<_>>() });
    askwell.write("request.json", request.to_string());
    askwell.write("answer.json", document.to_string());
    let run = askwell.run(["check", "request.json", "--answer", "answer.json"]);
    (run.code() != 0).then(|| run.to_string())
}

/// The words of an outcome are those that a model gets.
fn outcome(document: &Value) -> Option<String> {
    let text = |name: &str| document[name].as_str();
    let message = text("message")?;
    let expected = match text("state") {
        Some("cancelled") => texts::cancelled(text("comment")),
        Some("aborted") => texts::aborted(text("reason").unwrap_or_default()),
        Some("expired") => {
            let least = texts::expired(None);
            let rest = least.split_once(". ").map_or("", |(_, rest)| rest);
            return (!message.ends_with(rest)).then(|| least.clone());
        }
        Some("pending") => {
            return (!message.starts_with(texts::NOT_ANSWERED)).then(|| "other words".to_owned());
        }
        _ => return Some("no such state".to_owned()),
    };
    (message != expected).then_some(expected)
}

/// The events of a stream on a page are events, and those that come once each stand in the stream that was
/// read. The others depend on how quick the reader was.
pub fn same_events(read: &str, page: &str) -> Result<(), String> {
    let data = |text: &str| -> Result<Vec<Value>, String> {
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|it| serde_json::from_str(it).map_err(|error| format!("{error}: {it}"))).collect()
    };
    let read = data(read)?;
    let once = |event: &&Value| event["kind"] == "requested" || event["kind"] == "resolved";
    let mut fault = Ok(());
    for event in data(page)? {
        serde_json::from_value::<Event>(event.clone())
            .map_err(|error| format!("{error}: {event}"))?;
        let same = |other: &Value| Masked::new().value(other) == Masked::new().value(&event);
        if once(&&event) && !read.iter().any(same) {
            fault = Err(format!("not in the stream: {event}\n{read:#?}"));
        }
    }
    fault
}

/// Text in which all that is new every time (ids, times, addresses, ports) has a name: the same thing
/// the same one.
pub struct Masked(BTreeMap<String, String>);

impl Masked {
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub fn text(&mut self, text: &str) -> String {
        let mut masked = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let word_end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '-');
            let (word, after) = rest.split_at(word_end.unwrap_or(rest.len()));
            if word.is_empty() {
                masked.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            rest = after;
            let host = after.strip_prefix(".localhost:").or_else(|| after.strip_prefix(".0.0.1:"));
            if let Some(port) = host {
                masked.push_str("HOST");
                rest = port.trim_start_matches(|it: char| it.is_ascii_digit());
            } else if after.starts_with(" s ago") {
                masked.push('0');
            } else if is_new_every_time(word) {
                let next = format!("NEW-{}", self.0.len() + 1);
                masked.push_str(self.0.entry(word.to_owned()).or_insert(next));
            } else {
                masked.push_str(word);
            }
        }
        masked
    }

    pub fn value(&mut self, value: &Value) -> Value {
        const OF_A_HOST: [&str; 6] =
            ["connections", "instance", "pid", "uptimeSeconds", "version", "watching"];
        match value {
            Value::String(text) => json!(self.text(text)),
            Value::Number(number) if number.as_u64() > Some(1_000_000_000_000) => json!("TIME"),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| match OF_A_HOST.contains(&name.as_str()) {
                    true => (name.clone(), json!("OF A HOST")),
                    false => (name.clone(), self.value(value)),
                })
                .collect(),
            other => other.clone(),
        }
    }
}

/// An id of a request, a place in the log, a token.
fn is_new_every_time(word: &str) -> bool {
    let hexadecimal = |text: &str| text.chars().all(|it| it.is_ascii_hexdigit());
    let parts: Vec<&str> = word.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    match lengths.as_slice() {
        [8, 4, 4, 4, 12] | [16, _] => parts.iter().all(|part| hexadecimal(part)),
        [one] => *one >= 40 || (*one == 13 && word.parse::<u64>().is_ok()),
        _ => false,
    }
}
