//! What is wrong with a request: every fault with its code, place, rule and bound.
//!
//! The English text of a rule is made here and nowhere else.

use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// The code of a bad request. In the order of precedence: of several faults the first is the
/// request's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RequestCode {
    /// There is no question.
    EmptyQuestions,
    /// Not JSON, a missing field or a wrong type.
    BadRequest,
    /// Over a bound of [`crate::limits`].
    LimitExceeded,
    /// A question that can't be asked.
    BadQuestion,
    /// A known intent without what it needs.
    BadIntent,
}

impl RequestCode {
    /// The stable code on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EmptyQuestions => "EMPTY_QUESTIONS",
            Self::BadRequest => "BAD_REQUEST",
            Self::LimitExceeded => "LIMIT_EXCEEDED",
            Self::BadQuestion => "BAD_QUESTION",
            Self::BadIntent => "BAD_INTENT",
        }
    }
}

/// The rule that a request breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// The text is not JSON.
    NotJson {
        /// What the parser says, with line and column.
        message: String,
    },
    /// A required field is not there.
    Missing {
        /// What it should hold.
        expected: &'static str,
    },
    /// A field holds something of another type.
    WrongType {
        /// What it should hold.
        expected: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// Two names for the same thing hold different values.
    Disagree {
        /// The two names as they were sent.
        names: (String, String),
    },
    /// A value that the lenient reader does not know.
    Unknown {
        /// What it should hold.
        expected: &'static str,
    },
    /// There is no question.
    NoQuestions,
    /// Nothing but white space.
    Blank {
        /// The most bytes that it may hold.
        max: usize,
    },
    /// A text over its bound.
    TooLong {
        /// The most bytes that it may hold.
        max: usize,
        /// The bytes that it holds.
        actual: usize,
    },
    /// A whole request over its bound.
    TooLarge {
        /// The most bytes that it may hold.
        max: usize,
    },
    /// A list over its bound.
    TooMany {
        /// The most items that it may hold.
        max: usize,
        /// The items that it holds.
        actual: usize,
    },
    /// Lists and objects within each other, over the bound.
    TooDeep {
        /// The most levels that it may have.
        max: usize,
    },
    /// A number out of its bounds.
    OutOfRange {
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
    /// The same value stands earlier.
    Repeats {
        /// Where it stands first.
        first: String,
    },
    /// `allowCustom: false` with nothing to choose.
    NothingToAnswer,
    /// A plan review without a plan.
    NoPlan,
    /// A plan review whose `approve` is not one of the question's labels.
    ApproveNotOffered,
}

impl Rule {
    /// The code of a fault of this rule.
    pub fn code(&self) -> RequestCode {
        match self {
            Self::NoQuestions => RequestCode::EmptyQuestions,
            Self::NotJson { .. }
            | Self::Missing { .. }
            | Self::WrongType { .. }
            | Self::Disagree { .. }
            | Self::Unknown { .. } => RequestCode::BadRequest,
            Self::TooLong { .. }
            | Self::TooLarge { .. }
            | Self::TooMany { .. }
            | Self::TooDeep { .. }
            | Self::OutOfRange { .. } => RequestCode::LimitExceeded,
            Self::Blank { .. } | Self::Repeats { .. } | Self::NothingToAnswer => {
                RequestCode::BadQuestion
            }
            Self::NoPlan | Self::ApproveNotOffered => RequestCode::BadIntent,
        }
    }

    /// The bound that is enforced, where the rule has one.
    pub fn bound(&self) -> Option<u64> {
        match self {
            Self::Blank { max }
            | Self::TooLong { max, .. }
            | Self::TooLarge { max }
            | Self::TooDeep { max }
            | Self::TooMany { max, .. } => Some(*max as u64),
            Self::OutOfRange { max, .. } => Some(*max),
            _ => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { message } => write!(f, "is not valid JSON: {message}"),
            Self::Missing { expected } => write!(f, "is missing (expected {expected})"),
            Self::WrongType { expected, found } => {
                write!(f, "is {found} (expected {expected})")
            }
            Self::Disagree { names: (first, second) } => {
                write!(f, "is given twice, as {first:?} and {second:?}, with different values")
            }
            Self::Unknown { expected } => write!(f, "is not known (expected {expected})"),
            Self::NoQuestions => f.write_str("is empty (at least 1 question)"),
            Self::Blank { max } => write!(f, "is blank (1–{max} bytes)"),
            Self::TooLong { max, actual } => {
                write!(f, "is {actual} bytes long (at most {max} bytes)")
            }
            Self::TooLarge { max } => write!(f, "is over {max} bytes"),
            Self::TooMany { max, actual } => write!(f, "has {actual} items (at most {max})"),
            Self::TooDeep { max } => write!(f, "is nested too deeply (at most {max} levels)"),
            Self::OutOfRange { min, max } => write!(f, "is out of range ({min}–{max})"),
            Self::Repeats { first } => write!(f, "repeats {first} (each must be unique)"),
            Self::NothingToAnswer => {
                f.write_str("is false without options, so nothing could answer the question")
            }
            Self::NoPlan => f.write_str("is blank (a plan-review needs the plan as detail)"),
            Self::ApproveNotOffered => {
                f.write_str("does not name one of the question's own labels")
            }
        }
    }
}

/// One fault of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The place, such as `questions[1].options[0].label`; `$` for the whole.
    pub path: String,
    /// The rule that is broken.
    pub rule: Rule,
    /// The id of the question concerned, where it has a readable one.
    pub question: Option<String>,
}

impl Fault {
    /// A fault that concerns no single question.
    pub fn at(path: impl Into<String>, rule: Rule) -> Self {
        Self { path: path.into(), rule, question: None }
    }

    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::at("$", Rule::NotJson { message: error.to_string() })
    }

    /// The code of this fault.
    pub fn code(&self) -> RequestCode {
        self.rule.code()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "$" => write!(f, "the request {}", self.rule),
            path => write!(f, "{path} {}", self.rule),
        }
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fault = serializer.serialize_struct("Fault", 5)?;
        fault.serialize_field("code", &self.code())?;
        fault.serialize_field("path", &self.path)?;
        fault.serialize_field("rule", &self.rule.to_string())?;
        match self.rule.bound() {
            Some(bound) => fault.serialize_field("bound", &bound)?,
            None => fault.skip_field("bound")?,
        }
        match &self.question {
            Some(question) => fault.serialize_field("question", question)?,
            None => fault.skip_field("question")?,
        }
        fault.end()
    }
}

/// A request that was shown to nobody, with all its faults. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadRequest {
    code: RequestCode,
    faults: Vec<Fault>,
}

impl BadRequest {
    /// The faults of a bad request: wrong types first, then the others, each in the order of the
    /// document.
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        let code = faults.iter().map(Fault::code).min().unwrap_or(RequestCode::BadRequest);
        Self { code, faults }
    }

    /// The request's code: the first of the fixed order among its faults.
    pub fn code(&self) -> RequestCode {
        self.code
    }

    /// Every fault.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code.as_str())?;
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BadRequest {}
