//! An answer to a request: a document of the form of `tests/vectors/answers.json`. What was accepted
//! is canonical: validating it again, or what the asker gets of it, changes nothing.

#![no_main]

use askwell_core::answer::{validate, validate_json};
use askwell_core::{Outcome, project, request};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|text: &str| {
    let Ok(case) = serde_json::from_str::<Value>(text) else { return };
    let questions = case.get("questions").cloned().unwrap_or_default();
    let Ok(request) = request::from_value(json!({ "questions": questions })) else { return };
    match validate_json(&request, case.get("answer").unwrap_or(&Value::Null)) {
        Ok(answers) => {
            let again = validate(&request, answers.as_slice().to_vec());
            assert_eq!(again.as_ref(), Ok(&answers));
            let document = project::document(&Outcome::Answered(answers.clone()), None);
            assert_eq!(validate_json(&request, &document), Ok(answers.clone()));
            for (answer, question) in answers.as_slice().iter().zip(&request.questions) {
                assert_eq!(answer.id, question.id);
                let text = answer.custom.as_deref();
                assert!(text.is_none_or(|text| !text.trim().is_empty() && !text.contains('\r')));
            }
        }
        Err(bad) => assert!(!bad.issues.is_empty()),
    }
});
