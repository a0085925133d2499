//! `askwell schema`: the JSON Schema of what goes over the wire.

use askwell::schema;
use clap::{Args, ValueEnum};

use crate::report::{self, Exit, Failure};

/// Print the JSON Schema of a request or of an answer
///
/// JSON Schema, draft 2020-12. Lengths there are characters; the bounds that `askwell check`
/// enforces are bytes of UTF-8, so a long text can pass the schema and still be refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell schema request > request.schema.json
  askwell schema answer | jq .properties")]
pub struct Arguments {
    /// What to describe
    what: What,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// What a program asks
    Request,
    /// What it gets back
    Answer,
}

/// Prints the schema.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let schema = match arguments.what {
        What::Request => schema::request(),
        What::Answer => schema::answer(),
    };
    report::deliver(format!("{schema:#}\n").as_bytes())?;
    Ok(Exit::Success)
}
