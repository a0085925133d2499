//! The HTTP API of a real host, held against its own OpenAPI document by schemathesis, once with the
//! credential of each role.
//!
//! Owns what of its findings is none: a rule that a schema can't state.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::cache::Cache;
use super::host::Host;
use super::{Report, Settings};
use crate::steps::{Result, Steps, target};

/// The version that the configuration below is written for.
const SCHEMATHESIS: &str = "4.32.5";

/// Seconds for each role where nothing else is asked for.
const SECONDS: u32 = 60;

/// What is allowed beside what schemathesis allows: 422 to what has the right form, since a request
/// may break rules that no schema states; 413 to what has not, since a bound may be passed first.
const CONFIG: &str = r#"
headers = { Authorization = "Bearer ${ASKWELL_INTEROP_TOKEN}" }

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 422, 429, "5xx"]

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
"#;

/// Not called: what ends the host, what never ends, and what would revoke the credential of the run.
const EXCLUDED: [&str; 3] = ["stop", "events", "revokeCredential"];

/// The calls about a request that is there; each has one of its own, since an answer ends it.
const ABOUT_A_REQUEST: [&str; 8] =
    ["get", "detach", "abort", "draft", "saveDraft", "answer", "cancel", "extend"];

pub fn run(
    steps: &mut Steps,
    cache: &Cache,
    settings: &Settings,
) -> std::result::Result<Report, String> {
    let environment = cache.python(steps, "python", "schemathesis", SCHEMATHESIS)?;
    let schemathesis = environment.join("bin/schemathesis");
    super::build(steps)?;

    let mut report = Report::of(format!("schemathesis {SCHEMATHESIS}"));
    let mut found = Vec::new();
    for role in ["asker", "answerer", "admin"] {
        let run = Run { schemathesis: &schemathesis, folder: cache.folder(), role };
        // All of them, also after one that found something.
        match run.go(steps, settings.seconds.unwrap_or(SECONDS)) {
            Ok(()) => report.passed += 1,
            Err(reason) => found.push(reason),
        }
    }
    match found.is_empty() {
        true => Ok(report),
        false => Err(found.join("; ")),
    }
}

struct Run<'a> {
    schemathesis: &'a Path,
    folder: &'a Path,
    role: &'a str,
}

impl Run<'_> {
    /// A host of its own: what the run before has left behind is not there.
    fn go(&self, steps: &mut Steps, seconds: u32) -> Result {
        let program = target().join("debug/askwell");
        let host = Host::start(&program, &self.folder.join(self.role))?;
        let mut config = CONFIG.to_owned();
        for operation in ABOUT_A_REQUEST {
            config.push_str(&about(operation, &host.ask()?));
        }
        let path = self.folder.join(format!("{}.toml", self.role));
        fs::write(&path, config).map_err(|error| format!("{}: {error}", path.display()))?;
        let excluded = EXCLUDED.iter().flat_map(|id| ["--exclude-operation-id", id]);

        let mut command = self.command(&host, &path)?;
        command.args(excluded).args(["--max-time", &seconds.to_string()]);
        steps.run(&format!("as {}", self.role), &mut command)?;
        if self.role == "admin" {
            // Last: it may revoke what it calls with.
            let mut command = self.command(&host, &path)?;
            command.args(["--include-operation-id", "revokeCredential"]);
            command.args(["--phases", "coverage,fuzzing", "--max-examples", "50"]);
            steps.run("as admin, revoking", &mut command)?;
        }
        host.has_borne_it()
    }

    fn command(&self, host: &Host, config: &Path) -> std::result::Result<Command, String> {
        let mut command = Command::new(self.schemathesis);
        command.arg("--config-file").arg(config);
        command.arg("run").arg(format!("{}/api/v1/openapi.json", host.url));
        command.args(["--checks", "all", "--continue-on-failure", "--request-timeout", "20"]);
        command.args(["--output-truncate", "true", "--no-color"]);
        // A folder of our own: it leaves its findings where it runs.
        command.current_dir(self.folder);
        command.env("ASKWELL_INTEROP_TOKEN", host.token(self.role)?);
        Ok(command)
    }
}

/// The part of a configuration that gives a call a request to be about, and no time to wait.
fn about(operation: &str, request: &str) -> String {
    let wait = if operation == "get" { ", \"query.wait\" = 0.01" } else { "" };
    format!(
        "\n[[operations]]\ninclude-operation-id = \"{operation}\"\n\
         parameters = {{ \"path.id\" = \"{request}\"{wait} }}\n"
    )
}
