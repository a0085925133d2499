//! `cargo xtask interop`: askwell against software of others, each a part by itself, in exactly the versions
//! that are named here. Nothing leaves this machine but what is installed below the target folder.

mod api;
mod cache;
mod conformance;
mod door;
mod fixture;
mod host;
mod suites;

use crate::steps::{Result, Steps, cargo};
use cache::Cache;

/// What was run against, and how many checks passed.
struct Report {
    against: String,
    passed: usize,
    /// What else is to be said of it.
    note: String,
}

impl Report {
    fn of(against: String) -> Self {
        Self { against, passed: 0, note: String::new() }
    }
}

type Reported = std::result::Result<Report, String>;

/// What may be set.
struct Settings {
    /// How long each run of the part `api` takes.
    seconds: Option<u32>,
}

/// A part, against software of its own.
struct Part {
    name: &'static str,
    about: &'static str,
    run: fn(&mut Steps, &Cache, &Settings) -> Reported,
}

const PARTS: [Part; 10] = [
    Part {
        name: "api",
        about: "the HTTP API of a host against its own OpenAPI document (schemathesis)",
        run: api::run,
    },
    Part {
        name: "conformance",
        about: "the official conformance suite of MCP, both requirement sets, on the product and a fixture",
        run: conformance::run,
    },
    Part {
        name: "inspector",
        about: "MCP Inspector --strict and mcpdo, over stdio and HTTP",
        run: |steps, cache, _| suites::INSPECTOR.run(steps, cache),
    },
    Part {
        name: "typescript-1",
        about: "clients of the TypeScript SDK, version 1",
        run: |steps, cache, _| suites::TYPESCRIPT_1.run(steps, cache),
    },
    Part {
        name: "typescript-2",
        about: "clients of the TypeScript SDK, version 2, in both eras",
        run: |steps, cache, _| suites::TYPESCRIPT_2.run(steps, cache),
    },
    Part {
        name: "python-1",
        about: "clients of the Python SDK, version 1",
        run: |steps, cache, _| suites::PYTHON_1.run(steps, cache),
    },
    Part {
        name: "python-2",
        about: "clients of the Python SDK, version 2, in both eras",
        run: |steps, cache, _| suites::PYTHON_2.run(steps, cache),
    },
    Part {
        name: "fastmcp",
        about: "clients of fastmcp, in both eras",
        run: |steps, cache, _| suites::FASTMCP.run(steps, cache),
    },
    Part {
        name: "codex",
        about: "Codex by its app server, without a model",
        run: |steps, cache, _| suites::CODEX.run(steps, cache),
    },
    Part {
        name: "claude-code",
        about: "Claude Code with a model by script: its questions, our tools, forms of others",
        run: |steps, cache, _| suites::CLAUDE_CODE.run(steps, cache),
    },
];

pub fn run(steps: &mut Steps, arguments: &[String]) -> Result {
    let mut names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if names == ["--list"] {
        PARTS.iter().for_each(|part| println!("{:13} {}", part.name, part.about));
        return Ok(());
    }
    let mut settings = Settings { seconds: None };
    if let Some(at) = names.iter().position(|name| *name == "--seconds") {
        let number = names.get(at + 1).and_then(|number| number.parse().ok());
        settings.seconds = Some(number.ok_or("--seconds needs a number")?);
        names.drain(at..at + 2);
    }
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        return Err(format!("no such part: {unknown} (cargo xtask interop --list shows them)"));
    }
    let cache = Cache::open()?;
    let chosen = PARTS.iter().filter(|part| names.is_empty() || names.contains(&part.name));
    // All of them, also after one that found something.
    let done: Vec<(&str, Reported)> =
        chosen.map(|part| (part.name, (part.run)(steps, &cache, &settings))).collect();

    println!("\ninterop:");
    for (name, reported) in &done {
        match reported {
            Ok(Report { against, passed, note }) => {
                println!("  {name:13} {passed:>4} passed  {against}{note}");
            }
            Err(reason) => println!("  {name:13} FAILED       {reason}"),
        }
    }
    let failed: Vec<&str> =
        done.iter().filter(|(_, reported)| reported.is_err()).map(|(name, _)| *name).collect();
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("not all passed: {}", failed.join(", "))),
    }
}

/// Builds the program that is tried.
fn build(steps: &mut Steps) -> Result {
    steps.run("program", &mut cargo(["build", "--package", "askwell", "--bin", "askwell"]))
}
