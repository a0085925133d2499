//! Lines on a plan, and the person's own editor by lines.

use std::time::Duration;

use askwell_core::limits;
use askwell_tui::{DialogOptions, EditorFault, EditorFaultKind, Effect, Event, TextEditor};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scenario::{R1, R2};
use crate::talk::Talk;

const PLAN: &str = r#"{"questions":[{"id":"plan","question":"Go on with this plan?",
    "detail":"1. Move the data\n2. Switch over","options":[{"label":"Ship it"},{"label":"Keep planning"}],
    "intent":{"kind":"plan-review","approve":"Ship it"}}]}"#;

#[rstest]
#[case::approved("approve", json!({"id": "plan", "selected": ["Ship it"]}))]
#[case::declined("Decline", json!({"id": "plan", "selected": ["Keep planning"]}))]
#[case::by_number("2", json!({"id": "plan", "selected": ["Keep planning"]}))]
#[case::replied("reply first back it up", json!({"id": "plan", "selected": [], "custom": "first back it up"}))]
#[case::replied_in_lines("reply\nfirst back it up\nthen go\n.", json!({"id": "plan", "selected": [], "custom": "first back it up\nthen go"}))]
#[case::by_t("t approve", json!({"id": "plan", "selected": [], "custom": "approve"}))]
fn a_plan_is_decided_on_by_its_verbs(#[case] lines: &str, #[case] answer: Value) {
    let mut talk = Talk::about(PLAN);
    talk.assert_said("1. Approve: Ship it").assert_said("2. Decline: Keep planning");
    talk.assert_said("approve, decline, reply and a text, s skips, ? helps:");

    talk.types(lines).assert_said("Enter sends").assert_pending();

    talk.types("");
    assert_eq!(talk.answer(), json!({ "answers": [answer] }));
}

#[test]
fn a_decision_is_said_back_by_its_verb_whatever_its_option_is_called() {
    let plan = PLAN.replace("Keep planning", "approve");
    let mut talk = Talk::about(&plan);

    talk.types("decline").assert_said("You decline: 2 approve");
    talk.types("approve").assert_said("You approve: 1 Ship it");
}

#[test]
fn a_verb_with_more_behind_it_and_one_that_is_not_offered_decide_nothing() {
    let mut talk = Talk::about(PLAN);
    talk.types("approve it later").assert_said("Not understood").assert_said("type t and then");
    talk.types("cancel").assert_said("Cancel");
    talk.types("g").assert_pending();

    let mut alone: Value = serde_json::from_str(PLAN).unwrap();
    alone["questions"][0]["options"].as_array_mut().unwrap().pop();
    alone["questions"][0]["allowCustom"] = json!(false);
    let mut talk = Talk::about(&alone.to_string());
    talk.assert_said("\napprove, s skips, ? helps:");
    talk.types("decline").assert_said("There is no other option here");
    talk.types("reply no").assert_said("This question takes only its own options.");
    talk.assert_pending();
    // Where it is no plan, they are words like any other.
    let mut talk = Talk::about(R1);
    talk.types("approve").assert_said("Not understood");
}

#[test]
fn e_opens_the_editor_on_the_text_and_what_it_wrote_answers() {
    let editor = TextEditor { command: "vi".into(), folder: "/tmp".into() };
    let options = DialogOptions { editor: Some(editor), ..DialogOptions::default() };
    let mut talk = Talk::with(R2, 80, options);

    talk.types("1\nt begun\ne");
    let opened = Effect::OpenEditor {
        text: "begun".to_owned(),
        limit: limits::CUSTOM,
        name: "text-1".to_owned(),
    };
    assert_eq!(talk.effects.last(), Some(&opened));
    assert_eq!(talk.said, "", "nothing is written while the editor has the terminal");
    assert!(!talk.plain.takes_lines());
    talk.waits(Duration::from_secs(2));
    assert_eq!(talk.said, "");

    talk.event(Event::EditorClosed(Ok("begun\nand ended".to_owned())));
    talk.assert_said("Your text: begun\n  and ended\nEnter sends");
    talk.types("u").assert_said("Your text: begun\n");
    talk.types("e");
    let kind = EditorFaultKind::Failed("exit status 1".to_owned());
    talk.event(Event::EditorClosed(Err(EditorFault { kind, kept: None })));
    talk.assert_said("The editor failed (exit status 1); your text is as it was.");
    talk.types("");
    let answer = json!({"id": "feat", "selected": ["Auth"], "custom": "begun"});
    assert_eq!(talk.answer(), json!({ "answers": [answer] }));
}

#[test]
fn without_an_editor_or_a_text_e_says_so() {
    let mut talk = Talk::about(R2);
    talk.types("e").assert_said("No editor is set").assert_pending();

    let closed = r#"{"questions":[{"id":"q","question":"?","options":["A"],"allowCustom":false}]}"#;
    let mut talk = Talk::about(closed);
    talk.types("e").assert_said("This question takes only its own options.");
}
