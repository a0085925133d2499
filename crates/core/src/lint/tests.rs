use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::request;

fn found(request: Value) -> Vec<(String, String)> {
    let request = request::from_value(request).unwrap();
    let findings = check(&request).into_iter();
    findings.map(|found| (found.code.as_str().to_owned(), found.path)).collect()
}

fn labels(labels: &[&str]) -> Question {
    labels.iter().fold(Question::new("q", "Which?"), |question, label| question.option(*label))
}

#[test]
fn a_request_that_reads_well_has_no_finding() {
    let request = json!({
        "context": "The release of Friday.",
        "questions": [
            {"id": "a", "question": "Which crates?", "multiSelect": true,
             "options": [{"label": "core"}, {"label": "tui"}]},
            {"id": "b", "question": "When?"},
        ],
    });

    assert_eq!(found(request), []);
}

#[test]
fn each_rule_is_told_with_its_place() {
    let long = "x".repeat(61);
    let options: Vec<Value> =
        ["Yes", "yes.", "A, B", &long, "Other (please specify)", "6", "7", "8", "9", "10"]
            .map(|label| json!({ "label": label }))
            .into();
    let request = json!({"questions": [
        {"id": "a", "question": "Keep?", "options": options},
        {"id": "b", "question": " keep ", "options": [{"label": "Yes"}, {"label": "No"}]},
    ]});

    let wanted = [
        ("many-options", "questions[0].options"),
        ("look-alike-label", "questions[0].options[1].label"),
        ("comma-in-label", "questions[0].options[2].label"),
        ("long-label", "questions[0].options[3].label"),
        ("own-other", "questions[0].options[4].label"),
        ("repeated-question", "questions[1].question"),
        ("no-context", "context"),
    ];
    assert_eq!(found(request), wanted.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[test]
fn a_finding_names_its_place_rule_and_question() {
    let request = json!({"context": "c", "questions": [
        {"id": "a", "question": "Keep?", "options": [{"label": "Yes"}, {"label": "YES"}]},
    ]});
    let request = request::from_value(request).unwrap();

    let [finding] = &check(&request)[..] else { panic!("{:?}", check(&request)) };

    assert_eq!(
        finding.to_string(),
        "questions[0].options[1].label looks like questions[0].options[0].label; choose words that \
         can be told apart (look-alike-label)"
    );
    assert_eq!(
        json!(finding),
        json!({
            "code": "look-alike-label",
            "path": "questions[0].options[1].label",
            "rule": "looks like questions[0].options[0].label; choose words that can be told apart",
            "question": "a",
        })
    );
}

#[rstest]
#[case("Postgres", "postgres")]
#[case("Postgres", "Postgres ")]
#[case("Deploy  now", "Deploy now")]
#[case("Deploy", "Deploy!")]
#[case("Postgres", "Postgres (Recommended)")]
#[case("Ｐostgres", "Postgres")]
#[case("Café", "Cafe\u{301}")]
#[case("pay\u{200b}ment", "payment")]
#[case("paypal", "pаypal")]
#[case("vl", "v1")]
#[case("Il", "lI")]
#[case("O2", "02")]
#[case("re-run", "re–run")]
#[case("don't", "don’t")]
fn labels_that_look_alike(#[case] one: &str, #[case] other: &str) {
    assert_eq!(look_alikes(&labels(&[one, "between", other])), [None, None, Some(0)]);
}

#[rstest]
#[case("C", "C++")]
#[case("C", "C#")]
#[case("1", "-1")]
#[case("Yes", "Yes, later")]
#[case("resume", "résumé")]
#[case("v1", "v2")]
#[case("i", "l")]
#[case("?", "!")]
#[case("左", "右")]
#[case("नि", "न")]
fn labels_that_can_be_told_apart(#[case] one: &str, #[case] other: &str) {
    assert_eq!(look_alikes(&labels(&[one, other])), [None, None]);
}

#[rstest]
#[case("Other", true)]
#[case("Something else…", true)]
#[case("other: write it", true)]
#[case("其他", true)]
#[case("Other people's code", false)]
#[case("Mother", false)]
fn an_own_other(#[case] label: &str, #[case] other: bool) {
    let question = labels(&["One", label]);
    assert_eq!(is_own_other(&question, 1), other);
    let closed = json!({"context": "c", "questions": [
        {"id": "q", "question": "?", "options": [{"label": label}], "allowCustom": false},
    ]});
    assert_eq!(found(closed), [], "where nothing can be written it is an option like any other");
}
