//! The language-neutral cases of requests, drafts and answers.

use askwell_core::answer::validate_json;
use askwell_core::request::{self, Request};
use askwell_core::{RequestDraft, ValidRequest, lenient, project};
use askwell_testkit::vectors::{Case, Kind, cases};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

fn request_of(case: &Case) -> ValidRequest {
    let request = json!({ "questions": case.value["questions"] });
    request::from_value(request).unwrap_or_else(|bad| panic!("{}: {bad}", case.place()))
}

#[test]
fn vectors_requests() {
    for case in cases(Kind::Request) {
        let read = request::from_value(case.value["request"].clone());
        let expect = &case.value["expect"];
        match read {
            Ok(_) => assert_eq!(expect, "accept", "{}", case.place()),
            Err(bad) => {
                assert_eq!(expect["code"], bad.code().as_str(), "{}: {bad}", case.place());
                if let Some(question) = expect.get("question") {
                    let first = bad.faults().iter().find(|fault| fault.code() == bad.code());
                    let named = first.and_then(|fault| fault.question.as_deref());
                    assert_eq!(question.as_str(), named, "{}: {bad}", case.place());
                }
            }
        }
    }
}

/// What the strict reader takes, the lenient reader and the typed path take alike.
#[test]
fn vectors_requests_read_alike_on_every_way_in() {
    for case in cases(Kind::Request) {
        let strict = request::from_value(case.value["request"].clone());
        let text = case.value["request"].to_string();
        assert_eq!(strict, request::from_json(&text), "{}", case.place());
        if let Ok(strict) = &strict {
            assert_eq!(Ok(strict), lenient::request_from_json(&text).as_ref(), "{}", case.place());
        }
        if let Ok(typed) = serde_json::from_str::<Request>(&text) {
            let codes = |result: &Result<_, askwell_core::BadRequest>| {
                result.as_ref().err().map(askwell_core::BadRequest::code)
            };
            assert_eq!(codes(&strict), codes(&typed.validate()), "{}", case.place());
        }
    }
}

#[test]
fn vectors_answers() {
    for case in cases(Kind::Answer) {
        let request = request_of(&case);
        let expect = &case.value["expect"];
        match validate_json(&request, &case.value["answer"]) {
            Ok(answers) => {
                let projected = project::tool_result(&Ok(answers.clone()));
                assert_eq!(expect["accept"], projected, "{}", case.place());
                assert_eq!(
                    projected.to_string(),
                    serde_json::to_string(&answers).unwrap(),
                    "{}: one form, whichever way it is written",
                    case.place()
                );
                assert_eq!(Ok(answers), validate_json(&request, &projected), "{}", case.place());
            }
            Err(bad) => {
                let issue = |question: &Value, code: &Value| format!("{question} {code}");
                let mut told: Vec<String> = bad
                    .issues
                    .iter()
                    .map(|told| issue(&json!(told.question), &json!(told.code)))
                    .collect();
                let Some(wanted) = expect["reject"].as_array() else {
                    panic!("{}: refused: {bad}", case.place());
                };
                let mut wanted: Vec<String> =
                    wanted.iter().map(|want| issue(&want["question"], &want["code"])).collect();
                told.sort();
                wanted.sort();
                assert_eq!(wanted, told, "{}", case.place());
            }
        }
    }
}

#[test]
fn vectors_drafts() {
    for case in cases(Kind::Draft) {
        let request = request_of(&case);
        let mut draft = RequestDraft::new(&request);
        for operation in case.value["operations"].as_array().unwrap() {
            apply(&request, &mut draft, operation);
        }
        let expect = &case.value["expect"];
        let unfinished = draft.unfinished(&request);
        let ids: Vec<&str> =
            unfinished.iter().map(|index| request.questions[*index].id.as_str()).collect();
        assert_eq!(
            json!(ids),
            expect.get("incomplete").cloned().unwrap_or(json!([])),
            "{}",
            case.place()
        );
        if let Some(answer) = expect.get("answer") {
            let sent =
                draft.submit(&request).unwrap_or_else(|bad| panic!("{}: {bad}", case.place()));
            assert_eq!(*answer, project::tool_result(&Ok(sent)), "{}", case.place());
        }
        let kept: serde_json::Map<String, Value> = draft
            .kept_texts()
            .map(|(index, text)| (request.questions[index].id.clone(), text.into()))
            .collect();
        let wanted = expect.get("kept").cloned().unwrap_or_else(|| json!({}));
        assert_eq!(wanted, Value::Object(kept), "{}", case.place());
        let restored = RequestDraft::from_states(&request, &draft.states(&request));
        assert_eq!(draft, restored, "{}: a draft survives its wire form", case.place());
    }
}

fn apply(request: &ValidRequest, draft: &mut RequestDraft, operation: &Value) {
    let id = operation["question"].as_str().unwrap();
    let index = request.questions.iter().position(|question| question.id == id).unwrap();
    let question = &request.questions[index];
    let draft = draft.get_mut(index);
    match operation["op"].as_str().unwrap() {
        "choose" => {
            let label = operation["label"].as_str().unwrap();
            draft.choose(question, question.label_index()[label]);
        }
        "type" => draft.write(question, operation["text"].as_str().unwrap()),
        "toggleCustom" => draft.toggle_custom(question),
        "skip" => draft.set_skipped(true),
        "unskip" => draft.set_skipped(false),
        "chooseAll" => draft.choose_all(question, 0..question.options.len(), true),
        "chooseNone" => draft.choose_all(question, 0..question.options.len(), false),
        // A surface's custom-text mode is no part of a draft.
        "openCustom" | "closeCustom" => {}
        other => panic!("unknown operation {other}"),
    }
}
