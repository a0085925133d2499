//! `askwell check`: every fault, in words or as JSON, and an exit code to go by.

use askwell_testkit::Run;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R3, askwell, assert_refused};

/// Checks this request, and an answer to it.
fn check(request: &str, answer: Option<&str>, flags: &[&str]) -> Run {
    let askwell = askwell();
    askwell.write("request.json", request);
    let mut arguments = vec!["check", "request.json"];
    if let Some(answer) = answer {
        askwell.write("answer.json", answer);
        arguments.extend(["--answer", "answer.json"]);
    }
    askwell.run(arguments.iter().chain(flags))
}

const SKIPPED: &str = r#"{"answers":[{"id":"db","selected":["SQLite"]},{"id":"feat","selected":[],"custom":"x"},{"id":"name","selected":[]}]}"#;

#[test]
fn a_valid_request_is_counted() {
    assert_eq!(
        check(R3, None, &[]).to_string(),
        "exit 0\n--- stdout\nrequest.json is valid: 3 questions, 5 options\n--- stderr\n"
    );
    assert_eq!(
        check(R1, None, &["--format", "json"]).json(),
        json!({"valid": true, "questions": 1, "options": 3})
    );
}

#[test]
fn a_valid_answer_is_counted() {
    assert_eq!(
        check(R3, Some(SKIPPED), &[]).to_string(),
        "exit 0\n--- stdout\nrequest.json is valid: 3 questions, 5 options\n\
         answer.json answers it: 2 answered, 1 skipped\n--- stderr\n"
    );
    assert_eq!(
        check(R3, Some(SKIPPED), &["--format", "json"]).json(),
        json!({"valid": true, "questions": 3, "options": 5, "answered": 2, "skipped": 1})
    );
}

#[test]
fn every_fault_of_a_request_is_told() {
    let request =
        r#"{"questions":[{"id":"a","question":"q","options":["x","x"]},{"id":"a","question":""}]}"#;

    let text = check(request, Some("not looked at"), &[]);
    let document = check(request, None, &["--format", "json"]);

    assert_eq!(
        text.to_string(),
        "exit 2\n--- stdout\nrequest.json is not valid: BAD_QUESTION, 3 faults\n  \
         - questions[0].options[1].label repeats questions[0].options[0].label (each must be unique)\n  \
         - questions[1].question is blank (1–16384 bytes)\n  \
         - questions[1].id repeats questions[0].id (each must be unique)\n--- stderr\n"
    );
    assert_eq!(document.code(), 2);
    assert_eq!(
        document.json(),
        json!({"valid": false, "code": "BAD_QUESTION", "faults": [
            {"code": "BAD_QUESTION", "path": "questions[0].options[1].label",
             "rule": "repeats questions[0].options[0].label (each must be unique)", "question": "a"},
            {"code": "BAD_QUESTION", "path": "questions[1].question",
             "rule": "is blank (1–16384 bytes)", "bound": 16384, "question": "a"},
            {"code": "BAD_QUESTION", "path": "questions[1].id",
             "rule": "repeats questions[0].id (each must be unique)", "question": "a"},
        ]})
    );
}

#[test]
fn every_issue_of_an_answer_is_told() {
    let answer = r#"{"answers":[{"id":"db","selected":["Oracle"]},{"id":"who","selected":[]}]}"#;

    let text = check(R1, Some(answer), &[]);
    let document = check(R1, Some(answer), &["--format", "json"]);

    assert_eq!(
        text.to_string(),
        "exit 2\n--- stdout\nanswer.json does not answer request.json: 2 issues\n  \
         - question \"db\": label \"Oracle\" is not one of its options\n  \
         - question \"who\": was not asked\n--- stderr\n"
    );
    assert_eq!(document.code(), 2);
    assert_eq!(
        document.json(),
        json!({"valid": false, "issues": [
            {"question": "db", "code": "unknown-label",
             "message": "label \"Oracle\" is not one of its options"},
            {"question": "who", "code": "unknown-question", "message": "was not asked"},
        ]})
    );
}

#[test]
fn an_answer_that_is_not_json_is_told_by_its_place() {
    let run = check(R1, Some("{\n oops"), &["--format", "json"]);

    assert_eq!(run.json()["issues"][0]["code"], "malformed");
    let message = run.json()["issues"][0]["message"].to_string();
    assert!(message.contains("line 2 column 2"), "{message}");
}

#[test]
fn strict_takes_only_what_the_schema_describes() {
    let lenient = r#"{"questions":[{"prompt":"Which?","choices":["a"]}]}"#;

    assert_eq!(check(lenient, None, &[]).code(), 0);
    let strict = check(lenient, None, &["--strict", "--format", "json"]);
    assert_eq!(strict.code(), 2);
    assert_eq!(strict.json()["code"], "BAD_REQUEST");
    assert_eq!(check(R3, None, &["--strict"]).code(), 0);
}

#[test]
fn one_of_both_may_be_standard_input() {
    let askwell = askwell();
    askwell.write("answer.json", SKIPPED);

    assert_eq!(askwell.command(["check", "-"]).stdin(R3).run().code(), 0);
    let answer = ["check", "r3.json", "--answer", "-"];
    assert_eq!(askwell.command(answer).stdin(SKIPPED).run().code(), 0);
    let both = askwell.run(["check", "-", "--answer", "-"]);
    assert_refused(&both, 2, &["only one of request and answer"]);
}

const SLOPPY: &str = r#"{"questions":[{"id":"keep","question":"Keep it?","options":[{"label":"Yes"},{"label":"yes."},{"label":"No, never"},{"label":"Other"}]}]}"#;

#[test]
fn lint_tells_what_reads_badly_and_fails_only_where_that_is_denied() {
    let text = check(SLOPPY, None, &["--lint"]);
    let document = check(SLOPPY, None, &["--lint", "--format", "json"]).json();

    assert_eq!(
        text.to_string(),
        "exit 0\n--- stdout\n\
         request.json is valid: 1 question, 4 options\n\
         request.json was linted: 4 findings\n\
         \x20 - questions[0].options[1].label looks like questions[0].options[0].label; choose \
         words that can be told apart (look-alike-label)\n\
         \x20 - questions[0].options[2].label holds a comma or a line end, so that joined answers \
         can't be told apart; leave it out (comma-in-label)\n\
         \x20 - questions[0].options[3].label stands for a text of the person's own, which is \
         always offered; leave the option out (own-other)\n\
         \x20 - context is not there, nor has any question a detail; say what led to the \
         questions (no-context)\n--- stderr\n"
    );
    let findings = document["findings"].as_array().unwrap();
    let codes: Vec<&str> = findings.iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["look-alike-label", "comma-in-label", "own-other", "no-context"]);
    assert_eq!(findings[0]["path"], "questions[0].options[1].label");
    assert_eq!(findings[0]["question"], "keep");
    assert_eq!(document["valid"], true);

    assert_eq!(check(SLOPPY, None, &["--lint=deny"]).code(), 2);
    assert_eq!(check(SLOPPY, None, &[]).code(), 0);
    assert!(!check(SLOPPY, None, &[]).stdout.contains("finding"));
}

#[test]
fn a_request_with_faults_is_not_linted() {
    let run = check(r#"{"questions":[]}"#, None, &["--lint", "--format", "json"]);

    assert_eq!(run.code(), 2);
    assert_eq!(run.json().get("findings"), None, "{run}");
}

#[test]
fn a_request_without_a_finding_passes_where_findings_are_denied() {
    let request = r#"{"context":"The release.","questions":[{"id":"name","question":"Name?"}]}"#;
    let run = check(request, None, &["--lint=deny"]);

    assert_eq!(run.code(), 0);
    assert!(run.stdout.contains("0 findings"), "{run}");
}
