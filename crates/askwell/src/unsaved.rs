//! What a person entered and nothing keeps, told whole on standard error: there it can be copied from.

use askwell::draft::{DraftState, Entered};
use askwell::messages::Messages;
use askwell::text::{sanitize, sanitize_line, truncate};
use askwell::{Question, ValidRequest};

use crate::report;

/// So much of a question says which one it is.
const NAME: usize = 60;

/// Why no draft can be saved where nobody says where.
pub const NO_FOLDER: &str = "neither XDG_STATE_HOME nor HOME names a folder";

/// What nothing keeps.
pub struct Lost {
    pub request: ValidRequest,
    pub entered: Entered,
    /// Why not, in words.
    pub why: String,
}

impl Lost {
    /// Tells all of it.
    pub fn tell(&self, messages: &Messages) {
        let (request, entered) = (&self.request, &self.entered);
        report::note(&messages.with("note-not-saved", [("reason", self.why.as_str().into())]));
        let mut lines = vec![messages.get("note-not-saved-copy")];
        for (question, state) in request.questions.iter().zip(&entered.states) {
            lines.extend(of_question(question, state, messages));
        }
        if !entered.comment.trim().is_empty() {
            lines.push(format!("- {}", messages.get("plain-comment")));
            lines.push(sanitize(&entered.comment).into_owned());
        }
        report::lines(&lines);
    }
}

fn of_question(question: &Question, state: &DraftState, messages: &Messages) -> Vec<String> {
    let labels = state.chosen.iter().map(|label| sanitize_line(label).into_owned());
    let labels = labels.collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    if state.skipped {
        lines.push(messages.get("note-skipped"));
    }
    if !labels.is_empty() {
        lines.push(messages.with("note-chosen", [("labels", labels.into())]));
    }
    if !state.custom.trim().is_empty() {
        lines.push(sanitize(&state.custom).into_owned());
    }
    if !lines.is_empty() {
        let name = question.header.as_ref().unwrap_or(&question.question);
        lines.insert(0, format!("- {}", truncate(&sanitize_line(name), NAME)));
    }
    lines
}
