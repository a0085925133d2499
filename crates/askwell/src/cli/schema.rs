//! `askwell schema`: the JSON Schema of what goes over the wire.

use askwell::schema;
use askwell::tool::{self, Profile};
use clap::{Args, ValueEnum};

use crate::report::{self, Exit, Failure};

/// Print the JSON Schema of a request or of an answer, or the tool that asks
///
/// JSON Schema, draft 2020-12; the tool is printed as a model API takes it. Lengths there are characters; the bounds that `askwell check`
/// enforces are bytes of UTF-8, so a long text can pass the schema and still be refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell schema request > request.schema.json
  askwell schema answer | jq .properties
  askwell schema tool --profile openai-strict")]
pub struct Arguments {
    /// What to describe
    what: What,

    /// Whose form of a tool [default: mcp]
    #[arg(long, value_enum, value_name = "API")]
    profile: Option<Api>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// What a program asks
    Request,
    /// What it gets back
    Answer,
    /// The tool `ask_user_question`
    Tool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Api {
    /// MCP, and every API that takes plain JSON Schema
    Mcp,
    /// A strict function of OpenAI
    OpenaiStrict,
    /// The OpenAPI subset of Gemini
    Gemini,
}

impl From<Api> for Profile {
    fn from(api: Api) -> Self {
        match api {
            Api::Mcp => Self::Mcp,
            Api::OpenaiStrict => Self::OpenaiStrict,
            Api::Gemini => Self::Gemini,
        }
    }
}

/// Prints the schema.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let schema = match (arguments.what, arguments.profile) {
        (What::Tool, api) => tool::spec(api.unwrap_or(Api::Mcp).into()),
        (_, Some(_)) => {
            return Err(Failure::usage("--profile is for a tool")
                .hint("askwell schema tool --profile openai-strict"));
        }
        (What::Request, None) => schema::request(),
        (What::Answer, None) => schema::answer(),
    };
    report::deliver(format!("{schema:#}\n").as_bytes())?;
    Ok(Exit::Success)
}
