//! Recorded answers for a hook.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Hook, allowed, asks, two_questions};
use crate::cli::askwell;
use crate::host::Host;

const ANSWERS: &str = r#"{"answers": [
  {"match": "framework", "selected": ["React"]},
  {"match": "parts", "selected": ["Search, fast"], "custom": "SSO"}
]}"#;

#[test]
fn without_a_host_the_file_answers() {
    let here = askwell().env("ASKWELL_ANSWERS", "answers.json");
    here.write("answers.json", ANSWERS);
    let input = asks(two_questions());

    let said = Hook::start(&here, &input, &["--when", "always"]).says();

    let answers = json!({"Which framework?": "React", "Which parts?": "\"Search, fast\", SSO"});
    assert_eq!(said, allowed(&input, answers));
    assert!(!here.state().join("askwell").exists());
}

#[test]
fn a_host_that_runs_has_the_receipt_by_rule() {
    let host = Host::start();
    host.askwell.write("answers.json", ANSWERS);
    let here = host.askwell.clone().env("ASKWELL_ANSWERS", "answers.json");

    Hook::start(&here, &asks(two_questions()), &[]).says();

    let ended = host.json(["history", "--format", "json"])["requests"][0].take();
    let provider = &ended["receipt"]["provider"];
    assert_eq!((&ended["state"], provider), (&json!("answered"), &json!("rule")));
    let id = ended["id"].as_str().unwrap();
    host.wait_until("picked up", id, |it| it["request"]["receipt"]["pickedUpAt"].is_i64());
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn a_recording_that_does_not_fit_answers_nothing() {
    let here = askwell();
    here.write("answers.json", r#"{"answers": [{"match": "framework", "selected": ["Vue"]}]}"#);
    let flag = ["--answers", "answers.json"];

    let told = Hook::start(&here, &asks(two_questions()), &flag).says_nothing();

    for part in ["\"Vue\" is not one of its options", "\"q2\": has no recorded answer"] {
        assert!(told.contains(part), "{told}");
    }
}
