//! The real Claude Code with a model by script: what `askwell connect` wrote, the hook, and the words that
//! reach the model. `ASKWELL_INTEROP` names the folder that it is in.

use std::io::Write as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{ScriptedModel, Turn, deadline};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::host::Host;
use crate::mcp::r2;
use crate::mcp::stream::{credential, port};

/// Claude Code in a session of its own, without a terminal.
struct Claude {
    model: ScriptedModel,
    child: Child,
    /// Open for as long as it is to talk with us: it asks nothing on a channel that is closed.
    input: ChildStdin,
    out: std::path::PathBuf,
}

impl Claude {
    /// On this host, with a model that says these turns. More arguments go to Claude Code.
    fn start(host: &Host, script: impl IntoIterator<Item = Turn>, arguments: &[&str]) -> Self {
        let model = ScriptedModel::start(script);
        let program = super::cache().join("claude-code/node_modules/.bin/claude");
        let out = host.askwell.work().join("claude.jsonl");
        let mut command = Command::new(program);
        command.args(["-p", "--verbose", "--permission-prompt-tool", "stdio"]);
        command.args(["--input-format", "stream-json", "--output-format", "stream-json"]);
        command.args(arguments).env_clear().envs(host.askwell.variables());
        command.env("ANTHROPIC_BASE_URL", model.base_url().strip_suffix("/v1").unwrap());
        for (name, value) in [
            ("ANTHROPIC_API_KEY", "none"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("ENABLE_TOOL_SEARCH", "false"),
        ] {
            command.env(name, value);
        }
        command.current_dir(host.askwell.work());
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        command.stdout(std::fs::File::create(&out).unwrap());
        let mut child = command.spawn().unwrap();
        let said =
            json!({"type": "user", "message": {"role": "user", "content": "Build the shop."}});
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{said}").unwrap();
        Self { model, child, input, out }
    }

    /// What the model heard of its calls, once everything was said.
    fn results(mut self) -> Vec<String> {
        let until = Instant::now() + deadline();
        while self.model.turns_left() > 0 {
            assert!(Instant::now() < until, "not at its end: {}", self.written());
            assert!(self.child.try_wait().unwrap().is_none(), "ended early: {}", self.written());
            thread::sleep(Duration::from_millis(50));
        }
        self.model.tool_results()
    }

    /// What it asks the program that has started it.
    #[track_caller]
    fn asked(&self) -> Value {
        let until = Instant::now() + deadline();
        loop {
            let written = self.written();
            let lines = written.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let asked = lines.into_iter().find(|line| line["type"] == "control_request");
            if let Some(asked) = asked {
                return asked;
            }
            assert!(Instant::now() < until, "nothing is asked: {written}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Replies to what it has asked.
    fn reply(&mut self, asked: &Value, reply: &Value) {
        let response = json!({"subtype": "success", "request_id": asked["request_id"],
            "response": reply});
        let response = json!({"type": "control_response", "response": response});
        writeln!(self.input, "{response}").unwrap();
    }

    fn written(&self) -> String {
        std::fs::read_to_string(&self.out).unwrap_or_default()
    }
}

impl Drop for Claude {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A host with a person who is elsewhere, and a home in which Claude Code was connected.
fn connected() -> Host {
    let host = Host::start();
    host.json(["elsewhere", "on", "--format", "json"]);
    let run = host.run(["connect", "claude-code", "--forms", "--yes"]);
    assert_eq!(run.code(), 0, "{run}");
    host
}

fn asks() -> Turn {
    let questions = json!([
        {"question": "Which framework?", "header": "Stack", "multiSelect": false, "options": [
            {"label": "React", "description": "known"}, {"label": "Svelte", "description": "small"},
        ]},
        {"question": "Which parts?", "header": "Parts", "multiSelect": true, "options": [
            {"label": "Auth", "description": "who"}, {"label": "Search, fast", "description": "what"},
        ]},
    ]);
    Turn::call("AskUserQuestion", &json!({"questions": questions}))
}

#[rstest]
#[case::labels_only(
    "answer ID --question q1 --select Svelte --question q2 --select Auth --select 'Search, fast'",
    "Your questions have been answered: \"Which framework?\"=\"Svelte\", \
     \"Which parts?\"=\"Auth, \"Search, fast\"\". You can now continue with these answers in mind."
)]
#[case::labels_and_text(
    "answer ID --question q1 --custom 'Vue, or none' --question q2 --select 'Search, fast' --custom 'SSO, too'",
    "The user answered: \"Which framework?\"=\"Vue, or none\", \
     \"Which parts?\"=\"\"Search, fast\", \"SSO, too\"\". Read the answers carefully — they may request \
     clarification, changes, or that you not proceed — and follow what they actually say."
)]
#[case::a_skip(
    "answer ID --question q1 --skip --question q2 --select Auth",
    "The user answered: \"Which framework?\"=(no option selected) notes: Skipped by the person: choose \
     sensibly and say what you chose, \"Which parts?\"=\"Auth\". Read the answers carefully — they may \
     request clarification, changes, or that you not proceed — and follow what they actually say."
)]
#[case::a_cancel_with_a_comment(
    "cancel ID --comment 'explain SSO first'",
    "PreToolUse:AskUserQuestion hook error: The person set the questions aside and wrote: «explain SSO \
     first». Respond to that first. No option was chosen. Don't repeat the same questions unchanged."
)]
#[ignore = "needs Claude Code: cargo xtask interop"]
fn the_answer_from_the_inbox_reaches_the_model(#[case] command: &str, #[case] heard: &str) {
    let host = connected();
    let claude = Claude::start(&host, [asks(), Turn::text("Done.")], &[]);

    let id = host.next_waiting();
    let shown = host.show(&id)["request"]["request"].take();
    assert_eq!(shown["context"], "Something is for you to decide.", "{shown}");
    let run = host.askwell.run_shell(&format!("\"$ASKWELL\" {}", command.replace("ID", &id)));
    assert_eq!(run.code(), 0, "{run}");

    assert_eq!(claude.results(), [heard]);
}

#[test]
#[ignore = "needs Claude Code: cargo xtask interop"]
fn while_nobody_looks_its_own_card_is_asked() {
    let host = connected();
    host.run(["elsewhere", "off"]);
    let claude = Claude::start(&host, [asks(), Turn::text("Done.")], &[]);

    let card = claude.asked();

    assert_eq!(card["request"]["subtype"], "can_use_tool");
    assert_eq!(card["request"]["tool_name"], "AskUserQuestion");
    assert_eq!(host.waiting(), [""; 0]);
}

/// An MCP server of somebody else, which asks by a form whatever it is called for.
const SERVER: &str = r#"
import json, sys

def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

schema = {"type": "object", "required": ["zone"], "properties": {
    "zone": {"type": "string", "oneOf": [{"const": "eu-1", "title": "Europe"},
                                         {"const": "us-1", "title": "America"}]},
    "copies": {"type": "integer", "minimum": 1, "maximum": 9}}}
called = None
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        send({"id": message["id"], "result": {
            "protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "deployer", "version": "1"}}})
    elif method == "tools/list":
        tool = {"name": "deploy", "description": "Deploys.", "inputSchema": {"type": "object", "properties": {}}}
        send({"id": message["id"], "result": {"tools": [tool]}})
    elif method == "tools/call":
        called = message["id"]
        send({"id": "form", "method": "elicitation/create", "params": {
            "mode": "form", "message": "Where should it run?", "requestedSchema": schema}})
    elif message.get("id") == "form":
        text = json.dumps(message.get("result", message.get("error")), sort_keys=True)
        send({"id": called, "result": {"content": [{"type": "text", "text": text}]}})
    elif "id" in message and method:
        send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
"#;

#[rstest]
#[case::accepted(
    "answer ID --question zone --select America --question copies --custom 3",
    r#"{"action": "accept", "content": {"copies": 3, "zone": "us-1"}}"#
)]
#[case::declined("cancel ID", r#"{"action": "decline"}"#)]
#[ignore = "needs Claude Code: cargo xtask interop"]
fn the_form_of_another_server_is_answered_in_the_inbox(#[case] command: &str, #[case] heard: &str) {
    let host = connected();
    host.askwell.write("deployer.py", SERVER);
    let config =
        json!({"mcpServers": {"deployer": {"command": "python3", "args": ["deployer.py"]}}});
    host.askwell.write("servers.json", config.to_string());
    let calls = Turn::call("mcp__deployer__deploy", &json!({}));
    let arguments = [
        "--mcp-config",
        "servers.json",
        "--strict-mcp-config",
        "--allowedTools",
        "mcp__deployer__*",
    ];
    let claude = Claude::start(&host, [calls, Turn::text("Done.")], &arguments);

    let id = host.next_waiting();
    let run = host.askwell.run_shell(&format!("\"$ASKWELL\" {}", command.replace("ID", &id)));
    assert_eq!(run.code(), 0, "{run}");

    assert_eq!(claude.results(), [heard]);
}

#[rstest]
#[case::stdio(true)]
#[case::http(false)]
#[ignore = "needs Claude Code: cargo xtask interop"]
fn our_tool_brings_the_model_the_answer(#[case] stdio: bool) {
    let host = Host::start();
    let authorization = format!("Bearer {}", credential(&host, "asker"));
    let server = match stdio {
        true => json!({"command": host.askwell.program(), "args": ["mcp"]}),
        false => json!({"type": "http", "url": format!("http://127.0.0.1:{}/mcp", port(&host)),
            "headers": {"Authorization": authorization}}),
    };
    host.askwell.write("servers.json", json!({"mcpServers": {"askwell": server}}).to_string());
    let calls = Turn::call("mcp__askwell__ask_user_question", &r2());
    let arguments = [
        "--mcp-config",
        "servers.json",
        "--strict-mcp-config",
        "--allowedTools",
        "mcp__askwell__*",
    ];
    let mut claude = Claude::start(&host, [calls, Turn::text("Done.")], &arguments);

    let id = host.next_waiting();
    let form = claude.asked();
    assert_eq!(form["request"]["subtype"], "elicitation", "{form}");
    let shown = host.show(&id);
    assert_eq!(shown["request"]["request"]["asker"]["name"], "claude-code");
    let answer = ["--select", "Auth", "--select", "Export", "--custom", "SSO, too"];
    let run = host.run(["answer", &id].into_iter().chain(answer));
    assert_eq!(run.code(), 0, "{run}");
    // Nobody can tell it to put its form away; what is entered then is too late.
    claude.reply(&form, &json!({"action": "cancel"}));

    let answer = json!({"id": "feat", "selected": ["Auth", "Export"], "custom": "SSO, too"});
    assert_eq!(claude.results(), [json!({"answers": [answer]}).to_string()]);
}

#[test]
#[ignore = "needs Claude Code: cargo xtask interop"]
fn the_agent_may_not_answer_in_the_person_s_place() {
    let host = connected();
    let credential = host.askwell.state().join("askwell/credentials/answerer");
    let program = host.askwell.program().display().to_string();
    let bash = |command: String| {
        Turn::call("Bash", &json!({"command": command, "description": "as it is"}))
    };
    let script = [
        bash("askwell answer 1 --skip".to_owned()),
        bash(format!("cd /tmp && {program} answer 1 --skip")),
        bash(format!("cat {}", credential.display())),
        Turn::call("Read", &json!({"file_path": credential})),
        bash(format!("{program} check none.json")),
        Turn::text("Done."),
    ];

    let allowed = ["--allowedTools", "Bash(*)", "Read(//**)"];
    let results = Claude::start(&host, script, &allowed).results();

    assert_eq!(results.len(), 5);
    for denied in &results[..4] {
        assert!(denied.contains("denied"), "{results:#?}");
    }
    assert!(results[4].contains("there is no such file"), "{results:#?}");
}
