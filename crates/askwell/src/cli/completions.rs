//! `askwell completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::report::{self, Exit, Failure};

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell completions bash > ~/.local/share/bash-completion/completions/askwell
  askwell completions zsh > ~/.zfunc/_askwell        # with ~/.zfunc in $fpath
  askwell completions fish > ~/.config/fish/completions/askwell.fish")]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let mut command = <super::Cli>::command();
    clap_complete::generate(arguments.shell, &mut command, "askwell", &mut script);
    report::deliver(&script)?;
    Ok(Exit::Success)
}
