//! What the tests need beside Rust. Programs are looked for first; a package is only installed for
//! one that is missing.

use std::path::Path;
use std::process::Command;

use crate::steps::{Result, Steps, output_of};

/// A program, the Debian package that has it, and what it is for.
struct Need {
    program: &'static str,
    package: &'static str,
    purpose: &'static str,
}

/// The one list.
const NEEDS: &[Need] = &[
    Need {
        program: "setsid",
        package: "util-linux",
        purpose: "runs without a controlling terminal",
    },
    Need { program: "stty", package: "coreutils", purpose: "tests of the test terminal" },
];

/// Installs what is missing where we may, and says what is missing where we may not.
pub fn install(steps: &mut Steps) -> Result {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !is_on_path(need.program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    let root = output_of(Command::new("id").arg("-u")).as_deref() == Some("0");
    if root && is_on_path("apt-get") {
        steps.run("package lists", Command::new("apt-get").args(["--quiet", "update"]))?;
        let mut command = Command::new("apt-get");
        command.args(["--quiet", "install", "--yes", "--no-install-recommends"]).args(&packages);
        return steps.run("packages", command.env("DEBIAN_FRONTEND", "noninteractive"));
    }
    let list: Vec<String> = missing
        .iter()
        .map(|need| {
            format!("\n  {} (Debian package {}): {}", need.program, need.package, need.purpose)
        })
        .collect();
    let hint = format!("on Debian, as root: apt-get install {}", packages.join(" "));
    Err(format!("missing programs:{}\n{hint}", list.concat()))
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}
