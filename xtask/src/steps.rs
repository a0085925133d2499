//! Named steps, one after the other, each a command with its time. The first that fails ends it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Why a command of ours failed, for the person.
pub type Result = std::result::Result<(), String>;

/// What was done so far.
pub struct Steps {
    done: Vec<(String, Duration, bool)>,
}

impl Steps {
    pub fn new() -> Self {
        Self { done: Vec::new() }
    }

    /// Runs `command` as the step `name`, its output passed through.
    pub fn run(&mut self, name: &str, command: &mut Command) -> Result {
        println!("\n==> {name}: {}", line_of(command));
        let start = Instant::now();
        let status = command.stdin(Stdio::null()).status();
        let time = start.elapsed();
        let passed = status.as_ref().is_ok_and(std::process::ExitStatus::success);
        self.done.push((name.to_owned(), time, passed));
        println!("    {name}: {:.1} s", time.as_secs_f64());
        match status {
            Ok(_) if passed => Ok(()),
            Ok(status) => Err(format!("step `{name}` failed ({status})")),
            Err(error) => Err(format!("step `{name}`: {}: {error}", line_of(command))),
        }
    }

    /// The same, with what it has written: passed through too, but for colours.
    pub fn run_heard(&mut self, name: &str, command: &mut Command) -> (Result, String) {
        println!("\n==> {name}: {}", line_of(command));
        let start = Instant::now();
        let heard = heard(command);
        let time = start.elapsed();
        let passed = heard.as_ref().is_ok_and(|(success, _)| *success);
        self.done.push((name.to_owned(), time, passed));
        println!("    {name}: {:.1} s", time.as_secs_f64());
        match heard {
            Ok((true, output)) => (Ok(()), output),
            Ok((false, output)) => (Err(format!("step `{name}` failed")), output),
            Err(error) => {
                (Err(format!("step `{name}`: {}: {error}", line_of(command))), String::new())
            }
        }
    }

    pub fn print_summary(&self) {
        if self.done.len() < 2 {
            return;
        }
        let width = self.done.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        println!("\nsteps:");
        for (name, time, passed) in &self.done {
            let mark = if *passed { "ok" } else { "FAILED" };
            println!("  {name:width$}  {:>6.1} s  {mark}", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time, _)| *time).sum();
        println!("  {:width$}  {:>6.1} s", "in all", total.as_secs_f64());
    }
}

/// Runs a command; whether it succeeded, and what it wrote on both of its outputs.
fn heard(command: &mut Command) -> std::io::Result<(bool, String)> {
    let (output, ours) = std::io::pipe()?;
    let mut child = command.stdin(Stdio::null()).stdout(ours.try_clone()?).stderr(ours).spawn()?;
    // The command holds the other ends.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut all = String::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("{line}");
        all.push_str(&line);
        all.push('\n');
    }
    Ok((child.wait()?.success(), all))
}

/// The cargo that runs us.
pub fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace());
    command
}

/// What a quiet command prints on stdout, if it succeeds.
pub fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    workspace().join(chosen)
}

fn line_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy();
    let arguments = command.get_args().map(|argument| format!(" {}", argument.to_string_lossy()));
    format!("{name}{}", arguments.collect::<String>())
}
