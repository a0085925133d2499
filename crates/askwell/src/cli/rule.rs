//! Recorded answers in the place of a person, for everything that asks: `ask`, `mcp` and `hook`.
//!
//! Owns how the file is read and what the host keeps of it; the form of the file is `askwell::recorded`.
//! Invariant: nobody is asked, and no host is started.

use std::path::Path;

use askwell::inbox::wire::{Inbox as _, Posting, ProviderName, Response, Role};
use askwell::recorded::Recorded;
use askwell::{Answers, BadResponse, ValidRequest};
use serde_json::json;

use crate::hosts::{self, Start};
use crate::input::Input;
use crate::report::{self, Failure};

/// The answers of this file.
///
/// # Errors
/// Where it can't be read, is no recording, or does not answer the request.
pub fn answers(request: &ValidRequest, path: &Path) -> Result<Answers, Failure> {
    let input = Input::File(path.to_owned());
    let text = input.read_text()?;
    let recorded = Recorded::from_json(&text);
    let answers = recorded.and_then(|recorded| recorded.answers(request));
    answers.map_err(|bad| no_answer(&input, &bad))
}

/// The answers of this file to what an agent asks. A host that runs keeps the record of it.
///
/// # Errors
/// As [`answers`].
pub fn answers_to_agent(request: &ValidRequest, path: &Path) -> Result<Answers, Failure> {
    let answers = answers(request, path)?;
    if hosts::runs(Role::Asker)
        && let Err(failure) = record(request, &answers)
    {
        report::note(&format!("the host has no record of it: {}", failure.message));
    }
    Ok(answers)
}

/// Has the host keep what was asked, and that it was answered by rule.
fn record(request: &ValidRequest, answers: &Answers) -> Result<(), Failure> {
    let asker = hosts::client(Role::Asker, Start::Never)?;
    let answerer = hosts::client(Role::Answerer, Start::Never)?;
    let asked = asker.ask(request, &Posting::attached())?;
    let answers = json!(answers.as_slice());
    let response = Response { answers, provider: ProviderName::Rule };
    if let Err(error) = answerer.answer(asked.id, &response) {
        // Nobody is to be asked what has an answer.
        asker.abort(asked.id, "its recorded answer could not be kept")?;
        return Err(error.into());
    }
    asker.get(asked.id)?;
    Ok(())
}

/// A recording that does not answer the request.
fn no_answer(input: &Input, bad: &BadResponse) -> Failure {
    Failure::usage(format!("BAD_RESPONSE: the recorded answers in {input} do not fit"))
        .details(&bad.issues)
}
