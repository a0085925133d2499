//! The shapes that models send, read to the same request as the proper form.

use askwell_core::lenient::{request_from_json, request_from_slice, request_from_value};
use askwell_core::{RequestCode, request};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn proper() -> Value {
    json!({"questions": [{
        "id": "q1", "question": "Which?", "multiSelect": true,
        "options": [{"label": "A"}, {"label": "B"}],
    }]})
}

#[rstest]
#[case::snake(json!({"questions": [{"id": "q1", "question": "Which?", "multi_select": true, "options": [{"label": "A"}, {"label": "B"}]}]}))]
#[case::lower(json!({"Questions": [{"ID": "q1", "Question": "Which?", "multiselect": true, "OPTIONS": [{"Label": "A"}, {"label": "B"}]}]}))]
#[case::kebab(json!({"questions": [{"id": "q1", "question": "Which?", "multi-select": true, "options": [{"label": "A"}, {"label": "B"}]}]}))]
#[case::multiple(json!({"questions": [{"id": "q1", "prompt": "Which?", "multiple": true, "choices": [{"value": "A"}, {"label": "B", "value": "b"}]}]}))]
#[case::allow_multiple(json!({"questions": [{"question": "Which?", "allowMultiple": true, "choices": ["A", "B"]}]}))]
#[case::mode(json!({"questions": [{"question": "Which?", "selectionMode": "multi_select", "options": ["A", "B"]}]}))]
#[case::one_object(json!({"questions": {"question": "Which?", "multiSelect": true, "options": ["A", "B"]}}))]
#[case::as_text(json!({"questions": "[{\"question\":\"Which?\",\"multiSelect\":true,\"options\":[\"A\",\"B\"]}]"}))]
#[case::one_as_text(json!({"questions": "{\"question\":\"Which?\",\"multiSelect\":true,\"options\":[\"A\",\"B\"]}"}))]
#[case::aliases_that_agree(json!({"questions": [{"question": "Which?", "prompt": "Which?", "multiple": true, "multiSelect": true, "options": ["A", "B"]}]}))]
#[case::null_beside_a_value(json!({"questions": [{"id": null, "question": "Which?", "multi_select": true, "multiSelect": null, "options": ["A", "B"]}]}))]
fn b107_odd_shapes_read_as_the_proper_form(#[case] sent: Value) {
    let read = request_from_json(&sent.to_string());
    assert_eq!(read, request::from_value(proper()));
}

#[test]
fn missing_ids_are_minted_and_never_collide() {
    let sent = json!({"questions": [
        {"question": "A?"}, {"id": "q1", "question": "B?"}, {"question": "C?"}, {"question": "D?", "id": null},
    ]});
    let request = request_from_value(sent).unwrap();
    let ids: Vec<&str> = request.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["q2", "q1", "q3", "q4"]);
}

#[rstest]
#[case::disagree(
    json!({"questions": [{"question": "Which?", "prompt": "What?"}]}),
    "questions[0].question is given twice, as \"question\" and \"prompt\", with different values"
)]
#[case::mode(
    json!({"questions": [{"question": "Which?", "selectionMode": "some"}]}),
    "questions[0].multiSelect is not known"
)]
#[case::not_a_list(json!({"questions": "Which?"}), "questions is not valid JSON")]
#[case::option_number(
    json!({"questions": [{"question": "Which?", "options": [1]}]}),
    "questions[0].options[0] is a number"
)]
#[case::boolean_as_text(
    json!({"questions": [{"question": "Which?", "multiSelect": "yes", "options": ["A"]}]}),
    "questions[0].multiSelect is a string"
)]
fn what_is_not_understood_is_refused(#[case] sent: Value, #[case] fault: &str) {
    let bad = request_from_value(sent).unwrap_err();
    assert_eq!(bad.code(), RequestCode::BadRequest);
    assert!(bad.to_string().contains(fault), "{bad}");
}

#[test]
fn faults_of_both_readers_are_told_together() {
    let sent = json!({"questions": [{"question": "A?", "prompt": "B?"}, {"question": " "}]});
    let bad = request_from_value(sent).unwrap_err();
    assert_eq!(bad.faults().len(), 2, "{bad}");
}

#[test]
fn b099_quotes_and_separators_come_through_byte_for_byte() {
    let label = "„DB“ ‘x’ «y» \u{2028} \"straight\" \\ back";
    let sent = json!({"questions": [{"question": label, "options": [{"label": label, "description": label}]}]});
    let request = request_from_slice(sent.to_string().as_bytes()).unwrap();
    assert_eq!(request.questions[0].options[0].label, label);
    assert_eq!(request.questions[0].question, label);
}

#[test]
fn bytes_that_are_not_utf8_are_refused() {
    let bad = request_from_slice(b"{\"questions\": \"\xff\"}").unwrap_err();
    assert_eq!(bad.code(), RequestCode::BadRequest);
}
