//! Recorded answers for the tools, as in CI.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Client, Era, Host, Process, carries, failed, r1, r2};
use crate::cli::askwell;

const ANSWERS: &str = r#"{"answers": [
  {"id": "db", "selected": ["SQLite"]},
  {"match": "features", "selected": ["Export", "Auth"], "custom": "also SSO"}
]}"#;

#[test]
fn without_a_host_the_file_answers_and_nothing_is_started() {
    let here = askwell();
    here.write("answers.json", ANSWERS);
    let process = Process::start(&here, &["--answers", "answers.json"]);
    // Not in the client's own form either.
    let mut client = Client::connect(process, Era::Legacy, json!({"elicitation": {}}));

    let answer = json!({"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"});
    assert_eq!(client.call("ask_user_question", r2()), carries(&json!({"answers": [answer]})));

    let message = "Nothing of this session is open or waits to be picked up.";
    let nothing = carries(&json!({"requests": [], "message": message}));
    assert_eq!(client.call("get_answers", json!({})), nothing);
    let other = json!({"request_id": "01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e"});
    for tool in ["get_answers", "cancel_question"] {
        assert_eq!(client.call(tool, other.clone())["structuredContent"]["error"], "NOT_FOUND");
    }
    assert_eq!(client.rest(std::time::Duration::from_millis(20)), [] as [Value; 0]);
    assert!(!here.state().join("askwell").exists());
}

#[test]
fn a_host_that_runs_has_the_receipt_by_rule() {
    let host = Host::start();
    host.askwell.write("answers.json", ANSWERS);
    let here = host.askwell.clone().env("ASKWELL_ANSWERS", "answers.json");
    let mut client = Client::connect(Process::start(&here, &[]), Era::Modern, json!({}));

    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(client.call("ask_user_question", r1()), carries(&answers));

    let ended = host.json(["history", "--format", "json"])["requests"][0].take();
    let told = [&ended["state"], &ended["receipt"]["provider"], &ended["asker"]["name"]];
    assert_eq!(told, ["answered", "rule", "test-agent"]);
    let id = ended["id"].as_str().unwrap();
    host.wait_until("picked up", id, |it| it["request"]["receipt"]["pickedUpAt"].is_i64());
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn a_question_without_a_recorded_answer_is_asked_nobody() {
    let host = Host::start();
    host.askwell.write("answers.json", ANSWERS);
    let here = host.askwell.clone().env("ASKWELL_ANSWERS", "answers.json");
    let mut client = Client::connect(Process::start(&here, &[]), Era::Modern, json!({}));
    let mut request = r1();
    request["questions"][0]["id"] = json!("other");

    let message = "Nobody saw this: recorded answers stand in for the person here, without one to \
                   this (BAD_RESPONSE: the recorded answers in answers.json do not fit; question \
                   \"other\": has no recorded answer). Write the questions in your reply and end your \
                   turn.";
    assert_eq!(client.call("ask_user_question", request), failed("NO_PROVIDER", message));

    // The file is read at each call, and one that is gone is no answer.
    std::fs::remove_file(host.askwell.work().join("answers.json")).unwrap();
    let gone = client.call("ask_user_question", r1());
    assert_eq!(gone["structuredContent"]["error"], "NO_PROVIDER", "{gone}");
    assert_eq!(host.waiting(), [""; 0]);
}
