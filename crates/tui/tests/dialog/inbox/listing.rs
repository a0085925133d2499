//! The list: order, moving, searching, news, what is put away.

use std::time::Duration;

use askwell_core::wire::{Answering, Event as HostEvent};
use askwell_core::{Outcome, State};
use askwell_tui::inbox::Feed;
use askwell_tui::{Inbox, InboxEffect, InboxEvent, InboxOptions, Pointer};
use pretty_assertions::assert_eq;
use rstest::rstest;

use super::scenario::{InboxScenario, MINUTE, NOW, asked, id, page};
use crate::scenario::{R1, R2, R3};

const OTHER: &str = r#"{"questions":[{"id":"q","question":"Ship it?"}],"asker":{"name":"codex","cwd":"/srv/shop"}}"#;

fn rows_with(it: &InboxScenario, texts: &[&str]) -> Vec<usize> {
    let screen = it.screen();
    let row = |text: &str| screen.lines().position(|row| row.contains(text));
    texts.iter().map(|text| row(text).unwrap_or_else(|| panic!("{text}:\n{screen}"))).collect()
}

#[test]
fn b119_each_asker_stands_over_its_own_requests_and_the_away_ones_stand_lower() {
    let it = InboxScenario::of([
        asked(1, R1, 9),
        asked(2, OTHER, 8),
        asked(3, R2, 7).away(3),
        asked(4, r#"{"questions":[{"id":"q","question":"A name?"}]}"#, 6),
    ]);

    let rows = rows_with(
        &it,
        &[
            "Which database?",
            "A name?",
            "«codex» (local) · /srv/shop",
            "Ship it?",
            "Asker away",
            "Which features?",
        ],
    );
    assert!(rows.is_sorted(), "{}", it.screen());
    it.assert_shows("asker away, 3 min").assert_shows("3 waiting");
}

#[test]
fn b061_one_that_arrives_is_told_and_takes_neither_the_highlight_nor_a_key() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    it.keys("j");
    assert!(it.highlighted().contains("Which features?"));

    it.arrives(asked(3, OTHER, 0));

    it.assert_shows("New from codex: Ship it?").assert_shows("1 new · 3 waiting");
    assert!(it.highlighted().contains("Which features?"), "{}", it.screen());
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), [id(2)]);
}

#[test]
fn b074_what_arrives_rings_the_bell_once_a_second_and_what_is_there_does_not() {
    let rings = |bell| {
        let options = InboxOptions { bell, ..InboxOptions::default() };
        let mut it = InboxScenario::with([asked(1, R1, 9)], 80, 24, options);
        let rings = |it: &InboxScenario| {
            it.effects.iter().filter(|effect| **effect == InboxEffect::Ring).count()
        };
        let at_first = rings(&it);
        it.arrives(asked(2, R2, 0));
        it.arrives(asked(3, OTHER, 0));
        let together = rings(&it);
        it.wait(Duration::from_millis(1_100));
        it.arrives(asked(4, OTHER, 0));
        [at_first, together, rings(&it)]
    };

    assert_eq!(rings(true), [0, 1, 2]);
    assert_eq!(rings(false), [0, 0, 0]);
}

#[test]
fn b031_b061_a_row_that_goes_from_under_the_highlight_takes_the_next_key_with_it() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);

    it.ends(1, Outcome::Cancelled { comment: None });
    assert!(it.highlighted().contains("Which features?"));
    it.reads(b"\r").assert_shows("Keys count in a moment");

    assert_eq!(it.opened_ids(), []);
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), [id(2)]);
}

#[test]
fn b031_keys_that_were_typed_for_something_else_open_nothing() {
    let mut it = InboxScenario::at([asked(1, R1, 9)], 80, 24, askwell_core::messages::Lang::En);
    it.reads(b"\r").assert_shows("Keys count in a moment");
    assert_eq!(it.opened_ids(), []);
    it.wait(Duration::from_millis(400)).reads(b"j\r");
    assert_eq!(it.opened_ids(), [id(1)]);
}

#[rstest]
#[case(Outcome::Expired, "Expired")]
#[case(Outcome::Aborted { reason: "the asker".to_owned() }, "Withdrawn")]
fn b071_one_that_is_not_waited_for_stays_until_one_key_puts_it_away(
    #[case] outcome: Outcome,
    #[case] how: &str,
) {
    let earlier = asked(9, OTHER, 90).ended(Outcome::Expired, 80);
    let mut it = InboxScenario::of([asked(1, R2, 9), asked(2, R1, 8), earlier]);
    it.keys("j");

    it.ends(2, outcome).assert_shows(how).assert_shows("1 waiting");
    assert!(it.highlighted().contains("Which database?"));
    it.keys("x");

    it.assert_lacks("Which database?");
    assert!(it.highlighted().contains("Which features?"), "what waits, not what has ended");
    assert!(!it.effects.iter().any(|effect| matches!(effect, InboxEffect::Cancel(_))));
}

#[test]
fn one_key_puts_all_away_that_were_withdrawn_or_expired() {
    let mut it = InboxScenario::of((1..=5).map(|number| asked(number, R1, 9)));
    (1..=4).for_each(|number| {
        it.ends(number, Outcome::Expired);
    });

    it.keys("X");

    assert_eq!(it.inbox.requests().waiting().len(), 1);
    it.assert_shows("Put away whatever was withdrawn or has expired");
    assert!(it.highlighted().contains("Which database?"));
}

#[test]
fn where_nothing_is_to_be_put_away_the_highlight_stays_and_it_is_said() {
    let earlier = asked(9, OTHER, 90).ended(Outcome::Expired, 80);
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8), earlier]);
    for keys in ["j", "/", "<tab>"] {
        it.keys(keys);
        if keys == "/" {
            it.types("features").keys("<enter>");
        }
        let highlighted = it.highlighted();

        it.keys("X");

        it.assert_shows("There is nothing to put away");
        assert_eq!(it.highlighted(), highlighted, "{keys}");
    }
}

#[test]
fn the_highlight_stays_where_others_are_put_away() {
    let mut it =
        InboxScenario::of((1..=3).map(|number| asked(number, R1, 9)).chain([asked(4, R2, 8)]));
    it.ends(1, Outcome::Expired).keys("<end>");
    assert!(it.highlighted().contains("Which features?"));

    it.keys("X");

    assert!(it.highlighted().contains("Which features?"));
}

#[test]
fn one_that_expires_while_it_is_watched_stands_once_and_is_put_away_for_good() {
    let mut it = InboxScenario::of([asked(1, R2, 9), asked(2, R1, 8)]);
    it.ends(2, Outcome::Expired);
    let read_anew = |it: &mut InboxScenario| {
        let expired = it.host[&id(2)].summary.clone();
        let (search, after) = (String::new(), None);
        it.feed(Feed::Ended { search, after, page: page(vec![expired]) });
        it.screen().matches("DB: Which database?").count()
    };
    assert_eq!(read_anew(&mut it), 1, "{}", it.screen());
    it.assert_lacks("Earlier").assert_shows("Expired");
    it.keys("/").types("which").keys("<enter>").assert_shows("2 found");
    it.keys("<esc>");

    it.keys("X");

    assert_eq!(read_anew(&mut it), 1, "{}", it.screen());
    let rows = rows_with(&it, &["Which features?", "Earlier", "Which database?"]);
    assert!(rows.is_sorted(), "{}", it.screen());
    let waiting = page(vec![it.host[&id(1)].summary.clone()]);
    it.feed(Feed::Waiting { page: waiting, first: true });
    assert_eq!(it.inbox.requests().waiting().len(), 1);
    it.keys("X").assert_shows("There is nothing to put away");
}

#[test]
fn an_away_askers_request_is_put_aside_with_one_key_but_not_with_a_draft() {
    let mut it = InboxScenario::of([asked(1, R1, 9).away(5), asked(2, R2, 8).away(5).begun()]);

    it.keys("x").assert_lacks("Which database?").assert_shows("Cancelled");
    assert!(it.effects.contains(&InboxEffect::Cancel(id(1))));
    it.clear().keys("x").assert_shows("Cancel for good?");
    it.keys("n").assert_lacks("Cancel for good?");
    assert_eq!(it.effects, []);
    it.keys("xy");
    assert!(it.effects.contains(&InboxEffect::Cancel(id(2))));
}

#[test]
fn the_key_that_asks_whether_to_put_aside_does_not_say_yes_in_the_same_read() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.reads(b"xy").assert_shows("Cancel for good?");
    assert!(!it.effects.iter().any(|effect| matches!(effect, InboxEffect::Cancel(_))));
}

#[test]
fn a_search_shows_what_matches_and_esc_shows_everything_again() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8), asked(3, OTHER, 7)]);

    it.keys("/").types("shop");
    it.assert_shows("Ship it?").assert_lacks("Which database?");
    it.keys("<enter>").assert_shows("search: shop · 1 found");
    let listed = InboxEffect::List { search: "shop".to_owned(), after: None };
    assert!(it.effects.contains(&listed), "the host searches what has ended");
    it.types("q");
    assert!(it.has_left(), "a key is a key again");

    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    it.keys("/").types("xyz").assert_shows("Nothing matches “xyz”");
    it.keys("<esc>").assert_shows("Which database?").assert_shows("Which features?");
}

#[test]
fn what_the_host_found_is_shown_whatever_holds_the_text() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.keys("/").types("duckdb").keys("<enter>");

    let found = asked(7, R2, 50).ended(Outcome::Expired, 40).summary;
    let (search, after) = ("duckdb".to_owned(), None);
    it.feed(Feed::Ended { search, after, page: page(vec![found]) });

    it.assert_shows("Which features?").assert_shows("1 found");
}

#[test]
fn what_ended_is_lower_and_more_of_it_is_read_by_enter() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    let mut first = page(vec![asked(2, R2, 50).ended(Outcome::Expired, 40).summary]);
    first.next = Some("further".to_owned());
    it.feed(Feed::Ended { search: String::new(), after: None, page: first });

    it.keys("<tab>");
    assert!(it.highlighted().contains("Which features?"));
    it.keys("<down><enter>");

    let (search, after) = (String::new(), Some("further".to_owned()));
    assert!(it.effects.contains(&InboxEffect::List { search, after }));
    it.keys("<tab>");
    assert!(it.highlighted().contains("Which database?"));
}

#[test]
fn one_that_was_answered_elsewhere_leaves_the_list_and_is_read_with_how_it_ended() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);

    it.ends(2, Outcome::Cancelled { comment: None });

    it.assert_shows("Cancelled: Which features?").assert_shows("1 waiting");
    let (search, after) = (String::new(), None);
    assert!(it.effects.contains(&InboxEffect::List { search, after }), "it stands lower now");
}

#[test]
fn ages_go_on_once_a_minute_and_a_time_that_is_nearly_over_every_second() {
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.assert_shows("9 min");
    assert_eq!(it.inbox.next_tick(), Some(it.now + Duration::from_secs(60)));
    it.wait(Duration::from_secs(61)).assert_shows("10 min");

    let deadline_at = Some(NOW + 2 * MINUTE);
    let request = Some(id(1));
    it.happens(HostEvent::Changed {
        request,
        away_since: None,
        deadline_at,
        watching: 1,
        answering: None,
    });
    assert_eq!(it.inbox.next_tick(), Some(it.now + Duration::from_secs(1)));

    let mut empty = InboxScenario::of([]);
    assert_eq!(empty.wait(Duration::from_secs(1)).inbox.next_tick(), None);
}

#[test]
fn a_host_that_is_gone_is_told_and_everything_stays() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R3, 8)]);

    it.reached = false;
    it.feed(Feed::Reached(false));
    it.assert_shows("No host answers").assert_shows("2 waiting");
    it.keys("<enter>").assert_shows("HOST_UNREACHABLE");

    it.reached = true;
    it.feed(Feed::Reached(true)).keys("<down>");
    it.assert_lacks("No host answers");
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), [id(1), id(2)]);
}

#[test]
fn where_nothing_waits_nothing_is_highlighted_until_one_comes_or_a_key_moves() {
    let earlier = || asked(9, OTHER, 90).ended(Outcome::Expired, 80);
    let mut it = InboxScenario::of([earlier()]);
    it.assert_lacks("▸");
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), []);

    it.arrives(asked(1, R1, 0)).reads(b"\r");
    assert!(it.highlighted().contains("Which database?"));
    assert_eq!(it.opened_ids(), [], "the key came before it could be seen");
    it.keys("<enter>");
    assert_eq!(it.opened_ids(), [id(1)]);

    for key in ["j", "<tab>", "G"] {
        let mut it = InboxScenario::of([earlier()]);
        it.keys(key);
        assert!(it.highlighted().contains("Ship it?"));
    }
}

#[test]
fn one_that_is_written_on_another_screen_says_so_for_a_while_and_ones_own_does_not() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8)]);
    let drafted = |number| HostEvent::Draft { request: id(number), revision: 1 };

    it.happens(drafted(2)).assert_shows("you are at it elsewhere");
    it.wait(Duration::from_secs(61)).assert_lacks("you are at it").assert_shows("draft begun");

    it.keys("<enter>c").types("x").happens(drafted(1)).keys("<esc><esc>");
    it.happens(drafted(1)).assert_shows("2 waiting").assert_lacks("you are at it elsewhere");
}

#[test]
fn leaving_ends_nothing() {
    for key in ["q", "<c-c>"] {
        let mut it = InboxScenario::of([asked(1, R1, 9)]);
        it.keys(key);
        assert_eq!(it.effects, [InboxEffect::Leave]);
        assert_eq!(it.inbox.requests().waiting()[0].state, State::Pending);
    }
    let mut it = InboxScenario::of([asked(1, R1, 9)]);
    it.keys("<esc>").assert_shows("q leaves the inbox");
    assert_eq!(it.effects, []);
}

#[test]
fn b126_what_an_asker_says_draws_nothing_but_its_own_row() {
    let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\r\n\u{202e}evil";
    let request = serde_json::json!({
        "questions": [{"id": "q", "header": hostile, "question": hostile}],
        "asker": {"name": format!("{hostile}{}", "n".repeat(800)), "cwd": hostile},
    });
    let mut it = InboxScenario::of([asked(1, &request.to_string(), 9)]);

    it.arrives(asked(2, &request.to_string(), 0));

    let screen = it.screen();
    let bad = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
    assert!(!screen.chars().any(bad), "{screen:?}");
    it.assert_shows("␛[2J").assert_shows("(local)");
    let heading = screen.lines().find(|row| row.contains("(local)")).unwrap();
    assert!(heading.starts_with(" «␛[2J"), "our own words frame it: {heading}");
    it.keys("<enter>");
    assert!(!it.screen().chars().any(bad), "{}", it.screen());
}

#[test]
fn a_thousand_are_scrolled_through_with_the_highlight_in_sight() {
    let many = (0..1_000_u32).map(|number| {
        let mut stored = asked(1, R1, 9);
        stored.summary.id = askwell_core::wire::RequestId::mint(number.into(), [7; 10]);
        stored.summary.created_at = NOW - 9 * MINUTE + i64::from(number);
        stored.summary.question = format!("Question {number}?");
        stored
    });
    let mut it = InboxScenario::of(many);

    it.keys("G");
    assert!(it.highlighted().contains("Question 999?"), "{}", it.screen());
    it.keys("<pgup>");
    assert!(it.highlighted().contains("Question 9"), "{}", it.screen());
    it.keys("g");
    assert!(it.highlighted().contains("Question 0?"));
    let rows = rows_with(&it, &["local", "Question 0?"]);
    assert_eq!(rows[1], rows[0] + 1, "who asks is seen with the first of its requests");
}

#[test]
fn a_click_highlights_and_a_second_one_opens() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8), asked(3, R3, 7)]);
    it.points(Pointer::Click, "Which features?");
    assert!(it.highlighted().contains("Which features?"), "{}", it.screen());
    assert_eq!(it.opened_ids(), []);
    it.points(Pointer::WheelUp, "Which features?");
    assert!(it.highlighted().contains("Which database?"), "{}", it.screen());
    it.points(Pointer::Click, "Which features?").points(Pointer::Click, "Which features?");
    assert_eq!(it.opened_ids(), [id(2)]);
    it.wait(Duration::from_millis(400))
        .points(Pointer::Click, "Export")
        .assert_shows("[x] 3 Export");
}

#[test]
fn who_else_is_answering_stands_in_the_list_until_they_stop() {
    let mut it = InboxScenario::of([asked(1, R1, 9), asked(2, R2, 8).answered_by("Mei", 4)]);
    it.keys("j");
    let row = |it: &InboxScenario, text: &str| {
        it.screen().lines().nth(rows_with(it, &[text])[0]).unwrap().to_owned()
    };
    assert!(row(&it, "Which features?").contains("8 min · answering: Mei"));

    let answering = Some(Answering { person: "Tom".to_owned(), edited_at: NOW, left: false });
    it.happens(HostEvent::Changed {
        request: Some(id(2)),
        away_since: None,
        deadline_at: None,
        watching: 2,
        answering,
    });
    it.assert_shows("answering: Mei, Tom");
    assert!(it.highlighted().contains("Which features?"));
    it.wait(Duration::from_secs(6 * 60)).assert_shows("answering: Tom");
    it.keys("<enter>").wait(Duration::from_millis(400)).assert_shows("also answering: Mei");
    it.keys("<esc>").wait(Duration::from_secs(4 * 60)).assert_lacks("answering");
}

#[test]
fn what_has_ended_is_read_at_the_beginning_and_when_the_host_is_back() {
    let (mut inbox, _) = Inbox::new(InboxOptions::default());
    let listed = Feed::Waiting { page: page(Vec::new()), first: true };
    let reads = [InboxEffect::List { search: String::new(), after: None }];

    assert_eq!(inbox.update(InboxEvent::Feed(listed), Duration::ZERO), reads);
    let failed = InboxEvent::NotListed("no host".to_owned());
    assert_eq!(inbox.update(failed, Duration::ZERO), []);
    assert_eq!(inbox.update(InboxEvent::Feed(Feed::Reached(true)), Duration::ZERO), reads);
    // One reading at a time: an older page never comes after a newer one.
    assert_eq!(inbox.update(InboxEvent::Feed(Feed::Reached(true)), Duration::ZERO), []);
}
