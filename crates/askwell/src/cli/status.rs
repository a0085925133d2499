//! `askwell status`: whether a host runs, and how it stands.

use askwell::inbox::wire::Role;
use askwell::inbox::{Client, Discovery, Environment, HostLock};
use clap::Args;
use serde_json::json;

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{Exit, Failure};
use crate::words;

/// Say whether a host runs, where, and how it stands
///
/// Exit codes: 0 it runs and answers, 3 none runs, 1 it does not answer.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell status
  askwell status --format json | jq -r .url")]
pub struct Arguments {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Tells.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client: Client = hosts::client(Role::Admin, Start::Never)?;
    let place = hosts::place()?;
    let local = match Environment::read().url {
        Some(_) => None,
        None => Discovery::read(&place).ok().flatten(),
    };
    let held = || Environment::read().url.is_none() && HostLock::is_held(&place);
    let url = match client.access() {
        // There is one, and it does not say where it is.
        Err(error) if held() => {
            return Err(Failure { exit: Exit::Failure, ..Failure::from(error) });
        }
        access => access?.url,
    };
    let health = client.health()?;
    // Only an admin's credential reads more.
    let status = client.status().ok();
    arguments.format.deliver(
        || json!({ "url": url, "health": health, "status": status, "host": local }),
        || {
            let mut lines = vec![format!("a host of askwell {} runs at {url}", health.version)];
            if let Some(local) = &local {
                let kind = if local.background { "in the background" } else { "in the foreground" };
                let time = words::time_between(local.started_at, hosts::now());
                lines.push(format!("process {}, {kind}, for {time}", local.pid));
            }
            if let Some(status) = &status {
                lines.push(format!(
                    "{} waiting, {} of them with an asker that is away; {} watching",
                    status.pending, status.away, status.watching
                ));
                if status.elsewhere > 0 {
                    lines.push("agents ask in the inbox, until: askwell elsewhere off".to_owned());
                }
            }
            lines
        },
    )?;
    Ok(Exit::Success)
}
