//! `askwell token`: the credentials of a host.

use askwell::inbox::wire::{Credential, CredentialId, NewCredential, Role, UnixMillis};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::words;

/// Make, list and revoke credentials for programs and people elsewhere, and devices
///
/// The programs of this user find their own. One for somewhere else goes into ASKWELL_TOKEN there,
/// beside ASKWELL_URL. A browser gets one by signing in: see askwell open.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell token create --role asker --name build-server
  askwell token create --role answerer --name phone --person me
  askwell token list
  askwell token revoke 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make one, and print its secret, which is shown this once
    Create {
        /// What it allows
        #[arg(long, value_enum)]
        role: RoleName,

        /// The name of whoever holds it; people see it beside an asker's own words
        #[arg(long, value_name = "NAME")]
        name: String,

        /// For an answerer: the person whose drafts it shares [default: its name]
        #[arg(long, value_name = "PERSON")]
        person: Option<String>,

        /// How to print it
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// List them, without their secrets; a browser that signed in is marked as a device
    List {
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Take one back: whoever holds it gets UNAUTHORIZED, a device is signed out
    Revoke {
        /// Its id, as `token list` shows it
        id: CredentialId,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleName {
    /// Asks, and reads and withdraws what was asked with it
    Asker,
    /// Lists, answers and cancels as one person
    Answerer,
    /// Manages credentials, purges, stops the host
    Admin,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Asker => Self::Asker,
            RoleName::Answerer => Self::Answerer,
            RoleName::Admin => Self::Admin,
        }
    }
}

/// Does what the subcommand says.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Admin, Start::WithStore)?;
    match arguments.command {
        Command::Create { role, name, person, format } => {
            if person.is_some() && role != RoleName::Answerer {
                return Err(Failure::usage("--person goes with --role answerer"));
            }
            let new = NewCredential { role: role.into(), name, person };
            let made = client.create_credential(&new)?;
            // The bare secret: ASKWELL_TOKEN=$(askwell token create …)
            format.deliver(|| json!(made), || vec![made.token.clone()])?;
            report::note(&format!("made {}; its secret is shown this once", made.credential.id));
        }
        Command::List { format } => {
            let all = client.credentials()?;
            let lines = || all.iter().map(line).collect();
            format.deliver(|| json!({ "credentials": all }), lines)?;
        }
        Command::Revoke { id } => {
            client.revoke_credential(id)?;
            report::note(&format!("revoked {id}"));
        }
    }
    Ok(Exit::Success)
}

fn line(credential: &Credential) -> String {
    let now = hosts::now();
    let mut line =
        format!("{}  {:8}  {}", credential.id, credential.role.as_str(), credential.name);
    if let Some(person) = &credential.person {
        line.push_str(&format!(" as {person}"));
    }
    if let Some(device) = credential.device {
        line.push_str(&format!(" · device, last used {}", used(device.used_at, now)));
    }
    line.push_str(&format!(" · made {} ago", words::time_between(credential.created_at, now)));
    if let Some(at) = credential.revoked_at {
        line.push_str(&format!(" · revoked {} ago", words::time_between(at, now)));
    }
    line
}

/// No more is kept than the hour.
fn used(at: UnixMillis, now: UnixMillis) -> String {
    match now.saturating_sub(at) < 3_600_000 {
        true => "within the hour".to_owned(),
        false => format!("{} ago", words::time_between(at, now)),
    }
}
