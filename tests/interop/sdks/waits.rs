//! People who take their time, and programs that die meanwhile: nothing is lost, and nothing is made up.

use std::thread::sleep;
use std::time::{Duration, Instant};

use askwell_testkit::deadline;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Over, Plan};
use crate::host::Host;

fn request() -> Value {
    json!({"questions": [{"id": "db", "question": "Which database?",
        "options": [{"label": "Postgres"}, {"label": "SQLite"}]}]})
}

fn answers() -> Value {
    json!({"answers": [{"id": "db", "selected": ["SQLite"]}]})
}

#[track_caller]
fn answer(host: &Host, id: &str) {
    let run = host.run(["answer", id, "--select", "SQLite"]);
    assert_eq!(run.code(), 0, "{run}");
}

/// The result of `askwell wait`.
fn collected(host: &Host, id: &str) -> Value {
    host.json(["wait", id])
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn a_person_who_takes_ninety_seconds(#[values(Over::Stdio, Over::Http)] over: Over) {
    let host = Host::start();
    let mut plan = Plan::ask(over, &request());
    plan.calls.push(json!({"tool": "get_answers", "arguments": {}}));
    let began = Instant::now();
    let client = plan.start(&host);
    let id = host.next_waiting();

    let first = client.result_within(Duration::from_secs(70));
    assert_eq!((&first["state"], &first["request_id"]), (&json!("pending"), &json!(id)));
    assert!(began.elapsed() > Duration::from_secs(40), "it has waited in the call");
    sleep(Duration::from_secs(90).saturating_sub(began.elapsed()));
    answer(&host, &id);

    let collected = client.result();
    let request = json!({"request_id": id, "question": "Which database?",
        "answers": answers()["answers"]});
    assert_eq!(collected, json!({"requests": [request]}));
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn a_client_that_asks_is_told_at_once_that_somebody_waits(
    #[values(Over::Stdio, Over::Http)] over: Over,
) {
    let host = Host::start();
    let mut plan = Plan::ask(over, &request());
    plan.calls[0]["progress"] = json!(true);
    let client = plan.start(&host);

    let told = client.next("progress", deadline());

    assert!(told["progress"].is_number(), "{told}");
    answer(&host, &host.next_waiting());
    assert_eq!(client.result(), answers());
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn a_client_that_is_killed_leaves_its_question(#[values(Over::Stdio, Over::Http)] over: Over) {
    let host = Host::start();
    let mut client = Plan::ask(over, &request()).start(&host);
    let id = host.next_waiting();
    host.wait_until("attached", &id, |shown| shown["request"]["attached"] == true);

    client.kills();

    host.wait_until("away", &id, |shown| shown["request"]["awaySince"].is_number());
    answer(&host, &id);
    let shown = host.show(&id);
    assert_eq!(shown["request"]["receipt"]["pickedUpAt"], Value::Null, "nobody has it yet");
    assert_eq!(collected(&host, &id), answers());
}

#[test]
#[ignore = "needs an SDK: cargo xtask interop"]
fn an_mcp_process_that_is_killed_leaves_its_question() {
    let host = Host::start();
    let client = Plan::ask(Over::Stdio, &request()).start(&host);
    let id = host.next_waiting();
    host.wait_until("attached", &id, |shown| shown["request"]["attached"] == true);

    client.kills_server();

    host.wait_until("away", &id, |shown| shown["request"]["awaySince"].is_number());
    answer(&host, &id);
    assert_eq!(collected(&host, &id), answers());
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn a_host_that_is_killed_comes_back_with_the_question(
    #[values(Over::Stdio, Over::Http)] over: Over,
) {
    let host = Host::start();
    let client = Plan::ask(over, &request()).start(&host);
    let id = host.next_waiting();

    let host = host.killed_and_started_again();
    answer(&host, &id);

    if over == Over::Stdio {
        // Its process is a thin client of the host, and goes on with the next one.
        assert_eq!(client.result(), answers());
    }
    assert_eq!(collected(&host, &id), answers());
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn an_expiry_below_the_least_is_raised_and_said(#[values(Over::Stdio, Over::Http)] over: Over) {
    let host = Host::start();
    let mut request = request();
    request["expiresInSeconds"] = json!(5);
    let client = Plan::ask(over, &request).start(&host);
    let id = host.next_waiting();
    let shown = host.show(&id)["request"].take();
    let time = |name: &str| shown[name].as_u64().unwrap();
    assert_eq!(time("deadlineAt") - time("createdAt"), 600_000, "{shown}");

    host.run(["cancel", &id]);

    let message = client.result()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("10 min"), "{message}");
}
