//! The official conformance suite of MCP: what each of two revisions requires, of the `/mcp` of a host as
//! far as it applies, and all of it of a fixture that shares with a host whatever is not a tool.
//!
//! Owns what of it does not apply to either, with the reason. The suite itself holds the runs to these
//! lists: what fails beside one, and what passes that stands in it, fails the run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache::Cache;
use super::door::Door;
use super::fixture::Fixture;
use super::host::Host;
use super::{Report, Reported, Settings};
use crate::steps::{Steps, cargo, target};

const PACKAGE: &str = "@modelcontextprotocol/conformance";
/// `latest` knows nothing of 2026-07-28.
const VERSION: &str = "0.2.0-alpha.12";

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Scenarios that the product is not held against, each with the reason. The requirements of a revision
/// include all of them: they are written for a server whose only purpose is to be tested.
const NOT_APPLICABLE: [(&str, &[&str]); 6] = [
    (
        "calls a tool of a fixed name, which only a fixture has",
        &[
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-with-logging",
            "tools-call-error",
            "tools-call-with-progress",
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
        ],
    ),
    (
        "calls a tool or a prompt of a fixed name, which returns what only a fixture asks for",
        &[
            "input-required-result-basic-elicitation",
            "input-required-result-basic-sampling",
            "input-required-result-basic-list-roots",
            "input-required-result-request-state",
            "input-required-result-multiple-input-requests",
            "input-required-result-multi-round",
            "input-required-result-missing-input-response",
            "input-required-result-non-tool-request",
            "input-required-result-result-type",
            "input-required-result-tampered-state",
            "input-required-result-capability-check",
            "input-required-result-ignore-extra-params",
        ],
    ),
    ("4 of its 25 checks call tools of fixed names; the other 21 pass", &["server-stateless"]),
    (
        "there are no resources, and the server says so",
        &[
            "resources-list",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "resources-subscribe",
            "resources-unsubscribe",
            "sep-2164-resource-not-found",
        ],
    ),
    (
        "there are no prompts and no completions, and the server says so",
        &[
            "completion-complete",
            "prompts-list",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image",
        ],
    ),
    (
        "the server has no log to set; of caching, what is about resources and prompts",
        &["logging-set-level", "caching"],
    ),
];

/// Passes for want of its tool, before there is any form: of no weight on the product.
const EMPTY: &str = "input-required-result-validate-input";

/// Scenarios that the suite runs beside what a revision requires, and does not count itself.
const TASKS: (&str, &[&str]) = (
    "there are no tasks, which are an extension: what is asked waits in the store of the host, and is \
     collected by a tool",
    &[
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    ],
);
const BESIDE: (&str, &[&str]) = (
    "wants tools of certain schemas, which only a fixture has",
    &["json-schema-2020-12", "http-custom-header-server-validation"],
);

pub fn run(steps: &mut Steps, cache: &Cache, _: &Settings) -> Reported {
    let suite = Suite {
        program: cache.npm(steps, "conformance", PACKAGE, VERSION)?,
        node: cache.node(steps)?,
    };
    super::build(steps)?;
    steps.run(
        "fixture",
        &mut cargo(["build", "--package", "askwell-web", "--example", "fixture"]),
    )?;
    let mut report = Report::of(format!("{PACKAGE} {VERSION}"));
    let mut found = Vec::new();

    let folder = cache.folder().join("conformance-host");
    let host = Host::start(&target().join("debug/askwell"), &folder)?;
    let door = Door::open(&host.url, host.token("asker")?).map_err(|error| error.to_string())?;
    let product = suite.run(steps, "product", &door, &folder, &NOT_APPLICABLE, &[TASKS, BESIDE])?;
    found.extend(product.found);
    host.has_borne_it()?;

    let folder = cache.folder().join("conformance-fixture");
    let fixture = Fixture::start(&target().join("debug/examples/fixture"), &folder)?;
    let door =
        Door::open(&fixture.url, fixture.token.clone()).map_err(|error| error.to_string())?;
    let fixed = suite.run(steps, "fixture", &door, &folder, &[], &[TASKS])?;
    found.extend(fixed.found);
    fixture.has_borne_it(&folder)?;

    let of_product: Vec<_> = product.whole.iter().filter(|(name, _)| name != EMPTY).collect();
    report.passed = of_product.iter().map(|(_, checks)| checks).sum::<usize>();
    report.passed += fixed.whole.iter().map(|(_, checks)| checks).sum::<usize>();
    let others: usize = NOT_APPLICABLE.iter().map(|(_, scenarios)| scenarios.len()).sum();
    report.note = format!(
        " ({} scenarios whole on the product, {others} do not apply; {} on the fixture)",
        of_product.len(),
        fixed.whole.len(),
    );
    match found.is_empty() {
        true => Ok(report),
        false => Err(found.join("; ")),
    }
}

struct Suite {
    program: PathBuf,
    node: PathBuf,
}

/// Scenarios, each kind with the reason why it is not held against a server.
type Exceptions = [(&'static str, &'static [&'static str])];

/// How the runs against one server went.
#[derive(Default)]
struct Ran {
    /// The scenarios that apply and passed whole, with how many checks each has.
    whole: Vec<(String, usize)>,
    /// What did not go as expected.
    found: Vec<String>,
}

impl Suite {
    /// Runs what each revision requires, and what the suite runs `beside`. The suite knows what is
    /// expected of the former, and we of the latter.
    fn run(
        &self,
        steps: &mut Steps,
        what: &str,
        door: &Door,
        folder: &Path,
        exceptions: &Exceptions,
        beside: &Exceptions,
    ) -> std::result::Result<Ran, String> {
        let expected = folder.join("expected.yml");
        fs::write(&expected, list(exceptions)).map_err(|error| error.to_string())?;
        let (mut ran, mut failed) = (Ran::default(), BTreeSet::new());
        for revision in REVISIONS {
            let mut command = Command::new(self.node.join("node"));
            command.arg(self.program.join("node_modules/.bin/conformance"));
            command.args(["server", "--url"]).arg(format!("{}/mcp", door.url));
            command.args(["--requirements", revision, "--expected-failures"]).arg(&expected);
            command.arg("--output-dir").arg(folder.join(revision)).current_dir(folder);
            let (done, output) = steps.run_heard(&format!("{what}, {revision}"), &mut command);
            ran.whole.extend(passed(&output, exceptions));
            ran.found.extend(done.err());
            let lines = output.lines().filter_map(|line| line.strip_prefix("✗ "));
            failed.extend(lines.filter_map(|line| Some(line.split_once(": ")?.0.to_owned())));
        }
        let names = |all: &Exceptions| -> BTreeSet<String> {
            all.iter().flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned())).collect()
        };
        let (known, beside) = (names(exceptions), names(beside));
        let unknown =
            failed.iter().filter(|name| !known.contains(*name) && !beside.contains(*name));
        ran.found.extend(unknown.map(|name| format!("{what}: {name} failed, without a reason")));
        let passing = beside.difference(&failed);
        ran.found
            .extend(passing.map(|name| format!("{what}: {name} passed, which was not expected")));
        Ok(ran)
    }
}

/// The list as the suite reads it.
fn list(exceptions: &Exceptions) -> String {
    if exceptions.is_empty() {
        return "server: []\n".to_owned();
    }
    let mut text = "server:\n".to_owned();
    for (reason, scenarios) in exceptions {
        text.push_str(&format!("  # {reason}\n"));
        scenarios.iter().for_each(|scenario| text.push_str(&format!("  - {scenario}\n")));
    }
    text
}

/// The scenarios that apply and passed whole, with how many checks each has: `✓ ping: 2 passed, 0 failed`.
fn passed(output: &str, exceptions: &Exceptions) -> Vec<(String, usize)> {
    let whole = output.lines().filter_map(|line| line.strip_prefix("✓ "));
    let counted = whole.filter_map(|line| {
        let (name, counts) = line.split_once(": ")?;
        Some((name.to_owned(), counts.split(' ').next()?.parse().ok()?))
    });
    // Some of what does not apply passes with a warning only.
    let applies = |name: &str| exceptions.iter().all(|(_, names)| !names.contains(&name));
    counted.filter(|(name, checks)| *checks > 0 && applies(name)).collect()
}
