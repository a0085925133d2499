//! Calls that are cut: what that means depends on who cut them.

use std::time::{Duration, Instant};

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::stream::{Http, hang_up};
use super::{Client, Era, Host, Wire, carries, r1};

/// A cancellation by the person is noticed within this time, on a machine that has much to do.
const SOON: Duration = Duration::from_secs(1);

fn cancel(client: &mut Client<impl Wire>, call: i64, reason: Option<&str>) {
    let mut params = json!({"requestId": call});
    if let Some(reason) = reason {
        params["reason"] = json!(reason);
    }
    client.notify("notifications/cancelled", params);
}

fn state(shown: &Value) -> (&Value, bool) {
    (&shown["request"]["state"], !shown["request"]["awaySince"].is_null())
}

#[track_caller]
fn is_ended_by_the_person(host: &Host, client: &mut Client<impl Wire>) {
    let call = client.ask(r1());
    let id = host.next_waiting();
    let began = Instant::now();

    cancel(client, call, Some("User requested cancellation"));

    let shown = host.wait_until("aborted", &id, |shown| state(shown).0 == "aborted");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let message = "Withdrawn before an answer: the person, at test-agent. No decision.";
    let reason = "the person, at test-agent";
    let outcome = json!({"state": "aborted", "reason": reason, "message": message});
    assert_eq!(shown["request"]["outcome"], outcome);
    assert_eq!(client.rest(Duration::from_millis(100)), [] as [Value; 0], "a cancelled call");
}

#[track_caller]
fn is_left_to_the_person(host: &Host, client: &mut Client<impl Wire>, reason: Option<&str>) {
    let call = client.ask(r1());
    let id = host.next_waiting();

    cancel(client, call, reason);

    host.wait_until("away", &id, |shown| state(shown) == (&json!("pending"), true));
    assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);
    assert_eq!(client.rest(Duration::from_millis(100)), [] as [Value; 0], "a cancelled call");
    assert!(host.show(&id)["request"]["receipt"]["pickedUpAt"].is_null());
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(client.call("ask_user_question", r1()), carries(&answers), "the same call joins");
}

#[test]
fn b142_b008_a_call_that_the_person_cancels_is_withdrawn() {
    let host = Host::start();
    is_ended_by_the_person(&host, &mut Client::start(&host, Era::Legacy, &[]));
    is_ended_by_the_person(&host, &mut Client::start(&host, Era::Modern, &[]));
    let mut http = Client::connect(Http::new(&host), Era::Legacy, json!({}));
    is_ended_by_the_person(&host, &mut http);
}

#[test]
fn b142_a_call_that_runs_into_the_limit_of_its_client_waits_on() {
    let host = Host::start();
    let limit = Some("McpError: MCP error -32001: Request timed out");
    is_left_to_the_person(&host, &mut Client::start(&host, Era::Legacy, &[]), limit);
    is_left_to_the_person(&host, &mut Client::start(&host, Era::Modern, &[]), None);
    let mut http = Client::connect(Http::new(&host), Era::Legacy, json!({}));
    is_left_to_the_person(&host, &mut http, limit);
}

#[test]
fn b142_b145_a_stream_that_is_closed_leaves_the_request_to_be_answered() {
    let host = Host::start();
    for era in [Era::Legacy, Era::Modern] {
        let mut client = Client::connect(Http::new(&host), era, json!({}));
        client.ask(r1());
        let id = host.next_waiting();

        hang_up(client.wire.sent.last().unwrap());

        host.wait_until("away", &id, |shown| state(shown) == (&json!("pending"), true));
        host.run(["answer", &id, "--select", "SQLite"]);
        let answers = carries(&json!({"answers": [{"id": "db", "selected": ["SQLite"]}]}));
        assert_eq!(client.call("ask_user_question", r1()), answers, "{era:?}");
    }
}

#[test]
fn b145_a_client_that_leaves_ends_the_process_and_not_the_question() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &["--session", "s"]);
    client.ask(r1());
    let id = host.next_waiting();
    let terminal = host.dialog(&id);
    terminal.keys("c").types("half a thought").wait_for("half a thought");

    let (took, code, rest) = client.wire.close();

    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(code, Some(0));
    assert!(rest.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{rest:?}");
    let shown = host.wait_until("away", &id, |shown| state(shown) == (&json!("pending"), true));
    assert_eq!(shown["request"]["attached"], true);
    terminal.wait_for("half a thought").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);

    let mut back = Client::start(&host, Era::Legacy, &["--session", "s"]);
    let answer = json!({"id": "db", "selected": [], "custom": "half a thought"});
    assert_eq!(back.call("ask_user_question", r1()), carries(&json!({"answers": [answer]})));
}

#[test]
fn b143_a_call_that_comes_with_the_first_words_waits_for_its_surface() {
    let host = Host::start();
    let askwell = host.askwell.clone().env("CI", "true");
    let mut process = super::Process::start(&askwell, &[]);
    let hello = json!({"protocolVersion": super::LEGACY, "capabilities": {},
        "clientInfo": {"name": "eager", "version": "1"}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "ask_user_question", "arguments": r1()}}),
    ];

    process.write(&messages.map(|message| format!("{message}\n")).concat());

    let id = host.next_waiting();
    host.run(["answer", &id, "--select", "SQLite"]);
    let first = process.receive(askwell_testkit::deadline()).unwrap();
    assert_eq!(first["id"], 1);
    let second = process.receive(askwell_testkit::deadline()).unwrap();
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(second["result"]["structuredContent"], answers);
}
