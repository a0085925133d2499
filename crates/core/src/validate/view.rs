//! A borrowed view of a request, of the typed one and of one as JSON alike, and the reader that
//! makes it of JSON: what is of a wrong type is told, and left out of the view.

use serde_json::Value;

use super::Checker;
use crate::fault::Rule;
use crate::request::{Asker, Intent, Question, QuestionOption, Request};
use crate::text::is_blank;
use crate::{json, limits};

pub(super) const QUESTIONS: &str = "a list of questions";
pub(super) const SECONDS: &str = "a whole number of seconds";

/// A field as it was found. A `Bad` one has been told already.
#[derive(Clone, Copy)]
pub(super) enum Field<T> {
    Absent,
    Bad,
    Is(T),
}

impl<T> Field<T> {
    pub(super) fn get(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Bad => None,
        }
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Is)
    }
}

pub(super) struct RequestView<'a> {
    pub(super) questions: Field<Vec<QuestionView<'a>>>,
    pub(super) context: Field<&'a str>,
    pub(super) asker: Option<AskerView<'a>>,
    pub(super) expires_in_seconds: Field<f64>,
}

#[derive(Clone)]
pub(super) struct QuestionView<'a> {
    pub(super) path: String,
    pub(super) readable: bool,
    pub(super) id: Field<&'a str>,
    pub(super) header: Field<&'a str>,
    pub(super) question: Field<&'a str>,
    pub(super) detail: Field<&'a str>,
    pub(super) options: Field<Vec<OptionView<'a>>>,
    pub(super) allow_custom: Field<bool>,
    pub(super) intent: Option<IntentView<'a>>,
}

#[derive(Clone)]
pub(super) struct OptionView<'a> {
    pub(super) readable: bool,
    pub(super) label: Field<&'a str>,
    pub(super) description: Field<&'a str>,
    pub(super) preview: Field<&'a str>,
}

#[derive(Clone)]
pub(super) struct IntentView<'a> {
    pub(super) kind: Field<&'a str>,
    pub(super) approve: Option<&'a Value>,
    pub(super) too_deep: Option<&'a str>,
}

pub(super) struct AskerView<'a> {
    pub(super) strings: [(&'static str, Field<&'a str>); 3],
    pub(super) chain: Field<Vec<Field<&'a str>>>,
}

impl<'a> RequestView<'a> {
    pub(super) fn of(request: &'a Request) -> Self {
        Self {
            questions: Field::Is(
                request.questions.iter().enumerate().map(QuestionView::of).collect(),
            ),
            context: request.context.as_deref().into(),
            asker: request.asker.as_ref().map(AskerView::of),
            expires_in_seconds: request.expires_in_seconds.map(|seconds| seconds as f64).into(),
        }
    }

    pub(super) fn read(value: &'a Value, checker: &mut Checker<'a>) -> Self {
        let mut reader = Reader { checker };
        let Some(request) = reader.object("$", value) else {
            return Self {
                questions: Field::Bad,
                context: Field::Absent,
                asker: None,
                expires_in_seconds: Field::Absent,
            };
        };
        let questions = match reader.list("questions", request.get("questions"), QUESTIONS) {
            Field::Is(list) => Field::Is(
                list.iter().enumerate().map(|item| QuestionView::read(item, &mut reader)).collect(),
            ),
            Field::Absent => Field::Absent,
            Field::Bad => Field::Bad,
        };
        reader.checker.question = None;
        Self {
            questions,
            context: reader.string(|| "context".into(), request.get("context")),
            asker: match request.get("asker") {
                None | Some(Value::Null) => None,
                Some(asker) => AskerView::read(asker, &mut reader),
            },
            expires_in_seconds: reader.number("expiresInSeconds", request.get("expiresInSeconds")),
        }
    }
}

impl<'a> QuestionView<'a> {
    fn of((index, question): (usize, &'a Question)) -> Self {
        Self {
            path: format!("questions[{index}]"),
            readable: true,
            id: Field::Is(&question.id),
            header: question.header.as_deref().into(),
            question: Field::Is(&question.question),
            detail: question.detail.as_deref().into(),
            options: Field::Is(question.options.iter().map(OptionView::of).collect()),
            allow_custom: Field::Is(question.allow_custom),
            intent: question.intent.as_ref().map(IntentView::of),
        }
    }

    fn read((index, value): (usize, &'a Value), reader: &mut Reader<'a, '_>) -> Self {
        let path = format!("questions[{index}]");
        reader.checker.question = None;
        let Some(question) = reader.object(&path, value) else {
            return Self {
                path,
                readable: false,
                id: Field::Bad,
                header: Field::Bad,
                question: Field::Bad,
                detail: Field::Bad,
                options: Field::Bad,
                allow_custom: Field::Bad,
                intent: None,
            };
        };
        let id = reader.string(|| format!("{path}.id"), question.get("id"));
        reader.checker.question = id.get().copied().filter(|id| !is_blank(id));
        let list = format!("{path}.options");
        let options = match reader.list(&list, question.get("options"), "a list of options") {
            Field::Is(options) => Field::Is(
                options
                    .iter()
                    .enumerate()
                    .map(|(index, option)| OptionView::read(&list, index, option, reader))
                    .collect(),
            ),
            Field::Absent => Field::Absent,
            Field::Bad => Field::Bad,
        };
        reader.boolean(&format!("{path}.multiSelect"), question.get("multiSelect"));
        Self {
            id,
            header: reader.string(|| format!("{path}.header"), question.get("header")),
            question: reader.string(|| format!("{path}.question"), question.get("question")),
            detail: reader.string(|| format!("{path}.detail"), question.get("detail")),
            options,
            allow_custom: reader
                .boolean(&format!("{path}.allowCustom"), question.get("allowCustom")),
            intent: match question.get("intent") {
                None | Some(Value::Null) => None,
                Some(intent) => IntentView::read(&format!("{path}.intent"), intent, reader),
            },
            readable: true,
            path,
        }
    }
}

impl<'a> OptionView<'a> {
    fn of(option: &'a QuestionOption) -> Self {
        Self {
            readable: true,
            label: Field::Is(&option.label),
            description: option.description.as_deref().into(),
            preview: option.preview.as_deref().into(),
        }
    }

    fn read(list: &str, index: usize, value: &'a Value, reader: &mut Reader<'a, '_>) -> Self {
        let Some(option) = value.as_object() else {
            reader.wrong_type(format!("{list}[{index}]"), "an object with a label", value);
            return Self {
                readable: false,
                label: Field::Bad,
                description: Field::Bad,
                preview: Field::Bad,
            };
        };
        let mut string =
            |name: &str| reader.string(|| format!("{list}[{index}].{name}"), option.get(name));
        Self {
            readable: true,
            label: string("label"),
            description: string("description"),
            preview: string("preview"),
        }
    }
}

impl<'a> IntentView<'a> {
    fn of(intent: &'a Intent) -> Self {
        let approve = intent.approve.as_ref();
        let rest = intent.rest.iter().map(|(name, value)| (name.as_str(), value));
        let members = rest.chain(approve.map(|approve| ("approve", approve)));
        Self { kind: Field::Is(&intent.kind), approve, too_deep: too_deep(members) }
    }

    fn read(path: &str, value: &'a Value, reader: &mut Reader<'a, '_>) -> Option<Self> {
        let intent = reader.object(path, value)?;
        Some(Self {
            kind: reader.string(|| format!("{path}.kind"), intent.get("kind")),
            approve: intent.get("approve"),
            too_deep: too_deep(intent.iter().map(|(name, value)| (name.as_str(), value))),
        })
    }
}

/// The first member that is nested too deeply.
fn too_deep<'a>(mut members: impl Iterator<Item = (&'a str, &'a Value)>) -> Option<&'a str> {
    members.find(|(_, value)| json::is_deeper_than(value, limits::NESTING)).map(|(name, _)| name)
}

impl<'a> AskerView<'a> {
    fn of(asker: &'a Asker) -> Self {
        Self {
            strings: [
                ("name", asker.name.as_deref().into()),
                ("session", asker.session.as_deref().into()),
                ("cwd", asker.cwd.as_deref().into()),
            ],
            chain: Field::Is(asker.chain.iter().map(|name| Field::Is(name.as_str())).collect()),
        }
    }

    fn read(value: &'a Value, reader: &mut Reader<'a, '_>) -> Option<Self> {
        let asker = reader.object("asker", value)?;
        let strings = ["name", "session", "cwd"]
            .map(|name| (name, reader.string(|| format!("asker.{name}"), asker.get(name))));
        let chain = match reader.list("asker.chain", asker.get("chain"), "a list of names") {
            Field::Is(chain) => Field::Is(
                chain
                    .iter()
                    .enumerate()
                    .map(|(index, name)| {
                        reader.string(|| format!("asker.chain[{index}]"), Some(name))
                    })
                    .collect(),
            ),
            Field::Absent => Field::Absent,
            Field::Bad => Field::Bad,
        };
        Some(Self { strings, chain })
    }
}

/// Reads fields of JSON and tells those of a wrong type. `null` is absent.
struct Reader<'a, 'c> {
    checker: &'c mut Checker<'a>,
}

impl<'a> Reader<'a, '_> {
    fn wrong_type(&mut self, path: String, expected: &'static str, value: &Value) {
        self.checker.fault(path, Rule::WrongType { expected, found: json::kind_of(value) });
    }

    fn object(
        &mut self,
        path: &str,
        value: &'a Value,
    ) -> Option<&'a serde_json::Map<String, Value>> {
        if !value.is_object() {
            self.wrong_type(path.to_owned(), "an object", value);
        }
        value.as_object()
    }

    fn list(
        &mut self,
        path: &str,
        value: Option<&'a Value>,
        expected: &'static str,
    ) -> Field<&'a Vec<Value>> {
        match value {
            None | Some(Value::Null) => Field::Absent,
            Some(Value::Array(list)) => Field::Is(list),
            Some(other) => {
                self.wrong_type(path.to_owned(), expected, other);
                Field::Bad
            }
        }
    }

    fn string(&mut self, path: impl Fn() -> String, value: Option<&'a Value>) -> Field<&'a str> {
        match value {
            None | Some(Value::Null) => Field::Absent,
            Some(Value::String(text)) => Field::Is(text),
            Some(other) => {
                self.wrong_type(path(), "a string", other);
                Field::Bad
            }
        }
    }

    fn boolean(&mut self, path: &str, value: Option<&'a Value>) -> Field<bool> {
        match value {
            None | Some(Value::Null) => Field::Absent,
            Some(Value::Bool(flag)) => Field::Is(*flag),
            Some(other) => {
                self.wrong_type(path.to_owned(), "true or false", other);
                Field::Bad
            }
        }
    }

    fn number(&mut self, path: &str, value: Option<&'a Value>) -> Field<f64> {
        match value {
            None | Some(Value::Null) => Field::Absent,
            Some(Value::Number(number)) => number.as_f64().into(),
            Some(other) => {
                self.wrong_type(path.to_owned(), SECONDS, other);
                Field::Bad
            }
        }
    }
}
