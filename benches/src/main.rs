//! Measures askwell and what it is compared with, side by side in one run, and prints one table:
//! what was measured, the budget, and whether it was met. Started by `cargo xtask bench`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod core_bench;
mod fixtures;
mod keys;
mod mcp;
mod memory;
mod page;
mod pty;
mod report;
mod serve;
mod start;
mod statistics;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use report::Report;

const HELP: &str = "\
Usage: cargo xtask bench [OPTIONS]

Options:
  --rounds N       Runs of each program, or presses of a key, behind a median [default: 40]
  --only NAME      Only one part: start, memory, keys, core, serve, cycle, pending, events, growth,
                   inbox, mcp, page, page-live, page-large
  --settled N      Requests in the largest store of growth [default: 1000000]
  --askwell PATH   Another build of askwell than the release build beside this program
  --help           This text
";

/// What is measured, and how often.
pub struct Setup {
    /// The release build of the program.
    pub askwell: PathBuf,
    /// The program that asks with inquire.
    pub inquire: PathBuf,
    /// The program with an empty handler on axum.
    pub axum: PathBuf,
    /// Runs behind a median.
    pub rounds: usize,
    /// Requests in the largest store.
    pub settled: usize,
}

type Part = fn(&Setup, &mut Report) -> Result<()>;

const PARTS: [(&str, Part); 14] = [
    ("start", start::measure),
    ("memory", memory::measure),
    ("keys", keys::measure),
    ("core", core_bench::measure),
    ("serve", serve::start),
    ("cycle", serve::cycle),
    ("pending", serve::pending),
    ("events", serve::subscribers),
    ("growth", serve::growth),
    ("inbox", serve::inbox),
    ("mcp", mcp::measure),
    ("page", page::load),
    ("page-live", page::live),
    ("page-large", page::large),
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all that was asked for could be measured.
fn run() -> Result<bool> {
    let beside = std::env::current_exe()?.with_file_name("");
    let mut setup = Setup {
        askwell: beside.join("askwell"),
        inquire: beside.join("inquire-peer"),
        axum: beside.join("axum-peer"),
        rounds: 40,
        settled: 1_000_000,
    };
    let mut only = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--rounds" => setup.rounds = value()?.parse().context("--rounds wants a number")?,
            "--settled" => setup.settled = value()?.parse().context("--settled wants a number")?,
            "--askwell" => setup.askwell = value()?.into(),
            "--only" => only = Some(value()?),
            "--help" => {
                print!("{HELP}");
                return Ok(true);
            }
            other => bail!("no such option: {other}\n\n{HELP}"),
        }
    }
    ensure!(setup.rounds >= 5, "fewer than 5 rounds make no median worth printing");
    let parts: Vec<_> =
        PARTS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)).collect();
    ensure!(!parts.is_empty(), "no such part: {}", only.unwrap_or_default());

    let folder = beside.join("measured");
    for program in [&mut setup.askwell, &mut setup.inquire, &mut setup.axum] {
        *program = copied(program, &folder)?;
    }

    let mut report = Report::default();
    let before = load();
    for (name, part) in parts {
        eprintln!("measuring: {name}");
        if let Err(error) = part(&setup, &mut report) {
            report.not_measured(name, &error);
        }
    }
    if let Some((before, after)) = before.zip(load()) {
        let processors = std::thread::available_parallelism()?;
        report.note(format!(
            "load of the machine: {before} before, {after} after, on {processors} processors"
        ));
    }
    println!("{report}");
    Ok(report.is_complete())
}

/// A copy, as an installation makes one. What a linker has written piece by piece is read piece by piece:
/// such a program starts a tenth of a millisecond or two later, by chance.
fn copied(program: &Path, folder: &Path) -> Result<PathBuf> {
    let copy = folder.join(program.file_name().context("no program")?);
    fs::create_dir_all(folder)?;
    fs::copy(program, &copy).with_context(|| format!("no program {}", program.display()))?;
    Ok(copy)
}

/// How many processes wanted to run in the last minute, on average.
fn load() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}
