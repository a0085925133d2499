//! What a person has entered in a client's form is kept, however the form and its request end.

use std::thread::sleep;

use pretty_assertions::assert_eq;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::forms::{AFTER_THOUGHT, accept, answers, forms, showing};
use super::{Client, Era, Host, Process, pending, r1};
use crate::cli::askwell;

/// A choice that is none, and a text.
fn wrong(text: &str) -> Value {
    accept(json!({"q01": "Oracle", "q01_custom": text}))
}

fn default_text(form: &Value) -> &Value {
    &form["requestedSchema"]["properties"]["q01_custom"]["default"]
}

fn draft(host: &Host, id: &str) -> Value {
    host.show(id)["draft"]["questions"][0]["custom"].clone()
}

#[test]
fn b139_what_was_entered_wrongly_twice_stands_in_the_next_form_and_in_the_inbox() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &["--wait", "0"]);
    let call = client.ask(r1());
    let form = client.form();
    let id = host.next_waiting();
    assert_eq!(client.result(call), pending(&id));
    client.reply(&form, accept(json!({"q01": 7, "q01_custom": "in memory"})));
    let form = client.form();
    assert_eq!(default_text(&form["params"]), "in memory");
    client.reply(&form, accept(json!({"q01": 7, "q01_custom": "in memory, mostly"})));
    host.wait_until("kept", &id, |it| it["draft"]["questions"][0]["custom"] == "in memory, mostly");
    host.run(["answer", &id, "--select", "SQLite"]);

    let mut client = showing(&host, Era::Modern, &["--wait", "0"]);
    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    let id = host.next_waiting();
    let call = client.again(&r1(), &state, &accept(json!({"q01": 7, "q01_custom": "on disk"})));
    let (form, state) = client.shown(call);
    assert_eq!((default_text(&form), draft(&host, &id)), (&json!("on disk"), json!("on disk")));
    let call = client.again(&r1(), &state, &accept(json!({"q01": 7, "q01_custom": "both"})));
    assert_eq!(client.result(call), pending(&id));
    // It would have taken the place of other words: those stay, and it is beside them.
    let question = host.show(&id)["draft"]["questions"][0].clone();
    assert_eq!(
        (&question["custom"], &question["kept"][0]["text"]),
        (&json!("on disk"), &json!("both"))
    );
}

#[test]
fn b117_what_a_form_brings_too_late_is_kept_with_the_request() {
    let host = Host::start();
    let late = accept(json!({"q01_custom": "late words"}));
    let kept = |id: &str| {
        let is_kept = |it: &Value| {
            it["request"]["late"][0]["response"]["answers"][0]["custom"] == "late words"
        };
        host.wait_until("kept", id, is_kept);
    };
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();
    let id = host.next_waiting();
    host.run(["answer", &id, "--select", "SQLite"]);
    let answer = answers(json!({"id": "db", "selected": ["SQLite"]}));
    assert_eq!(client.result(call), answer);
    client.reply(&form, late.clone());
    kept(&id);

    let mut client = showing(&host, Era::Modern, &[]);
    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    let id = host.next_waiting();
    host.run(["cancel", &id]);
    for _ in 0..2 {
        let call = client.again(&r1(), &state, &late);
        assert_eq!(client.result(call)["structuredContent"]["state"], "cancelled");
    }
    kept(&id);
    assert_eq!(host.show(&id)["request"]["late"].as_array().unwrap().len(), 1);
}

#[test]
fn b140_a_form_left_empty_after_its_faults_were_told_is_asked_about_once_more() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();
    client.reply(&form, wrong(""));
    let form = client.form();
    client.reply(&form, accept(json!({})));
    let form = client.form();
    let message = form["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("Everything was left empty."), "{message}");
    client.reply(&form, accept(json!({})));
    let skipped = answers(json!({"id": "db", "selected": []}));
    assert_eq!(client.result(call), skipped);

    let mut client = showing(&host, Era::Modern, &[]);
    let call = client.ask(r1());
    let (_, first) = client.shown(call);
    let call = client.again(&r1(), &first, &wrong(""));
    let (_, second) = client.shown(call);
    let call = client.again(&r1(), &second, &accept(json!({})));
    let (_, third) = client.shown(call);
    let call = client.again(&r1(), &third, &accept(json!({})));
    assert_eq!(client.result(call), skipped);
}

#[test]
fn b145_a_form_that_comes_back_after_the_host_has_died_starts_one() {
    let askwell = askwell().env("ASKWELL_PORT", "0");
    let mut client = Client::connect(Process::start(&askwell, &[]), Era::Modern, forms());
    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    let status = askwell.run(["status", "--format", "json"]).json();
    let pid = i32::try_from(status["status"]["pid"].as_i64().unwrap()).unwrap();
    sleep(AFTER_THOUGHT);
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();

    let call = client.again(&r1(), &state, &accept(json!({"q01_custom": "my words"})));

    let answer = answers(json!({"id": "db", "selected": [], "custom": "my words"}));
    assert_eq!(client.result(call), answer);
    assert_eq!(askwell.run(["stop"]).code(), 0);
}

#[test]
fn two_calls_in_rounds_that_ask_the_same_join_and_both_get_the_answer() {
    let host = Host::start();
    let mut client = showing(&host, Era::Modern, &[]);
    // No call is open while their forms are shown, so neither has a waiter that lives.
    let states = [(); 2].map(|()| {
        let call = client.ask(r1());
        client.shown(call).1
    });
    let id = host.next_waiting();
    assert_eq!(host.waiting(), [id.as_str()]);

    let first = client.again(&r1(), &states[0], &accept(json!({"q01": "SQLite"})));
    let answer = answers(json!({"id": "db", "selected": ["SQLite"]}));
    assert_eq!(client.result(first), answer);
    let second = client.again(&r1(), &states[1], &accept(json!({"q01_custom": "other words"})));
    assert_eq!(client.result(second), answer);
    // What the second form said is kept.
    let late = host.show(&id)["request"]["late"][0]["response"]["answers"][0].clone();
    assert_eq!(late["custom"], "other words");
}

#[test]
fn what_another_session_of_the_same_credential_asked_is_reached_by_its_id_alone() {
    let host = Host::start();
    let mut first = Client::start(&host, Era::Legacy, &["--wait", "0"]);
    let told = first.call("ask_user_question", r1());
    let id = told["structuredContent"]["request_id"].as_str().unwrap().to_owned();
    let mut second = Client::start(&host, Era::Legacy, &["--wait", "0"]);

    let all = second.call("get_answers", json!({}));
    assert_eq!(all["structuredContent"]["requests"], json!([]));
    assert_eq!(second.call("get_answers", json!({"request_id": id})), pending(&id));
    let withdrawn = second.call("cancel_question", json!({"request_id": id}));
    assert_eq!(withdrawn["structuredContent"]["state"], "aborted");

    let other =
        host.json(["token", "create", "--role", "asker", "--name", "other", "--format", "json"]);
    let port = host.json(["status", "--format", "json"])["host"]["port"].clone();
    let askwell = host.askwell.clone().env("ASKWELL_URL", format!("http://127.0.0.1:{port}"));
    let askwell = askwell.env("ASKWELL_TOKEN", other["token"].as_str().unwrap());
    let mut stranger = Client::connect(Process::start(&askwell, &[]), Era::Legacy, json!({}));
    for tool in ["get_answers", "cancel_question"] {
        let refused = stranger.call(tool, json!({"request_id": id}));
        assert_eq!(refused["structuredContent"]["error"], "NOT_FOUND", "{refused}");
    }
}
