//! The `askwell` program: one file a subcommand in [`cli`], the environment in [`config`], what
//! is set of a host in [`settings`], which host is meant in [`hosts`], what is read in [`input`], and everything that is printed in [`report`].

mod cli;
mod config;
mod hosts;
mod input;
mod notices;
mod report;
mod settings;
mod unsaved;
mod words;

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::Arc;

use signal_hook::consts::SIGXFSZ;

fn main() -> ExitCode {
    report::tell_panics();
    // A file that may not grow is a write that fails, not the end of the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    // A panic has been told by then.
    let exit = catch_unwind(|| match cli::run() {
        Ok(exit) => exit,
        Err(failure) => report::failure(&failure),
    });
    exit.unwrap_or(report::Exit::Failure).into()
}
