//! The command line: one file a subcommand. Nothing here prints; results and failures go to
//! [`crate::report`].

mod ask;
mod check;
mod completions;
mod flags;
mod schema;
mod timeout;

use clap::{CommandFactory, Parser, Subcommand};

use crate::report::{self, Exit, Failure};

const TRY_FIRST: &str = "\
Try this first:
  askwell ask --question 'Tea or coffee?' --option Tea --option Coffee

Everything about asking: askwell ask --help";

/// Ask a person and get the whole answer: a program asks, a person answers in the terminal, the
/// program gets JSON.
#[derive(Debug, Parser)]
#[command(name = "askwell", version, after_help = TRY_FIRST)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ask(ask::Arguments),
    Check(check::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
}

/// Does what the arguments say.
pub fn run() -> Result<Exit, Failure> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return Ok(report::usage(&error)),
    };
    match cli.command {
        Some(Command::Ask(arguments)) => ask::run(arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Schema(arguments)) => schema::run(&arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments),
        None => Ok(report::short_help(&mut Cli::command())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
