//! What the program is told when it is built: which build it is, and on Linux to carry the unwinder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_CLI").is_some() {
        println!("cargo:rustc-env=ASKWELL_VERSION={}", version());
        link_the_unwinder();
    }
}

/// One shared library of GNU's less to load is a tenth of a millisecond of every start.
fn link_the_unwinder() {
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-lib=gcc_eh");
    }
}

/// `0.1.0 (1a2b3c4d)`: the version, and where it is known the commit. The same sources give the same.
fn version() -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo:rerun-if-env-changed=ASKWELL_COMMIT");
    let build = match env::var("PROFILE").as_deref() {
        // Not the commit: each one would build the program of whoever works on it anew.
        Ok("debug") => Some("debug".to_owned()),
        _ => commit().and_then(|commit| commit.get(..8).map(str::to_owned)),
    };
    build.map_or(version.clone(), |build| format!("{version} ({build})"))
}

/// The commit that is built: as whoever packs it says, as cargo wrote it into a published package, or as
/// the repository says that this package lies in.
fn commit() -> Option<String> {
    if let Some(said) = env::var("ASKWELL_COMMIT").ok().filter(|said| !said.is_empty()) {
        return Some(said);
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    if let Ok(written) = fs::read_to_string(package.join(".cargo_vcs_info.json")) {
        let (_, after) = written.split_once("\"sha1\"")?;
        return after.split('"').nth(1).map(str::to_owned);
    }
    let workspace = package.parent()?.parent()?;
    // Not that of a repository around an unpacked package.
    let top = PathBuf::from(git(workspace, &["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != workspace.canonicalize().ok()? {
        return None;
    }
    // Changed by whatever moves to another commit.
    let log = git(workspace, &["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={}", workspace.join(log).display());
    git(workspace, &["rev-parse", "HEAD"])
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned())
}
