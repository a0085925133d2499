//! Waits that are longer than a call: nothing is lost, whoever dies meanwhile.

use std::time::Duration;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::stream::Http;
use super::{Client, Era, Host, Wire, carries, pending, r1, r2};

fn id_of(result: &Value) -> String {
    result["structuredContent"]["request_id"].as_str().unwrap().to_owned()
}

fn postgres() -> Value {
    carries(&json!({"answers": [{"id": "db", "selected": ["Postgres"]}]}))
}

#[test]
fn a_person_who_never_answers_is_waited_for_and_then_left_alone() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &["--wait", "0"]);

    let first = client.call("ask_user_question", r1());
    let id = id_of(&first);
    assert_eq!(first, pending(&id));
    assert_eq!(client.call("get_answers", json!({"request_id": id})), pending(&id));
    let third = client.call("get_answers", json!({"request_id": id, "wait_seconds": 0}));
    let message = third["structuredContent"]["message"].as_str().unwrap();
    assert!(
        message.starts_with(
            "Not answered yet; neither yes nor no. End your turn now and tell the user that \
             question «Which database?» waits in their askwell inbox at http://"
        ) && message.contains(&format!("/r/{id}.")),
        "{message}"
    );

    let shown = &host.show(&id)["request"];
    assert_eq!((&shown["state"], &shown["attached"]), (&json!("pending"), &json!(false)));
    assert!(shown["awaySince"].is_null(), "{shown}");
}

#[test]
fn a_late_answer_is_collected_with_and_without_its_id() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Modern, &["--wait", "0"]);
    let mut other = Client::start(&host, Era::Modern, &["--wait", "0"]);
    let first = id_of(&client.call("ask_user_question", r1()));
    let second = id_of(&client.call("ask_user_question", r2()));
    other.call("ask_user_question", r1());
    host.run(["answer", &first, "--select", "Postgres"]);

    let all = client.call("get_answers", json!({}));

    let waits = pending(&second)["structuredContent"]["message"].clone();
    let requests = json!([
        {"request_id": first, "question": "Which database?",
            "answers": [{"id": "db", "selected": ["Postgres"]}]},
        {"request_id": second, "question": "Which features?", "state": "pending",
            "message": waits.as_str().unwrap()},
    ]);
    // The second is told for the second time.
    assert_eq!(without_request_id(all), carries(&json!({"requests": requests})));
    assert_eq!(client.call("get_answers", json!({"request_id": first})), postgres());
    host.run(["answer", &second, "--skip"]);
    let skipped = json!({"request_id": second, "question": "Which features?",
        "answers": [{"id": "feat", "selected": []}]});
    let rest = carries(&json!({"requests": [skipped]}));
    assert_eq!(without_request_id(client.call("get_answers", json!({}))), rest);
    let message = "Nothing of this session is open or waits to be picked up.";
    let nothing = carries(&json!({"requests": [], "message": message}));
    assert_eq!(client.call("get_answers", json!({})), nothing);
}

/// One of several names its request once.
fn without_request_id(mut result: Value) -> Value {
    let requests = result["structuredContent"]["requests"].as_array().unwrap().clone();
    for request in &requests {
        let names: Vec<&String> = request.as_object().unwrap().keys().collect();
        assert_eq!(names.iter().filter(|name| **name == "request_id").count(), 1);
    }
    result["structuredContent"]["requests"] = requests.into();
    result
}

#[test]
fn a_wait_for_all_ends_with_the_first_answer() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    let mut asker = Client::start(&host, Era::Legacy, &["--wait", "0", "--session", "same"]);
    asker.call("ask_user_question", r1());
    let id = host.next_waiting();
    drop(asker);
    let mut collector = Client::start(&host, Era::Legacy, &["--session", "same"]);

    let call = collector.begin("get_answers", json!({}));
    assert_eq!(collector.wire.receive(Duration::from_millis(150)), None);
    host.run(["answer", &id, "--select", "Postgres"]);

    let requests = collector.result(call)["structuredContent"]["requests"].clone();
    assert_eq!(requests[0]["answers"], json!([{"id": "db", "selected": ["Postgres"]}]));
    assert_eq!(client.call("get_answers", json!({"request_id": id})), postgres());
}

#[test]
fn a_call_again_joins_a_request_whose_waiter_is_gone_and_no_other() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    // Two that wait at once are two.
    let calls = [client.ask(r1()), client.ask(r1())];
    while host.waiting().len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    for id in host.waiting() {
        host.run(["answer", &id, "--select", "Postgres"]);
    }
    for call in calls {
        assert_eq!(client.result(call), postgres());
    }

    // One that was told, and asks the same again, gets the same.
    let mut told = Client::start(&host, Era::Legacy, &["--wait", "0"]);
    let id = id_of(&told.call("ask_user_question", r1()));
    assert_eq!(id_of(&told.call("ask_user_question", r1())), id);
    host.run(["answer", &id, "--select", "Postgres"]);
    assert_eq!(told.call("ask_user_question", r1()), postgres());
    assert_ne!(id_of(&told.call("ask_user_question", r1())), id, "it was picked up");
}

#[test]
fn b145_the_death_of_the_process_loses_nothing() {
    let host = Host::start();
    let session = ["--session", "one"];
    let mut client = Client::start(&host, Era::Legacy, &session);
    client.ask(r1());
    let id = host.next_waiting();
    client.wire.kill();
    host.wait_until("gone", &id, |shown| {
        // Nobody holds a wait any more; its lease goes on for a while.
        shown["request"]["state"] == "pending"
    });
    assert_eq!(host.run(["answer", &id, "--select", "Postgres"]).code(), 0);

    let mut stranger = Client::start(&host, Era::Legacy, &[]);
    assert_eq!(stranger.call("get_answers", json!({"request_id": id})), postgres());
}

#[test]
fn a_host_that_is_killed_and_started_again_brings_the_answer_to_the_same_call() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let id = host.next_waiting();

    let host = host.killed_and_started_again();
    assert_eq!(host.run(["answer", &id, "--select", "Postgres"]).code(), 0);

    assert_eq!(client.result(call), postgres());
}

#[test]
fn two_agents_at_once_get_their_own_answers_over_both_transports() {
    let host = Host::start();
    let mut one = Client::start(&host, Era::Legacy, &[]);
    let mut other = Client::connect(Http::new(&host), Era::Modern, json!({}));
    let first = one.ask(r1());
    let id = host.next_waiting();
    let second = other.ask(r2());
    let newer = loop {
        if let Some(id) = host.waiting().into_iter().find(|waits| *waits != id) {
            break id;
        }
    };

    host.run(["answer", &newer, "--select", "Auth"]);
    host.run(["answer", &id, "--select", "Postgres"]);

    assert_eq!(one.result(first), postgres());
    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth"]}]});
    assert_eq!(other.result(second), carries(&answers));
}

#[test]
fn the_asker_is_told_by_its_name_its_folder_and_its_session() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &["--wait", "0", "--session", "s-1"]);
    let mut request = r1();
    request["asker"] = json!({"name": "somebody else", "session": "no", "chain": ["reviewer"]});

    let id = id_of(&client.call("ask_user_question", request));

    let asker = host.show(&id)["request"]["request"]["asker"].clone();
    let cwd = host.askwell.work();
    let expected =
        json!({"name": "test-agent", "session": "s-1", "cwd": cwd, "chain": ["reviewer"]});
    assert_eq!(asker, expected);
}

#[test]
fn progress_goes_to_who_asked_for_it_at_once() {
    let host = Host::start();
    for era in [Era::Legacy, Era::Modern] {
        let mut stdio = Client::start(&host, era, &[]);
        first_sign_of_life(&host, &mut stdio);
        let mut http = Client::connect(Http::new(&host), era, json!({}));
        first_sign_of_life(&host, &mut http);
    }
}

#[track_caller]
fn first_sign_of_life(host: &Host, client: &mut Client<impl Wire>) {
    let before = host.waiting();
    let arguments = json!({"name": "ask_user_question", "arguments": r1(),
        "_meta": {"progressToken": "t-1"}});
    let call = client.request("tools/call", arguments);

    let progress = client.until("progress", |it| it["method"] == "notifications/progress");

    let message = "Waiting for the person's answer";
    let params = json!({"progressToken": "t-1", "progress": 1.0, "message": message});
    assert_eq!(progress["params"], params);
    let id = loop {
        if let Some(id) = host.waiting().into_iter().find(|id| !before.contains(id)) {
            break id;
        }
    };
    host.run(["answer", &id, "--select", "Postgres"]);
    assert_eq!(client.result(call), postgres());
}
