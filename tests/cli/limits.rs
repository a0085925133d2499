//! Bounds: high, told with what they are, and enforced before anything is shown.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{ask, askwell, assert_refused};

#[test]
fn b103_a_long_header_is_accepted_up_to_its_bound() {
    let request = |length: usize| json!({"questions": [{"id": "q", "question": "Which?", "header": "h".repeat(length)}]});
    let answers = r#"{"answers":[{"id":"q","selected":[]}]}"#;
    for length in [40, 300, 1024] {
        assert_eq!(ask(&request(length).to_string(), answers).code(), 0);
    }
    assert_refused(
        &ask(&request(1025).to_string(), answers),
        2,
        &["LIMIT_EXCEEDED", "questions[0].header is 1025 bytes long (at most 1024 bytes)"],
    );
}

#[test]
fn b106_every_fault_is_told_at_once_with_path_rule_and_bound() {
    let askwell = askwell();
    let request = json!({"questions": [
        {"id": "a", "question": " ", "options": [{"label": ""}, {"label": "x"}, {"label": "x"}]},
        {"id": "a", "question": "q", "header": "h".repeat(1025), "options": null},
    ]});
    askwell.write("request.json", request.to_string());

    let run = askwell.run(["check", "request.json", "--format", "json"]);

    let faults: Vec<Value> = run.json()["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| json!([fault["code"], fault["path"], fault["bound"]]))
        .collect();
    assert_eq!((run.code(), &run.json()["code"]), (2, &json!("LIMIT_EXCEEDED")));
    assert_eq!(
        faults,
        [
            json!(["BAD_QUESTION", "questions[0].question", 16384]),
            json!(["BAD_QUESTION", "questions[0].options[0].label", 1024]),
            json!(["BAD_QUESTION", "questions[0].options[2].label", null]),
            json!(["LIMIT_EXCEEDED", "questions[1].header", 1024]),
            json!(["BAD_QUESTION", "questions[1].id", null]),
        ]
    );
}

#[rstest]
#[case("0", "LIMIT_EXCEEDED")]
#[case("-5", "LIMIT_EXCEEDED")]
#[case("1e12", "LIMIT_EXCEEDED")]
#[case("366d", "LIMIT_EXCEEDED")]
#[case("\"60\"", "expected a length of time such as 90, 30s, 10m, 2h or 1d")]
#[case("0.5", "expected a whole number of seconds")]
fn b108_a_timeout_out_of_bounds_is_refused_and_never_expired_by_accident(
    #[case] timeout: &str,
    #[case] told: &str,
) {
    let run = askwell().run(["ask", "r1.json", "--timeout", timeout]);

    assert_refused(&run, 2, &[told, timeout]);
    if told == "LIMIT_EXCEEDED" {
        assert_refused(&run, 2, &["expiresInSeconds is out of range (1–31536000)"]);
    }
}

#[rstest]
#[case(json!(0), "LIMIT_EXCEEDED")]
#[case(json!(-5), "LIMIT_EXCEEDED")]
#[case(json!(1e12), "LIMIT_EXCEEDED")]
#[case(json!("60"), "BAD_REQUEST")]
#[case(json!(1.5), "BAD_REQUEST")]
fn b108_an_expiry_out_of_bounds_is_refused(#[case] expiry: Value, #[case] code: &str) {
    let askwell = askwell();
    let request = json!({"questions": [{"question": "q"}], "expiresInSeconds": expiry});

    let run = askwell.command(["ask", "-", "--timeout", "60"]).stdin(request.to_string()).run();

    assert_refused(&run, 2, &[code, "expiresInSeconds"]);
}

#[test]
fn b108_a_timeout_in_bounds_is_taken_as_it_is() {
    let askwell = askwell();
    for timeout in ["1", "60.0", "10m", "365d"] {
        // Only a terminal is missing.
        assert_refused(&askwell.run(["ask", "r1.json", "--timeout", timeout]), 3, &["NO_PROVIDER"]);
    }
}
