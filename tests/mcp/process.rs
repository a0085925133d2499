//! `askwell mcp` as a process: what it writes where, what it starts, and when.

use std::fs;
use std::process::Command;

use askwell_testkit::{TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Client, Era, Host, Process, Wire, carries, failed, pending, r1};
use crate::cli::askwell;
use crate::host::restarts::make_newer;

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
fn b141_what_is_no_message_is_answered_and_what_follows_is_served() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &["--wait", "1h"]);
    let mut refused = |line: &[u8]| {
        client.wire.write_bytes(line);
        client.wire.write_bytes(b"\n");
        let answer = client.until("a refusal", |message| message["error"].is_object());
        (answer["id"].clone(), answer["error"]["code"].clone())
    };
    let call = |text: &[u8], id: &str| {
        let (head, tail) = (br#"{"method":"tools/call","params":{"name":"q","arguments":"#, id);
        [&head[..], text, b"},\"jsonrpc\":\"2.0\",\"id\":", tail.as_bytes(), b"}"].concat()
    };

    assert_eq!(refused(b"hello"), (json!(null), json!(-32700)));
    assert_eq!(refused(&call(br#"{"q":"\ud83d"}"#, "51")), (json!(51), json!(-32700)));
    assert_eq!(refused(&call(b"{\"q\":\"\xff\"}", r#""a""#)), (json!("a"), json!(-32700)));
    assert_eq!(refused(&call(&[b'['; 200_000], "52")).1, json!(-32700));
    let long = [&b"\""[..], &vec![b'x'; 17 << 20], b"\""].concat();
    assert_eq!(refused(&call(&long, "53")), (json!(53), json!(-32600)));
    // What is no object can be no arguments; the method is known, though.
    assert_eq!(refused(&call(br#""x""#, "54")), (json!(54), json!(-32602)));

    // Two calls with one id: the second is refused, and the first gets its answer.
    let first = client.ask(r1());
    let id = host.next_waiting();
    client.wire.send(&json!({"jsonrpc": "2.0", "id": first, "method": "ping"}));
    let second = client.until("a refusal", |message| message["id"] == first);
    assert_eq!(second["error"]["code"], -32600, "{second}");
    host.run(["answer", &id, "--select", "SQLite"]);
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(client.result(first), carries(&answers));
}

/// An environment in which no host can come up, for a reason that is its name.
fn without_a_host(why: &str) -> TestEnvironment {
    let askwell = askwell().env("ASKWELL_PORT", "0");
    let folder = askwell.state().join("askwell");
    match why {
        "the state folder is a file" => fs::write(folder, "").unwrap(),
        "a newer store" => drop(make_newer(&askwell)),
        "a store that is none" => {
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("askwell.db"), "not a database at all".repeat(99)).unwrap();
        }
        "a broken configuration" => {
            askwell.write("../config/askwell/config.toml", "# mine\nport = [\n");
        }
        "a full disk" => {}
        "a host elsewhere that is not there" => {
            return askwell.env("ASKWELL_URL", "http://127.0.0.1:9");
        }
        why => panic!("{why}"),
    }
    askwell
}

#[rstest]
#[case("the state folder is a file", "state/askwell can't be used")]
#[case("a newer store", "HOST_VERSION")]
#[case("a store that is none", "STORE_UNAVAILABLE")]
#[case("a broken configuration", "config.toml is not valid TOML - line 2: unclosed array")]
#[case("a full disk", "host")]
#[case("a host elsewhere that is not there", "127.0.0.1:9")]
fn b141_b067_where_no_host_can_be_had_the_result_says_so_and_nothing_else_is_written(
    #[case] why: &str,
    #[case] told: &str,
) {
    let askwell = without_a_host(why);
    let mut shell = Command::new("/bin/sh");
    // No file may hold anything: what a host writes fails, as on a disk that is full.
    let limit = if why == "a full disk" { "ulimit -f 0; " } else { "" };
    shell.arg("-c").arg(format!("{limit}exec \"$ASKWELL\" mcp"));
    let mut client = Client::connect(Process::run(&askwell, shell), Era::Legacy, json!({}));

    let result = client.call("ask_user_question", r1());

    let message = result["structuredContent"]["message"].as_str().unwrap().to_owned();
    assert_eq!(result, failed("NO_PROVIDER", &message));
    assert!(message.starts_with("Nobody saw this: "), "{message}");
    assert!(message.contains(told), "{message}");
    let (_, code, rest) = client.wire.close();
    assert_eq!((code, rest), (Some(0), vec![]));
}

#[test]
fn b141_what_it_can_t_begin_with_is_told_on_standard_error_alone() {
    let here = askwell();
    let mut nowhere = Command::new("/usr/bin/env");
    nowhere.args(["-u", "XDG_STATE_HOME", "HOME=none"]).arg(here.program()).arg("mcp");
    let mut process = Process::run(&here, nowhere);

    let complaints = process.complaints();

    assert_eq!(complaints, "askwell: neither XDG_STATE_HOME nor HOME names a folder\n");
    let (_, ended, written) = process.close();
    assert_eq!((ended, written), (Some(1), vec![]));
}

#[test]
fn b141_a_host_that_is_killed_under_a_call_leaves_it_pending() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Modern, &["--wait", "1"]);
    let call = client.ask(r1());
    let id = host.next_waiting();

    host.kills();

    assert_eq!(client.result(call), pending(&id));
    let again = client.call("get_answers", json!({"request_id": id}));
    assert_eq!(again["structuredContent"]["error"], "NO_PROVIDER", "{again}");
    let (_, code, rest) = client.wire.close();
    assert_eq!((code, rest), (Some(0), vec![]));
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
