//! `askwell mcp` as a process: what it writes where, what it starts, and when.

use askwell_testkit::deadline;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Client, Era, Host, Process, Wire, carries, r1};
use crate::cli::askwell;

#[test]
fn b141_standard_output_is_the_protocol_alone_whatever_fails() {
    let host = Host::start();
    let askwell = host.askwell.clone().env("ASKWELL_LOG", "trace").env("ASKWELL_TEST_PANIC", "mcp");
    let mut process = Process::start(&askwell, &[]);
    process.write("no JSON at all\n{\"jsonrpc\":\"2.0\"}\n[]\n\u{1b}[2J\n");
    let mut client = Client::connect(process, Era::Modern, json!({}));

    let list = client.request("tools/list", json!({}));
    assert_eq!(client.response(list)["result"]["tools"], json!(askwell::tool::list()));
    let unknown = client.begin("no_such_tool", json!({}));
    assert_eq!(client.response(unknown)["error"]["code"], -32602);
    let no_method = client.request("no/such/method", json!({}));
    assert_eq!(client.response(no_method)["error"]["code"], -32601);
    let panicked = client.call("ask_user_question", r1());
    assert_eq!(panicked["structuredContent"]["error"], "INTERNAL", "{panicked}");

    let (_, code, rest) = client.wire.close();
    assert_eq!(code, Some(0));
    for line in rest {
        serde_json::from_str::<Value>(&line).unwrap_or_else(|_| panic!("{line}"));
    }
}

#[test]
fn nothing_is_started_before_the_first_call() {
    let askwell = askwell();
    let mut client = Client::connect(Process::start(&askwell, &[]), Era::Legacy, json!({}));
    let list = client.request("tools/list", json!({}));
    client.response(list);
    assert!(!askwell.state().join("askwell").exists());

    let port = askwell.clone().env("ASKWELL_PORT", "0");
    let mut client = Client::connect(Process::start(&port, &[]), Era::Legacy, json!({}));
    let call = client.ask(r1());
    let asked = std::iter::repeat_with(|| askwell.run(["list", "--format", "json"]));
    let id = asked
        .filter(|run| run.code() == 0)
        .find_map(|run| run.json()["requests"][0]["id"].as_str().map(str::to_owned))
        .unwrap();
    assert_eq!(askwell.run(["answer", &id, "--select", "SQLite"]).code(), 0);
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(client.result(call), carries(&answers));
    assert_eq!(askwell.run(["stop"]).code(), 0);
}

#[test]
fn what_is_no_protocol_is_told_on_standard_error() {
    let askwell = askwell();
    let request = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

    let run = askwell.command(["mcp"]).stdin(request).run();

    assert_eq!((run.code(), run.stdout.as_str()), (2, ""));
    assert!(run.stderr.starts_with("askwell: what came is not MCP"), "{run}");
    let nothing = askwell.command(["mcp"]).run();
    assert_eq!((nothing.code(), nothing.stdout.as_str(), nothing.stderr.as_str()), (0, "", ""));
    let wrong = askwell.run(["mcp", "--wait", "soon"]);
    assert_eq!(wrong.code(), 2);
    assert!(wrong.stderr.contains("mcp-wait is \"soon\""), "{wrong}");
}

#[test]
fn how_long_a_call_waits_is_set_by_file_variable_and_flag() {
    let host = Host::start();
    host.askwell.write("../config/askwell/config.toml", "[mcp-clients]\ntest-agent = \"0s\"\n");

    let shown = host.run(["config", "show"]).stdout;
    assert!(shown.contains("mcp-clients = test-agent=0s  (file)"), "{shown}");
    assert!(shown.contains("min-expiry = 10m  (default)"), "{shown}");
    let mut client = Client::start(&host, Era::Legacy, &[]);
    assert_eq!(client.call("ask_user_question", r1())["structuredContent"]["state"], "pending");

    let mut named = host.askwell.clone();
    named =
        named.env("CI", "true").env("ASKWELL_MCP_CLIENTS", "other=0").env("ASKWELL_MCP_WAIT", "1h");
    let mut client = Client::connect(Process::start(&named, &[]), Era::Legacy, json!({}));
    let call = client.begin("get_answers", json!({"wait_seconds": 0}));
    assert_eq!(client.result(call)["structuredContent"]["requests"], json!([]));
    let call = client.ask(r1());
    assert_eq!(client.wire.receive(std::time::Duration::from_millis(100)), None);
    for id in host.waiting() {
        host.run(["answer", &id, "--select", "SQLite"]);
    }
    assert_eq!(client.response(call)["result"]["isError"], Value::Null);
    assert!(deadline() > std::time::Duration::ZERO);
}
