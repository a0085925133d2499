//! `askwell config show`: what is set, and by what.

use clap::{Args, Subcommand};
use serde_json::json;

use super::format::Format;
use crate::report::{Exit, Failure};
use crate::settings::{self, Settings};

/// Show the settings of the host, and which source each comes from
///
/// Flags of `askwell serve` go before variables, variables before the file
/// ($XDG_CONFIG_HOME/askwell/config.toml), the file before defaults.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell config show
  askwell config show --format json

A file:
  port = 2759
  keep = \"30d\"")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show every setting, its value and its source
    Show {
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
}

/// Shows.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Command::Show { format } = arguments.command;
    let settings = Settings::read(&[])?;
    let file = settings::file().map(|path| path.display().to_string());
    format.deliver(
        || {
            let all = settings.all().iter().map(|setting| {
                let value = Some(setting.shown()).filter(|value| !value.is_empty());
                json!({ "name": setting.name, "value": value, "source": setting.source.to_string() })
            });
            json!({ "file": file, "settings": all.collect::<Vec<_>>() })
        },
        || {
            let lines = settings.all().iter().zip(settings::keys()).map(|(setting, key)| {
                let shown = setting.shown();
                let value = if shown.is_empty() { "-" } else { &shown };
                format!("{} = {value}  ({}): {}", setting.name, setting.source, key.about)
            });
            let file = file.iter().map(|file| format!("file: {file}"));
            lines.chain(file).collect()
        },
    )?;
    Ok(Exit::Success)
}
