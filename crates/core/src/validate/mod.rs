//! The rules of a request, checked on a borrowed view that both the JSON reader and the typed
//! request give, so that every fault is told at once whichever way a request came.

mod view;

use std::collections::HashMap;

use serde_json::Value;

use crate::fault::{BadRequest, Fault, Rule};
use crate::json::kind_of;
use crate::limits;
use crate::request::{PLAN_REVIEW, Request};
use crate::text::is_blank;

use view::{Field, IntentView, OptionView, QUESTIONS, QuestionView, RequestView, SECONDS};

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

#[derive(Default)]
struct Checker<'a> {
    faults: Vec<Fault>,
    pub(super) question: Option<&'a str>,
}

impl<'a> Checker<'a> {
    pub(super) fn fault(&mut self, path: impl Into<String>, rule: Rule) {
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
            self.fault("$", Rule::TooLarge { max: limits::REQUEST });
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
        if let Some(member) = intent.too_deep {
            self.fault(format!("{path}.intent.{member}"), Rule::TooDeep { max: limits::NESTING });
        }
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
