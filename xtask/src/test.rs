//! `cargo xtask test`: sets up and runs every test. Doing it again does no harm.

use crate::needs;
use crate::steps::{Result, Steps, cargo, output_of};

/// Every test of every crate, the examples in the documentation too; with `filters`, only tests
/// whose name contains one of them.
pub fn run(steps: &mut Steps, filters: &[String]) -> Result {
    needs::install(steps)?;

    let everything = ["--workspace", "--all-features"];
    // nextest runs no documentation tests. They come first: the last line of a whole run is then
    // the count of the tests proper.
    let mut command = cargo(["test", "--doc"]);
    command.args(everything).arg("--").args(filters);
    steps.run("documentation tests", &mut command)?;

    if output_of(&mut cargo(["nextest", "--version"])).is_some() {
        let mut command = cargo(["nextest", "run"]);
        return steps.run("tests", command.args(everything).args(filters));
    }
    println!("cargo-nextest is not installed: `cargo test` does the same, less quickly");
    // `cargo test --examples` would make tests of them; tests start them as the programs that they are.
    steps.run("examples", cargo(["build", "--examples"]).args(everything))?;
    let mut command = cargo(["test", "--lib", "--bins", "--tests"]);
    steps.run("tests", command.args(everything).arg("--").args(filters))
}
