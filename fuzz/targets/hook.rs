//! What Claude Code writes to a hook, and its transcript. Whatever it is, the input that goes back is the
//! one that came, and a question that was skipped has no answer.

#![no_main]

use askwell_agents::claude_code::{Call, last_words};
use askwell_core::messages::{Lang, Messages};
use askwell_core::{Outcome, ValidRequest, answer};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Every other question is skipped, the others get their first label or a word.
fn answered(request: &ValidRequest) -> Outcome {
    let answers = request.questions.iter().enumerate().map(|(index, question)| {
        match (index % 2, question.options.first()) {
            (1, _) => json!({"id": question.id, "selected": []}),
            (_, Some(option)) => json!({"id": question.id, "selected": [option.label]}),
            (_, None) => json!({"id": question.id, "selected": [], "custom": "7, \"or\" 8"}),
        }
    });
    let answers = json!({"answers": answers.collect::<Vec<_>>()});
    Outcome::Answered(answer::validate_json(request, &answers).unwrap())
}

fuzz_target!(|bytes: &[u8]| {
    let context = last_words(bytes);
    match Call::read(bytes) {
        Ok(Call::Questions(questions)) => {
            let Ok(request) = questions.request(context) else { return };
            let reply = questions.reply(&request, &answered(&request), None);
            let sent: Value = serde_json::from_slice(bytes).unwrap();
            let back = &reply["hookSpecificOutput"]["updatedInput"];
            assert_eq!(back["questions"], sent["tool_input"]["questions"]);
            let answers = back["answers"].as_object().unwrap();
            assert_eq!(answers.len(), request.questions.len().div_ceil(2));
        }
        Ok(Call::Form(form)) => {
            let messages = Messages::new(Lang::En);
            let Ok(request) = form.request(&messages, context, None) else { return };
            if let Err(again) = form.reply(&messages, &answered(&request)) {
                let _ = form.request(&messages, None, Some(&again));
            }
        }
        Err(left) => assert!(!left.to_string().is_empty()),
    }
});
