//! `askwell notify test`: whether notices arrive.

use askwell::messages::Messages;
use askwell_notice::{Channel, Failed, Message};
use clap::{Args, Subcommand};
use serde_json::json;

use super::format::Format;
use crate::config::Config;
use crate::report::{Exit, Failure};
use crate::settings::Settings;
use crate::{hosts, notices};

/// Try the ways by which you are told that a request waits
///
/// Which there are is in the settings: see askwell config show. A host reads them when it starts.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell notify test
  ASKWELL_NOTIFY_NTFY=https://ntfy.sh/my-secret-topic askwell notify test

Settings, in ~/.config/askwell/config.toml:
  [notify]
  command = [\"/home/me/bin/tell-me\", \"--loud\"]
  ntfy = \"https://ntfy.sh/my-secret-topic\"")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Send a test notice through each of them, and say what became of it
    ///
    /// Programs and webhooks of outcomes are not tried. Exit codes: 0 all have taken it, 1 one has not,
    /// or there is none.
    Test {
        /// How to print it
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
}

/// Tries.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Command::Test { format } = arguments.command;
    let settings = Settings::read(&[])?;
    let channels = notices::of_waiting(&settings, &hosts::place()?)?;
    if channels.is_empty() {
        return Err(Failure::new(Exit::Failure, "nothing is set by which you could be told")
            .hint("set notify.command, notify.webhook or notify.ntfy: see askwell notify --help")
            .hint("a desktop is told where there is a session bus"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failure, format!("can't wait: {error}")))?;
    let message = Message::test(&Messages::new(Config::from_environment().lang), None);
    let mut tried = Vec::new();
    for channel in channels {
        let channel = match channel {
            Channel::Command(program) => Channel::Command(program.listened_to()),
            other => other,
        };
        let sent = runtime.block_on(channel.send("test", &message));
        tried.push((channel, sent));
    }
    format.deliver(
        || {
            let channels = tried.iter().map(|(channel, sent)| {
                let failed = sent.as_ref().err();
                json!({
                    "name": channel.name(),
                    "target": channel.to_string(),
                    "ok": sent.is_ok(),
                    "detail": sent.as_ref().unwrap_or_else(|failed| &failed.why),
                    "hint": failed.and_then(|failed| failed.hint),
                })
            });
            json!({ "channels": channels.collect::<Vec<_>>() })
        },
        || tried.iter().flat_map(|(channel, sent)| lines(channel, sent)).collect(),
    )?;
    match tried.iter().all(|(_, sent)| sent.is_ok()) {
        true => Ok(Exit::Success),
        false => Ok(Exit::Failure),
    }
}

fn lines(channel: &Channel, sent: &Result<String, Failed>) -> Vec<String> {
    let (mark, detail) = match sent {
        Ok(how) => ("ok   ", how),
        Err(failed) => ("WRONG", &failed.why),
    };
    let mut lines = vec![format!("{mark} {:8} {channel}: {detail}", channel.name())];
    if let Err(Failed { hint: Some(hint), .. }) = sent {
        lines.push(format!("      {:8} hint: {hint}", ""));
    }
    lines
}
