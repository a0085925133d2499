//! The consumers' edge: reads the shapes that models really send, and hands the strict reader the
//! proper form. Only names and wrappings are mended; what is not understood is refused.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::fault::{BadRequest, Fault, Rule};
use crate::request::{self, ValidRequest};

/// Reads a request from JSON text, leniently.
///
/// # Errors
/// [`BadRequest`] with all faults, their paths by the proper names.
pub fn request_from_json(text: &str) -> Result<ValidRequest, BadRequest> {
    request_from_slice(text.as_bytes())
}

/// Reads a request from the bytes of JSON text, leniently.
///
/// # Errors
/// As [`request_from_json`]; also where the bytes are not UTF-8.
pub fn request_from_slice(bytes: &[u8]) -> Result<ValidRequest, BadRequest> {
    request_from_value(request::parse(bytes)?)
}

/// Reads a request from a JSON value, leniently.
///
/// # Errors
/// As [`request_from_json`].
pub fn request_from_value(value: Value) -> Result<ValidRequest, BadRequest> {
    let mut mender = Mender::default();
    let mended = mender.request(value);
    let strict = request::from_value(mended);
    if mender.faults.is_empty() {
        return strict;
    }
    if let Err(bad) = strict {
        mender.faults.extend(bad.faults().iter().cloned());
    }
    Err(BadRequest::new(mender.faults))
}

/// A name as it may be written, folded: case, `_` and `-` do not count.
type Aliases = &'static [(&'static str, &'static str)];

const REQUEST: Aliases = &[
    ("questions", "questions"),
    ("context", "context"),
    ("asker", "asker"),
    ("expiresinseconds", "expiresInSeconds"),
];
const QUESTION: Aliases = &[
    ("id", "id"),
    ("header", "header"),
    ("question", "question"),
    ("prompt", "question"),
    ("detail", "detail"),
    ("options", "options"),
    ("choices", "options"),
    ("multiselect", "multiSelect"),
    ("multiple", "multiSelect"),
    ("allowmultiple", "multiSelect"),
    ("selectionmode", "multiSelect"),
    ("allowcustom", "allowCustom"),
    ("intent", "intent"),
];
const OPTION: Aliases =
    &[("label", "label"), ("description", "description"), ("preview", "preview")];
const INTENT: Aliases = &[("kind", "kind"), ("approve", "approve")];
const ASKER: Aliases =
    &[("name", "name"), ("session", "session"), ("cwd", "cwd"), ("chain", "chain")];

const SELECTION_MODES: &str = "\"multi_select\" or \"single_select\"";

#[derive(Default)]
struct Mender {
    faults: Vec<Fault>,
}

impl Mender {
    fn request(&mut self, value: Value) -> Value {
        let mut request = self.rename("", value, REQUEST);
        if let Some(questions) = request.get_mut("questions") {
            self.questions(questions);
        }
        if let Some(asker) = request.get_mut("asker") {
            *asker = self.rename("asker", asker.take(), ASKER);
        }
        request
    }

    fn questions(&mut self, questions: &mut Value) {
        if let Value::String(text) = questions {
            match request::parse(text.as_bytes()) {
                Ok(parsed @ (Value::Array(_) | Value::Object(_))) => *questions = parsed,
                Ok(_) => {}
                Err(bad) => {
                    let faults = bad.faults().iter().cloned();
                    self.faults
                        .extend(faults.map(|fault| Fault { path: "questions".into(), ..fault }));
                }
            }
        }
        if questions.is_object() {
            *questions = Value::Array(vec![questions.take()]);
        }
        let Value::Array(list) = questions else {
            return;
        };
        for (index, question) in list.iter_mut().enumerate() {
            let path = format!("questions[{index}]");
            *question = self.rename(&path, question.take(), QUESTION);
            if let Some(intent) = question.get_mut("intent") {
                *intent = self.rename(&format!("{path}.intent"), intent.take(), INTENT);
            }
            if let Some(Value::Array(options)) = question.get_mut("options") {
                for (index, option) in options.iter_mut().enumerate() {
                    self.option(&format!("{path}.options[{index}]"), option);
                }
            }
        }
        mint_ids(list);
    }

    fn option(&mut self, path: &str, option: &mut Value) {
        if let Value::String(label) = option {
            *option = Value::Object(Map::from_iter([("label".into(), label.as_str().into())]));
            return;
        }
        *option = self.rename(path, option.take(), OPTION);
        if let Value::Object(fields) = option
            && fields.get("label").is_none_or(Value::is_null)
            && let Some(name) = fields.keys().find(|name| fold(name) == "value").cloned()
            && let Some(value) = fields.get(&name).cloned()
        {
            fields.insert("label".into(), value);
        }
    }

    /// Gives each field its proper name. Two names for one thing must hold the same.
    fn rename(&mut self, path: &str, value: Value, aliases: Aliases) -> Value {
        let fields = match value {
            Value::Object(fields) => fields,
            other => return other,
        };
        let mut renamed = Map::new();
        let mut sources: Map<String, Value> = Map::new();
        for (sent, value) in fields {
            let folded = fold(&sent);
            let Some((alias, proper)) = aliases.iter().find(|(alias, _)| *alias == folded) else {
                renamed.insert(sent, value);
                continue;
            };
            if value.is_null() {
                continue;
            }
            let place = match path {
                "" => (*proper).to_owned(),
                path => format!("{path}.{proper}"),
            };
            let value = match *alias {
                "selectionmode" => self.selection_mode(&place, value),
                _ => value,
            };
            match renamed.get(*proper) {
                Some(earlier) if *earlier != value => {
                    let first = sources.get(*proper).and_then(Value::as_str).unwrap_or(proper);
                    let names = (first.to_owned(), sent);
                    self.faults.push(Fault::at(place, Rule::Disagree { names }));
                }
                Some(_) => {}
                None => {
                    sources.insert((*proper).to_owned(), sent.into());
                    renamed.insert((*proper).to_owned(), value);
                }
            }
        }
        Value::Object(renamed)
    }

    fn selection_mode(&mut self, path: &str, value: Value) -> Value {
        match value.as_str().map(fold).as_deref() {
            Some("multiselect" | "multiple" | "multi") => true.into(),
            Some("singleselect" | "single") => false.into(),
            _ => {
                let rule = Rule::Unknown { expected: SELECTION_MODES };
                self.faults.push(Fault::at(path, rule));
                Value::Null
            }
        }
    }
}

/// Questions without an id get `q1`, `q2`, …, the next that is free.
fn mint_ids(questions: &mut [Value]) {
    let id = |question: &Value| question.get("id").and_then(Value::as_str).map(str::to_owned);
    let taken: BTreeSet<String> = questions.iter().filter_map(id).collect();
    let mut free = (1..).map(|number| format!("q{number}")).filter(|id| !taken.contains(id));
    for question in questions {
        if let Value::Object(fields) = question
            && fields.get("id").is_none_or(Value::is_null)
            && let Some(id) = free.next()
        {
            fields.insert("id".into(), id.into());
        }
    }
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}
