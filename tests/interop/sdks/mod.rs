//! Clients made with the SDKs of others: the same calls by each, over both transports. `ASKWELL_INTEROP`
//! names the folder in which they are installed, `ASKWELL_INTEROP_SDK` the one of this run, and
//! `ASKWELL_INTEROP_ERA` the era of the protocol that it is to speak.

mod answers;
mod waits;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::deadline;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::host::Host;
use crate::mcp::stream::{credential, port};

/// How a client reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Stdio,
    Http,
}

/// A client that follows a plan, and what it says.
struct Client {
    child: Child,
    lines: Receiver<Value>,
}

/// What a client is to do.
struct Plan {
    over: Over,
    forms: bool,
    name: &'static str,
    calls: Vec<Value>,
}

impl Plan {
    /// To ask this, without forms.
    fn ask(over: Over, request: &Value) -> Self {
        let call = json!({"tool": "ask_user_question", "arguments": request});
        Self { over, forms: false, name: "interop", calls: vec![call] }
    }

    fn start(self, host: &Host) -> Client {
        let mut variables = serde_json::Map::new();
        for (name, value) in host.askwell.variables() {
            variables.insert(name.to_str().unwrap().to_owned(), json!(value.to_str().unwrap()));
        }
        // Never another host than the test's own.
        variables.insert("CI".to_owned(), json!("true"));
        let server = match self.over {
            Over::Stdio => json!({"command": host.askwell.program(), "args": ["mcp"],
                "env": variables, "cwd": host.askwell.work()}),
            Over::Http => json!({"url": format!("http://127.0.0.1:{}/mcp", port(host)),
                "token": credential(host, "asker")}),
        };
        let plan = json!({"server": server, "era": variable("ERA"), "name": self.name,
            "forms": self.forms, "calls": self.calls});
        Client::start(host, &plan)
    }
}

impl Client {
    fn start(host: &Host, plan: &Value) -> Self {
        let mut command = program();
        command.arg(plan.to_string()).envs(host.askwell.variables());
        command.current_dir(host.askwell.work());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let errors = std::fs::File::create(host.askwell.root().join("client.log")).unwrap();
        command.stderr(errors);
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let line = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        let client = Self { child, lines };
        let tools = json!(["ask_user_question", "get_answers", "cancel_question"]);
        assert_eq!(client.next("tools", deadline()), tools);
        client
    }

    /// What the next line of this kind says. Nothing but progress may come before it.
    #[track_caller]
    fn next(&self, kind: &str, within: Duration) -> Value {
        let until = Instant::now() + within;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(mut line) = self.lines.recv_timeout(left) else { panic!("never a {kind}") };
            if !line[kind].is_null() {
                return line[kind].take();
            }
            assert!(!line["progress"].is_null(), "{line} in the place of a {kind}");
        }
    }

    /// What the next call brought: the document, which is the same as its text.
    #[track_caller]
    fn result(&self) -> Value {
        self.result_within(deadline())
    }

    #[track_caller]
    fn result_within(&self, within: Duration) -> Value {
        let mut result = self.next("result", within);
        let document = result["structuredContent"].take();
        assert_eq!(result["content"], json!([{"type": "text", "text": document.to_string()}]));
        assert_ne!(result["isError"], true, "{document}");
        document
    }

    /// What a form shows, once there is one.
    #[track_caller]
    fn form(&self) -> Value {
        self.next("form", deadline())
    }

    /// The person has entered this in the form that is shown.
    fn enters(&mut self, reply: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{reply}").unwrap();
    }

    fn kills(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The process of `askwell mcp` that it has started.
    #[track_caller]
    fn server(&self) -> Pid {
        let until = Instant::now() + deadline();
        loop {
            let children = format!("/proc/{0}/task/{0}/children", self.child.id());
            let children = std::fs::read_to_string(children).unwrap();
            if let Some(child) = children.split_whitespace().next() {
                return Pid::from_raw(child.parse().unwrap()).unwrap();
            }
            assert!(Instant::now() < until, "it has started none");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn kills_server(&self) {
        kill_process(self.server(), Signal::KILL).unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn variable(name: &str) -> String {
    let name = format!("ASKWELL_INTEROP_{name}");
    std::env::var(&name)
        .unwrap_or_else(|_| panic!("{name} is not set: cargo xtask interop sets it"))
}

/// The program of this run's SDK, with nothing of our environment.
fn program() -> Command {
    let cache = super::cache();
    let sdk = variable("SDK");
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/interop/clients");
    let script =
        |ending: &str| -> PathBuf { clients.join(format!("{}.{ending}", sdk.replace('-', "_"))) };
    let packages = cache.join(&sdk);
    let mut command = match sdk.starts_with("typescript") {
        true => Command::new(cache.join("node-only/node")),
        false => Command::new(packages.join("bin/python")),
    };
    command.env_clear();
    match sdk.starts_with("typescript") {
        true => command.arg(script("cjs")).env("NODE_PATH", packages.join("node_modules")),
        false => command.arg(script("py")).env("PYTHONDONTWRITEBYTECODE", "1"),
    };
    command
}
