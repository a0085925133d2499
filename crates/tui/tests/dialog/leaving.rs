//! Esc, cancelling, expiry, and what happens elsewhere.

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::{Outcome, RequestDraft};
use askwell_tui::{DialogOptions, Effect, Event};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::scenario::{R1, R2, R3, Scenario};

#[test]
fn b007_b024_a_comment_goes_with_the_whole_request_in_two_keys() {
    let mut it = Scenario::asking(R3);
    it.keys("<esc>c").types("explain DuckDB first").keys("<enter>");
    let answer = it.answer();
    assert_eq!(answer["state"], "cancelled");
    assert_eq!(answer["comment"], "explain DuckDB first");
    assert_eq!(answer.get("answers"), None);
}

#[test]
fn b008_an_abort_is_not_a_cancel_and_may_come_before_the_first_frame() {
    let mut it = Scenario::with(R1, 80, 24, DialogOptions::default());
    it.event(Event::Aborted { reason: "the release was called off".to_owned() });
    let message = "Withdrawn before an answer: the release was called off. No decision.";
    assert_eq!(
        it.answer(),
        json!({"state": "aborted", "reason": "the release was called off", "message": message})
    );
}

#[test]
fn b020_b021_the_deadline_is_absolute_and_the_draft_survives_it() {
    let options =
        DialogOptions { deadline: Some(Duration::from_secs(10)), ..DialogOptions::default() };
    let mut it = Scenario::with(R1, 80, 24, options);
    it.assert_shows("0:10 left");
    it.wait(Duration::from_secs(1)).keys("c");
    for _ in 0..3 {
        it.types("x").wait(Duration::from_secs(3));
    }
    assert_eq!(it.outcome(), Some(&Outcome::Expired));
    assert_eq!(it.dialog.draft().get(0).custom(), "xxx");
    assert_eq!(it.answer().get("answers"), None);
}

#[test]
fn b029_a_held_esc_leaves_the_field_and_no_more() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("draft");
    for _ in 0..11 {
        it.wait(Duration::from_millis(30)).reads(b"\x1b");
    }
    it.assert_pending().assert_shows("draft").assert_lacks("Leave these questions?");
    it.keys("<esc>").assert_shows("Leave these questions?");
    it.keys("<enter>").assert_pending().assert_lacks("Leave these questions?");
    assert_eq!(it.dialog.draft().get(0).custom(), "draft");
}

#[test]
fn b029_esc_bytes_of_one_read_are_one_step() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("draft").reads(&[0x1b; 11]);
    it.assert_pending().assert_shows("draft").assert_lacks("Leave these questions?");
}

#[test]
fn esc_never_destroys_and_cancelling_is_a_choice() {
    let mut it = Scenario::asking(R2);
    it.keys("<space><esc>").assert_shows("kept as a draft").assert_pending();
    it.keys("<esc>").assert_shows("[x] 1 Auth");
    it.keys("<esc>x");
    assert_eq!(it.outcome(), Some(&Outcome::Cancelled { comment: None }));
}

#[test]
fn a_blank_comment_does_not_cancel() {
    let mut it = Scenario::asking(R2);
    it.keys("<esc>c<enter>").assert_pending().assert_shows("Write a comment");
    it.keys("<esc><esc>").assert_pending().assert_shows("Which features?");
}

#[test]
fn a_begun_comment_is_kept_when_the_person_goes_on_answering_and_when_ctrl_c_ends_it() {
    let mut it = Scenario::asking(R2);
    it.keys("<esc>c").types("because I am").keys("<esc><esc>").assert_shows("Which features?");
    it.keys("<esc>c").assert_shows("because I am");
    it.types(" busy");
    it.keys("<c-c>");
    assert_eq!(it.outcome(), Some(&Outcome::Cancelled { comment: None }), "it was not sent");
    assert_eq!(it.dialog.entered().comment, "because I am busy");
    assert!(
        matches!(&it.effects[..], [.., Effect::SaveDraft(entered), Effect::End(_)] if entered.comment == "because I am busy")
    );
}

#[test]
fn a_dialog_that_is_over_wants_no_ticks() {
    let deadline = Some(Duration::from_secs(5));
    let mut it = Scenario::with(R1, 80, 24, DialogOptions { deadline, ..DialogOptions::default() });
    it.wait(Duration::from_secs(1));
    it.event(Event::Resolved(Outcome::Cancelled { comment: None }));
    it.draw();
    it.wait(Duration::from_secs(20));
    assert_eq!(it.dialog.next_tick(), None);
}

#[test]
fn nothing_says_that_a_draft_is_kept_where_none_is() {
    let options = DialogOptions { forgets: true, ..DialogOptions::default() };
    let mut it = Scenario::with(R2, 80, 24, options);
    it.wait(Duration::from_secs(1)).keys("1").wait(Duration::from_secs(1));
    it.assert_shows("1 selected").assert_lacks("draft saved");
    it.keys("<esc>").assert_lacks("kept as a draft");
}

#[test]
fn b031_ctrl_c_cancels_even_while_keys_do_not_count() {
    let mut it = Scenario::with(R1, 80, 24, DialogOptions::default());
    it.reads(b"\x03");
    assert_eq!(it.outcome(), Some(&Outcome::Cancelled { comment: None }));
}

#[test]
fn b071_b118_a_request_that_ended_elsewhere_says_so_and_keeps_the_text() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("my words");
    it.event(Event::Resolved(Outcome::Expired));
    it.draw();
    it.assert_shows("Expired: nobody answered in time");
    it.reads(b"\r").assert_pending();
    it.wait(Duration::from_millis(400)).keys("<enter>");
    assert_eq!(it.outcome(), Some(&Outcome::Expired));
    assert_eq!(it.dialog.draft().get(0).custom(), "my words");
}

fn drafted() -> Vec<DraftState> {
    let request = askwell_core::lenient::request_from_json(R3).unwrap();
    let mut draft = RequestDraft::new(&request);
    draft.get_mut(0).choose(&request.questions[0], 1);
    draft.get_mut(2).write(&request.questions[2], "askwell");
    draft.states(&request)
}

#[test]
fn an_earlier_draft_is_offered_and_never_applied_silently() {
    let mut it = Scenario::offering(R3, drafted());
    it.assert_shows("10 min ago");
    it.keys("<enter><esc>").assert_shows("Restore what you entered?");
    assert!(it.dialog.draft().is_untouched());
    it.keys("r").assert_shows("Which features?").assert_shows("Draft restored");
    it.keys("<space><enter><enter>");
    let sent = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth"]},
        {"id": "name", "selected": [], "custom": "askwell"},
    ]});
    assert_eq!(it.answer(), sent);

    let mut it = Scenario::offering(R3, drafted());
    it.keys("n").assert_shows("Started empty");
    assert!(it.dialog.draft().is_untouched());
}

#[test]
fn a_draft_from_elsewhere_shows_unless_the_person_is_at_work_on_it() {
    let state = DraftState {
        id: "db".to_owned(),
        custom: "theirs".to_owned(),
        custom_on: true,
        ..DraftState::default()
    };
    let base = || DraftState { id: "db".to_owned(), ..DraftState::default() };
    let mut it = Scenario::asking(R1);
    it.event(Event::DraftElsewhere { base: base(), state: state.clone() });
    it.draw();
    it.assert_shows("theirs");

    let mut it = Scenario::asking(R1);
    it.keys("c").types("mine").wait(Duration::from_secs(1));
    it.event(Event::DraftElsewhere { base: base(), state });
    it.draw();
    it.assert_shows("mine").assert_lacks("▸ theirs").assert_shows("Changed elsewhere");
}

fn on_db(chosen: &[&str], custom: &str) -> DraftState {
    DraftState {
        id: "db".to_owned(),
        chosen: chosen.iter().map(|label| (*label).to_owned()).collect(),
        custom: custom.to_owned(),
        custom_on: !custom.is_empty(),
        ..DraftState::default()
    }
}

#[test]
fn b117_after_a_conflict_this_screen_keeps_and_sends_its_own_text_until_theirs_is_taken() {
    let conflict = || {
        let mut it = Scenario::asking(R1);
        it.keys("c").types("mine").wait(Duration::from_secs(1));
        // Saved, and then the other screen's took its place on the host.
        it.event(Event::DraftElsewhere { base: on_db(&[], "mine"), state: on_db(&[], "other") });
        it.draw();
        it.assert_shows("mine").assert_shows("Ctrl-T takes theirs");
        it
    };
    let mut it = conflict();
    it.keys("<esc>");
    it.event(Event::DraftElsewhere { base: on_db(&[], "other"), state: on_db(&[], "other too") });
    it.draw();
    it.assert_shows("mine").assert_lacks("other too");
    it.keys("c<enter>");
    let sent = |text| json!({"answers": [{"id": "db", "selected": [], "custom": text}]});
    assert_eq!(it.answer(), sent("mine"));

    let mut it = conflict();
    it.keys("<c-t>").assert_shows("other").assert_lacks("mine");
    it.keys("<c-t>").assert_shows("mine");
    it.keys("<c-t><enter>");
    assert_eq!(it.answer(), sent("other"));
}

#[test]
fn b117_what_another_screen_has_added_to_a_text_from_here_is_shown_outside_the_field() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("begun").wait(Duration::from_secs(1)).keys("<esc>");

    let state = on_db(&[], "begun and finished");
    it.event(Event::DraftElsewhere { base: on_db(&[], "begun"), state });
    it.draw();

    it.assert_shows("begun and finished").assert_lacks("Ctrl-T");
}

#[test]
fn b117_ticks_of_two_screens_are_merged() {
    let tick = |labels: &[&str]| DraftState { id: "feat".to_owned(), ..on_db(labels, "") };
    let mut it = Scenario::asking(R2);
    it.keys("<space>");

    it.event(Event::DraftElsewhere { base: tick(&[]), state: tick(&["Export"]) });
    it.draw();

    it.assert_shows("[x] 1 Auth").assert_shows("[x] 3 Export").assert_lacks("Ctrl-T");
    it.keys("<enter>");
    let sent = json!({"answers": [{"id": "feat", "selected": ["Auth", "Export"]}]});
    assert_eq!(it.answer(), sent);
}

#[test]
fn a_save_that_failed_is_tried_again_until_it_succeeds() {
    let mut it = Scenario::asking(R1);
    it.saves = Err("no host".to_owned());
    it.keys("c").types("kept").wait(Duration::from_secs(5));
    it.assert_shows("not saved yet: no host");
    let saves = |it: &Scenario| {
        it.effects.iter().filter(|effect| matches!(effect, Effect::SaveDraft(_))).count()
    };
    let failed = saves(&it);
    assert!((4..=12).contains(&failed), "{failed}");

    it.saves = Ok(());
    it.wait(Duration::from_secs(1));
    it.assert_shows("draft saved");
    let saved = saves(&it);
    it.wait(Duration::from_secs(5));
    assert_eq!((saves(&it), saved), (failed + 1, failed + 1));
}

#[test]
fn a_dialog_whose_request_ended_elsewhere_can_still_be_left_in_every_way() {
    let ctrl_c = |it: &mut Scenario| {
        it.reads(b"\x03");
    };
    let signal = |it: &mut Scenario| it.event(Event::Aborted { reason: "SIGTERM".to_owned() });
    for leave in [&ctrl_c as &dyn Fn(&mut Scenario), &signal] {
        for keys in ["", "?", "<esc>", "z", "c"] {
            let mut it = Scenario::asking(R1);
            it.keys(keys);
            it.event(Event::Resolved(Outcome::Expired));
            it.draw();
            leave(&mut it);
            assert_eq!(it.outcome(), Some(&Outcome::Expired), "{keys}");
        }
    }
}

#[test]
fn of_a_request_of_a_host_the_host_says_when_its_time_is_over() {
    let deadline = Some(Duration::from_secs(5));
    let options = DialogOptions { deadline, stays_pending: true, ..DialogOptions::default() };
    let mut it = Scenario::with(R1, 80, 24, options);

    it.wait(Duration::from_secs(60));

    it.assert_pending().assert_shows("0:00");
    it.keys("2").assert_shows("(•) 2");
}

#[test]
fn a_folded_dialog_keeps_everything_and_takes_no_other_key() {
    let mut it = Scenario::asking(R2);
    it.keys("<space>z").assert_lacks("Which features?").assert_shows("z unfold");
    it.keys("2s<c-a>").keys("z").assert_shows("[x] 1 Auth").assert_shows("[ ] 2 Search");
    it.assert_pending();
}

#[test]
fn in_a_request_that_stays_pending_ctrl_c_leaves_and_the_draft_goes_on() {
    let drafted = DraftState {
        id: "db".to_owned(),
        custom: "begun elsewhere".to_owned(),
        custom_on: true,
        ..DraftState::default()
    };
    let draft = vec![drafted];
    let options = DialogOptions { draft, stays_pending: true, ..DialogOptions::default() };
    let mut it = Scenario::with(R1, 80, 24, options);
    it.wait(Duration::from_millis(400));
    it.assert_shows("begun elsewhere").assert_lacks("Restore");

    it.keys("?<end>").assert_shows("the questions stay");
    it.keys("<c-c>");

    let left = Outcome::Aborted { reason: "Ctrl-C".to_owned() };
    assert_eq!(it.effects, [Effect::End(left)]);
}

#[test]
fn a_deadline_that_is_put_off_ends_nothing() {
    let deadline = Some(Duration::from_secs(10));
    let options = DialogOptions { deadline, ..DialogOptions::default() };
    let mut it = Scenario::with(R1, 80, 24, options);
    it.wait(Duration::from_secs(8));
    it.event(Event::Deadline(Some(Duration::from_secs(600))));
    it.wait(Duration::from_secs(8));
    it.assert_pending().assert_shows("9:52 left");

    it.event(Event::Deadline(None));
    it.wait(Duration::from_secs(1_000));
    it.assert_pending().assert_lacks("left");
}

#[test]
fn a_draft_is_said_to_be_saved_where_something_is_entered() {
    let mut it = Scenario::asking(R3);
    it.keys("1").wait(Duration::from_secs(1)).assert_shows("1 selected · draft saved");

    it.keys("<tab>").assert_shows("nothing entered yet").assert_lacks("draft saved");

    it.keys("<s-tab>").assert_shows("draft saved");
    it.keys("<tab><tab>").assert_shows("Esc, then s skip");
}
