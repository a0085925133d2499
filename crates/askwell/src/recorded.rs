//! Recorded answers: a person's decisions taken beforehand, for CI and other places without one.
//!
//! Owns the form of the file and which entry answers which question. Invariant: strict. A question
//! that no entry answers, and an entry that breaks its question's rules, fail the whole request;
//! nothing is filled in.

use std::collections::HashMap;

use askwell_core::answer::{self, Issue, IssueCode};
use askwell_core::{Answers, AskError, BadResponse, Outcome, Question, ValidRequest};
use regex_lite::Regex;
use serde_json::{Map, Value, json};

use crate::{Cancel, Provider};

/// Answers from a file of the form that askwell itself prints:
///
/// ```json
/// {"answers": [
///   {"id": "db", "selected": ["Postgres"]},
///   {"match": "(?i)which features", "selected": ["Auth"], "custom": "also SSO"},
///   {"match": ".", "selected": []}
/// ]}
/// ```
///
/// The entry with the question's own `id` answers it, else the first whose `match`, a regular
/// expression, is found in the question's text. One with both goes before these, and answers only
/// where both fit: for questions of one text. Entries that no question needs are ignored, and an
/// empty `selected` without `custom` records a skip.
#[derive(Debug, Clone)]
pub struct Recorded {
    entries: Vec<Value>,
    by_id: HashMap<String, usize>,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone)]
struct Rule {
    pattern: Regex,
    id: Option<String>,
    entry: usize,
}

impl Recorded {
    /// Reads recorded answers.
    ///
    /// # Errors
    /// [`BadResponse`] where the text is not of the form, with every fault and its place.
    pub fn from_json(text: &str) -> Result<Self, BadResponse> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            bad(vec![malformed(format!("the text is not valid JSON: {error}"))])
        })?;
        let Some(list) = value.get("answers").and_then(Value::as_array) else {
            return Err(bad(vec![malformed("needs a list \"answers\"".to_owned())]));
        };
        let mut recorded = Self {
            entries: Vec::with_capacity(list.len()),
            by_id: HashMap::new(),
            rules: Vec::new(),
        };
        let faults: Vec<Issue> = list
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| recorded.add(index, entry).err())
            .map(malformed)
            .collect();
        match faults.is_empty() {
            true => Ok(recorded),
            false => Err(bad(faults)),
        }
    }

    fn add(&mut self, index: usize, entry: &Value) -> Result<(), String> {
        let place = format!("answers[{index}]");
        let Value::Object(fields) = entry else {
            return Err(format!("{place} is not an object"));
        };
        let id = text_of(fields, "id").map_err(|fault| format!("{place}.{fault}"))?;
        let pattern = text_of(fields, "match").map_err(|fault| format!("{place}.{fault}"))?;
        match (id, pattern) {
            (Some(id), None) => {
                if let Some(first) = self.by_id.insert(id.to_owned(), index) {
                    return Err(format!("{place}.id repeats answers[{first}].id"));
                }
            }
            (id, Some(pattern)) => {
                let pattern = Regex::new(pattern).map_err(|error| {
                    format!("{place}.match is not a regular expression: {error}")
                })?;
                self.rules.push(Rule { pattern, id: id.map(str::to_owned), entry: index });
            }
            (None, None) => {
                return Err(format!("{place} needs an \"id\" or a \"match\""));
            }
        }
        self.entries.push(entry.clone());
        Ok(())
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// [`BadResponse`] with every question that no entry answers, and everything that breaks a
    /// question's rules.
    pub fn answers(&self, request: &ValidRequest) -> Result<Answers, BadResponse> {
        let mut used = HashMap::new();
        let mut answers = Vec::with_capacity(request.questions.len());
        for question in &request.questions {
            if let Some(index) = self.entry_for(question) {
                let mut entry = self.entries[index].clone();
                entry["id"] = json!(question.id);
                answers.push(entry);
                used.insert(question.id.as_str(), index);
            }
        }
        let answers = json!({"answers": answers});
        answer::validate_json(request, &answers).map_err(|mut bad| {
            for issue in &mut bad.issues {
                let id = issue.question.as_deref().unwrap_or_default();
                match used.get(id) {
                    Some(index) => issue.message += &format!(" (answers[{index}])"),
                    None => "has no recorded answer".clone_into(&mut issue.message),
                }
            }
            bad
        })
    }

    fn entry_for(&self, question: &Question) -> Option<usize> {
        let rule = |id: Option<&str>| {
            let mut rules = self.rules.iter().filter(|rule| rule.id.as_deref() == id);
            let found = rules.find(|rule| rule.pattern.is_match(&question.question));
            found.map(|rule| rule.entry)
        };
        rule(Some(&question.id))
            .or_else(|| self.by_id.get(&question.id).copied())
            .or_else(|| rule(None))
    }
}

impl Provider for Recorded {
    fn name(&self) -> &str {
        "rule"
    }

    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError> {
        if let Some(reason) = cancel.reason() {
            return Ok(Outcome::Aborted { reason });
        }
        Ok(Outcome::Answered(self.answers(request)?))
    }
}

/// A field that holds a string, or is not there.
fn text_of<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("{name} is not a string")),
    }
}

fn malformed(message: String) -> Issue {
    Issue { question: None, code: IssueCode::Malformed, message }
}

fn bad(issues: Vec<Issue>) -> BadResponse {
    BadResponse { issues }
}

#[cfg(test)]
mod tests {
    use askwell_core::Request;
    use pretty_assertions::assert_eq;

    use super::*;

    fn request() -> ValidRequest {
        let questions = [
            Question::new("db", "Which database?").option("Postgres").option("SQLite"),
            Question::new("feat", "Which features?").option("Auth").option("Search").multi_select(),
            Question::new("name", "Project name?"),
        ];
        Request::new(questions).validate().unwrap()
    }

    fn answers(recorded: &Value) -> Result<Value, Vec<String>> {
        let told = |bad: BadResponse| {
            let told = bad.issues.into_iter().map(|issue| match issue.question {
                Some(question) => format!("{question}: {}", issue.message),
                None => issue.message,
            });
            told.collect::<Vec<_>>()
        };
        let recorded = Recorded::from_json(&recorded.to_string()).map_err(told)?;
        let answers = recorded.answers(&request()).map_err(told)?;
        Ok(serde_json::to_value(answers).unwrap())
    }

    #[test]
    fn the_exact_id_comes_before_the_first_rule_that_fits() {
        let recorded = json!({"answers": [
            {"match": "(?i)WHICH", "selected": ["Search", "Auth"], "custom": "also SSO"},
            {"match": "features", "selected": []},
            {"id": "db", "selected": ["SQLite"]},
            {"id": "elsewhere", "selected": ["Anything"]},
            {"match": "^Project name\\?$", "selected": [], "custom": " askwell "},
        ]});

        assert_eq!(
            answers(&recorded),
            Ok(json!({"answers": [
                {"id": "db", "selected": ["SQLite"]},
                {"id": "feat", "selected": ["Auth", "Search"], "custom": "also SSO"},
                {"id": "name", "selected": [], "custom": "askwell"},
            ]}))
        );
    }

    #[test]
    fn an_entry_with_id_and_rule_answers_only_where_both_fit() {
        let recorded = json!({"answers": [
            {"id": "db", "match": "database", "selected": ["SQLite"]},
            {"id": "feat", "match": "database", "selected": ["Postgres"]},
            {"id": "db", "selected": ["Postgres"]},
            {"match": ".", "selected": []},
        ]});

        assert_eq!(
            answers(&recorded),
            Ok(json!({"answers": [
                {"id": "db", "selected": ["SQLite"]},
                {"id": "feat", "selected": []},
                {"id": "name", "selected": []},
            ]}))
        );
    }

    #[test]
    fn an_answer_document_is_a_recording() {
        let printed = json!({"answers": [
            {"id": "db", "selected": []},
            {"id": "feat", "selected": ["Auth"], "custom": "two\nlines"},
            {"id": "name", "selected": []},
        ]});

        assert_eq!(answers(&printed), Ok(printed));
    }

    #[test]
    fn every_question_without_an_answer_and_every_broken_rule_is_told() {
        let recorded = json!({"answers": [
            {"match": "database", "selected": ["Postgres", "Oracle"]},
            {"id": "feat", "custom": "text"},
        ]});

        assert_eq!(
            answers(&recorded),
            Err(vec![
                "feat: \"selected\" must be a list of labels (answers[1])".to_owned(),
                "db: label \"Oracle\" is not one of its options (answers[0])".to_owned(),
                "db: takes one label, not 2 (answers[0])".to_owned(),
                "name: has no recorded answer".to_owned(),
            ])
        );
    }

    #[test]
    fn every_entry_that_is_not_of_the_form_is_told() {
        let recorded = json!({"answers": [
            {"selected": []},
            {"id": "db", "match": "[", "selected": []},
            {"match": "(", "selected": []},
            {"id": 7, "selected": []},
            "db",
            {"id": "db", "selected": []},
            {"id": "db", "selected": ["SQLite"]},
        ]});

        let faults = answers(&recorded).unwrap_err();

        assert_eq!(
            faults.iter().map(|fault| fault.split(':').next().unwrap()).collect::<Vec<_>>(),
            [
                "answers[0] needs an \"id\" or a \"match\"",
                "answers[1].match is not a regular expression",
                "answers[2].match is not a regular expression",
                "answers[3].id is not a string",
                "answers[4] is not an object",
                "answers[6].id repeats answers[5].id",
            ]
        );
    }

    #[test]
    fn what_is_not_an_answer_is_not_a_recording() {
        let cancelled = r#"{"state":"cancelled","message":"…"}"#;
        for text in [cancelled, "[]", "7", "{\"answers\":{}}"] {
            assert_eq!(
                Recorded::from_json(text).unwrap_err().to_string(),
                "BAD_RESPONSE: needs a list \"answers\""
            );
        }
        let error = Recorded::from_json("{\n  oops").unwrap_err().to_string();
        assert!(error.ends_with("at line 2 column 3"), "{error}");
    }
}
