//! A whole agent, small enough to read, on the agent framework `rig`: a model that may call one tool,
//! `ask_user_question`, and a person who answers in this terminal.
//!
//! ```sh
//! export OPENAI_API_KEY=…            # none is needed where a local model does not ask for one
//! export OPENAI_BASE_URL=http://127.0.0.1:8080/v1      # any chat-completions endpoint with tools
//! cargo run --example agent -- "Set up a new service with me"
//! ```
//!
//! What the model writes as arguments goes to askwell as it is; what the person answers goes back
//! to the model as askwell puts it. When the person puts the questions aside, or nobody could be
//! asked, the model is told so in plain words and goes on from there.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

use std::env;
use std::error::Error;
use std::process::ExitCode;

use askwell::terminal::Terminal;
use askwell::tool::{ASK_USER_QUESTION, Profile};
use askwell::{Askwell, Cancel, handle_tool_call, text, tool_spec};
use rig_agent::AgentBuilder;
use rig_core::providers::openai::OpenAIConfig;
use rig_core::tool::{PortableTool, ToolOutput};
use serde_json::Value;
use tokio::task::{JoinError, spawn_blocking};

const INSTRUCTIONS: &str = "You help a person at a terminal. Where a decision is theirs, ask them \
                            with the tool, all open questions in one call; then act on the answer.";

/// A model that has not come to an end by then never will.
const MOST_TURNS: usize = 32;

#[tokio::main]
async fn main() -> ExitCode {
    let task = env::args().skip(1).collect::<Vec<_>>().join(" ");
    if task.is_empty() || task.starts_with('-') {
        eprintln!("What is to be done? Usage: agent TASK");
        eprintln!("OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL say which model does it.");
        return ExitCode::from(2);
    }
    match run(task).await {
        Ok(text) => {
            // The words of a model are data too.
            println!("{}", text::sanitize(&text));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("agent: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(task: String) -> Result<String, Box<dyn Error>> {
    // What `reqwest` speaks TLS with is for the program to say; with its feature `rustls` it is said.
    let _ = rustls::crypto::ring::default_provider().install_default();

    let mut provider = OpenAIConfig::new(env::var("OPENAI_API_KEY").unwrap_or_default());
    if let Ok(url) = env::var("OPENAI_BASE_URL") {
        provider = provider.with_base_url(url);
    }
    let name = env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".to_owned());
    let mut model = provider.client().chat(name);
    model.wire.strict_tools = true;

    let agent = AgentBuilder::new(model)
        .preamble(INSTRUCTIONS)
        .tool(AskUserQuestion { askwell: Askwell::new().with(Terminal::new())? })
        .default_max_turns(MOST_TURNS)
        .build();
    Ok(agent.prompt(task).await?.output())
}

/// The tool, as `rig` wants one: what askwell says of it, and what askwell answers.
struct AskUserQuestion {
    askwell: Askwell,
}

impl PortableTool for AskUserQuestion {
    const NAME: &'static str = ASK_USER_QUESTION;
    /// Whatever the model wrote: askwell reads odd shapes, and tells the model what it can't read.
    type Args = Value;
    type Output = ToolOutput;
    type Error = JoinError;

    fn description(&self) -> String {
        tool_spec(Profile::OpenaiStrict)["description"].as_str().unwrap_or_default().to_owned()
    }

    fn parameters(&self) -> Value {
        tool_spec(Profile::OpenaiStrict)["parameters"].take()
    }

    async fn call(&self, arguments: Value) -> Result<ToolOutput, JoinError> {
        let askwell = self.askwell.clone();
        let cancel = Cancel::new();
        // Should this future be dropped, the person is not left with questions of nobody.
        let _withdraw = cancel.cancel_on_drop();
        let asking = spawn_blocking(move || {
            handle_tool_call(&askwell, ASK_USER_QUESTION, arguments, &cancel)
        });
        Ok(ToolOutput::json(asking.await?))
    }
}
