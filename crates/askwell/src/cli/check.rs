//! `askwell check`: every fault of a request, and of an answer to it, without asking anybody.

use std::path::PathBuf;

use askwell::{BadRequest, BadResponse, ValidRequest, answer, lenient, lint, request};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::input::Input;
use crate::report::{self, Exit, Failure};

/// Check a request, and an answer to it, without asking anybody
///
/// Prints every fault with its place, rule and bound. Exit codes: 0 valid, 2 not valid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell check release.json
  askwell check release.json --answer answer.json
  askwell check release.json --lint
  generate-questions | askwell check - --strict --lint=deny --format json

Lint:
  look-alike-label    a label that a person may take for another one of the question
  many-options        more than nine options: those after the ninth have no digit
  long-label          a label of more than 60 columns
  comma-in-label      a comma or a line end in a label: joined answers can't be told apart
  own-other           an option for the person's own text, which is always offered
  repeated-question   a question that reads as another one does
  no-context          neither a context nor any detail: nothing says what led to it
They are advice: nobody is kept from asking so, and the exit code is 0, unless --lint=deny.

Exit codes:
  0   valid
  1   failure: what can't be read or written
  2   bad usage, a fault, an answer that does not fit, or with --lint=deny a finding")]
pub struct Arguments {
    /// The request, as JSON; `-` is standard input
    file: PathBuf,

    /// Check this answer to the request as well; `-` is standard input
    #[arg(long, value_name = "FILE")]
    answer: Option<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Take only the names and types of the schema, not the shapes that `ask` also reads
    #[arg(long)]
    strict: bool,

    /// Tell as well what is allowed and still reads badly; `deny`: and fail on it
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true,
          default_missing_value = "warn")]
    lint: Option<Lint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lint {
    /// Exit 0 all the same
    Warn,
    /// Exit 2 where there is a finding
    Deny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document: `valid`, and the counts (and `findings`), or `code` and `faults`, or `issues`
    Json,
}

/// What was found.
enum Finding {
    Valid { questions: usize, options: usize, answered: Option<(usize, usize)> },
    BadRequest(BadRequest),
    BadAnswer(BadResponse),
}

/// Checks.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let input = Input::named(&arguments.file);
    let answer = arguments.answer.as_deref().map(Input::named);
    if input == Input::Stdin && answer == Some(Input::Stdin) {
        return Err(Failure::usage("only one of request and answer can be standard input"));
    }
    let bytes = input.read()?;
    let answer_bytes = answer.as_ref().map(Input::read).transpose()?;
    let request = read(&bytes, arguments.strict);
    let advice = match (&request, arguments.lint) {
        (Ok(request), Some(_)) => Some(lint::check(request)),
        _ => None,
    };
    let finding = match request {
        Ok(request) => answer_bytes
            .map_or_else(|| valid(&request, None), |bytes| check_answer(&request, &bytes)),
        Err(bad) => Finding::BadRequest(bad),
    };
    let text = match arguments.format {
        Format::Json => {
            let mut document = finding.document();
            if let Some(advice) = &advice {
                document["findings"] = json!(advice);
            }
            report::json_line(&document)
        }
        Format::Text => {
            let mut lines = finding.lines(&input, answer.as_ref());
            if let Some(advice) = &advice {
                let count = count(advice.len(), "finding");
                lines.push(format!("{input} was linted: {count}"));
                lines.extend(advice.iter().map(|found| format!("  - {found}")));
            }
            report::plain_lines(&lines)
        }
    };
    report::deliver(&text)?;
    let denied = arguments.lint == Some(Lint::Deny) && advice.is_some_and(|it| !it.is_empty());
    Ok(match finding {
        Finding::Valid { .. } if denied => Exit::Usage,
        Finding::Valid { .. } => Exit::Success,
        Finding::BadRequest(_) | Finding::BadAnswer(_) => Exit::Usage,
    })
}

fn read(bytes: &[u8], strict: bool) -> Result<ValidRequest, BadRequest> {
    match std::str::from_utf8(bytes) {
        Ok(text) if strict => request::from_json(text),
        _ => lenient::request_from_slice(bytes),
    }
}

fn check_answer(request: &ValidRequest, bytes: &[u8]) -> Finding {
    let answers = serde_json::from_slice(bytes)
        .map_err(|error| not_json(&error))
        .and_then(|value: Value| answer::validate_json(request, &value));
    match answers {
        Ok(answers) => {
            let items = answers.as_slice();
            let skipped = items.iter().filter(|answer| answer.is_skipped()).count();
            valid(request, Some((items.len() - skipped, skipped)))
        }
        Err(bad) => Finding::BadAnswer(bad),
    }
}

fn not_json(error: &serde_json::Error) -> BadResponse {
    let issue = answer::Issue {
        question: None,
        code: answer::IssueCode::Malformed,
        message: format!("the answer is not valid JSON: {error}"),
    };
    BadResponse { issues: vec![issue] }
}

fn valid(request: &ValidRequest, answered: Option<(usize, usize)>) -> Finding {
    let options = request.questions.iter().map(|question| question.options.len()).sum();
    Finding::Valid { questions: request.questions.len(), options, answered }
}

impl Finding {
    fn document(&self) -> Value {
        match self {
            Self::Valid { questions, options, answered: None } => {
                json!({"valid": true, "questions": questions, "options": options})
            }
            Self::Valid { questions, options, answered: Some((answered, skipped)) } => json!({
                "valid": true, "questions": questions, "options": options,
                "answered": answered, "skipped": skipped,
            }),
            Self::BadRequest(bad) => {
                json!({"valid": false, "code": bad.code(), "faults": bad.faults()})
            }
            Self::BadAnswer(bad) => json!({"valid": false, "issues": bad.issues}),
        }
    }

    fn lines(&self, request: &Input, answer: Option<&Input>) -> Vec<String> {
        let answer = answer.map(ToString::to_string).unwrap_or_default();
        match self {
            Self::Valid { questions, options, answered } => {
                let (questions, options) =
                    (count(*questions, "question"), count(*options, "option"));
                let mut lines = vec![format!("{request} is valid: {questions}, {options}")];
                if let Some((answered, skipped)) = answered {
                    let line =
                        format!("{answer} answers it: {answered} answered, {skipped} skipped");
                    lines.push(line);
                }
                lines
            }
            Self::BadRequest(bad) => {
                let (code, faults) = (bad.code().as_str(), bad.faults());
                let count = count(faults.len(), "fault");
                let mut lines = vec![format!("{request} is not valid: {code}, {count}")];
                lines.extend(faults.iter().map(|fault| format!("  - {fault}")));
                lines
            }
            Self::BadAnswer(bad) => {
                let count = count(bad.issues.len(), "issue");
                let mut lines = vec![format!("{answer} does not answer {request}: {count}")];
                lines.extend(bad.issues.iter().map(|issue| format!("  - {issue}")));
                lines
            }
        }
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
