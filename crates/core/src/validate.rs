//! The rules of a request, checked on a borrowed view that both the JSON reader and the typed
//! request give, so that every fault is told at once whichever way a request came.

use std::collections::HashMap;

use serde_json::Value;

use crate::fault::{BadRequest, Fault, Rule};
use crate::limits;
use crate::request::{Asker, Intent, PLAN_REVIEW, Question, QuestionOption, Request};
use crate::text::is_blank;

/// Checks a typed request.
pub(crate) fn request(request: &Request) -> Result<(), BadRequest> {
    let mut checker = Checker::default();
    checker.request(&RequestView::of(request));
    checker.size(request);
    checker.finish()
}

/// Checks a request as JSON, types included.
pub(crate) fn value(value: &Value) -> Result<(), BadRequest> {
    let mut checker = Checker::default();
    let view = RequestView::read(value, &mut checker);
    checker.request(&view);
    checker.size(value);
    checker.finish()
}

/// A field as it was found. A `Bad` one has been told already.
#[derive(Clone, Copy)]
enum Field<T> {
    Absent,
    Bad,
    Is(T),
}

impl<T> Field<T> {
    fn get(&self) -> Option<&T> {
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

struct RequestView<'a> {
    questions: Field<Vec<QuestionView<'a>>>,
    context: Field<&'a str>,
    asker: Option<AskerView<'a>>,
    expires_in_seconds: Field<f64>,
}

#[derive(Clone)]
struct QuestionView<'a> {
    path: String,
    readable: bool,
    id: Field<&'a str>,
    header: Field<&'a str>,
    question: Field<&'a str>,
    detail: Field<&'a str>,
    options: Field<Vec<OptionView<'a>>>,
    allow_custom: Field<bool>,
    intent: Option<IntentView<'a>>,
}

#[derive(Clone)]
struct OptionView<'a> {
    readable: bool,
    label: Field<&'a str>,
    description: Field<&'a str>,
    preview: Field<&'a str>,
}

#[derive(Clone)]
struct IntentView<'a> {
    kind: Field<&'a str>,
    approve: Option<&'a Value>,
}

struct AskerView<'a> {
    strings: [(&'static str, Field<&'a str>); 3],
    chain: Field<Vec<Field<&'a str>>>,
}

#[derive(Default)]
struct Checker<'a> {
    faults: Vec<Fault>,
    question: Option<&'a str>,
}

impl<'a> Checker<'a> {
    fn fault(&mut self, path: impl Into<String>, rule: Rule) {
        let question = self.question.map(str::to_owned);
        self.faults.push(Fault { path: path.into(), rule, question });
    }

    fn finish(self) -> Result<(), BadRequest> {
        match self.faults.is_empty() {
            true => Ok(()),
            false => Err(BadRequest::new(self.faults)),
        }
    }

    fn size(&mut self, request: &impl serde::Serialize) {
        let mut counter = ByteCounter(0);
        if serde_json::to_writer(&mut counter, request).is_ok() && counter.0 > limits::REQUEST {
            self.question = None;
            self.fault("$", Rule::TooLong { max: limits::REQUEST, actual: counter.0 });
        }
    }

    fn request(&mut self, request: &RequestView<'a>) {
        match &request.questions {
            Field::Absent => self.fault("questions", Rule::Missing { expected: QUESTIONS }),
            Field::Bad => {}
            Field::Is(questions) if questions.is_empty() => {
                self.fault("questions", Rule::NoQuestions);
            }
            Field::Is(questions) => {
                self.at_most("questions", questions.len(), limits::QUESTIONS);
                let mut seen = HashMap::new();
                for question in questions.iter().filter(|question| question.readable) {
                    self.question = question.id.get().copied().filter(|id| !is_blank(id));
                    self.question(question);
                    self.unique(&mut seen, &question.id, &format!("{}.id", question.path));
                }
                self.question = None;
            }
        }
        self.text("context", &request.context, limits::CONTEXT);
        if let Some(asker) = &request.asker {
            for (name, field) in &asker.strings {
                self.text(&format!("asker.{name}"), field, limits::ASKER);
            }
            if let Field::Is(chain) = &asker.chain {
                self.at_most("asker.chain", chain.len(), limits::CHAIN);
                for (index, name) in chain.iter().enumerate() {
                    self.text(&format!("asker.chain[{index}]"), name, limits::ASKER);
                }
            }
        }
        if let Field::Is(seconds) = request.expires_in_seconds {
            let (min, max) = (limits::EXPIRY_MIN, limits::EXPIRY_MAX);
            if seconds.fract() != 0.0 {
                let rule = Rule::WrongType { expected: SECONDS, found: "not a whole number" };
                self.fault("expiresInSeconds", rule);
            } else if seconds < min as f64 || seconds > max as f64 {
                self.fault("expiresInSeconds", Rule::OutOfRange { min, max });
            }
        }
    }

    fn question(&mut self, question: &QuestionView<'a>) {
        let path = &question.path;
        self.required(&format!("{path}.id"), &question.id, limits::ID);
        self.text(&format!("{path}.header"), &question.header, limits::HEADER);
        self.required(&format!("{path}.question"), &question.question, limits::QUESTION);
        self.text(&format!("{path}.detail"), &question.detail, limits::DETAIL);
        if let Field::Is(options) = &question.options {
            self.options(&format!("{path}.options"), options);
        }
        let no_options = match &question.options {
            Field::Absent => true,
            Field::Bad => false,
            Field::Is(options) => options.is_empty(),
        };
        if no_options && matches!(question.allow_custom, Field::Is(false)) {
            self.fault(format!("{path}.allowCustom"), Rule::NothingToAnswer);
        }
        if let Some(intent) = &question.intent {
            self.intent(question, intent);
        }
    }

    fn options(&mut self, path: &str, options: &[OptionView<'a>]) {
        self.at_most(path, options.len(), limits::OPTIONS);
        let mut seen = HashMap::with_capacity(options.len());
        for (index, option) in options.iter().enumerate().filter(|(_, option)| option.readable) {
            let path = || format!("{path}[{index}]");
            self.required_at(|| format!("{}.label", path()), &option.label, limits::LABEL);
            self.text_at(
                || format!("{}.description", path()),
                &option.description,
                limits::DESCRIPTION,
            );
            self.text_at(|| format!("{}.preview", path()), &option.preview, limits::PREVIEW);
            if let Field::Is(label) = option.label
                && !is_blank(label)
                && let Some(first) = seen.insert(label, index)
            {
                seen.insert(label, first);
                let list = path();
                let list = list.rsplit_once('[').map_or(list.as_str(), |(list, _)| list);
                let rule = Rule::Repeats { first: format!("{list}[{first}].label") };
                self.fault(format!("{}.label", path()), rule);
            }
        }
    }

    fn intent(&mut self, question: &QuestionView<'a>, intent: &IntentView<'a>) {
        let path = &question.path;
        match intent.kind {
            Field::Absent => {
                let rule = Rule::Missing { expected: "a string" };
                self.fault(format!("{path}.intent.kind"), rule);
            }
            Field::Is(PLAN_REVIEW) => {
                let no_plan = match question.detail {
                    Field::Absent => true,
                    Field::Bad => false,
                    Field::Is(detail) => is_blank(detail),
                };
                if no_plan {
                    self.fault(format!("{path}.detail"), Rule::NoPlan);
                }
                self.approve(question, intent);
            }
            Field::Bad | Field::Is(_) => {}
        }
    }

    fn approve(&mut self, question: &QuestionView<'a>, intent: &IntentView<'a>) {
        let path = format!("{}.intent.approve", question.path);
        let approve = match intent.approve {
            None | Some(Value::Null) => None,
            Some(Value::String(label)) => Some(label.as_str()),
            Some(other) => {
                let rule = Rule::WrongType { expected: "one of the labels", found: kind_of(other) };
                return self.fault(path, rule);
            }
        };
        let offered = match &question.options {
            Field::Bad => true,
            Field::Absent => false,
            Field::Is(options) => options
                .iter()
                .any(|option| approve.is_some() && option.label.get().copied() == approve),
        };
        if !offered {
            self.fault(path, Rule::ApproveNotOffered);
        }
    }

    fn unique(&mut self, seen: &mut HashMap<&'a str, String>, id: &Field<&'a str>, path: &str) {
        if let Field::Is(id) = id
            && !is_blank(id)
        {
            match seen.get(id) {
                Some(first) => self.fault(path, Rule::Repeats { first: first.clone() }),
                None => {
                    seen.insert(id, path.to_owned());
                }
            }
        }
    }

    fn required(&mut self, path: &str, field: &Field<&'a str>, max: usize) {
        self.required_at(|| path.to_owned(), field, max);
    }

    fn text(&mut self, path: &str, field: &Field<&'a str>, max: usize) {
        self.text_at(|| path.to_owned(), field, max);
    }

    // The path is made only for a fault: a large request has 75,000 places.
    fn required_at(&mut self, path: impl Fn() -> String, field: &Field<&'a str>, max: usize) {
        match field {
            Field::Absent => self.fault(path(), Rule::Missing { expected: "a string" }),
            Field::Is(text) if is_blank(text) => self.fault(path(), Rule::Blank { max }),
            Field::Bad | Field::Is(_) => {}
        }
        self.text_at(path, field, max);
    }

    fn text_at(&mut self, path: impl Fn() -> String, field: &Field<&'a str>, max: usize) {
        if let Field::Is(text) = field
            && text.len() > max
        {
            self.fault(path(), Rule::TooLong { max, actual: text.len() });
        }
    }

    fn at_most(&mut self, path: &str, actual: usize, max: usize) {
        if actual > max {
            self.fault(path, Rule::TooMany { max, actual });
        }
    }
}

const QUESTIONS: &str = "a list of questions";
const SECONDS: &str = "a whole number of seconds";

impl<'a> RequestView<'a> {
    fn of(request: &'a Request) -> Self {
        Self {
            questions: Field::Is(
                request.questions.iter().enumerate().map(QuestionView::of).collect(),
            ),
            context: request.context.as_deref().into(),
            asker: request.asker.as_ref().map(AskerView::of),
            expires_in_seconds: request.expires_in_seconds.map(|seconds| seconds as f64).into(),
        }
    }

    fn read(value: &'a Value, checker: &mut Checker<'a>) -> Self {
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
        Self { kind: Field::Is(&intent.kind), approve: intent.approve.as_ref() }
    }

    fn read(path: &str, value: &'a Value, reader: &mut Reader<'a, '_>) -> Option<Self> {
        let intent = reader.object(path, value)?;
        Some(Self {
            kind: reader.string(|| format!("{path}.kind"), intent.get("kind")),
            approve: intent.get("approve"),
        })
    }
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
        self.checker.fault(path, Rule::WrongType { expected, found: kind_of(value) });
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

/// What a JSON value is, for messages.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

struct ByteCounter(usize);

impl std::io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
