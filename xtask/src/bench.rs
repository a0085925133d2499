//! `cargo xtask bench`: builds what is measured and what it is measured against, then measures.

use crate::steps::{Result, Steps, cargo};

/// `arguments` go to the runner: see `cargo xtask bench --help`.
pub fn run(steps: &mut Steps, arguments: &[String]) -> Result {
    // Apart from each other, so that the peers' features of shared crates do not get into askwell.
    let askwell = ["build", "--release", "--package", "askwell", "--bin", "askwell"];
    steps.run("askwell", &mut cargo(askwell))?;
    let package = ["--release", "--package", "askwell-benches"];
    steps.run("peers", cargo(["build"]).args(package))?;
    let mut command = cargo(["run", "--quiet"]);
    command.args(package).args(["--bin", "askwell-bench", "--"]).args(arguments);
    steps.run("measurements", &mut command)
}
