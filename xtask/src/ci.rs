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
    library_alone()?;
    let mut command = cargo(["doc", "--workspace", "--no-deps", "--all-features"]);
    steps.run("documentation", command.env("RUSTDOCFLAGS", "--deny warnings"))?;
    deny(steps)?;
    test::run(steps, &[])
}

/// Whoever embeds the contract takes no terminal, server, client, database or runtime with it.
fn library_alone() -> Result {
    let tree = ["tree", "--package", "askwell", "--no-default-features", "--edges", "normal"];
    let mut command = cargo(tree);
    command.args(["--prefix", "none", "--locked", "--format", "{lib}"]);
    let tree = output_of(&mut command).ok_or("cargo tree failed")?;
    let kept_out =
        ["axum", "hyper", "ratatui_core", "rusqlite", "rustix", "termina", "tokio", "ureq"];
    let ours = |name: &&str| name.starts_with("askwell_") && *name != "askwell_core";
    match tree.lines().find(|name| kept_out.contains(name) || ours(name)) {
        Some(name) => Err(format!("the library alone must not depend on {name}")),
        None => Ok(()),
    }
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
