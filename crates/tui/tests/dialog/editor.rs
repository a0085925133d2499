//! A text in the person's own editor: what the dialog wants done, and what it does with what comes
//! back.

use std::time::Duration;

use askwell_core::Outcome;
use askwell_tui::{DialogOptions, EditorFault, EditorFaultKind, Effect, Event, TextEditor};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::scenario::{R1, R2, Scenario};

fn asking(request: &str, deadline: Option<Duration>) -> Scenario {
    let editor = TextEditor { command: "ed".into(), folder: "/nowhere".into() };
    let options = DialogOptions { editor: Some(editor), deadline, ..DialogOptions::default() };
    let mut scenario = Scenario::with(request, 80, 24, options);
    scenario.wait(Duration::from_millis(400));
    scenario
}

fn opened(it: &Scenario) -> Option<&Effect> {
    it.effects.iter().find(|effect| matches!(effect, Effect::OpenEditor { .. }))
}

#[test]
fn the_text_goes_out_and_comes_back_beside_the_ticks() {
    let mut it = asking(R2, None);
    it.keys("1c").types("draft").keys("<c-g>");
    let text = "draft".to_owned();
    assert_eq!(
        opened(&it),
        Some(&Effect::OpenEditor { text, limit: 262_144, name: "text-1".into() })
    );
    it.keys("<c-c><enter>x");
    it.assert_pending();
    it.event(Event::EditorClosed(Ok("draft\nof two".to_owned())));
    it.wait(Duration::from_millis(400)).keys("<enter>");
    let sent = json!([{"id": "feat", "selected": ["Auth"], "custom": "draft\nof two"}]);
    assert_eq!(it.answer()["answers"], sent);
}

#[test]
fn a_fault_is_told_with_the_file_and_changes_nothing() {
    let mut it = asking(R1, None);
    it.keys("c").types("mine").keys("<c-g>");
    let kind = EditorFaultKind::Failed("exit status 1".to_owned());
    let kept = Some("/state/edit-1.txt".into());
    it.event(Event::EditorClosed(Err(EditorFault { kind, kept })));
    it.wait(Duration::from_millis(400));
    it.assert_shows("! The editor failed (exit status 1); your text is as it was. Its file stay");
    it.keys("<enter>");
    assert_eq!(it.answer()["answers"][0]["custom"], "mine");
}

#[test]
fn keys_typed_into_its_last_moments_answer_nothing() {
    let mut it = asking(R1, None);
    it.keys("<c-g>");
    it.event(Event::EditorClosed(Ok("text".to_owned())));
    it.draw();
    it.reads(b"\r");
    it.assert_pending().assert_shows("Keys count in a moment");
}

#[test]
fn an_expiry_waits_and_a_signal_does_not() {
    let mut it = asking(R1, Some(Duration::from_secs(2)));
    it.keys("<c-g>").wait(Duration::from_secs(5));
    it.assert_pending();
    it.event(Event::EditorClosed(Ok("late".to_owned())));
    assert_eq!(it.outcome(), Some(&Outcome::Expired));
    assert_eq!(it.dialog.entered().states[0].custom, "late");
    let saved = it.effects.iter().rev().find_map(|effect| match effect {
        Effect::SaveDraft(entered) => Some(entered.states[0].custom.clone()),
        _ => None,
    });
    assert_eq!(saved.as_deref(), Some("late"));

    let mut it = asking(R1, None);
    it.keys("<c-g>");
    let aborted = |name: &str| Event::Aborted { reason: name.to_owned() };
    it.event(aborted("one"));
    it.event(aborted("two"));
    let closing = it.effects.iter().filter(|effect| **effect == Effect::CloseEditor).count();
    assert_eq!(closing, 1);
    it.assert_pending();
    it.event(Event::EditorClosed(Ok(String::new())));
    assert_eq!(it.outcome(), Some(&Outcome::Aborted { reason: "one".to_owned() }));
}

#[test]
fn a_comment_is_written_there_too_and_a_question_without_text_has_none() {
    let mut it = asking(R1, None);
    it.keys("<esc>c<c-g>");
    it.event(Event::EditorClosed(Ok("why not".to_owned())));
    it.wait(Duration::from_millis(400)).keys("<enter>");
    let comment = Some("why not".to_owned());
    assert_eq!(it.outcome(), Some(&Outcome::Cancelled { comment }));

    let closed = R1.replace(r#""question":"Which"#, r#""allowCustom":false,"question":"Which"#);
    let mut it = asking(&closed, None);
    it.keys("<c-g>").assert_shows("takes only its own options");
    assert_eq!(opened(&it), None);
}

#[test]
fn its_key_is_told_where_a_text_is_written_and_only_if_there_is_an_editor() {
    let mut it = asking(R1, None);
    it.assert_lacks("Ctrl-G");
    it.keys("c").assert_shows("Ctrl-G editor");
    it.keys("<esc>").wait(Duration::from_millis(400)).keys("xc").assert_shows("Ctrl-G editor");

    let mut it = Scenario::asking(R1);
    it.keys("c").assert_lacks("Ctrl-G");
}
