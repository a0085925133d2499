//! A person by script, for the tests of programs that ask.
//!
//! Owns who acts and how; what an answer may be is the core's draft, as for every provider. Invariant:
//! strict. What no person could do, such as a tick that is not offered, fails the request.

use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askwell_core::answer::{Issue, IssueCode};
use askwell_core::{AskError, BadResponse, Draft, Outcome, Question, RequestDraft, ValidRequest};

use crate::{Cancel, Provider};

type Script = dyn Fn(&mut Form<'_>) -> Act + Send + Sync;

/// A person who does what a script says, and a record of what was asked.
///
/// ```
/// use std::sync::Arc;
///
/// use askwell::scripted::{Act, Scripted};
/// use askwell::{AskError, Askwell, Cancel, Question, Request};
///
/// let person = Arc::new(Scripted::new(|form| match form.request().questions[0].id.as_str() {
///     "targets" => {
///         form.choose("targets", "Docs").write("targets", "and the blog");
///         Act::Submit
///     }
///     _ => Act::Cancel { comment: Some("not today".into()) },
/// }));
/// let askwell = Askwell::new().with(person.clone())?;
///
/// let targets = Question::new("targets", "Where should this ship?");
/// let targets = targets.option("Code").option("Docs").multi_select();
/// let answers = askwell.ask(&Request::new([targets]).validate()?, &Cancel::new())?;
/// assert_eq!(answers.as_slice()[0].selected, ["Docs"]);
/// assert_eq!(answers.as_slice()[0].custom.as_deref(), Some("and the blog"));
///
/// let other = Request::new([Question::new("name", "Project name?")]).validate()?;
/// let error = askwell.ask(&other, &Cancel::new()).unwrap_err();
/// assert!(matches!(error, AskError::Cancelled { comment: Some(_) }));
/// assert_eq!(person.asked().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scripted {
    script: Box<Script>,
    asked: Mutex<Vec<ValidRequest>>,
}

/// What the person does once the form is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Submits it.
    Submit,
    /// Puts the whole request aside.
    Cancel {
        /// What the person wrote with it.
        comment: Option<String>,
    },
    /// Nothing: the request ends when it is withdrawn, or when its time runs out.
    Leave,
}

/// A request in front of the person, to be filled in.
#[derive(Debug)]
pub struct Form<'a> {
    request: &'a ValidRequest,
    draft: RequestDraft,
    issues: Vec<Issue>,
}

impl Scripted {
    /// A person who acts so on each request.
    pub fn new(script: impl Fn(&mut Form<'_>) -> Act + Send + Sync + 'static) -> Self {
        Self { script: Box::new(script), asked: Mutex::default() }
    }

    /// Every request so far, in the order in which they were asked.
    pub fn asked(&self) -> Vec<ValidRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("asked", &self.asked()).finish_non_exhaustive()
    }
}

impl Provider for Scripted {
    fn name(&self) -> &str {
        "script"
    }

    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        if let Some(reason) = cancel.reason() {
            return Ok(Outcome::Aborted { reason });
        }
        let mut form = Form { request, draft: RequestDraft::new(request), issues: Vec::new() };
        match (self.script)(&mut form) {
            Act::Submit => Ok(Outcome::Answered(form.submit()?)),
            Act::Cancel { comment } => Ok(Outcome::Cancelled { comment }),
            Act::Leave => Ok(left(request, cancel)),
        }
    }
}

/// How a request ends that nobody answers.
fn left(request: &ValidRequest, cancel: &Cancel) -> Outcome {
    let (told, heard) = channel();
    let _withdrawn = cancel.on_cancel(move |reason| {
        let _ = told.send(reason.to_owned());
    });
    let heard = match request.expires_in_seconds.map(Duration::from_secs) {
        Some(time) => heard.recv_timeout(time),
        None => heard.recv().map_err(RecvTimeoutError::from),
    };
    heard.map_or(Outcome::Expired, |reason| Outcome::Aborted { reason })
}

impl<'a> Form<'a> {
    /// What is asked.
    pub fn request(&self) -> &'a ValidRequest {
        self.request
    }

    /// Chooses an option, as a key or a click does: toggled where several may be chosen.
    pub fn choose(&mut self, question: &str, label: &str) -> &mut Self {
        let Some((asked, draft)) = self.find(question) else { return self };
        match asked.label_index().get(label) {
            Some(option) => draft.choose(asked, *option),
            None => self.issues.push(Issue {
                question: Some(question.to_owned()),
                code: IssueCode::UnknownLabel,
                message: format!("label {label:?} is not one of its options"),
            }),
        }
        self
    }

    /// Writes a text into the field of a question. On a single-select question the last thing done wins.
    pub fn write(&mut self, question: &str, text: &str) -> &mut Self {
        let Some((asked, draft)) = self.find(question) else { return self };
        match asked.allow_custom {
            true => draft.write(asked, text),
            false => self.issues.push(Issue {
                question: Some(question.to_owned()),
                code: IssueCode::CustomNotAllowed,
                message: "takes no text".to_owned(),
            }),
        }
        self
    }

    /// Skips a question.
    pub fn skip(&mut self, question: &str) -> &mut Self {
        if let Some((_, draft)) = self.find(question) {
            draft.set_skipped(true);
        }
        self
    }

    fn find(&mut self, id: &str) -> Option<(&'a Question, &mut Draft)> {
        let index = self.request.questions.iter().position(|question| question.id == id);
        match index {
            Some(index) => Some((&self.request.questions[index], self.draft.get_mut(index))),
            None => {
                self.issues.push(Issue {
                    question: Some(id.to_owned()),
                    code: IssueCode::UnknownQuestion,
                    message: "was not asked".to_owned(),
                });
                None
            }
        }
    }

    fn submit(self) -> Result<askwell_core::Answers, BadResponse> {
        match self.issues.is_empty() {
            true => self.draft.submit(self.request),
            false => Err(BadResponse { issues: self.issues }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use askwell_core::Request;
    use pretty_assertions::assert_eq;

    use super::*;

    fn request() -> ValidRequest {
        let database = Question::new("db", "Which database?").option("Postgres").option("SQLite");
        Request::new([database, Question::new("name", "Project name?")]).validate().unwrap()
    }

    #[test]
    fn the_last_thing_done_wins_and_a_skip_is_sent_as_one() {
        let person = Scripted::new(|form| {
            form.write("db", "DuckDB").choose("db", "SQLite").skip("name");
            Act::Submit
        });

        let outcome = person.collect(&request(), &Cancel::new()).unwrap();

        let Outcome::Answered(answers) = outcome else { panic!("{outcome:?}") };
        assert_eq!(
            serde_json::to_value(answers).unwrap(),
            serde_json::json!({"answers": [{"id": "db", "selected": ["SQLite"]}, {"id": "name", "selected": []}]})
        );
    }

    #[test]
    fn what_no_person_could_do_is_told_at_once() {
        let person = Scripted::new(|form| {
            form.choose("db", "Oracle").write("nmae", "askwell");
            Act::Submit
        });

        let error = person.collect(&request(), &Cancel::new()).unwrap_err();

        let AskError::BadResponse(bad) = error else { panic!("{error:?}") };
        let codes: Vec<_> = bad.issues.iter().map(|issue| issue.code).collect();
        assert_eq!(codes, [IssueCode::UnknownLabel, IssueCode::UnknownQuestion]);
    }

    #[test]
    fn a_question_that_the_script_forgets_is_no_skip() {
        let person = Scripted::new(|form| {
            form.choose("db", "SQLite");
            Act::Submit
        });

        let error = person.collect(&request(), &Cancel::new()).unwrap_err();

        assert!(error.to_string().contains("name"), "{error}");
    }

    #[test]
    fn somebody_who_leaves_waits_for_the_asker() {
        let cancel = Cancel::new();
        let withdrawing = cancel.clone();
        let person = Scripted::new(move |_| {
            let withdrawing = withdrawing.clone();
            thread::spawn(move || withdrawing.cancel("enough"));
            Act::Leave
        });

        let outcome = person.collect(&request(), &cancel).unwrap();

        assert_eq!(outcome, Outcome::Aborted { reason: "enough".to_owned() });
    }
}
