//! From the list into a dialog, on to the next, and back.

use std::time::Duration;

use askwell_core::{Outcome, State, answer, lenient};
use askwell_tui::inbox::Closing;
use askwell_tui::{Effect, Event, InboxEffect, InboxEvent, InboxOptions};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::scenario::{InboxScenario, asked, id};
use crate::scenario::{R1, R2, R3};

/// The outcomes with which dialogs were closed.
fn outcomes(it: &InboxScenario) -> Vec<Outcome> {
    let closed = it.effects.iter().filter_map(|effect| match effect {
        InboxEffect::Close(_, left) => Some(left.outcome.clone()),
        _ => None,
    });
    closed.collect()
}

fn sqlite() -> Outcome {
    let request = lenient::request_from_json(R1).unwrap();
    let document = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    Outcome::Answered(answer::validate_json(&request, &document).unwrap())
}

#[test]
fn b115_after_an_answer_the_next_one_opens_and_after_the_last_the_list() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8), asked(3, R1, 7).away(2)]);

    it.keys("<enter>").assert_shows("Which database?");
    it.keys("2<enter>").assert_shows("Which features?");
    it.keys("1<enter>");

    assert_eq!(it.opened_ids(), [id(1), id(2)], "who is away is not next");
    it.assert_shows("Inbox").assert_shows("asker away").assert_shows("0 waiting");
    assert!(matches!(&outcomes(&it)[..], [Outcome::Answered(_), Outcome::Answered(_)]));
}

#[test]
fn the_next_one_is_that_below_and_from_the_last_the_first() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R1, 8), asked(3, R1, 7)]);
    it.keys("j<enter>2<enter>2<enter>");
    assert_eq!(it.opened_ids(), [id(2), id(3), id(1)]);
}

#[test]
fn b031_keys_typed_for_the_one_before_do_not_answer_the_one_that_opens_by_itself() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R1, 8), asked(3, R2, 7)]);
    it.keys("<enter>").wait(Duration::from_millis(400)).reads(b"2");
    it.wait(Duration::from_millis(400)).reads(b"\r\r2\r");

    it.assert_shows("Keys count in a moment");
    it.reads(b"2\r");
    assert_eq!(outcomes(&it).len(), 1, "{}", it.screen());
    it.wait(Duration::from_millis(400)).assert_shows("( ) 2 SQLite");
}

#[test]
fn b062_b114_esc_goes_back_one_step_at_a_time_and_the_request_still_waits() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    it.keys("<enter>c").types("half a thought");

    it.keys("<esc>").assert_shows("half a thought").assert_shows("Esc inbox");
    it.keys("<esc>").assert_shows("2 waiting").assert_shows("It still waits, with your draft");

    assert!(matches!(&outcomes(&it)[..], [Outcome::Aborted { .. }]), "nothing is cancelled");
    let saved = it.effects.iter().find_map(|effect| match effect {
        InboxEffect::Dialog(_, Effect::SaveDraft(entered)) => Some(entered.clone()),
        _ => None,
    });
    assert_eq!(saved.unwrap().states[0].custom, "half a thought");
    assert!(it.highlighted().contains("Which database?"));
}

#[test]
fn b029_a_held_esc_goes_back_to_the_list_and_does_not_leave() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.keys("<enter>c").types("x");
    for _ in 0..30 {
        it.now += Duration::from_millis(30);
        it.reads(b"\x1b");
    }
    it.assert_shows("Which database?");
    assert!(!it.has_left());
}

#[test]
fn b114_a_cancel_ends_the_one_alone_and_the_next_opens() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8), asked(3, R3, 7)]);

    it.keys("<enter>x").assert_shows("Leave these questions?");
    it.keys("c").types("not now").keys("<enter>");

    it.assert_shows("Which features?");
    let comment = Some("not now".to_owned());
    assert_eq!(outcomes(&it), [Outcome::Cancelled { comment }]);
    assert_eq!(it.inbox.requests().count(), 2);
}

#[test]
fn a_cancel_that_does_not_reach_the_host_leaves_it_waiting() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    it.keys("<enter>");
    it.reached = false;

    it.keys("xx");

    it.assert_shows("Not cancelled; it still waits").assert_shows("2 waiting");
    assert_eq!(it.opened_ids(), [id(1)]);
}

#[test]
fn b061_one_that_arrives_while_somebody_types_is_counted_and_nothing_else() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.keys("<enter>c").types("my ans");

    it.arrives(asked(2, R2, 0));
    it.types("wer");

    it.assert_shows("my answer").assert_shows("1 more waiting, 1 new");
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), [id(1), id(2)]);
}

#[test]
fn b117_one_answered_elsewhere_shows_how_with_what_was_typed_here() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    it.keys("<enter>c").types("my own words");

    it.ends(1, sqlite()).tells_dialog(Event::Resolved(sqlite()));
    it.assert_shows("Answered elsewhere. What you entered here is kept.");
    it.reads(b"\x1b").assert_shows("Answered elsewhere");

    it.assert_shows("Answered · by mara · in a browser").assert_shows("(•) SQLite");
    it.assert_shows("You had entered, and it was not sent").assert_shows("my own words");
    it.keys("<esc>").assert_shows("1 waiting");
    assert_eq!(it.opened_ids(), [id(1), id(1)], "read once more, and no other opened");
}

#[test]
fn who_answered_elsewhere_is_not_said_to_be_answering_still() {
    let mut it = InboxScenario::of([asked(1, R1, 9).answered_by("mara", 0)]);
    it.keys("<enter>c").types("my own words").assert_shows("also answering: mara");
    let lasts = Duration::from_secs(60);
    it.tells_dialog(Event::Answering { person: "tom".to_owned(), lasts });
    it.assert_shows("Also answering this now: tom");

    // The host can't be asked for more.
    it.reached = false;
    it.ends(1, sqlite()).tells_dialog(Event::Resolved(sqlite()));

    it.assert_shows("Answered elsewhere").assert_lacks("mara").assert_lacks("nswering");
    it.reached = true;
    it.keys("<enter>").assert_shows("Answered · by mara").assert_shows("my own words");
}

#[test]
fn events_for_a_dialog_that_was_left_do_not_reach_the_next() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R1, 8)]);
    it.keys("<enter>");
    let InboxEffect::Open(first, _) = it.effects[0] else { panic!("{:?}", it.effects) };
    it.keys("2<enter>");

    it.event(InboxEvent::Dialog(first, Event::Resolved(Outcome::Expired)));
    it.event(InboxEvent::Dialog(first, Event::SubmitAccepted));
    it.draw();

    it.assert_shows("Which database?").assert_lacks("Expired");
    assert_eq!(outcomes(&it).len(), 1);
}

#[test]
fn ctrl_c_and_signals_leave_from_a_dialog_with_the_draft_saved() {
    for event in [None, Some(Event::Aborted { reason: "a signal (SIGTERM)".to_owned() })] {
        let mut it = InboxScenario::of([asked(1, R1, 9)]);
        it.keys("<enter>c").types("kept").clear();
        match event {
            Some(event) => it.event(event.into()),
            None => {
                it.keys("<c-c>");
            }
        }
        let [
            InboxEffect::Dialog(_, Effect::SaveDraft(entered)),
            InboxEffect::Close(_, left),
            InboxEffect::Leave,
        ] = &it.effects[..]
        else {
            panic!("{:?}", it.effects)
        };
        assert_eq!(entered.states[0].custom, "kept");
        assert!(matches!(left.outcome, Outcome::Aborted { .. }));
    }
}

#[test]
fn one_alone_is_left_after_its_answer_its_end_or_esc() {
    let only = || {
        let options = InboxOptions { only: Some(id(1)), ..InboxOptions::default() };
        let mut it = InboxScenario::with([asked(1, R1, 9), asked(2, R2, 8)], 80, 24, options);
        it.wait(Duration::from_millis(400)).assert_shows("Which database?");
        it
    };
    let mut it = only();
    it.keys("2<enter>");
    assert!(it.has_left());
    assert_eq!(it.opened_ids(), [id(1)]);
    let mut it = only();
    it.keys("<esc>");
    assert!(it.has_left());
    let mut it = only();
    it.keys("xx");
    assert!(it.has_left());
    let mut it = only();
    it.ends(1, Outcome::Expired).tells_dialog(Event::Resolved(Outcome::Expired));
    it.keys("<enter>").assert_shows("Expired, nobody answered in time");
    assert!(!it.has_left());
    it.keys("<esc>");
    assert!(it.has_left());
}

#[test]
fn one_that_was_left_for_another_while_it_was_read_is_not_opened_any_more() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    let first = it.host.remove(&id(1)).unwrap();
    it.keys("<enter>").assert_shows("Opening");
    it.keys("j<enter>").assert_shows("Which features?");
    let InboxEffect::Open(ticket, _) = it.effects[0] else { panic!("{:?}", it.effects) };

    let (draft, kept, offered, deadline) = (Vec::new(), Vec::new(), None, None);
    let (request, credential) = (first.request, "local".to_owned());
    let answering = Vec::new();
    let opened = askwell_tui::inbox::Opened {
        request,
        credential,
        answering,
        draft,
        kept,
        offered,
        edit_key: String::new(),
        deadline,
    };
    it.event(InboxEvent::Opened(ticket, Box::new(opened)));
    it.draw();

    it.assert_shows("Which features?");
    assert!(it.effects.contains(&InboxEffect::Forget(ticket)));
}

#[test]
fn a_draft_that_the_host_does_not_have_yet_is_told() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.keys("<enter><esc>");
    let InboxEffect::Open(ticket, _) = it.effects[0] else { panic!("{:?}", it.effects) };
    it.event(InboxEvent::Closed(ticket, Closing::KeptHere));
    it.draw();
    it.assert_shows("Your draft is not on the host yet");
    assert_eq!(it.inbox.requests().waiting()[0].state, State::Pending);
}

#[test]
fn the_strip_names_the_verified_asker_however_long_its_own_name_is() {
    let request = json!({"questions": [{"id": "q", "question": "Ship it?"}],
        "asker": {"name": "n".repeat(300)}});
    let mut it = InboxScenario::of([asked(1, &request.to_string(), 9)]);
    it.assert_shows("(local)");
    it.keys("<enter>").assert_shows("(local)");
}
