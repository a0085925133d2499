//! `askwell mcp`: the tools of an agent, over standard input and output.
//!
//! Invariant: standard output holds nothing but the protocol, whatever fails.

mod desk;
mod rule;

use std::env::current_dir;
use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

use askwell::inbox::Environment;
use askwell::inbox::wire::Role;
use askwell_mcp::{Ended, Person, Rule, Seat};
use clap::Args;

use crate::config::Config;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::settings;
use desk::{ClientDesk, ClientPerson};
use rule::Recording;

/// Serve an agent by MCP: it gets a tool to ask you, and your whole answer
///
/// Agents start this themselves; put it into their configuration (docs/mcp.md). The questions come to
/// your inbox, in a terminal or a browser, whether or not the agent still runs. A host is started in
/// the background at the first question where none runs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  claude mcp add askwell -- askwell mcp
  codex mcp add askwell -- askwell mcp --wait 10m")]
pub struct Arguments {
    /// How long a call waits for you before it says pending [default: by client, else 45s]
    #[arg(long, value_name = "TIME")]
    wait: Option<String>,

    /// The shortest time that a question is left to you [default: 10m]
    #[arg(long, value_name = "TIME")]
    min_expiry: Option<String>,

    /// Where questions are shown: auto (your inbox, and the agent's own form where it has one),
    /// inbox, or elicitation (that form alone) [default: auto]
    #[arg(long, value_name = "PROVIDER")]
    provider: Option<String>,

    /// Take recorded answers from this file, for CI; nobody is asked [also: ASKWELL_ANSWERS]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// The session that its questions are of [default: a new one]
    #[arg(long, value_name = "NAME", env = "ASKWELL_SESSION")]
    session: Option<String>,

    /// How much to log on standard error: error, warn, info, debug, trace [default: nothing]
    #[arg(long, value_name = "LEVEL", env = "ASKWELL_LOG")]
    log: Option<tracing::Level>,
}

/// Serves until the agent closes its end.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let options = settings::mcp([
        ("mcp-wait", arguments.wait),
        ("min-expiry", arguments.min_expiry),
        ("mcp-clients", None),
        ("provider", arguments.provider),
    ])?;
    if io::stdin().is_terminal() {
        report::note("this speaks JSON-RPC with an agent, which starts it; Ctrl-D ends it");
    }
    if let Some(level) = arguments.log {
        report::log(level);
    }
    let output = protocol_only().map_err(|error| {
        Failure::new(Exit::Failure, format!("standard output can't be used: {error}"))
    })?;
    let session = match arguments.session.filter(|name| !name.trim().is_empty()) {
        Some(session) => session,
        None => askwell_mcp::new_session()
            .map_err(|error| Failure::new(Exit::Failure, format!("no random numbers: {error}")))?,
    };
    let config = Config::from_environment();
    let recorded = arguments.answers.or(config.answers);
    let start = if recorded.is_some() { Start::Never } else { Start::Always };
    let client = hosts::client(Role::Asker, start)?;
    let desk = Arc::new(ClientDesk::new(client, config.panic_in_calls));
    let rule = recorded.map(|path| Arc::new(Recording(path)) as Arc<dyn Rule>);
    let person = person()?;
    let cwd = current_dir().ok().map(|folder| folder.to_string_lossy().into_owned());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_name("mcp")
        .build()
        .map_err(|error| Failure::new(Exit::Failure, format!("no threads: {error}")))?;
    let output = tokio::fs::File::from_std(output);
    let seat = Seat { desk, person, rule, session, cwd };
    let serving = askwell_mcp::serve(options, seat, tokio::io::stdin(), output);
    let ended = runtime.block_on(serving);
    // A thread that waits for a host, or for input, is not waited for.
    runtime.shutdown_background();
    match ended {
        Ended::Closed => Ok(Exit::Success),
        Ended::NotMcp(why) => Err(Failure::usage(format!("what came is not MCP: {why}"))
            .hint("this speaks JSON-RPC with an agent, which starts it: docs/mcp.md")),
    }
}

/// The person at whose machine the agent runs, in whose name its forms answer. At a host elsewhere they
/// have no credential here, and an asker can't answer itself.
fn person() -> Result<Option<Arc<dyn Person>>, Failure> {
    let elsewhere = Environment::read();
    if elsewhere.url.is_some() || elsewhere.token.is_some() {
        return Ok(None);
    }
    let client = hosts::client(Role::Answerer, Start::Never)?;
    Ok(Some(Arc::new(ClientPerson::new(client))))
}

/// Standard output for the protocol alone: what else writes there writes to standard error.
fn protocol_only() -> io::Result<File> {
    // Beyond the three that every program has.
    let output = File::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?);
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(output)
}
