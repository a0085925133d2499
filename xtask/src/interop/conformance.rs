//! The official conformance suite of MCP against the `/mcp` of a host: what each of two revisions
//! requires, and what else of it a server without fixtures can be held against.
//!
//! Owns what of it does not apply, with the reason. The suite itself holds the run to that list: what
//! fails beside it, and what passes that stands in it, fails the run.

use std::fs;
use std::process::Command;

use super::cache::Cache;
use super::door::Door;
use super::host::Host;
use super::{Report, Reported, Settings};
use crate::steps::{Steps, target};

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

/// Passes for want of its tool, before there is any form: of no weight.
const EMPTY: &str = "input-required-result-validate-input";

pub fn run(steps: &mut Steps, cache: &Cache, _: &Settings) -> Reported {
    let suite = cache.npm(steps, "conformance", PACKAGE, VERSION)?;
    let node = cache.node(steps)?;
    super::build(steps)?;
    let folder = cache.folder().join("conformance-host");
    let host = Host::start(&target().join("debug/askwell"), &folder)?;
    let door = Door::open(&host.url, host.token("asker")?).map_err(|error| error.to_string())?;

    let expected = folder.join("expected.yml");
    fs::write(&expected, not_applicable()).map_err(|error| error.to_string())?;
    let mut report = Report::of(format!("{PACKAGE} {VERSION}"));
    let (mut scenarios, mut found) = (0, Vec::new());
    for revision in REVISIONS {
        let mut command = Command::new(node.join("node"));
        command.arg(suite.join("node_modules/.bin/conformance"));
        command.args(["server", "--url"]).arg(format!("{}/mcp", door.url));
        command.args(["--requirements", revision, "--expected-failures"]).arg(&expected);
        command.arg("--output-dir").arg(folder.join(revision)).current_dir(&folder);
        let (done, output) = steps.run_heard(&format!("product, {revision}"), &mut command);
        let passed = passed(&output);
        report.passed += passed.iter().map(|(_, checks)| checks).sum::<usize>();
        scenarios += passed.len();
        found.extend(done.err());
    }
    host.has_borne_it()?;
    let others: usize = NOT_APPLICABLE.iter().map(|(_, scenarios)| scenarios.len()).sum();
    report.note = format!(" ({scenarios} scenarios whole; {others} do not apply)");
    match found.is_empty() {
        true => Ok(report),
        false => Err(found.join("; ")),
    }
}

/// The list as the suite reads it.
fn not_applicable() -> String {
    let mut text = "server:\n".to_owned();
    for (reason, scenarios) in NOT_APPLICABLE {
        text.push_str(&format!("  # {reason}\n"));
        scenarios.iter().for_each(|scenario| text.push_str(&format!("  - {scenario}\n")));
    }
    text
}

/// The scenarios that apply and passed whole, with how many checks each has: `✓ ping: 2 passed, 0 failed`.
fn passed(output: &str) -> Vec<(&str, usize)> {
    let whole = output.lines().filter_map(|line| line.strip_prefix("✓ "));
    let counted = whole.filter_map(|line| {
        let (name, counts) = line.split_once(": ")?;
        Some((name, counts.split(' ').next()?.parse().ok()?))
    });
    // Some of what does not apply passes with a warning only.
    let applies = |name: &str| {
        name != EMPTY && NOT_APPLICABLE.iter().all(|(_, names)| !names.contains(&name))
    };
    counted.filter(|(name, checks)| *checks > 0 && applies(name)).collect()
}
