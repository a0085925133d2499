//! Claude Code's hooks: what it tells a hook on standard input, and what it reads from its standard
//! output.
//!
//! Two events are ours: `PreToolUse` of its own tool AskUserQuestion ([`Questions`]), and
//! `Elicitation`, the form of an MCP server ([`Form`]). Of everything else a hook has no opinion, which
//! it says by printing nothing; the person then sees Claude Code's own card.

mod form;
mod names;
mod questions;
mod transcript;

use std::fmt;
use std::path::PathBuf;

use askwell_core::json::{self, kind_of};
use askwell_core::wire::IdempotencyKey;
use askwell_core::{Asker, ValidRequest, limits};
use serde_json::{Map, Value};

pub use form::{Form, NotTaken};
pub use names::{ASKER, QUESTION_TOOL, SERVER};
pub use questions::Questions;
pub use transcript::{holds_call, last_words};

/// Why a call is left to Claude Code's own card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left(String);

impl Left {
    fn because(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Left {}

/// What a hook was called for.
#[derive(Debug, Clone)]
pub enum Call {
    /// The agent asks by its own tool.
    Questions(Questions),
    /// An MCP server asks by a form.
    Form(Form),
}

impl Call {
    /// Reads what Claude Code writes to a hook. Fields that are not known are none of ours.
    ///
    /// # Errors
    /// [`Left`] where it is no call of ours, or can't be understood.
    pub fn read(input: &[u8]) -> Result<Self, Left> {
        let input = json::parse(input)
            .map_err(|error| Left::because(format!("the input is not valid JSON: {error}")))?;
        let Value::Object(mut input) = input else {
            return Err(Left::because(format!("the input is {}", kind_of(&input))));
        };
        let session = Session::of(&input);
        match (text(&input, "hook_event_name"), text(&input, "tool_name")) {
            (Some("PreToolUse"), Some(QUESTION_TOOL)) => {
                let tool_input = input.remove("tool_input").unwrap_or_default();
                Questions::read(session, tool_input).map(Self::Questions)
            }
            (Some("Elicitation"), _) => Form::read(session, input).map(Self::Form),
            (Some(event), tool) => {
                let tool = tool.map(|tool| format!(" of {tool}")).unwrap_or_default();
                Err(Left::because(format!("the event {event}{tool} is none of ours")))
            }
            (None, _) => Err(Left::because("the input names no event")),
        }
    }

    /// In which session it was called.
    pub fn session(&self) -> &Session {
        match self {
            Self::Questions(questions) => &questions.session,
            Self::Form(form) => &form.session,
        }
    }
}

/// Where a call comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    id: Option<String>,
    cwd: Option<String>,
    agent: Option<String>,
    transcript: Option<PathBuf>,
    tool_use: Option<String>,
}

impl Session {
    fn of(input: &Map<String, Value>) -> Self {
        let text = |name| text(input, name).map(str::to_owned);
        Self {
            id: text("session_id"),
            cwd: text("cwd"),
            agent: text("agent_type").or_else(|| text("agent_id")),
            transcript: text("transcript_path").map(PathBuf::from),
            tool_use: text("tool_use_id"),
        }
    }

    /// The file in which the conversation is kept.
    pub fn transcript(&self) -> Option<&PathBuf> {
        self.transcript.as_ref()
    }

    /// The call of a tool as the conversation names it, where it is one.
    pub fn tool_use(&self) -> Option<&str> {
        self.tool_use.as_deref()
    }

    /// Who asks. What is too long to be told is left out.
    fn asker(&self, by: Option<&str>) -> Asker {
        let fits = |text: &&str| text.len() <= limits::ASKER;
        let told = |text: &Option<String>| text.as_deref().filter(fits).map(str::to_owned);
        let chain = self.agent.as_deref().into_iter().chain(by).filter(fits);
        Asker {
            name: Some(ASKER.to_owned()),
            session: told(&self.id),
            cwd: told(&self.cwd),
            chain: chain.map(str::to_owned).collect(),
        }
    }

    /// What makes the same questions of the same session the same request, for a hook that is run
    /// again; nothing where no session is told.
    pub fn key(&self, request: &ValidRequest) -> Option<IdempotencyKey> {
        self.id.as_deref().map(|session| IdempotencyKey::of_session(session, request))
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}
