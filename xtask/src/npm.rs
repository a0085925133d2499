//! What the checks of the pages need from npm: in a folder of its own below the target folder, never in
//! the tree and never part of askwell.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::{Result, Steps, target, workspace};

/// Package and version.
const PACKAGES: [(&str, &str); 2] = [("axe-core", "4.14.1"), ("typescript", "7.0.2")];

/// Installs what is not there in its version.
pub fn install(steps: &mut Steps) -> Result {
    let folder = target().join("npm");
    if PACKAGES.iter().all(|(name, version)| is_installed(&folder, name, version)) {
        return Ok(());
    }
    install_into(steps, &folder, &PACKAGES)
}

/// Whether a folder has a package in this version.
pub fn is_installed(folder: &Path, name: &str, version: &str) -> bool {
    let described = folder.join("node_modules").join(name).join("package.json");
    let described = fs::read_to_string(described).unwrap_or_default();
    described.contains(&format!("\"version\": \"{version}\""))
}

/// Installs packages into this folder; none of their own scripts are run.
pub fn install_into(steps: &mut Steps, folder: &Path, packages: &[(&str, &str)]) -> Result {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = Command::new("npm");
    command.args([
        "install",
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ]);
    let named = packages.iter().map(|(name, version)| format!("{name}@{version}"));
    command.arg(folder).args(named);
    steps.run("npm packages", &mut command)
}

/// Holds the scripts of the pages to the types in their comments.
pub fn check_scripts(steps: &mut Steps) -> Result {
    install(steps)?;
    let mut command = Command::new(target().join("npm/node_modules/.bin/tsc"));
    command.arg("--project").arg(workspace().join("crates/web/tsconfig.json"));
    steps.run("page scripts", &mut command)
}
