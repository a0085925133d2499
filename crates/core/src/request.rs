//! What a program asks: the types of a request, and the strict reader.
//!
//! [`Request`] is plain data that anybody may build; [`ValidRequest`] is one that has passed every
//! rule, and only this module makes it. The lenient reader for models is [`crate::lenient`].

use std::collections::HashMap;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::fault::{BadRequest, Fault, Rule};
use crate::text::{sanitize_line, split_recommended};
use crate::{json, limits, validate};

/// The intent that shows one decision over one document.
pub const PLAN_REVIEW: &str = "plan-review";

/// One batch of questions asked together and answered as one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The questions, in the order in which they are shown and answered.
    #[schemars(length(min = 1, max = limits::QUESTIONS))]
    pub questions: Vec<Question>,
    /// Markdown: what led to this. Shown collapsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::CONTEXT))]
    pub context: Option<String>,
    /// What the asking program says of itself. Shown as its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<Asker>,
    /// Seconds from acceptance until the request ends as expired. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = limits::EXPIRY_MIN, max = limits::EXPIRY_MAX))]
    pub expires_in_seconds: Option<u64>,
}

/// One item of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Question {
    /// The asker's id, unique in its request.
    #[schemars(length(min = 1, max = limits::ID))]
    pub id: String,
    /// A short name of the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::HEADER))]
    pub header: Option<String>,
    /// The question itself.
    #[schemars(length(min = 1, max = limits::QUESTION))]
    pub question: String,
    /// Markdown shown below the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::DETAIL))]
    pub detail: Option<String>,
    /// The choices. Absent or empty: a free-text question.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limits::OPTIONS))]
    pub options: Vec<QuestionOption>,
    /// Whether several options may be chosen.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "is_false")]
    pub multi_select: bool,
    /// Whether the person may write an own text. `false` needs options.
    #[serde(default = "yes", deserialize_with = "null_is_true", skip_serializing_if = "is_true")]
    pub allow_custom: bool,
    /// How to show the question. An unknown one is shown as an ordinary question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
}

/// A choice offered by a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct QuestionOption {
    /// What is shown, and what is sent back byte for byte. Unique in its question.
    #[schemars(length(min = 1, max = limits::LABEL))]
    pub label: String,
    /// What choosing it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::DESCRIPTION))]
    pub description: Option<String>,
    /// Markdown that shows what choosing it would bring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::PREVIEW))]
    pub preview: Option<String>,
}

/// A wish about how a question is shown. It changes looks only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Intent {
    /// `plan-review` is known; any other is carried and shown as an ordinary question.
    pub kind: String,
    /// For `plan-review`: the label that approves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub approve: Option<Value>,
    /// What else the intent holds.
    #[serde(flatten)]
    #[schemars(skip)]
    pub rest: Map<String, Value>,
}

/// What an asking program says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Asker {
    /// The program's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::ASKER))]
    pub name: Option<String>,
    /// The session in which it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::ASKER))]
    pub session: Option<String>,
    /// The folder it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::ASKER))]
    pub cwd: Option<String>,
    /// The sub-agents between that program and the question, outermost first.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limits::CHAIN))]
    pub chain: Vec<String>,
}

impl Question {
    /// A free-text question.
    pub fn new(id: impl Into<String>, question: impl Into<String>) -> Self {
        Self { id: id.into(), question: question.into(), allow_custom: true, ..Self::default() }
    }

    /// Adds an option without a description.
    #[must_use]
    pub fn option(mut self, label: impl Into<String>) -> Self {
        self.options.push(QuestionOption { label: label.into(), ..QuestionOption::default() });
        self
    }

    /// Lets several options be chosen.
    #[must_use]
    pub fn multi_select(mut self) -> Self {
        self.multi_select = true;
        self
    }

    /// Whether several options may be chosen: never so where there are none.
    pub fn is_multi_select(&self) -> bool {
        self.multi_select && !self.options.is_empty()
    }

    /// Whether it has no options, so that only text can answer it.
    pub fn is_free_text(&self) -> bool {
        self.options.is_empty()
    }

    /// The place of each label among the options. Labels are compared exactly.
    pub fn label_index(&self) -> HashMap<&str, usize> {
        let labels = self.options.iter().enumerate();
        labels.map(|(index, option)| (option.label.as_str(), index)).collect()
    }
}

/// A request that is one decision over one document. It changes looks only: what is sent is the
/// answer to an ordinary question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanReview<'a> {
    /// The one question; its detail is the document.
    pub question: &'a Question,
    /// The place of the option that approves.
    pub approve: usize,
    /// The place of the other option, where there is one.
    pub decline: Option<usize>,
}

impl PlanReview<'_> {
    /// The asker's label of a decision, to be shown beside our verb for it; none where it says the
    /// same.
    pub fn label_beside(&self, option: usize, verb: &str) -> Option<String> {
        let (label, _) = split_recommended(&self.question.options.get(option)?.label);
        let label = sanitize_line(label);
        (!label.trim().eq_ignore_ascii_case(verb)).then(|| label.trim().to_owned())
    }
}

impl Request {
    /// The decision that this request is, where all that can be answered to it fits into one:
    /// exactly one question of that intent, at most two options, not multi-select.
    pub fn plan_review(&self) -> Option<PlanReview<'_>> {
        let [question] = self.questions.as_slice() else { return None };
        let intent = question.intent.as_ref().filter(|intent| intent.kind == PLAN_REVIEW)?;
        if question.multi_select || question.options.len() > 2 {
            return None;
        }
        let label = intent.approve.as_ref()?.as_str()?;
        let approve = question.options.iter().position(|option| option.label == label)?;
        let decline = (0..question.options.len()).find(|index| *index != approve);
        Some(PlanReview { question, approve, decline })
    }

    /// A request of these questions.
    pub fn new(questions: impl IntoIterator<Item = Question>) -> Self {
        Self { questions: questions.into_iter().collect(), ..Self::default() }
    }

    /// Checks every rule and tells all faults at once.
    ///
    /// # Errors
    /// [`BadRequest`] with each fault's code, path, rule and bound.
    pub fn validate(self) -> Result<ValidRequest, BadRequest> {
        validate::request(&self)?;
        Ok(ValidRequest(self))
    }
}

/// A request that has passed every rule of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ValidRequest(Request);

impl ValidRequest {
    /// The same request with another time to live.
    ///
    /// # Errors
    /// [`BadRequest`] where `seconds` is out of bounds.
    pub fn expiring_in(mut self, seconds: u64) -> Result<Self, BadRequest> {
        self.0.expires_in_seconds = Some(seconds);
        self.0.validate()
    }

    /// The same request with no shorter time to live than this, and the shorter one that it asked
    /// for, where it did. What asks for a model is kept to the person's own least time so.
    pub fn expiring_no_sooner_than(mut self, least: u64) -> (Self, Option<u64>) {
        let least = least.clamp(limits::EXPIRY_MIN, limits::EXPIRY_MAX);
        let asked = self.0.expires_in_seconds.filter(|asked| *asked < least);
        if asked.is_some() {
            self.0.expires_in_seconds = Some(least);
        }
        (self, asked)
    }

    /// The plain data.
    pub fn into_inner(self) -> Request {
        self.0
    }
}

impl Deref for ValidRequest {
    type Target = Request;

    fn deref(&self) -> &Request {
        &self.0
    }
}

/// Reads a request strictly: the names and types of the contract, unknown fields ignored, `null`
/// as absent for an optional field.
///
/// # Errors
/// [`BadRequest`] with all faults; where the text is not JSON, with the line and column.
pub fn from_json(text: &str) -> Result<ValidRequest, BadRequest> {
    from_value(parse(text.as_bytes())?)
}

/// Reads a request strictly from a JSON value.
///
/// # Errors
/// [`BadRequest`] with all faults.
pub fn from_value(mut value: Value) -> Result<ValidRequest, BadRequest> {
    validate::value(&value)?;
    // A whole number may be written 60.0, which the type does not take.
    if let Some(seconds) = value.get_mut("expiresInSeconds")
        && let Some(number) = seconds.as_f64()
    {
        *seconds = Value::from(number as u64);
    }
    serde_json::from_value(value)
        .map(ValidRequest)
        .map_err(|error| BadRequest::new(vec![Fault::not_json(&error)]))
}

/// Parses the bytes of a request as JSON, within the bound for a whole request.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, BadRequest> {
    let fault = |fault| BadRequest::new(vec![fault]);
    if bytes.len() > limits::REQUEST {
        return Err(fault(Fault::at("$", Rule::TooLarge { max: limits::REQUEST })));
    }
    json::parse(bytes).map_err(|error| fault(Fault::not_json(&error)))
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_false(value: &bool) -> bool {
    !value
}

fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn null_is_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(true))
}
