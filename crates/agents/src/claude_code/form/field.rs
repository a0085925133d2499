//! One property of a form: how it is asked, and the value that its answer stands for.

use askwell_core::messages::Messages;
use askwell_core::{Answer, Question, QuestionOption};
use serde_json::{Map, Value, json};

use super::rule::{Broken, Rule};
use crate::claude_code::Left;

/// A property.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    title: Option<String>,
    description: Option<String>,
    default: Option<Value>,
    is_required: bool,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// One of some values.
    One(Vec<Choice>),
    /// Some of some values.
    Some(Vec<Choice>, Rule),
    YesNo,
    /// Text, or a number as a text.
    Text(Rule),
}

/// A value and the label that stands for it.
#[derive(Debug, Clone)]
struct Choice {
    value: String,
    label: String,
}

/// Reads the properties of a schema.
///
/// # Errors
/// [`Left`] for a schema with anything that a question can't stand for.
pub(super) fn read_all(schema: &Value) -> Result<Vec<Field>, Left> {
    let Some(properties) = schema["properties"].as_object().filter(|it| !it.is_empty()) else {
        return Err(Left::because("the form has no fields"));
    };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let read = |(name, property): (&String, &Value)| {
        let fields = property.as_object();
        fields
            .and_then(|fields| Field::read(name, fields, required.contains(&name.as_str())))
            .ok_or_else(|| Left::because(format!("the form's field {name:?} fits no question")))
    };
    properties.iter().map(read).collect()
}

/// What every property may have.
const COMMON: [&str; 4] = ["type", "title", "description", "default"];

impl Field {
    fn read(name: &str, fields: &Map<String, Value>, is_required: bool) -> Option<Self> {
        let (kind, own): (Kind, &[&str]) = match fields.get("type")?.as_str()? {
            "boolean" => (Kind::YesNo, &[]),
            "array" => {
                let items = fields.get("items")?.as_object()?;
                let choices = choices(items, "anyOf").or_else(|| choices(items, "oneOf"))?;
                let rule = Rule::count(fields, choices.len())?;
                (Kind::Some(choices, rule), &["items", "minItems", "maxItems"])
            }
            "string" if fields.contains_key("enum") || fields.contains_key("oneOf") => {
                (Kind::One(choices(fields, "oneOf")?), &["enum", "enumNames", "oneOf"])
            }
            "string" => (Kind::Text(Rule::text(fields)?), &["minLength", "maxLength", "format"]),
            "number" => (Kind::Text(Rule::number(fields, false)?), &["minimum", "maximum"]),
            "integer" => (Kind::Text(Rule::number(fields, true)?), &["minimum", "maximum"]),
            _ => return None,
        };
        // A rule that is not known can't be kept.
        let is_known = |name: &String| COMMON.contains(&&**name) || own.contains(&&**name);
        if !fields.keys().all(is_known) {
            return None;
        }
        let text = |name| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let said = |name| text(name).filter(|text| !text.trim().is_empty());
        Some(Self {
            name: name.to_owned(),
            title: said("title"),
            description: said("description"),
            default: fields.get("default").filter(|default| !default.is_null()).cloned(),
            is_required,
            kind,
        })
    }

    pub(super) fn question(&self, messages: &Messages) -> Question {
        let text = self.title.as_ref().unwrap_or(&self.name);
        let mut question = Question::new(&self.name, text);
        question.header = Some(text.clone());
        question.allow_custom = matches!(self.kind, Kind::Text(_));
        question.multi_select = matches!(self.kind, Kind::Some(..));
        let labels = match &self.kind {
            Kind::One(choices) | Kind::Some(choices, _) => {
                choices.iter().map(|choice| choice.label.clone()).collect()
            }
            Kind::YesNo => yes_no(messages).to_vec(),
            Kind::Text(_) => Vec::new(),
        };
        question.options = labels
            .into_iter()
            .map(|label| QuestionOption { label, ..QuestionOption::default() })
            .collect();
        let rule = match &self.kind {
            Kind::Some(_, rule) | Kind::Text(rule) => rule.words(messages),
            Kind::One(_) | Kind::YesNo => None,
        };
        let needed = self.is_required.then(|| messages.get("form-needed"));
        let default = self.default.as_ref().map(|default| {
            messages.with("form-default", [("value", self.told(default, messages).into())])
        });
        let parts = self.description.clone().into_iter().chain(rule).chain(needed).chain(default);
        let detail = parts.collect::<Vec<_>>().join("\n\n");
        question.detail = Some(detail).filter(|detail| !detail.is_empty());
        question
    }

    /// A value in the words of the form.
    fn told(&self, value: &Value, messages: &Messages) -> String {
        let label = |value: &str| match &self.kind {
            Kind::One(choices) | Kind::Some(choices, _) => {
                let found = choices.iter().find(|choice| choice.value == value);
                found.map_or_else(|| value.to_owned(), |choice| choice.label.clone())
            }
            Kind::YesNo | Kind::Text(_) => value.to_owned(),
        };
        match value {
            Value::String(text) => label(text),
            Value::Bool(yes) => yes_no(messages)[usize::from(!yes)].clone(),
            Value::Array(items) => {
                let items = items.iter().filter_map(Value::as_str).map(label);
                items.collect::<Vec<_>>().join(", ")
            }
            other => other.to_string(),
        }
    }

    /// The value that an answer stands for; nothing where it may be left out and was skipped.
    pub(super) fn value(
        &self,
        messages: &Messages,
        answer: &Answer,
    ) -> Result<Option<Value>, Broken> {
        if answer.is_skipped() {
            return if self.is_required { Err(Broken) } else { Ok(None) };
        }
        let chosen = answer.selected.first().map(String::as_str).unwrap_or_default();
        let value = match &self.kind {
            Kind::One(choices) => json!(value_of(choices, chosen)?),
            Kind::Some(choices, rule) => {
                let all = answer.selected.iter().map(|label| value_of(choices, label));
                rule.several(all.collect::<Result<_, _>>()?)?
            }
            Kind::YesNo => json!(chosen == yes_no(messages)[0]),
            Kind::Text(rule) => rule.value(answer.custom.as_deref().unwrap_or_default())?,
        };
        Ok(Some(value))
    }
}

fn value_of<'a>(choices: &'a [Choice], label: &str) -> Result<&'a str, Broken> {
    let found = choices.iter().find(|choice| choice.label == label);
    found.map(|choice| choice.value.as_str()).ok_or(Broken)
}

fn yes_no(messages: &Messages) -> [String; 2] {
    ["form-yes", "form-no"].map(|id| messages.get(id))
}

/// The values of an enum, plain or with titles. Where two titles are the same, or one is blank, the values
/// are shown themselves.
fn choices(fields: &Map<String, Value>, titled: &str) -> Option<Vec<Choice>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let plain = fields.get("enum").and_then(Value::as_array);
    let mut choices: Vec<Choice> = match (plain, fields.get(titled).and_then(Value::as_array)) {
        (Some(values), _) => {
            let names = fields.get("enumNames").and_then(Value::as_array);
            let name = |index| names.and_then(|names| names.get(index)).and_then(text);
            let all = values.iter().enumerate().map(|(index, value)| {
                let value = text(value)?;
                Some(Choice { label: name(index).unwrap_or_else(|| value.clone()), value })
            });
            all.collect::<Option<_>>()?
        }
        (None, Some(items)) => {
            let all = items.iter().map(|item| {
                let value = text(&item["const"])?;
                Some(Choice { label: text(&item["title"]).unwrap_or_else(|| value.clone()), value })
            });
            all.collect::<Option<_>>()?
        }
        (None, None) => return None,
    };
    let mut labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    if labels.len() < choices.len() || labels.iter().any(|label| label.trim().is_empty()) {
        choices.iter_mut().for_each(|choice| choice.label.clone_from(&choice.value));
    }
    (!choices.is_empty()).then_some(choices)
}
