//! A plan: one decision over one document, whose values are the asker's labels.

use std::time::Duration;

use askwell_core::messages::Lang;
use askwell_tui::DialogOptions;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scenario::Scenario;

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (140, 40), (30, 8)];

fn plan() -> Value {
    let steps: Vec<String> = (1..=60).map(|step| format!("{step}. Step number {step}")).collect();
    json!({"questions": [{
        "id": "plan", "header": "Plan", "question": "Go on with this plan?",
        "detail": format!("# Steps\n\n{}", steps.join("\n")),
        "options": [
            {"label": "Keep planning", "description": "Nothing is changed."},
            {"label": "Ship it (Recommended)"},
        ],
        "intent": {"kind": "plan-review", "approve": "Ship it (Recommended)"},
    }], "asker": {"name": "claude-code", "cwd": "~/src"}})
}

fn answer(selected: &[&str], custom: Option<&str>) -> Value {
    let mut answer = json!({"id": "plan", "selected": selected});
    if let Some(custom) = custom {
        answer["custom"] = json!(custom);
    }
    json!({"answers": [answer]})
}

#[rstest]
#[case::english(Lang::En, "en")]
#[case::chinese(Lang::Zh, "zh")]
fn a_plan_at_every_size(#[case] lang: Lang, #[case] name: &str) {
    for (columns, rows) in SIZES {
        let options = DialogOptions { lang, ..DialogOptions::default() };
        let mut it = Scenario::with(&plan().to_string(), columns, rows, options);
        it.wait(Duration::from_millis(400)).keys("<pgdn>");
        insta::assert_snapshot!(format!("plan_{name}_{columns}x{rows}"), it.screen());
    }
}

#[rstest]
#[case::approved("a<enter>", answer(&["Ship it (Recommended)"], None))]
#[case::declined("d<enter>", answer(&["Keep planning"], None))]
#[case::highlighted("<down><enter>", answer(&["Ship it (Recommended)"], None))]
#[case::by_number("2<enter>", answer(&["Ship it (Recommended)"], None))]
#[case::skipped_as_a_question("vs<enter>", answer(&[], None))]
fn a_decision_is_the_askers_label(#[case] keys: &str, #[case] sent: Value) {
    let mut it = Scenario::asking(&plan().to_string());
    it.assert_shows("Approve · Ship it").assert_shows("Decline · Keep planning");

    it.keys(keys);

    assert_eq!(it.answer(), sent);
}

#[test]
fn no_letter_sends_a_decision() {
    let mut it = Scenario::asking(&plan().to_string());

    it.keys("a").assert_pending().assert_shows("(•) 2 Approve").assert_shows("Enter approve, send");
    it.keys("d").assert_pending().assert_shows("(•) 1 Decline").assert_shows("Enter decline, send");
}

#[test]
fn a_reply_is_the_persons_own_words() {
    let mut it = Scenario::asking(&plan().to_string());
    it.assert_shows("c reply").assert_shows("Reply in your own words");

    it.keys("c").types("Not step 7, ").keys("<enter>");

    assert_eq!(it.answer(), answer(&[], Some("Not step 7,")));
}

#[test]
fn b004_a_text_beside_a_decision_is_asked_about() {
    let mut it = Scenario::asking(&plan().to_string());
    it.keys("c").types("but mind the index").keys("<esc>a<enter>");

    it.assert_pending().assert_shows("Send without the text");
    it.keys("w");

    assert_eq!(it.answer(), answer(&["Ship it (Recommended)"], None));
}

#[test]
fn a_plan_is_dismissed_with_a_comment_in_few_keys() {
    let mut it = Scenario::asking(&plan().to_string());

    it.assert_shows("x cancel");
    it.keys("x").assert_pending();
    it.keys("c").types("not today").keys("<enter>");

    assert_eq!(
        (&it.answer()["state"], &it.answer()["comment"]),
        (&json!("cancelled"), &json!("not today"))
    );
}

#[test]
fn the_document_is_read_to_its_end_and_back() {
    let mut it = Scenario::asking(&plan().to_string());
    it.assert_shows("lines 1–").assert_shows("1. Step number 1").assert_lacks("number 60");
    it.keys("<end>").assert_shows("–62 of 62").assert_shows("number 60").assert_shows("Approve");
    it.keys("<home>").assert_shows("lines 1–");
    it.keys("<s-down>").assert_shows("lines 2–");
    it.keys("<pgdn>").assert_lacks("number 1\n");
    it.keys("G").assert_shows("number 60");
    it.keys("g").assert_shows("lines 1–");
    let mut seen = it.screen();
    for _ in 0..8 {
        it.keys("J");
        seen.push_str(&it.screen());
    }
    for step in 1..=60 {
        assert!(seen.contains(&format!("{step}. Step number {step}")), "{step} was never seen");
    }
    it.assert_shows("Go on with this plan?").assert_shows("? help").assert_pending();
}

#[test]
fn a_plan_is_an_ordinary_question_where_one_likes_and_back_with_everything_entered() {
    let mut it = Scenario::asking(&plan().to_string());
    it.keys("c").types("half a thought").keys("<esc>").assert_shows("v as a question");

    it.keys("v")
        .assert_lacks("Approve")
        .assert_shows("1 Keep planning")
        .assert_shows("half a thought");
    it.assert_shows("2 Ship it  (recommended)");
    it.keys("v").assert_shows("Approve · Ship it");
    it.assert_shows("half a thought");
}

#[rstest]
#[case::multi(json!({"multiSelect": true}))]
#[case::many(json!({"options": [{"label": "a"}, {"label": "b"}, {"label": "Ship it (Recommended)"}]}))]
#[case::another_intent(json!({"intent": {"kind": "approval"}}))]
fn b017_what_does_not_fit_one_decision_is_an_ordinary_question(#[case] change: Value) {
    let mut request = plan();
    for (name, value) in change.as_object().unwrap() {
        request["questions"][0][name] = value.clone();
    }

    let mut it = Scenario::asking(&request.to_string());

    it.assert_lacks("Approve");
    it.keys("v").assert_lacks("Approve").assert_shows("Ship it");
}

#[test]
fn a_label_that_says_what_the_verb_says_stands_once_and_there_may_be_nothing_to_decline() {
    let request = json!({"questions": [{"id": "plan", "question": "Go on?", "detail": "All of it.",
        "options": [{"label": "approve"}], "allowCustom": false,
        "intent": {"kind": "plan-review", "approve": "approve"}}]});
    let mut it = Scenario::asking(&request.to_string());

    it.assert_shows("1 Approve\n").assert_lacks("Decline").assert_lacks("reply");
    it.keys("d").assert_pending().assert_shows("no other option");
    it.keys("<enter>");

    assert_eq!(it.answer()["answers"][0]["selected"], json!(["approve"]));
}

/// All that was ever seen of a document, and how often a page of it was empty.
fn pages_of(it: &mut Scenario, row: usize) -> Vec<String> {
    let mut seen = vec![it.row(row)];
    for _ in 0..200 {
        it.keys("<pgdn>");
        if seen.last() == Some(&it.row(row)) {
            break;
        }
        seen.push(it.row(row));
    }
    seen
}

#[rstest]
#[case::english(Lang::En)]
#[case::chinese(Lang::Zh)]
fn a_plan_of_which_one_row_is_seen_says_so_and_none_of_its_pages_is_empty(#[case] lang: Lang) {
    let steps: Vec<String> = (1..=60).map(|step| format!("Step {step}")).collect();
    let request = json!({"questions": [{
        "id": "plan", "question": "Go on?", "detail": steps.join("\n\n"),
        "options": [{"label": "approve"}, {"label": "decline"}],
        "intent": {"kind": "plan-review", "approve": "approve"},
    }]});
    let options = DialogOptions { lang, ..DialogOptions::default() };
    let mut it = Scenario::with(&request.to_string(), 30, 8, options);
    it.wait(Duration::from_millis(400)).assert_shows("1/60 PgDn").assert_lacks("Step 2");

    let row = it.row_of("1/60 PgDn");
    let seen = pages_of(&mut it, row);

    assert_eq!(seen.len(), 60, "{seen:?}");
    for (at, row) in seen.iter().enumerate() {
        let step = at + 1;
        assert!(row.contains(&format!("Step {step} ")), "{row}");
        assert!(row.ends_with(&format!(" {step}/60 PgDn")), "{row}");
    }
}

#[test]
fn long_lines_are_read_whole_beside_the_mark() {
    let words: Vec<String> = (100..160).map(|word| format!("w{word}")).collect();
    let request = json!({"questions": [{"id": "q", "question": "Go on?", "detail": words.join(" "),
        "options": [{"label": "a"}, {"label": "b"}]}]});
    let mut it = Scenario::at(&request.to_string(), 30, 8);
    let row = it.row_of(" PgDn");

    let seen = pages_of(&mut it, row).join("\n");

    for word in words {
        assert!(seen.contains(&word), "{word}:\n{seen}");
    }
    assert!(!seen.contains('…'), "{seen}");
}

#[test]
fn a_plan_that_has_no_row_says_which_key_shows_it() {
    let mut it = Scenario::at(&plan().to_string(), 30, 8);
    it.assert_lacks("Step").assert_shows("more to read: o");
    it.keys("o").assert_shows("lines 1");
}
