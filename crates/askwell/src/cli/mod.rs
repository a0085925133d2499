//! The command line: one file a subcommand. Nothing here prints; results and failures go to
//! [`crate::report`].

mod abort;
mod answer;
mod ask;
mod ask_inbox;
mod bare;
mod cancel;
mod check;
mod completions;
mod config;
mod connect;
mod demo;
mod doctor;
mod elsewhere;
mod flags;
mod format;
mod history;
mod hook;
mod inbox;
mod list;
mod logs;
mod man;
mod mcp;
mod notify;
mod open;
mod purge;
mod rule;
mod schema;
mod serve;
mod show;
mod status;
mod stop;
mod timeout;
mod token;
mod wait;

use std::env;

use askwell::inbox::wire::InboxError;
use clap::{CommandFactory, Parser, Subcommand};

pub use timeout::Timeout;

use crate::report::{self, Exit, Failure};
use crate::{hosts, words};

const TRY_FIRST: &str = "\
Try this first:
  askwell demo
  askwell ask --question 'Tea or coffee?' --option Tea --option Coffee

Everything about asking: askwell ask --help";

/// Ask a person and get the whole answer: a program asks, a person answers in a terminal or at an
/// inbox, the program gets JSON.
#[derive(Debug, Parser)]
#[command(name = "askwell", version = env!("ASKWELL_VERSION"), after_help = TRY_FIRST)]
struct Cli<C: Subcommand = Command> {
    #[command(subcommand)]
    command: Option<C>,
}

/// The subcommand that a person waits for: where it is named first it is parsed without the
/// definitions of all the others.
#[derive(Debug, Subcommand)]
enum Asking {
    Ask(ask::Arguments),
}

/// The same of the subcommand that an agent waits for.
#[derive(Debug, Subcommand)]
enum Hooking {
    Hook(hook::Arguments),
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Arguments),
    Ask(ask::Arguments),
    Wait(wait::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Inbox(inbox::Arguments),
    Answer(answer::Arguments),
    Cancel(cancel::Arguments),
    Abort(abort::Arguments),
    History(history::Arguments),
    Open(open::Arguments),
    Mcp(mcp::Arguments),
    Connect(connect::Arguments),
    Elsewhere(elsewhere::Arguments),
    Hook(hook::Arguments),
    Serve(serve::Arguments),
    Status(status::Arguments),
    Stop(stop::StopArguments),
    Restart(stop::RestartArguments),
    Logs(logs::Arguments),
    Config(config::Arguments),
    Notify(notify::Arguments),
    Token(token::Arguments),
    Purge(purge::Arguments),
    Doctor(doctor::Arguments),
    Check(check::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Does what the arguments say.
pub fn run() -> Result<Exit, Failure> {
    match env::args_os().nth(1) {
        Some(name) if name == "ask" => {
            return match Cli::try_parse() {
                Ok(Cli { command: Some(Asking::Ask(arguments)) }) => ask::run(arguments),
                Ok(Cli { command: None }) => unreachable!("a subcommand was named"),
                Err(error) => Ok(report::usage(&error)),
            };
        }
        Some(name) if name == "hook" => {
            return match Cli::try_parse() {
                Ok(Cli { command: Some(Hooking::Hook(arguments)) }) => Ok(hook::run(arguments)),
                Ok(Cli { command: None }) => unreachable!("a subcommand was named"),
                Err(error) => Ok(match report::usage(&error) {
                    // With a code of 2 a hook forbids what it was called for.
                    Exit::Usage => Exit::Failure,
                    exit => exit,
                }),
            };
        }
        _ => {}
    }
    let cli: Cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return Ok(report::usage(&error)),
    };
    let Some(command) = cli.command else { return bare::run(&mut <Cli>::command()) };
    match command {
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Ask(arguments) => ask::run(arguments),
        Command::Wait(arguments) => wait::run(&arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Inbox(arguments) => inbox::run(&arguments),
        Command::Answer(arguments) => answer::run(arguments),
        Command::Cancel(arguments) => cancel::run(&arguments),
        Command::Abort(arguments) => abort::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Open(arguments) => open::run(&arguments),
        Command::Mcp(arguments) => mcp::run(arguments),
        Command::Connect(arguments) => connect::run(&arguments),
        Command::Elsewhere(arguments) => elsewhere::run(&arguments),
        Command::Hook(arguments) => Ok(hook::run(arguments)),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Stop(arguments) => stop::stop(&arguments),
        Command::Restart(arguments) => stop::restart(&arguments),
        Command::Logs(arguments) => logs::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Notify(arguments) => notify::run(&arguments),
        Command::Token(arguments) => token::run(arguments),
        Command::Purge(arguments) => purge::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    }
}

/// What came too late, with how and when the request had ended; and whether it held something that
/// is kept.
fn late(error: InboxError, is_kept: bool) -> Failure {
    let ended = error.details.ended.clone();
    let failure = Failure::from(error);
    let Some(ended) = ended else { return failure };
    let how = words::ended(ended.state, &ended.receipt, hosts::now());
    let failure = failure.details([format!("it was {how}")]);
    match is_kept {
        true => failure.hint("what was sent is kept with the request"),
        false => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <Cli>::command().debug_assert();
    }
}
