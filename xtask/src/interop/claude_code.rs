//! The real Claude Code with a model by script: the ignored tests of `tests/interop`, against a program that
//! is installed from npm, once, below the target folder. It talks to nobody but that model.

use std::path::PathBuf;
use std::process::Command;

use crate::npm;
use crate::steps::{Result, Steps, cargo, output_of, target};

/// The version whose words the tests expect.
const VERSION: &str = "2.1.332";

const PACKAGE: &str = "@anthropic-ai/claude-code";

pub fn run(steps: &mut Steps) -> Result {
    let claude = install(steps)?;
    let mut tests = cargo(["nextest", "run", "--package", "askwell", "--test", "it"]);
    // One at a time: each is a whole agent.
    tests.args(["--run-ignored", "only", "--test-threads", "1", "--no-fail-fast"]);
    tests.arg("interop::claude_code").env("ASKWELL_CLAUDE", claude);
    // It takes its time to start.
    tests.env("ASKWELL_TEST_DEADLINE", "60");
    steps.run("Claude Code", &mut tests)
}

/// The program, installed where it is not there in this version.
fn install(steps: &mut Steps) -> std::result::Result<PathBuf, String> {
    let folder = target().join("interop/claude-code");
    let package = folder.join("node_modules").join(PACKAGE);
    let program = folder.join("node_modules/.bin/claude");
    let version = output_of(Command::new(&program).arg("--version")).unwrap_or_default();
    if !version.starts_with(VERSION) {
        npm::install_into(steps, &folder, &[(PACKAGE, VERSION)])?;
        // Puts the program for this machine in its place; npm was told to run no scripts.
        let mut unpack = Command::new("node");
        steps.run("Claude Code's program", unpack.arg("install.cjs").current_dir(package))?;
    }
    Ok(program)
}
