//! An outcome is picked up once the agent has it, and not when `askwell mcp` has it from the host.

use std::io::{BufRead as _, BufReader};
use std::process::Command;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Client, Era, Host, Process, carries, r1};

#[rstest]
#[case(Era::Legacy)]
#[case(Era::Modern)]
fn b145_an_answer_that_was_not_written_to_the_agent_is_still_to_be_picked_up(#[case] era: Era) {
    let host = Host::start();
    let askwell = host.askwell.clone().env("CI", "true").env("ASKWELL_LOG", "error");
    let mut shell = Command::new("/bin/sh");
    // The agent reads one line, and then nothing any more.
    shell.arg("-c").arg("\"$ASKWELL\" mcp --session s | head -n 1");
    let mut client = Client::connect(Process::run(&askwell, shell), era, json!({}));
    if era == Era::Modern {
        let list = client.request("tools/list", json!({}));
        client.response(list);
    }
    client.ask(r1());
    let id = host.next_waiting();
    host.run(["answer", &id, "--select", "SQLite"]);
    let complaints = BufReader::new(client.wire.child.stderr.take().unwrap());
    let mut lines = complaints.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("fail to response message")));
    assert_eq!(host.show(&id)["request"]["receipt"]["pickedUpAt"], Value::Null);
    client.wire.kill();

    let answers = json!([{"id": "db", "selected": ["SQLite"]}]);
    let mut back = Client::start(&host, era, &["--session", "s"]);
    let told = back.call("get_answers", json!({}));
    assert_eq!(told["structuredContent"]["requests"][0]["answers"], answers, "{told}");
    host.wait_until("picked up", &id, |it| it["request"]["receipt"]["pickedUpAt"].is_number());
    let mut other = Client::start(&host, era, &[]);
    let by_id = other.call("get_answers", json!({"request_id": id}));
    assert_eq!(by_id, carries(&json!({"answers": answers})));
}
