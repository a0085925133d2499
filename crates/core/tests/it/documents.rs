//! What an asker gets: an answer and nothing else, or a state with words that say what to do.

use askwell_core::{AskError, Outcome, Question, Request, lenient, project};
use pretty_assertions::assert_eq;
use serde_json::json;

#[test]
fn b009_no_outcome_but_an_answer_looks_like_one() {
    let outcomes = [
        Outcome::Cancelled { comment: None },
        Outcome::Cancelled { comment: Some("explain DuckDB first".to_owned()) },
        Outcome::Aborted { reason: "the release was called off.".to_owned() },
        Outcome::Expired,
    ];
    let documents = outcomes.map(|outcome| project::document(&outcome, Some(600)));
    assert_eq!(
        documents,
        [
            json!({
                "state": "cancelled",
                "message": "The person set the questions aside and gave no reason. Stop this line \
                            of work, or ask in chat how to go on.",
            }),
            json!({
                "state": "cancelled",
                "comment": "explain DuckDB first",
                "message": "The person set the questions aside and wrote: «explain DuckDB first». \
                            Respond to that first. No option was chosen. Don't repeat the same \
                            questions unchanged.",
            }),
            json!({
                "state": "aborted",
                "reason": "the release was called off.",
                "message": "Withdrawn before an answer: the release was called off. No decision.",
            }),
            json!({
                "state": "expired",
                "message": "Nobody answered within 10 min. No decision was made. Do only what is \
                            safe and reversible, name your assumption, or stop. Don't ask again now.",
            }),
        ]
    );
}

#[test]
fn b023_an_expired_result_asks_for_no_retry() {
    let result = Err(AskError::Expired { seconds: Some(2) });
    let text = project::tool_result(&result).to_string();
    assert!(text.contains("Don't ask again now") && !text.contains("try again"), "{text}");
}

#[test]
fn errors_tell_a_model_what_to_do() {
    let nobody = Err(AskError::NoProvider { reason: "no terminal is attached".to_owned() });
    assert_eq!(
        project::tool_result(&nobody),
        json!({
            "error": "NO_PROVIDER",
            "message": "Nobody saw this: no inbox and no terminal. Write the questions in your \
                        reply and end your turn.",
        })
    );
    let bad = lenient::request_from_json(r#"{"questions":[{"question":" "}]}"#).unwrap_err();
    let told = project::tool_result(&Err(AskError::BadRequest(bad)));
    assert_eq!(told["error"], "BAD_QUESTION");
    let message = told["message"].as_str().unwrap();
    let begin =
        "Not shown to anyone. 1 fault: questions[0].question is blank (1–16384 bytes). Expected {";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn many_faults_do_not_push_the_expected_shape_out_of_sight() {
    let questions = (0..50).map(|number| Question::new(format!("q{number}"), " "));
    let bad = Request::new(questions).validate().unwrap_err();
    let told = project::tool_result(&Err(AskError::BadRequest(bad)));
    let message = told["message"].as_str().unwrap();
    assert!(message.contains("50 faults") && message.contains("and 30 more"), "{message}");
}
