//! MCP Inspector: its `--strict` look at the schemas of the tools, and `mcpdo`, which parks a call, shows its
//! form as JSON and answers it by a second command. `ASKWELL_INTEROP` names the folder that it is in, and
//! `ASKWELL_INTEROP_ERA` the era of the protocol.

use std::process::{Command, Output, Stdio};

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::host::Host;
use crate::mcp::stream::{credential, port};
use crate::mcp::{carries, r2};

/// How it reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Stdio,
    Http,
}

impl Over {
    /// The target as both programs name it.
    fn target(self, host: &Host) -> Vec<String> {
        match self {
            Self::Stdio => vec![host.askwell.program().display().to_string(), "mcp".to_owned()],
            Self::Http => vec![format!("http://127.0.0.1:{}/mcp", port(host))],
        }
    }

    /// What else it has to be told of the server.
    fn options(self, host: &Host) -> Vec<String> {
        let variable = |name: &str| {
            let value = host.askwell.variables()[std::ffi::OsStr::new(name)].to_str().unwrap();
            format!("{name}={value}")
        };
        match self {
            // It passes on little of its own environment.
            Self::Stdio => vec![
                "-e".to_owned(),
                variable("XDG_STATE_HOME"),
                "-e".to_owned(),
                // Never another host than the test's own.
                "CI=true".to_owned(),
            ],
            Self::Http => {
                let token = credential(host, "asker");
                vec!["--header".to_owned(), format!("Authorization: Bearer {token}")]
            }
        }
    }
}

fn era() -> String {
    std::env::var("ASKWELL_INTEROP_ERA").unwrap()
}

/// Runs one of its programs.
fn run(host: &Host, program: &str, arguments: &[String]) -> Output {
    let cache = super::cache();
    let mut command = Command::new(cache.join("node-only/node"));
    command.arg(cache.join("inspector/node_modules/.bin").join(program)).args(arguments);
    command.env_clear().envs(host.askwell.variables()).current_dir(host.askwell.work());
    // Its daemon starts a `node` of its own.
    let path = std::env::join_paths(
        [cache.join("node-only")]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    command.env("PATH", path.unwrap()).env("MCP_INSPECTOR_SECRET_STORE", "memory");
    command.stdin(Stdio::null()).output().unwrap()
}

#[rstest]
#[ignore = "needs MCP Inspector: cargo xtask interop"]
fn it_finds_nothing_in_the_schemas(#[values(Over::Stdio, Over::Http)] over: Over) {
    let host = Host::start();
    let mut arguments = vec!["--cli".to_owned()];
    arguments.extend(over.target(&host));
    arguments.extend(["--protocol-era".to_owned(), era()]);
    arguments.extend(over.options(&host));
    arguments.extend(["--method", "tools/list", "--strict"].map(str::to_owned));

    let output = run(&host, "mcp-inspector", &arguments);

    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""));
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 3);
}

/// `mcpdo` with a daemon of its own, which ends with it.
struct Mcpdo<'host> {
    host: &'host Host,
    connection: String,
}

impl<'host> Mcpdo<'host> {
    fn connect(host: &'host Host, over: Over) -> Self {
        let target = over.target(host);
        let mcpdo = Self { host, connection: target[0].clone() };
        let mut arguments = vec!["connect".to_owned()];
        arguments.extend(target);
        arguments.extend(["--era".to_owned(), era()]);
        arguments.extend(over.options(host));
        let connected = mcpdo.json(arguments);
        assert_eq!(connected["protocolEra"], era());
        mcpdo
    }

    /// A command on the connection, and its document.
    #[track_caller]
    fn does(&self, arguments: &[&str]) -> Value {
        let named = ["--connection", &self.connection];
        self.json(named.iter().chain(arguments).map(|&word| word.to_owned()))
    }

    #[track_caller]
    fn json(&self, arguments: impl IntoIterator<Item = String>) -> Value {
        let format = ["--format", "json"].map(str::to_owned);
        let arguments: Vec<String> = format.into_iter().chain(arguments).collect();
        let output = run(self.host, "mcpdo", &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

impl Drop for Mcpdo<'_> {
    fn drop(&mut self) {
        run(self.host, "mcpdo", &["daemon", "stop"].map(str::to_owned));
    }
}

#[rstest]
#[case::accepted(
    &[r#"{"q01":["Search","Auth"],"q01_custom":"SSO, too"}"#],
    json!({"answers": [{"id": "feat", "selected": ["Auth", "Search"], "custom": "SSO, too"}]})
)]
#[case::nothing_entered_twice(&["{}", "{}"], json!({"answers": [{"id": "feat", "selected": []}]}))]
#[ignore = "needs MCP Inspector: cargo xtask interop"]
fn a_form_is_parked_and_answered(
    #[values(Over::Stdio, Over::Http)] over: Over,
    #[case] entered: &[&str],
    #[case] document: Value,
) {
    let host = Host::start();
    let mcpdo = Mcpdo::connect(&host, over);

    let call = ["tools/call", "ask_user_question", "--tool-args-json", &r2().to_string()];
    let pending = mcpdo.does(&call)["elicitationPending"].take();
    let origin = if era() == "modern" { "input-required" } else { "server-request" };
    assert_eq!(pending["origin"], origin, "{pending}");
    assert_eq!(pending["requestedSchema"]["properties"]["q01"]["title"], "Which features?");
    let mut result = json!({"elicitationPending": pending});
    for entered in entered {
        let id = result["elicitationPending"]["elicitationId"].as_str().unwrap();
        result = mcpdo.does(&["elicitation/respond", id, entered]);
    }

    assert_eq!(result, carries(&document));
}
