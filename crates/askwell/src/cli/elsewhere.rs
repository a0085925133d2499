//! `askwell elsewhere`: a person says that what agents ask is wanted in the inbox.

use askwell::inbox::wire::{Attention, Role};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::format::Format;
use crate::hosts::{self, Start};
use crate::report::{Exit, Failure};
use crate::words;

/// Say that you are elsewhere: what agents ask goes to the inbox
///
/// An agent whose hook asks here (askwell connect claude-code) shows its own card while nobody looks at
/// the inbox. After `on` its questions go to the inbox all the same, for a phone or a browser that is
/// opened later, until `off`. The host keeps it, also over restarts, and stays meanwhile.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell elsewhere on
  askwell elsewhere off
  askwell elsewhere")]
pub struct Arguments {
    /// What to say
    #[arg(value_enum, default_value_t = What::Status)]
    what: What,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// From now on
    On,
    /// No longer
    Off,
    /// Nothing: only tell how it stands
    Status,
}

/// Says it, and tells how it stands.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let start = match arguments.what {
        What::On => Start::Always,
        What::Off | What::Status => Start::WithStore,
    };
    let client = hosts::client(Role::Answerer, start)?;
    let attention = match arguments.what {
        What::On => client.set_elsewhere(true),
        What::Off => client.set_elsewhere(false),
        What::Status => client.attention(),
    }?;
    arguments.format.deliver(|| json!(attention), || vec![told(attention)])?;
    Ok(Exit::Success)
}

fn told(attention: Attention) -> String {
    let watching = attention.watching;
    match attention.elsewhere_since {
        Some(since) => {
            let time = words::time_between(since, hosts::now());
            format!("on, since {time} ago: what agents ask goes to the inbox ({watching} watching)")
        }
        None if watching > 0 => {
            format!("off; but {watching} watching, so what agents ask goes to the inbox")
        }
        None => "off, and nobody is watching: agents show their own cards".to_owned(),
    }
}
