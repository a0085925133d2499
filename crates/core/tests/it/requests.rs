//! Bad requests: every fault at once, each with its place, rule and bound.

use askwell_core::{BadRequest, Question, Request, RequestCode, limits, request};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn refused(value: Value) -> BadRequest {
    request::from_value(value).expect_err("a bad request")
}

fn told(bad: &BadRequest) -> Vec<String> {
    bad.faults().iter().map(ToString::to_string).collect()
}

#[test]
fn b106_all_faults_are_told_at_once_with_path_rule_and_bound() {
    let bad = refused(json!({
        "questions": [
            {"id": "a", "question": " ", "options": [{"label": ""}, {"label": "x"}, {"label": "x"}]},
            {"id": "a", "question": 7, "header": "h".repeat(limits::HEADER + 1)},
            {"id": "c", "question": "C?", "allowCustom": false},
            {"question": "No id?", "options": "x"},
            "nonsense",
        ],
        "context": "c".repeat(limits::CONTEXT + 1),
        "expiresInSeconds": 0,
        "asker": {"name": "n".repeat(limits::ASKER + 1), "chain": ["ok", 1]},
    }));
    assert_eq!(
        told(&bad),
        [
            "questions[1].question is a number (expected a string)",
            "questions[3].options is a list"
                .replace("a list", "a string (expected a list of options)")
                .as_str(),
            "questions[4] is a string (expected an object)",
            "asker.chain[1] is a number (expected a string)",
            "questions[0].question is blank (1–16384 bytes)",
            "questions[0].options[0].label is blank (1–1024 bytes)",
            "questions[0].options[2].label repeats questions[0].options[1].label (each must be unique)",
            "questions[1].header is 1025 bytes long (at most 1024 bytes)",
            "questions[1].id repeats questions[0].id (each must be unique)",
            "questions[2].allowCustom is false without options, so nothing could answer the question",
            "questions[3].id is missing (expected a string)",
            "context is 262145 bytes long (at most 262144 bytes)",
            "asker.name is 1025 bytes long (at most 1024 bytes)",
            "expiresInSeconds is out of range (1–31536000)",
        ]
    );
    assert_eq!(bad.code(), RequestCode::BadRequest);
    let fault = serde_json::to_value(&bad.faults()[5]).unwrap();
    assert_eq!(
        fault,
        json!({
            "code": "BAD_QUESTION",
            "path": "questions[0].options[0].label",
            "rule": "is blank (1–1024 bytes)",
            "bound": 1024,
            "question": "a",
        })
    );
}

/// Each bound holds exactly: at the bound accepted, one over it refused.
#[rstest]
#[case::id(limits::ID, |text: String| json!({"questions": [{"id": text, "question": "Q?"}]}))]
#[case::header(limits::HEADER, |text: String| one(json!({"header": text})))]
#[case::question(limits::QUESTION, |text: String| one(json!({"question": text})))]
#[case::detail(limits::DETAIL, |text: String| one(json!({"detail": text})))]
#[case::label(limits::LABEL, |text: String| one(json!({"options": [{"label": text}]})))]
#[case::description(limits::DESCRIPTION, |text: String| one(json!({"options": [{"label": "x", "description": text}]})))]
#[case::preview(limits::PREVIEW, |text: String| one(json!({"options": [{"label": "x", "preview": text}]})))]
#[case::context(limits::CONTEXT, |text: String| with(json!({"context": text})))]
#[case::asker_name(limits::ASKER, |text: String| with(json!({"asker": {"name": text}})))]
#[case::asker_session(limits::ASKER, |text: String| with(json!({"asker": {"session": text}})))]
#[case::asker_cwd(limits::ASKER, |text: String| with(json!({"asker": {"cwd": text}})))]
#[case::asker_chain(limits::ASKER, |text: String| with(json!({"asker": {"chain": [text]}})))]
fn b103_b106_text_bounds_hold_exactly(#[case] bound: usize, #[case] request: fn(String) -> Value) {
    assert_eq!(request::from_value(request("x".repeat(bound))).err(), None);
    let bad = refused(request("x".repeat(bound + 1)));
    assert_eq!(bad.code(), RequestCode::LimitExceeded);
    let fault = serde_json::to_value(&bad.faults()[0]).unwrap();
    assert_eq!(fault["bound"], bound);
}

#[rstest]
#[case::questions(limits::QUESTIONS, |count| {
    let questions = (0..count).map(|n| json!({"id": format!("q{n}"), "question": "Q?"}));
    json!({"questions": questions.collect::<Vec<_>>()})
})]
#[case::options(limits::OPTIONS, |count| {
    let options = (0..count).map(|n| json!({"label": format!("o{n}")}));
    one(json!({"options": options.collect::<Vec<_>>()}))
})]
#[case::chain(limits::CHAIN, |count| with(json!({"asker": {"chain": vec!["x"; count]}})))]
fn b105_b106_count_bounds_hold_exactly(#[case] bound: usize, #[case] request: fn(usize) -> Value) {
    assert_eq!(request::from_value(request(bound)).err(), None);
    assert_eq!(refused(request(bound + 1)).code(), RequestCode::LimitExceeded);
}

fn one(fields: Value) -> Value {
    let mut question = json!({"id": "q", "question": "Q?"});
    question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({ "questions": [question] })
}

fn with(fields: Value) -> Value {
    let mut request = one(json!({}));
    request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    request
}

#[test]
fn b106_options_null_is_a_free_text_question() {
    let request = request::from_value(one(json!({"options": null}))).unwrap();
    assert!(request.questions[0].is_free_text());
}

#[rstest]
#[case::one(json!(1), None)]
#[case::whole_as_float(json!(60.0), None)]
#[case::zero(json!(0), Some(RequestCode::LimitExceeded))]
#[case::negative(json!(-5), Some(RequestCode::LimitExceeded))]
#[case::huge(json!(1e12), Some(RequestCode::LimitExceeded))]
#[case::over_u64(json!(1e300), Some(RequestCode::LimitExceeded))]
#[case::text(json!("60"), Some(RequestCode::BadRequest))]
#[case::fraction(json!(1.5), Some(RequestCode::BadRequest))]
fn b108_an_expiry_is_a_whole_number_in_bounds(
    #[case] seconds: Value,
    #[case] code: Option<RequestCode>,
) {
    let read = request::from_value(with(json!({"expiresInSeconds": seconds})));
    assert_eq!(read.as_ref().err().map(BadRequest::code), code);
    if let Ok(request) = read {
        assert_eq!(request.expires_in_seconds, seconds.as_f64().map(|seconds| seconds as u64));
    }
}

#[rstest]
#[case::not_json("{", "EOF")]
#[case::nul("{\"questions\": \"\0\"}", "line 1 column 16")]
#[case::lone_surrogate(r#"{"questions": "\ud800"}"#, "line 1")]
#[case::trailing("{} {}", "trailing")]
#[case::a_name_twice(
    r#"{"questions": [{"question": "A?", "question": "B?"}]}"#,
    "stands twice in one object at line 1"
)]
#[case::deep(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), "recursion limit")]
fn what_is_not_json_is_told_with_its_place(#[case] text: &str, #[case] place: &str) {
    let bad = request::from_json(text).unwrap_err();
    assert_eq!(bad.code(), RequestCode::BadRequest);
    assert!(bad.to_string().contains(place), "{bad}");
}

#[test]
fn a_whole_request_has_a_bound_on_every_way_in() {
    let big = |size: usize| {
        let detail = "x".repeat(limits::DETAIL);
        let questions =
            (0..size).map(|n| json!({"id": format!("q{n}"), "question": "Q?", "detail": detail}));
        json!({"questions": questions.collect::<Vec<_>>()})
    };
    assert_eq!(request::from_value(big(15)).err(), None);
    assert_eq!(refused(big(16)).code(), RequestCode::LimitExceeded);
    let bad = request::from_json(&big(16).to_string()).unwrap_err();
    assert_eq!(bad.code(), RequestCode::LimitExceeded);
    let typed: Request = serde_json::from_value(big(16)).unwrap();
    assert_eq!(typed.validate().unwrap_err().code(), RequestCode::LimitExceeded);
}

#[test]
fn an_unknown_intent_is_carried_whole() {
    let intent = json!({"kind": "color-picker", "approve": 3, "palette": ["red"]});
    let request = request::from_value(one(json!({"intent": intent}))).unwrap();
    assert_eq!(serde_json::to_value(&request.questions[0].intent).unwrap(), intent);
}

#[test]
fn a_request_survives_its_wire_form() {
    let request = Request::new([
        Question::new("a", "A?").option("x").option("y").multi_select(),
        Question { allow_custom: false, ..Question::new("b", "B?").option("x") },
        Question::new("c", "C\u{0}?"),
    ]);
    let wire = serde_json::to_string(&request).unwrap();
    assert_eq!(request::from_json(&wire), request.validate());
}

#[rstest]
#[case::two_options(json!({}), Some((1, Some(0))))]
#[case::one_option(json!({"options": [{"label": "Go"}]}), Some((0, None)))]
#[case::several_chosen(json!({"multiSelect": true}), None)]
#[case::three_options(json!({"options": [{"label": "Go"}, {"label": "a"}, {"label": "b"}]}), None)]
#[case::another_intent(json!({"intent": {"kind": "approval", "approve": "Go"}}), None)]
#[case::none(json!({"intent": null}), None)]
fn a_plan_review_is_one_decision_where_every_answer_fits_into_one(
    #[case] change: Value,
    #[case] decision: Option<(usize, Option<usize>)>,
) {
    let mut question = json!({
        "id": "plan", "question": "Go on?", "detail": "1. Move",
        "options": [{"label": "Stop"}, {"label": "Go"}],
        "intent": {"kind": "plan-review", "approve": "Go"},
    });
    for (name, value) in change.as_object().unwrap() {
        question[name] = value.clone();
    }
    let alone = request::from_value(json!({"questions": [question]})).unwrap();
    let places = |request: &request::ValidRequest| {
        request.plan_review().map(|plan| (plan.approve, plan.decline))
    };
    assert_eq!(places(&alone), decision);

    let other = json!({"id": "other", "question": "And?"});
    let batch = request::from_value(json!({"questions": [question, other]})).unwrap();
    assert_eq!(places(&batch), None);
}

#[test]
fn a_typed_request_is_held_to_the_nesting_of_one_as_json() {
    let intent = |levels: usize| {
        let deep = (0..levels).fold(json!({}), |value, _| json!({"a": value}));
        json!({"questions": [{"id": "a", "question": "A?", "intent": {"kind": "k", "x": deep}}]})
    };
    let fault = ["questions[0].intent.x is nested too deeply (at most 32 levels)"];
    let allowed = request::from_value(intent(limits::NESTING - 1)).unwrap();
    assert!(allowed.into_inner().validate().is_ok());

    assert_eq!(told(&refused(intent(limits::NESTING))), fault);
    let typed: Request = serde_json::from_value(intent(limits::NESTING)).unwrap();
    assert_eq!(told(&typed.validate().unwrap_err()), fault);
}

#[test]
fn b108_a_time_below_the_least_one_is_raised_and_no_other() {
    let request = |seconds: Option<u64>| {
        let mut request = Request::new([Question::new("q", "?")]);
        request.expires_in_seconds = seconds;
        request.validate().unwrap()
    };
    let raised = |seconds, least| {
        let (request, asked) = request(seconds).expiring_no_sooner_than(least);
        (request.expires_in_seconds, asked)
    };

    assert_eq!(raised(Some(1), 600), (Some(600), Some(1)));
    assert_eq!(raised(Some(600), 600), (Some(600), None));
    assert_eq!(raised(Some(1), 0), (Some(1), None));
    assert_eq!(raised(None, 600), (None, None));
    assert_eq!(raised(Some(1), u64::MAX), (Some(31_536_000), Some(1)));
}
