//! A whole agent, small enough to read: a model that may call one tool, `ask_user_question`, and a
//! person who answers in this terminal.
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

use std::error::Error;
use std::process::ExitCode;

use askwell::terminal::Terminal;
use askwell::tool::Profile;
use askwell::{Askwell, Cancel, handle_tool_call, text, tool_spec};
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls,
    ChatCompletionRequestAssistantMessageArgs, ChatCompletionRequestMessage,
    ChatCompletionRequestSystemMessage, ChatCompletionRequestToolMessage,
    ChatCompletionRequestUserMessage, ChatCompletionResponseMessage, ChatCompletionTool,
    ChatCompletionTools, CreateChatCompletionRequestArgs, FunctionObject,
};

const INSTRUCTIONS: &str = "You help a person at a terminal. Where a decision is theirs, ask them \
                            with the tool, all open questions in one call; then act on the answer.";

/// A model that has not come to an end by then never will.
const MOST_TURNS: usize = 32;

#[tokio::main]
async fn main() -> ExitCode {
    let task = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
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
    let agent = Agent {
        model: Client::new(),
        model_name: std::env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".to_owned()),
        askwell: Askwell::new().with(Terminal::new())?,
    };
    agent.run(task).await
}

struct Agent {
    model: Client<OpenAIConfig>,
    model_name: String,
    askwell: Askwell,
}

impl Agent {
    /// Goes on until the model answers with text.
    async fn run(&self, task: String) -> Result<String, Box<dyn Error>> {
        let mut messages: Vec<ChatCompletionRequestMessage> = vec![
            ChatCompletionRequestSystemMessage::from(INSTRUCTIONS).into(),
            ChatCompletionRequestUserMessage::from(task).into(),
        ];
        for _ in 0..MOST_TURNS {
            let reply = self.turn(&messages).await?;
            let calls = reply.tool_calls.unwrap_or_default();
            if calls.is_empty() {
                return Ok(reply.content.or(reply.refusal).unwrap_or_default());
            }

            let mut said = ChatCompletionRequestAssistantMessageArgs::default();
            if let Some(content) = reply.content {
                said.content(content);
            }
            messages.push(said.tool_calls(calls.clone()).build()?.into());
            for call in calls {
                // Only functions are offered, so only functions are called.
                if let ChatCompletionMessageToolCalls::Function(call) = call {
                    let result = self.call(&call).await?;
                    let message = ChatCompletionRequestToolMessage {
                        content: result.into(),
                        tool_call_id: call.id,
                    };
                    messages.push(message.into());
                }
            }
        }
        Err(format!("no end after {MOST_TURNS} turns").into())
    }

    async fn turn(
        &self,
        messages: &[ChatCompletionRequestMessage],
    ) -> Result<ChatCompletionResponseMessage, Box<dyn Error>> {
        let request = CreateChatCompletionRequestArgs::default()
            .model(&self.model_name)
            .messages(messages)
            .tools([ask_user_question()?])
            .build()?;
        let response = self.model.chat().create(request).await?;
        let choice = response.choices.into_iter().next().ok_or("the model said nothing")?;
        Ok(choice.message)
    }

    /// The result of a tool call, in words for the model whatever comes of it.
    async fn call(&self, call: &ChatCompletionMessageToolCall) -> Result<String, Box<dyn Error>> {
        let (askwell, function) = (self.askwell.clone(), call.function.clone());
        let cancel = Cancel::new();
        // Should this future be dropped, the person is not left with questions of nobody.
        let _withdraw = cancel.cancel_on_drop();
        let asking = tokio::task::spawn_blocking(move || {
            handle_tool_call(&askwell, &function.name, function.arguments.into(), &cancel)
        });
        Ok(asking.await?.to_string())
    }
}

fn ask_user_question() -> Result<ChatCompletionTools, Box<dyn Error>> {
    let function: FunctionObject = serde_json::from_value(tool_spec(Profile::OpenaiStrict))?;
    Ok(ChatCompletionTools::Function(ChatCompletionTool { function }))
}
