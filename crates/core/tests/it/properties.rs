//! What holds whatever a person does, in whatever order.

use askwell_core::answer::{canonical_custom, validate, validate_json};
use askwell_core::{Answer, Question, Request, RequestDraft, ValidRequest, project};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Operation {
    Choose(usize),
    Write(String),
    Toggle,
    Skip(bool),
    All(bool),
    SendKept,
    Undo,
}

fn operation() -> impl Strategy<Value = (usize, Operation)> {
    let text = prop_oneof![
        3 => "[a-c ]{0,4}",
        1 => Just(" \n\t".to_owned()),
        1 => "\\PC{0,6}(\r\n|\r|\n)?\\PC{0,3}",
    ];
    let operation = prop_oneof![
        4 => (0..4usize).prop_map(Operation::Choose),
        4 => text.prop_map(Operation::Write),
        2 => Just(Operation::Toggle),
        2 => any::<bool>().prop_map(Operation::Skip),
        1 => any::<bool>().prop_map(Operation::All),
        1 => Just(Operation::SendKept),
        1 => Just(Operation::Undo),
    ];
    (0..4usize, operation)
}

fn request() -> ValidRequest {
    let mut closed = Question::new("closed", "Closed?").option("A").option("B");
    closed.allow_custom = false;
    let questions = [
        Question::new("multi", "Multi?").option("A").option("B").option("C").multi_select(),
        Question::new("single", "Single?").option("A").option("B").option("C"),
        Question::new("free", "Free?"),
        closed,
    ];
    Request::new(questions).validate().unwrap()
}

proptest! {
    #[test]
    fn no_order_of_operations_loses_text_or_makes_an_invalid_answer(
        operations in prop::collection::vec(operation(), 0..60),
    ) {
        let request = request();
        let mut draft = RequestDraft::new(&request);
        let mut written = vec![String::new(); request.questions.len()];
        let mut earlier = draft.clone();
        for (index, operation) in operations {
            let question = &request.questions[index];
            let before = draft.clone();
            let one = draft.get_mut(index);
            match operation {
                Operation::Choose(option) => one.choose(question, option),
                Operation::Write(text) => {
                    one.write(question, &text);
                    if question.allow_custom {
                        written[index] = text;
                    }
                }
                Operation::Toggle => one.toggle_custom(question),
                Operation::Skip(skipped) => one.set_skipped(skipped),
                Operation::All(chosen) => one.choose_all(question, 0..question.options.len(), chosen),
                Operation::SendKept => one.send_kept(),
                Operation::Undo => one.restore_choices(question, earlier.get(index).choices().clone()),
            }
            earlier = before;
            for (index, text) in written.iter().enumerate() {
                prop_assert_eq!(draft.get(index).custom(), text, "text is never dropped");
                let blank = text.trim().is_empty();
                let sent = draft.get(index).answer(&request.questions[index]).custom;
                let kept = draft.get(index).kept_text();
                prop_assert_eq!(blank, sent.is_none() && kept.is_none(), "sent or kept, not lost");
            }
            let states = draft.states(&request);
            prop_assert_eq!(&RequestDraft::from_states(&request, &states), &draft);
            match draft.submit(&request) {
                Ok(answers) => {
                    prop_assert!(draft.unfinished(&request).is_empty());
                    let projected = project::tool_result(&Ok(answers.clone()));
                    prop_assert_eq!(validate_json(&request, &projected), Ok(answers));
                }
                Err(bad) => {
                    let unfinished = draft.unfinished(&request);
                    prop_assert_eq!(bad.issues.len(), unfinished.len(), "{}", bad);
                }
            }
        }
    }

    #[test]
    fn every_accepted_answer_is_a_fixed_point(
        chosen in prop::collection::vec(prop::sample::subsequence(vec!["A", "B", "C"], 0..=3), 4),
        customs in prop::collection::vec(prop::option::of("[ \n\ra-b\u{3000}]{0,5}"), 4),
        shuffled in Just(vec![0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let request = request();
        let answers = shuffled
            .into_iter()
            .map(|index| Answer {
                id: request.questions[index].id.clone(),
                selected: chosen[index].iter().rev().map(|label| (*label).to_owned()).collect(),
                custom: customs[index].clone(),
            })
            .collect();
        if let Ok(accepted) = validate(&request, answers) {
            prop_assert_eq!(validate(&request, accepted.as_slice().to_vec()), Ok(accepted));
        }
    }

    #[test]
    fn a_canonical_text_stays_as_it_is(text in "\\PC{0,10}[\r\n\t ]{0,3}\\PC{0,10}") {
        let canonical = canonical_custom(&text);
        prop_assert_eq!(canonical_custom(&canonical), canonical);
    }
}
