//! The parts that are ignored tests of `tests/interop`: what is installed for each, and which tests it is.

use std::process::Command;

use super::cache::Cache;
use super::{Report, Reported};
use crate::steps::{Steps, cargo};

/// Tests against one piece of software.
pub struct Suite {
    /// Its folder in the cache, and the last word of `ASKWELL_INTEROP_SDK`.
    folder: &'static str,
    from: From,
    package: &'static str,
    version: &'static str,
    /// The module of its tests.
    tests: &'static str,
    /// The eras of the protocol that it speaks, each a run of its own.
    eras: &'static [&'static str],
}

enum From {
    /// `newer`: whether it needs a newer Node.js than Debian has.
    Npm {
        newer: bool,
    },
    PyPi,
}

pub const INSPECTOR: Suite = Suite {
    folder: "inspector",
    from: From::Npm { newer: true },
    package: "@modelcontextprotocol/inspector",
    version: "2.12.0",
    tests: "interop::inspector::",
    eras: &["legacy", "modern"],
};

pub const TYPESCRIPT_1: Suite = Suite {
    folder: "typescript-1",
    from: From::Npm { newer: true },
    package: "@modelcontextprotocol/sdk",
    version: "1.32.2",
    tests: "interop::sdks::",
    eras: &["legacy"],
};

pub const TYPESCRIPT_2: Suite = Suite {
    folder: "typescript-2",
    from: From::Npm { newer: true },
    package: "@modelcontextprotocol/client",
    version: "2.4.0",
    tests: "interop::sdks::",
    eras: &["legacy", "modern"],
};

pub const PYTHON_1: Suite = Suite {
    folder: "python-1",
    from: From::PyPi,
    package: "mcp",
    version: "1.30.0",
    tests: "interop::sdks::",
    eras: &["legacy"],
};

pub const PYTHON_2: Suite = Suite {
    folder: "python-2",
    from: From::PyPi,
    package: "mcp",
    version: "2.3.0",
    tests: "interop::sdks::",
    eras: &["legacy", "modern"],
};

pub const FASTMCP: Suite = Suite {
    folder: "fastmcp-4",
    from: From::PyPi,
    package: "fastmcp",
    version: "4.2.3",
    tests: "interop::sdks::",
    eras: &["legacy", "modern"],
};

pub const CODEX: Suite = Suite {
    folder: "codex",
    from: From::Npm { newer: false },
    package: "@openai/codex",
    version: "0.171.0",
    tests: "interop::codex::",
    eras: &["legacy"],
};

pub const CLAUDE_CODE: Suite = Suite {
    folder: "claude-code",
    from: From::Npm { newer: false },
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    tests: "interop::claude_code::",
    eras: &[""],
};

impl Suite {
    pub fn run(&self, steps: &mut Steps, cache: &Cache) -> Reported {
        let Self { folder, package, version, tests, eras, .. } = *self;
        self.install(steps, cache)?;
        let mut report = Report::of(format!("{package} {version}"));
        let mut failed = Vec::new();
        for era in eras {
            let mut run = cargo(["nextest", "run", "--package", "askwell", "--test", "it"]);
            run.args(["--run-ignored", "only", "--no-fail-fast", "--test-threads"]);
            // An agent is a whole application: one at a time.
            run.arg(if tests.starts_with("interop::sdks") { "3" } else { "1" }).arg(tests);
            run.env("ASKWELL_INTEROP", cache.folder()).env("ASKWELL_INTEROP_SDK", folder);
            run.env("ASKWELL_INTEROP_ERA", era);
            // They take their time to start.
            run.env("ASKWELL_TEST_DEADLINE", "60");
            let name = format!("{folder} {era}");
            let (done, output) = steps.run_heard(name.trim(), &mut run);
            report.passed += passed(&output);
            failed.extend(done.err());
        }
        match failed.is_empty() {
            true => Ok(report),
            false => Err(failed.join("; ")),
        }
    }

    fn install(&self, steps: &mut Steps, cache: &Cache) -> Result<(), String> {
        let Self { folder, package, version, .. } = *self;
        match self.from {
            From::PyPi => cache.python(steps, folder, package, version).map(drop),
            From::Npm { newer } => {
                if newer {
                    cache.node(steps)?;
                }
                let folder = cache.npm(steps, folder, package, version)?;
                let package = folder.join("node_modules").join(package);
                // Puts the program for this machine in its place; npm was told to run no scripts.
                let script = package.join("install.cjs");
                if !script.is_file() || folder.join("unpacked").is_file() {
                    return Ok(());
                }
                let mut unpack = Command::new("node");
                steps.run("its program", unpack.arg(script).current_dir(&package))?;
                std::fs::write(folder.join("unpacked"), version).map_err(|error| error.to_string())
            }
        }
    }
}

/// How many tests passed, by the runner's last words: `12 tests run: 12 passed, 300 skipped`.
fn passed(output: &str) -> usize {
    let summary = output
        .lines()
        .rev()
        .find(|line| line.contains(" tests run: ") || line.contains(" test run: "));
    let words: Vec<&str> = summary.unwrap_or_default().split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("passed"));
    at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok()).unwrap_or_default()
}
