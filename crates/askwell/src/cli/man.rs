//! `askwell man`: the help as manual pages.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::report::{self, Exit, Failure};

/// Write the manual pages into a folder
///
/// One of askwell and one of each command, such as `askwell-ask.1`. What is there of them is written anew.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell man ~/.local/share/man/man1 && man askwell-ask")]
pub struct Arguments {
    /// The folder; it is made where there is none
    folder: PathBuf,
}

/// Writes the pages.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(<super::Cli>::command(), folder))
        .map_err(|error| {
            Failure::new(Exit::Failure, format!("{}: {error}", folder.display()))
                .hint("name a folder that may be written")
        })?;
    report::note(&format!("manual pages written to {}", folder.display()));
    Ok(Exit::Success)
}
