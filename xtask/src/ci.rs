//! `cargo xtask ci`: everything that a change has to pass, what fails fastest first.

use crate::steps::{Result, Steps, cargo, output_of};
use crate::{needs, npm, test};

/// The version that `deny.toml` is written for.
const CARGO_DENY: &str = "0.20.2";

pub fn run(steps: &mut Steps) -> Result {
    steps.run("format", &mut cargo(["fmt", "--all", "--check"]))?;
    let fuzz = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    steps.run("format, fuzz", &mut cargo(fuzz))?;
    needs::install(steps)?;
    npm::check_scripts(steps)?;
    let mut command = cargo(["clippy", "--workspace", "--all-targets", "--all-features"]);
    steps.run("lints", command.args(["--locked", "--", "--deny", "warnings"]))?;
    // Who embeds the library takes neither the command line nor the terminal with it.
    let mut command = cargo(["clippy", "--package", "askwell", "--lib", "--no-default-features"]);
    steps.run("lints, library alone", command.args(["--", "--deny", "warnings"]))?;
    let mut command = cargo(["doc", "--workspace", "--no-deps", "--all-features"]);
    steps.run("documentation", command.env("RUSTDOCFLAGS", "--deny warnings"))?;
    deny(steps)?;
    test::run(steps, &[])
}

/// Licences, sources and bans. `advisories` is left out: it clones a public database, which not
/// every machine that runs this can reach.
fn deny(steps: &mut Steps) -> Result {
    let version = output_of(&mut cargo(["deny", "--version"]));
    if version.as_deref() != Some(&format!("cargo-deny {CARGO_DENY}")) {
        // Forced, since another version may be there, or one that was not installed by cargo.
        let package = format!("cargo-deny@{CARGO_DENY}");
        let mut command = cargo(["install", "--locked", "--quiet", "--force", &package]);
        steps.run("cargo-deny", &mut command)?;
    }
    steps.run(
        "licences and sources",
        &mut cargo(["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"]),
    )
}
