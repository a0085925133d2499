//! `cargo xtask test`: sets up and runs every test. Doing it again does no harm.

use crate::needs;
use crate::steps::{Result, Steps, cargo, output_of};

/// Every test of every crate, the examples in the documentation too; with `filters`, only tests
/// whose name contains one of them.
pub fn run(steps: &mut Steps, filters: &[String]) -> Result {
    needs::install(steps)?;

    let everything = ["--workspace", "--all-features"];
    if output_of(&mut cargo(["nextest", "--version"])).is_some() {
        let mut command = cargo(["nextest", "run"]);
        steps.run("tests", command.args(everything).args(filters))?;
    } else {
        println!("cargo-nextest is not installed: `cargo test` does the same, less quickly");
        let mut command = cargo(["test"]);
        command
            .args(everything)
            .args(["--lib", "--bins", "--tests", "--examples"]);
        steps.run("tests", command.arg("--").args(filters))?;
    }
    // nextest runs no documentation tests.
    let mut command = cargo(["test", "--quiet", "--doc"]);
    steps.run(
        "documentation tests",
        command.args(everything).arg("--").args(filters),
    )
}
