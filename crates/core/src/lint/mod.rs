//! What is allowed in a request, and still makes a person answer wrongly or a program misread the
//! answer. Advice to whoever writes requests: nothing is ever refused for it.
//!
//! The English text of a rule is made here and nowhere else. Whether two labels look alike is
//! `alike`'s.

mod alike;

use std::fmt;

use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use crate::request::{Question, ValidRequest};
use crate::text::{is_blank, sanitize_line, width};

pub use alike::look_alikes;

/// So many options have a digit of their own.
pub const OPTIONS: usize = 9;
/// The columns that a label may have to be read at one glance, and in a narrow window.
pub const LABEL_COLUMNS: usize = 60;

/// The stable code of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LintCode {
    /// A label that a person may take for another one.
    LookAlikeLabel,
    /// More options than digits.
    ManyOptions,
    /// A label that is long to read.
    LongLabel,
    /// A label that can't be told from two, once the answers are joined.
    CommaInLabel,
    /// An option that stands for the person's own text, which is always there.
    OwnOther,
    /// A question that reads as another one does.
    RepeatedQuestion,
    /// Nothing says what led to the questions.
    NoContext,
}

impl LintCode {
    /// The code as it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LookAlikeLabel => "look-alike-label",
            Self::ManyOptions => "many-options",
            Self::LongLabel => "long-label",
            Self::CommaInLabel => "comma-in-label",
            Self::OwnOther => "own-other",
            Self::RepeatedQuestion => "repeated-question",
            Self::NoContext => "no-context",
        }
    }
}

/// One thing that could be better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub code: LintCode,
    /// The place, such as `questions[1].options[0].label`.
    pub path: String,
    /// What is there and what to do, to be read after the place.
    pub message: String,
    /// The id of the question concerned.
    pub question: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.path, self.message, self.code.as_str())
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut finding = serializer.serialize_struct("Finding", 4)?;
        finding.serialize_field("code", &self.code)?;
        finding.serialize_field("path", &self.path)?;
        finding.serialize_field("rule", &self.message)?;
        match &self.question {
            Some(question) => finding.serialize_field("question", question)?,
            None => finding.skip_field("question")?,
        }
        finding.end()
    }
}

/// Everything that could be better, in the order of the document.
pub fn check(request: &ValidRequest) -> Vec<Finding> {
    let mut findings = Vec::new();
    let texts: Vec<String> =
        request.questions.iter().map(|question| alike::folded(&question.question)).collect();
    for (at, question) in request.questions.iter().enumerate() {
        let place = format!("questions[{at}]");
        let mut find = |code, path: String, message: String| {
            findings.push(Finding { code, path, message, question: Some(question.id.clone()) });
        };
        if let Some(first) = texts[..at].iter().position(|text| *text == texts[at]) {
            let message =
                format!("reads as questions[{first}].question does; say in each what it is about");
            find(LintCode::RepeatedQuestion, format!("{place}.question"), message);
        }
        let count = question.options.len();
        if count > OPTIONS {
            let message = format!(
                "has {count} items, and only the first {OPTIONS} have a digit; ask for less at once"
            );
            find(LintCode::ManyOptions, format!("{place}.options"), message);
        }
        let alike = look_alikes(question);
        for (option, offered) in question.options.iter().enumerate() {
            let path = format!("{place}.options[{option}].label");
            if let Some(first) = alike.get(option).copied().flatten() {
                let message = format!(
                    "looks like {place}.options[{first}].label; choose words that can be told apart"
                );
                find(LintCode::LookAlikeLabel, path.clone(), message);
            }
            let columns = width(&sanitize_line(&offered.label));
            if columns > LABEL_COLUMNS {
                let message = format!(
                    "is {columns} columns wide (better at most {LABEL_COLUMNS}); the rest belongs into the description"
                );
                find(LintCode::LongLabel, path.clone(), message);
            }
            if offered.label.contains([',', '\n', '\r']) {
                let message = "holds a comma or a line end, so that joined answers can't be told \
                               apart; leave it out"
                    .to_owned();
                find(LintCode::CommaInLabel, path.clone(), message);
            }
            if question.allow_custom && is_own_other(question, option) {
                let message = "stands for a text of the person's own, which is always offered; \
                               leave the option out"
                    .to_owned();
                find(LintCode::OwnOther, path, message);
            }
        }
    }
    let led_to = request.context.iter().chain(request.questions.iter().flat_map(|it| &it.detail));
    if led_to.into_iter().all(|text| is_blank(text)) {
        let message =
            "is not there, nor has any question a detail; say what led to the questions".to_owned();
        let path = "context".to_owned();
        findings.push(Finding { code: LintCode::NoContext, path, message, question: None });
    }
    findings
}

/// Whether an option is the asker's own "something else".
fn is_own_other(question: &Question, option: usize) -> bool {
    const WORDS: [&str; 14] = [
        "other",
        "others",
        "another",
        "something else",
        "anything else",
        "someone else",
        "somewhere else",
        "custom",
        "custom answer",
        "let me type",
        "其他",
        "其它",
        "别的",
        "自定义",
    ];
    let label = alike::folded(&question.options[option].label);
    // `Other (please specify)`, `Other: write it`.
    let label = label.split(['(', ':', '—', '-']).next().unwrap_or_default().trim();
    WORDS.contains(&label)
}

#[cfg(test)]
mod tests;
