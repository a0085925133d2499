//! What the tests need beside Rust. Each need is looked for first; a package is only installed for
//! one that is missing.

use std::path::Path;
use std::process::Command;

use crate::npm;
use crate::steps::{Result, Steps, output_of};

/// A program on the search path or a file by its whole path, the Debian package that has it, and what
/// it is for.
struct Need {
    what: &'static str,
    package: &'static str,
    purpose: &'static str,
}

/// The one list.
const NEEDS: &[Need] = &[
    Need { what: "setsid", package: "util-linux", purpose: "runs without a controlling terminal" },
    Need { what: "stty", package: "coreutils", purpose: "tests of the test terminal" },
    Need { what: "chromium", package: "chromium", purpose: "tests of the pages" },
    Need { what: "chromedriver", package: "chromium-driver", purpose: "tests of the pages" },
    Need {
        what: "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        package: "fonts-noto-cjk",
        purpose: "pictures of pages in Chinese",
    },
    Need {
        what: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
        package: "fonts-noto-color-emoji",
        purpose: "pictures of pages with emoji",
    },
    Need { what: "curl", package: "curl", purpose: "the commands of the documentation" },
    Need { what: "git", package: "git", purpose: "the commands of the documentation" },
    Need { what: "jq", package: "jq", purpose: "the commands of the documentation" },
    Need { what: "openssl", package: "openssl", purpose: "the commands of the documentation" },
    Need { what: "sqlite3", package: "sqlite3", purpose: "the commands of the documentation" },
    Need { what: "npm", package: "npm", purpose: "checks of the pages" },
];

/// Installs what is missing where we may, and says what is missing where we may not.
pub fn install(steps: &mut Steps) -> Result {
    install_packages(steps)?;
    npm::install(steps)
}

fn install_packages(steps: &mut Steps) -> Result {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !need.is_met()).collect();
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
            format!("\n  {} (Debian package {}): {}", need.what, need.package, need.purpose)
        })
        .collect();
    let hint = format!("on Debian, as root: apt-get install {}", packages.join(" "));
    Err(format!("missing:{}\n{hint}", list.concat()))
}

impl Need {
    fn is_met(&self) -> bool {
        match self.what.starts_with('/') {
            // Other systems keep their fonts elsewhere.
            true => Path::new(self.what).is_file() || !Path::new("/etc/debian_version").exists(),
            false => is_on_path(self.what),
        }
    }
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}
