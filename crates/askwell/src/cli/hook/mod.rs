//! `askwell hook`: an agent's own questions go to the inbox, and the answer back into its own form.
//!
//! Invariants: a hook that has no answer prints nothing and exits with 0, so that the agent shows its own
//! card; it never allows anything without an answer, and never withdraws a request by leaving.

mod context;
mod waiting;

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::Duration;

use askwell::inbox::Client;
use askwell::inbox::wire::{Attention, InboxError, Role};
use askwell::messages::Messages;
use askwell::{Outcome, ValidRequest};
use askwell_agents::claude_code::{Call, Form, Left, Questions, Session};
use clap::{Args, ValueEnum};
use serde_json::Value;

use super::rule;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::input::Input;
use crate::report::{self, Exit, Failure};
use crate::settings;

/// Answer an agent's own questions from the inbox (run by the agent, not by hand)
///
/// Reads what the agent writes to a hook on standard input, and prints the answer in the agent's own
/// form. Prints nothing, and exits with 0, where the agent is to show its own card: nobody looks at the
/// inbox, no host runs, the questions can't be shown. `askwell connect` sets it up.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell connect claude-code            # writes the hook into Claude Code's settings
  askwell elsewhere on                   # every question goes to the inbox, until: askwell elsewhere off

Exit codes:
  0   answered, or left to the agent's own card
  1   bad usage, which the agent shows; the questions are left to its own card")]
pub struct Arguments {
    /// Whose hook it is
    #[arg(value_enum)]
    agent: Agent,

    /// When a question goes to the inbox
    #[arg(long, value_enum, default_value_t = When::Watched)]
    when: When,

    /// Take recorded answers from this file, for CI; nobody is asked [also: ASKWELL_ANSWERS]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Agent {
    /// Claude Code: AskUserQuestion (PreToolUse), and forms of MCP servers (Elicitation)
    ClaudeCode,
}

/// When a question goes to the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// While a page or an inbox is open, or after `askwell elsewhere on`
    Watched,
    /// Always: for agents that nobody sits at. A host is started where none runs
    Always,
}

/// Why the agent shows its own card.
enum Native {
    /// Nobody looks at the inbox: as it should be.
    NobodyWatches,
    /// The agent is gone, or does not want to know any more.
    NobodyListens,
    /// Something is wrong, or none of ours.
    Because(String),
}

impl Native {
    fn because(why: impl ToString) -> Self {
        Self::Because(why.to_string())
    }
}

impl From<Left> for Native {
    fn from(left: Left) -> Self {
        Self::because(left)
    }
}

impl From<Failure> for Native {
    fn from(failure: Failure) -> Self {
        Self::because(failure.in_one_line())
    }
}

impl From<InboxError> for Native {
    fn from(error: InboxError) -> Self {
        Self::because(error)
    }
}

/// Answers, or leaves it to the agent.
pub fn run(arguments: Arguments) -> Exit {
    let Agent::ClaudeCode = arguments.agent;
    match answer(arguments.when, arguments.answers) {
        Ok(reply) => {
            if let Err(failure) = report::deliver(&report::json_line(&reply)) {
                report::failure(&failure);
            }
        }
        Err(Native::Because(why)) => report::note(&format!("left to the agent's own card: {why}")),
        Err(Native::NobodyWatches | Native::NobodyListens) => {}
    }
    Exit::Success
}

fn answer(when: When, recorded: Option<PathBuf>) -> Result<Value, Native> {
    let call = Call::read(&Input::Stdin.read()?)?;
    let config = Config::from_environment();
    let asking = Asking {
        way: Way::choose(when, recorded.or_else(|| config.answers.clone()))?,
        session: call.session().clone(),
        context: context::of(call.session()),
    };
    match call {
        Call::Questions(questions) => asking.questions(&questions),
        Call::Form(form) => asking.form(&form, &Messages::new(config.lang)),
    }
}

/// Who answers.
enum Way {
    /// A recording.
    Rule(PathBuf),
    /// Whoever looks at this inbox.
    Inbox(Client),
}

impl Way {
    fn choose(when: When, recorded: Option<PathBuf>) -> Result<Self, Native> {
        if let Some(path) = recorded {
            return Ok(Self::Rule(path));
        }
        if when == When::Always {
            return Ok(Self::Inbox(hosts::client(Role::Asker, Start::Always)?));
        }
        let client = hosts::client(Role::Asker, Start::Never)?;
        match attention(&client) {
            Ok(attention) if attention.is_given() => Ok(Self::Inbox(client)),
            Ok(_) => Err(Native::NobodyWatches),
            // None runs: nobody can be watching.
            Err(_) if !hosts::runs(Role::Asker) => Err(Native::NobodyWatches),
            Err(error) => Err(error),
        }
    }
}

/// A person at the agent waits for its card meanwhile.
const LOOK: Duration = Duration::from_secs(3);

fn attention(client: &Client) -> Result<Attention, Native> {
    let (tell, hear) = channel();
    let client = client.clone();
    std::thread::spawn(move || tell.send(client.attention()));
    let attention = hear.recv_timeout(LOOK).map_err(|_| Native::because("the host is too slow"))?;
    Ok(attention?)
}

/// How often a form is asked whose answers do not fit.
const TRIES: usize = 3;

struct Asking {
    way: Way,
    session: Session,
    context: Option<String>,
}

impl Asking {
    fn questions(&self, questions: &Questions) -> Result<Value, Native> {
        let request = questions.request(self.context.clone())?;
        let (request, asked) = with_least_expiry(request)?;
        let outcome = self.ask(&request)?;
        Ok(questions.reply(&request, &outcome, asked))
    }

    fn form(&self, form: &Form, messages: &Messages) -> Result<Value, Native> {
        let mut again = None;
        for _ in 0..TRIES {
            let request = form.request(messages, self.context.clone(), again.as_ref())?;
            match form.reply(messages, &self.ask(&request)?) {
                Ok(reply) => return Ok(reply),
                Err(not_taken) => again = Some(not_taken),
            }
        }
        Err(Native::because(format!("the form was answered {TRIES} times with what does not fit")))
    }

    fn ask(&self, request: &ValidRequest) -> Result<Outcome, Native> {
        match &self.way {
            Way::Rule(path) => Ok(Outcome::Answered(rule::answers_to_agent(request, path)?)),
            Way::Inbox(client) => waiting::ask(client, request, self.session.key(request)),
        }
    }
}

/// What asks for a model gives a person the time that the person has set, at least.
fn with_least_expiry(request: ValidRequest) -> Result<(ValidRequest, Option<u64>), Native> {
    match request.expires_in_seconds {
        None => Ok((request, None)),
        Some(_) => Ok(request.expiring_no_sooner_than(settings::min_expiry()?)),
    }
}
