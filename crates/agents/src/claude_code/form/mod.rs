//! The form of an MCP server (its elicitation), which Claude Code lets a hook answer: one question for
//! each property, and the answers as values of its schema.
//!
//! Invariant: what is accepted fits the schema; a form that questions can't stand for is left to Claude
//! Code's own dialog.

mod field;
mod rule;

use askwell_core::messages::Messages;
use askwell_core::{Answers, Outcome, Question, Request, ValidRequest};
use serde_json::{Map, Value, json};

use self::field::Field;
use super::{Left, SERVER, Session, text};

/// The form of an MCP server.
#[derive(Debug, Clone)]
pub struct Form {
    pub(super) session: Session,
    server: String,
    message: String,
    fields: Vec<Field>,
}

/// The properties whose answers do not fit the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTaken(Vec<String>);

impl Form {
    pub(super) fn read(session: Session, mut input: Map<String, Value>) -> Result<Self, Left> {
        let server = text(&input, "mcp_server_name").unwrap_or_default().to_owned();
        if server == SERVER {
            return Err(Left::because("our own server's questions are in the inbox already"));
        }
        if text(&input, "mode").is_some_and(|mode| mode != "form") {
            return Err(Left::because("the server asks to open an address, not by a form"));
        }
        let message = text(&input, "message").unwrap_or_default().to_owned();
        let schema = input.remove("requested_schema").unwrap_or_default();
        let fields = field::read_all(&schema)?;
        Ok(Self { session, server, message, fields })
    }

    /// The form as a request. `context` is what led to it; `again`: those that were answered before with what is not taken.
    ///
    /// # Errors
    /// [`Left`] where a request can't hold it.
    pub fn request(
        &self,
        messages: &Messages,
        context: Option<String>,
        again: Option<&NotTaken>,
    ) -> Result<ValidRequest, Left> {
        let is_only = self.fields.len() == 1;
        let questions = self.fields.iter().enumerate().map(|(index, field)| {
            let mut question = field.question(messages);
            let message = Some(self.message.as_str()).filter(|message| !message.trim().is_empty());
            match message {
                Some(message) if is_only => message.clone_into(&mut question.question),
                Some(message) if index == 0 => lead(&mut question, message),
                _ => {}
            }
            if again.is_some_and(|again| again.0.contains(&field.name)) {
                lead(&mut question, &messages.get("form-not-taken"));
            }
            question
        });
        let mut request = Request::new(questions);
        request.context = context;
        request.asker = Some(self.session.asker(Some(&self.server)));
        let request = request.validate();
        request.map_err(|bad| Left::because(format!("the form can't be shown: {bad}")))
    }

    /// What the hook prints.
    ///
    /// # Errors
    /// [`NotTaken`] where answers do not fit the schema.
    pub fn reply(&self, messages: &Messages, outcome: &Outcome) -> Result<Value, NotTaken> {
        let reply = match outcome {
            Outcome::Answered(answers) => {
                json!({ "action": "accept", "content": self.content(messages, answers)? })
            }
            Outcome::Cancelled { .. } => json!({ "action": "decline" }),
            Outcome::Aborted { .. } | Outcome::Expired => json!({ "action": "cancel" }),
        };
        let mut output = json!({ "hookEventName": "Elicitation" });
        if let (Value::Object(output), Value::Object(reply)) = (&mut output, reply) {
            output.extend(reply);
        }
        Ok(json!({ "hookSpecificOutput": output }))
    }

    fn content(
        &self,
        messages: &Messages,
        answers: &Answers,
    ) -> Result<Map<String, Value>, NotTaken> {
        let (mut content, mut faults) = (Map::new(), Vec::new());
        for (field, answer) in self.fields.iter().zip(answers.as_slice()) {
            match field.value(messages, answer) {
                Ok(Some(value)) => {
                    content.insert(field.name.clone(), value);
                }
                Ok(None) => {}
                Err(rule::Broken) => faults.push(field.name.clone()),
            }
        }
        match faults.is_empty() {
            true => Ok(content),
            false => Err(NotTaken(faults)),
        }
    }
}

/// Puts a paragraph before the detail.
fn lead(question: &mut Question, paragraph: &str) {
    let rest = question.detail.take().map(|detail| format!("\n\n{detail}")).unwrap_or_default();
    question.detail = Some(format!("{paragraph}{rest}"));
}

#[cfg(test)]
mod tests;
