//! The real Codex by its app server, without a model: the server that `askwell connect` wrote into its
//! configuration is listed, its tool called, and its form shown. `ASKWELL_INTEROP` names the folder that
//! Codex is in.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use askwell_testkit::deadline;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::host::Host;
use crate::mcp::stream::{credential, port};
use crate::mcp::{carries, r2};

/// Codex in the place of an editor's back end, with a thread.
struct Codex {
    child: Child,
    lines: Receiver<Value>,
    thread: Value,
}

impl Codex {
    fn start(host: &Host) -> Self {
        let mut command = Command::new(super::cache().join("codex/node_modules/.bin/codex"));
        command.arg("app-server").env_clear().envs(host.askwell.variables());
        command.env("CI", "true").current_dir(host.askwell.work());
        command.env("ASKWELL_TOKEN_OF_THE_ASKER", credential(host, "asker"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let errors = std::fs::File::create(host.askwell.root().join("codex.log")).unwrap();
        let mut child = command.stderr(errors).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if tell.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        let mut codex = Self { child, lines, thread: Value::Null };
        let about = json!({"clientInfo": {"name": "interop", "title": "interop", "version": "1.0"},
            "capabilities": {"experimentalApi": true}});
        codex.call(0, "initialize", &about);
        codex.send(&json!({"method": "initialized"}));
        let begun = codex.call(1, "thread/start", &json!({"cwd": host.askwell.work()}));
        codex.thread = begun["thread"]["id"].clone();
        codex
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next message that is like this; others are notices.
    #[track_caller]
    fn until(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + deadline();
        let mut passed = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(message) = self.lines.recv_timeout(left) else {
                panic!("no {what}: {passed:#?}")
            };
            if is_it(&message) {
                return message;
            }
            passed.push(message);
        }
    }

    #[track_caller]
    fn response(&self, id: u32) -> Value {
        let is_it = |message: &Value| message["id"] == id && message["method"].is_null();
        let mut message = self.until("response", is_it);
        assert!(message["error"].is_null(), "{message}");
        message["result"].take()
    }

    #[track_caller]
    fn call(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.send(&json!({"id": id, "method": method, "params": params}));
        self.response(id)
    }

    fn asks(&mut self, id: u32, request: &Value) {
        let params = json!({"threadId": self.thread, "server": "askwell",
            "tool": "ask_user_question", "arguments": request});
        self.send(&json!({"id": id, "method": "mcpServer/tool/call", "params": params}));
    }

    #[track_caller]
    fn form(&self) -> Value {
        self.until("form", |message| message["method"] == "mcpServer/elicitation/request")
    }
}

impl Drop for Codex {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How Codex reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// As `askwell connect` writes it.
    Stdio,
    Http,
}

fn connected(over: Over) -> Host {
    let host = Host::start();
    if over == Over::Stdio {
        let run = host.run(["connect", "codex", "--yes"]);
        assert_eq!(run.code(), 0, "{run}");
        return host;
    }
    let url = format!("http://127.0.0.1:{}/mcp", port(&host));
    let config = format!(
        "[mcp_servers.askwell]\nurl = \"{url}\"\n\
         bearer_token_env_var = \"ASKWELL_TOKEN_OF_THE_ASKER\"\n"
    );
    let folder = host.askwell.root().join("home/.codex");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), config).unwrap();
    host
}

#[rstest]
#[ignore = "needs Codex: cargo xtask interop"]
fn it_lists_the_tools_shows_the_form_and_gets_the_answer(
    #[values(Over::Stdio, Over::Http)] over: Over,
    #[values(true, false)] by_form: bool,
) {
    let host = connected(over);
    let mut codex = Codex::start(&host);
    let params = json!({"threadId": codex.thread, "detail": "toolsAndAuthOnly"});
    let listed = codex.call(2, "mcpServerStatus/list", &params);
    let servers = listed["data"].as_array().unwrap();
    let ours = servers.iter().find(|server| server["name"] == "askwell");
    let mut tools: Vec<&String> =
        ours.unwrap_or_else(|| panic!("{listed}"))["tools"].as_object().unwrap().keys().collect();
    tools.sort();
    assert_eq!(tools, ["ask_user_question", "cancel_question", "get_answers"]);

    codex.asks(3, &r2());
    let form = codex.form();
    assert_eq!(form["params"]["mode"], "form", "{form}");
    let fields = &form["params"]["requestedSchema"]["properties"];
    // Its revision has no lists: each label is a field of its own.
    let first = json!({"type": "boolean", "title": "Auth", "description": "Which features?"});
    assert_eq!(fields["q01_01"], first, "{form}");
    let id = host.next_waiting();
    if by_form {
        let content = json!({"q01_01": true, "q01_02": true, "q01_custom": "SSO, too"});
        codex.send(&json!({"id": form["id"], "result": {"action": "accept", "content": content}}));
    } else {
        let answer = ["--select", "Auth", "--select", "Search", "--custom", "SSO, too"];
        let run = host.run(["answer", &id].into_iter().chain(answer));
        assert_eq!(run.code(), 0, "{run}");
    }

    let answer = json!({"id": "feat", "selected": ["Auth", "Search"], "custom": "SSO, too"});
    let mut result = codex.response(3);
    result.as_object_mut().unwrap().retain(|name, _| name != "_meta" && name != "isError");
    assert_eq!(result, carries(&json!({"answers": [answer]})));
}
