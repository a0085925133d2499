//! The commands of those who work on askwell: `cargo xtask help`. Needs nothing but the standard
//! library, so that a fresh clone has it within seconds.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod bench;
mod ci;
mod fuzz;
mod interop;
mod needs;
mod npm;
mod picture;
mod soak;
mod steps;
mod test;

use std::process::ExitCode;

use steps::Steps;

const HELP: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test [FILTER..]  Install what the tests need, then run every test; with filters, only those
                   whose name contains one
  ci               Everything that a change has to pass: format, lints, documentation, licences, tests
  bench [ARGS..]   Build the release program and its peers, measure them side by side, print one table
  soak [--rounds N] [--claims N] [--seed N]
                   Kill the release program again and again, race for its requests, and check every
                   promise against what was told
  fuzz [--seconds N] [TARGET..]
                   Run the fuzz targets, each for that long (60 s); what fails is kept in fuzz/artifacts
  interop [PART..] [--seconds N]
                   Against software of others, pinned and installed below the target folder: the HTTP API
                   against its document, MCP against the official suite and the clients, SDKs and agents of
                   others; --list shows the parts
  picture          Make the picture of the README anew
  help             This text
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = arguments.collect();

    let mut steps = Steps::new();
    let result = match command.as_str() {
        "test" => test::run(&mut steps, &rest),
        "ci" if rest.is_empty() => ci::run(&mut steps),
        "bench" => bench::run(&mut steps, &rest),
        "soak" => soak::run(&mut steps, &rest),
        "fuzz" => fuzz::run(&mut steps, &rest),
        "picture" if rest.is_empty() => picture::run(&mut steps),
        "interop" => interop::run(&mut steps, &rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!(
                "error: no such command: {}\n\n{HELP}",
                [vec![command], rest].concat().join(" ")
            );
            return ExitCode::from(2);
        }
    };
    steps.print_summary();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
