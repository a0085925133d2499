//! Recorded answers for a hook. Nobody is asked; a host that runs keeps the record.

use std::path::Path;

use askwell::inbox::wire::{Inbox as _, Posting, ProviderName, Response, Role};
use askwell::{Answers, Outcome, ValidRequest};
use serde_json::json;

use super::Native;
use crate::cli::ask;
use crate::hosts::{self, Start};
use crate::report::{self, Failure};

/// Answers from this file.
pub fn answer(request: &ValidRequest, path: &Path) -> Result<Outcome, Native> {
    let answers = ask::recorded_answers(request, path)?;
    if hosts::runs(Role::Asker)
        && let Err(failure) = record(request, &answers)
    {
        report::note(&format!("the host has no record of it: {}", failure.message));
    }
    Ok(Outcome::Answered(answers))
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
