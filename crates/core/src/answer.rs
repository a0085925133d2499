//! What a person answered: the canonical form, and the validation that alone makes it.
//!
//! Invariant: an [`Answers`] holds one item for each question of its request, in that order, each
//! by the rule of its question.

use std::collections::{HashMap, HashSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::kind_of;
use crate::limits;
use crate::request::{Question, ValidRequest};
use crate::text::{is_blank, normalize_line_ends};

/// The answer to one question: labels that were offered, and apart from them the person's own text.
/// Both empty: the person skipped the question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Answer {
    /// The id of the question.
    pub id: String,
    /// The chosen labels, byte for byte, in the order in which they were offered.
    #[schemars(length(max = limits::OPTIONS))]
    pub selected: Vec<String>,
    /// The text that the person wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = limits::CUSTOM))]
    pub custom: Option<String>,
}

impl Answer {
    /// Whether the person skipped the question.
    pub fn is_skipped(&self) -> bool {
        self.selected.is_empty() && self.custom.is_none()
    }
}

/// The complete, canonical answer to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answers {
    answers: Vec<Answer>,
}

impl Answers {
    /// One answer for each question, in the order of the questions.
    pub fn as_slice(&self) -> &[Answer] {
        &self.answers
    }

    /// The answer to the question with this id.
    pub fn get(&self, id: &str) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.id == id)
    }
}

/// The shape of an answer on the wire, for its schema.
#[derive(JsonSchema)]
#[schemars(rename = "Answers", description = "The complete answer: one item for each question.")]
pub(crate) struct AnswersShape {
    #[expect(dead_code, reason = "read by the schema only")]
    answers: Vec<Answer>,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueCode {
    /// A question without an answer. That is not a skip.
    MissingAnswer,
    /// An answer to what was not asked.
    UnknownQuestion,
    /// A second answer to one question.
    DuplicateAnswer,
    /// A label that the question does not offer.
    UnknownLabel,
    /// The same label twice.
    DuplicateLabel,
    /// Several labels where one may be chosen.
    TooManySelected,
    /// A label and a text where one of both may answer.
    CustomWithSelected,
    /// A text where none may be written.
    CustomNotAllowed,
    /// A text over its bound.
    CustomTooLong,
    /// A text of white space only.
    BlankCustom,
    /// Not of the shape of an answer.
    Malformed,
}

/// One issue of a rejected answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The question concerned, where it is known.
    pub question: Option<String>,
    /// What is wrong.
    pub code: IssueCode,
    /// The same in words, with what was found.
    pub message: String,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.question {
            Some(question) => write!(f, "question {question:?}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// A rejected answer, with every issue. It changes nothing: the request stays pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadResponse {
    /// Every issue. Never empty.
    pub issues: Vec<Issue>,
}

impl fmt::Display for BadResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BAD_RESPONSE: ")?;
        for (index, issue) in self.issues.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{issue}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BadResponse {}

/// Checks an answer against its request and makes the canonical form.
///
/// # Errors
/// [`BadResponse`] with every issue at once.
pub fn validate(request: &ValidRequest, answers: Vec<Answer>) -> Result<Answers, BadResponse> {
    let items = answers.into_iter().map(Some).collect();
    Validation::default().run(request, items)
}

/// Checks an answer as JSON, `{"answers":[…]}`. Unknown fields are ignored.
///
/// # Errors
/// [`BadResponse`] with every issue at once.
pub fn validate_json(request: &ValidRequest, value: &Value) -> Result<Answers, BadResponse> {
    let mut validation = Validation::default();
    let Some(list) = value.get("answers").and_then(Value::as_array) else {
        validation.issue(None, IssueCode::Malformed, "the answer needs a list \"answers\"".into());
        return Err(BadResponse { issues: validation.issues });
    };
    let items = list.iter().enumerate().map(|item| validation.read(item)).collect();
    validation.run(request, items)
}

#[derive(Default)]
struct Validation {
    issues: Vec<Issue>,
    /// Questions whose answer could not be read: told already, so not missing too.
    unreadable: Vec<String>,
}

impl Validation {
    fn issue(&mut self, question: Option<&str>, code: IssueCode, message: String) {
        self.issues.push(Issue { question: question.map(str::to_owned), code, message });
    }

    fn run(
        mut self,
        request: &ValidRequest,
        items: Vec<Option<Answer>>,
    ) -> Result<Answers, BadResponse> {
        let questions: HashMap<&str, usize> = request
            .questions
            .iter()
            .enumerate()
            .map(|(index, question)| (question.id.as_str(), index))
            .collect();
        let mut found: Vec<Option<Answer>> = request.questions.iter().map(|_| None).collect();
        for answer in items.into_iter().flatten() {
            let Some(&index) = questions.get(answer.id.as_str()) else {
                self.issue(Some(&answer.id), IssueCode::UnknownQuestion, "was not asked".into());
                continue;
            };
            if found[index].is_some() {
                let message = "is answered more than once".to_owned();
                self.issue(Some(&answer.id), IssueCode::DuplicateAnswer, message);
                continue;
            }
            found[index] = Some(self.canonical(&request.questions[index], answer));
        }
        for (question, answer) in request.questions.iter().zip(&found) {
            if answer.is_none() && !self.unreadable.contains(&question.id) {
                let message = "has no answer (a skipped question is {\"selected\":[]})".to_owned();
                self.issue(Some(&question.id), IssueCode::MissingAnswer, message);
            }
        }
        match self.issues.is_empty() {
            true => Ok(Answers { answers: found.into_iter().flatten().collect() }),
            false => Err(BadResponse { issues: self.issues }),
        }
    }

    fn canonical(&mut self, question: &Question, answer: Answer) -> Answer {
        let id = question.id.as_str();
        let offered = question.label_index();
        let mut chosen = vec![false; question.options.len()];
        let mut seen = HashSet::new();
        for label in &answer.selected {
            if !seen.insert(label.as_str()) {
                let message = format!("label {label:?} is selected twice");
                self.issue(Some(id), IssueCode::DuplicateLabel, message);
            } else if let Some(&index) = offered.get(label.as_str()) {
                chosen[index] = true;
            } else {
                let message = format!("label {label:?} is not one of its options");
                self.issue(Some(id), IssueCode::UnknownLabel, message);
            }
        }
        let distinct = seen.len();
        if distinct > 1 && !question.multi_select && !question.is_free_text() {
            let message = format!("takes one label, not {distinct}");
            self.issue(Some(id), IssueCode::TooManySelected, message);
        }
        let custom = self.custom(question, answer.custom);
        if custom.is_some() && distinct > 0 && !question.multi_select {
            let message = "takes a label or a custom text, not both".to_owned();
            self.issue(Some(id), IssueCode::CustomWithSelected, message);
        }
        let options = question.options.iter().zip(chosen);
        Answer {
            id: answer.id,
            selected: options
                .filter(|(_, chosen)| *chosen)
                .map(|(option, _)| option.label.clone())
                .collect(),
            custom,
        }
    }

    fn custom(&mut self, question: &Question, custom: Option<String>) -> Option<String> {
        let custom = custom?;
        let id = question.id.as_str();
        if is_blank(&custom) {
            let message = "has a custom text of white space only (leave it out)".to_owned();
            self.issue(Some(id), IssueCode::BlankCustom, message);
            return None;
        }
        let text = canonical_custom(&custom);
        if !question.allow_custom {
            let message = "takes only its own labels, no custom text".to_owned();
            self.issue(Some(id), IssueCode::CustomNotAllowed, message);
        } else if text.len() > limits::CUSTOM {
            let max = limits::CUSTOM;
            let message =
                format!("has a custom text of {} bytes (at most {max} bytes)", text.len());
            self.issue(Some(id), IssueCode::CustomTooLong, message);
        }
        Some(text)
    }

    fn read(&mut self, (index, value): (usize, &Value)) -> Option<Answer> {
        let Some(id) = value.get("id").and_then(Value::as_str) else {
            let message = format!("answers[{index}] needs an \"id\" that is a string");
            self.issue(None, IssueCode::Malformed, message);
            return None;
        };
        let selected = match value.get("selected") {
            Some(Value::Array(labels)) => labels
                .iter()
                .map(|label| label.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
                .ok_or("\"selected\" holds something that is not a string"),
            _ => Err("\"selected\" must be a list of labels"),
        };
        let custom = match value.get("custom") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(format!("\"custom\" is {}, not a string", kind_of(other))),
        };
        let faults = [
            selected.as_ref().err().map(|fault| (*fault).to_owned()),
            custom.as_ref().err().cloned(),
        ];
        for fault in faults.into_iter().flatten() {
            self.issue(Some(id), IssueCode::Malformed, fault);
        }
        let (Ok(selected), Ok(custom)) = (selected, custom) else {
            self.unreadable.push(id.to_owned());
            return None;
        };
        Some(Answer { id: id.to_owned(), selected, custom })
    }
}

/// The form in which a custom text is stored and returned: LF line ends, trimmed at its ends.
pub fn canonical_custom(text: &str) -> String {
    normalize_line_ends(text).trim().to_owned()
}
