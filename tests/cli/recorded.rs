//! Recorded answers: whole flows without a person, strict about what they do not cover.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{R1, R2, R3, ask, askwell, assert_refused};

#[test]
fn b002_text_beside_ticks_arrives() {
    let answers = r#"{"answers":[{"id":"feat","selected":["Export","Auth"],"custom":"also SSO\r\nand more\n"}]}"#;

    assert_eq!(
        ask(R2, answers).stdout,
        "{\"answers\":[{\"id\":\"feat\",\"selected\":[\"Auth\",\"Export\"],\"custom\":\"also SSO\\nand more\"}]}\n"
    );
}

#[test]
fn the_id_goes_before_the_rules_and_the_first_rule_before_the_others() {
    let answers = json!({"answers": [
        {"match": "(?i)^which", "selected": ["Search"]},
        {"match": "features", "selected": []},
        {"match": ".", "selected": [], "custom": "askwell"},
        {"id": "db", "selected": ["SQLite"]},
        {"id": "of another request", "selected": ["whatever"]},
    ]});

    assert_eq!(
        ask(R3, &answers.to_string()).json(),
        json!({"answers": [
            {"id": "db", "selected": ["SQLite"]},
            {"id": "feat", "selected": ["Search"]},
            {"id": "name", "selected": [], "custom": "askwell"},
        ]})
    );
}

#[test]
fn what_askwell_printed_is_a_recording() {
    let askwell = askwell();
    askwell.write("rules.json", r#"{"answers":[{"match":".","selected":[],"custom":"my own"}]}"#);

    let first = askwell.run(["ask", "r3.json", "--answers", "rules.json"]);
    askwell.write("printed.json", &first.stdout);
    let second = askwell.run(["ask", "r3.json", "--answers", "printed.json"]);

    assert_eq!(first.code(), 0, "{first}");
    assert_eq!(second, first);
}

#[test]
fn the_flag_goes_before_the_environment_and_an_empty_variable_is_none() {
    let askwell = askwell();
    askwell.write("one.json", r#"{"answers":[{"id":"db","selected":["Postgres"]}]}"#);
    askwell.write("two.json", r#"{"answers":[{"id":"db","selected":["SQLite"]}]}"#);
    let askwell = askwell.env("ASKWELL_ANSWERS", "one.json");

    assert_eq!(askwell.run(["ask", "r1.json"]).json()["answers"][0]["selected"][0], "Postgres");
    let run = askwell.run(["ask", "r1.json", "--answers", "two.json", "--via", "terminal"]);
    assert_eq!(run.json()["answers"][0]["selected"][0], "SQLite");
    let run = askwell.command(["ask", "r1.json"]).env("ASKWELL_ANSWERS", "").run();
    assert_refused(&run, 3, &["NO_PROVIDER"]);
}

#[test]
fn every_question_that_is_not_answered_and_every_rule_that_is_broken_is_told() {
    let answers = json!({"answers": [
        {"match": "database", "selected": ["Oracle"], "custom": "and text"},
    ]});

    let run = ask(R3, &answers.to_string());

    assert_refused(
        &run,
        2,
        &[
            "BAD_RESPONSE: the recorded answers in answers.json",
            "question \"db\": label \"Oracle\" is not one of its options (answers[0])",
            "question \"db\": takes a label or a custom text, not both (answers[0])",
            "question \"feat\": has no recorded answer",
            "question \"name\": has no recorded answer",
        ],
    );
}

#[rstest]
#[case::neither(r#"{"answers":[{"selected":[]}]}"#, "answers[0] needs an \"id\" or a \"match\"")]
#[case::other_rule(
    r#"{"answers":[{"id":"db","match":"x","selected":[]}]}"#,
    "question \"db\": has no recorded answer"
)]
#[case::pattern(
    r#"{"answers":[{"id":"db","selected":[]},{"match":"(","selected":[]}]}"#,
    "answers[1].match is not a regular expression"
)]
#[case::twice(
    r#"{"answers":[{"id":"db","selected":[]},{"id":"db","selected":["SQLite"]}]}"#,
    "answers[1].id repeats answers[0].id"
)]
#[case::no_labels(r#"{"answers":[{"id":"db"}]}"#, "\"selected\" must be a list of labels")]
#[case::other_outcome(r#"{"state":"cancelled","message":"x"}"#, "needs a list \"answers\"")]
#[case::not_json("{\n oops", "line 2 column 2")]
fn a_recording_that_is_not_of_the_form_answers_nothing(#[case] answers: &str, #[case] told: &str) {
    assert_refused(&ask(R1, answers), 2, &[told]);
}

#[test]
fn b105_large_batches_are_answered_exactly() {
    let options = |count: usize| (1..=count).map(|number| format!("o{number}")).collect::<Vec<_>>();
    let question = |id: usize, count: usize| json!({"id": format!("q{id}"), "question": "Which?", "multiSelect": true, "options": options(count)});
    for (questions, count) in [(20, 4), (1, 50), (1, 500), (50, 500)] {
        let request = json!({
            "questions": (0..questions).map(|id| question(id, count)).collect::<Vec<_>>(),
        });
        let answers = json!({
            "answers": (0..questions)
                .map(|id| json!({"id": format!("q{id}"), "selected": options(count)}))
                .collect::<Vec<_>>(),
        });

        let run = ask(&request.to_string(), &answers.to_string());

        assert_eq!(run.code(), 0, "{}", run.stderr);
        assert!(run.json() == answers, "{questions} × {count}");
    }
}

#[test]
fn the_example_request_is_answered_by_the_example_recording() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let request = format!("{examples}/release.json");

    let run =
        askwell().run(["ask", &request, "--answers", &format!("{examples}/release.answers.json")]);

    assert_eq!(
        run.json(),
        json!({"answers": [
            {"id": "when", "selected": ["Monday morning (Recommended)"]},
            {"id": "targets", "selected": ["Changelog (Recommended)"], "custom": "The status page"},
            {"id": "note", "selected": []},
        ]})
    );
    let strict = askwell().run(["check", &request, "--strict"]);
    assert!(strict.stdout.ends_with("is valid: 3 questions, 6 options\n"), "{strict}");
}
