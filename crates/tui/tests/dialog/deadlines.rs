//! The deadline: how it counts down, its warning, and putting it off.

use std::time::Duration;

use askwell_core::messages::Lang;
use askwell_tui::{DialogOptions, Effect, Event};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use crate::scenario::{R1, Scenario};

fn expiring_in(seconds: u64) -> DialogOptions {
    DialogOptions { deadline: Some(Duration::from_secs(seconds)), ..DialogOptions::default() }
}

fn asking(options: DialogOptions) -> Scenario {
    let mut it = Scenario::with(R1, 80, 24, options);
    it.wait(Duration::from_millis(400));
    it
}

#[rstest]
#[case::seconds(590, "9:50 left", "剩余 9:50", 1)]
#[case::minutes(2_000, "34 min left", "剩余 34 分钟", 60)]
#[case::hours(3_600 * 5 + 60, "5 h 1 min left", "剩余 5 小时 1 分钟", 60)]
#[case::days(86_400 * 3, "3 d left", "剩余 3 天", 3_600)]
fn the_time_left_is_shown_in_steps_that_make_sense(
    #[case] seconds: u64,
    #[case] english: &str,
    #[case] chinese: &str,
    #[case] step: u64,
) {
    for (lang, words) in [(Lang::En, english), (Lang::Zh, chinese)] {
        let it = Scenario::with(R1, 80, 24, DialogOptions { lang, ..expiring_in(seconds) });
        it.assert_shows(words);
    }
    let mut it = asking(expiring_in(seconds));
    let (mut ticks, mut now) = (0, Duration::from_millis(400));
    let end = now + Duration::from_secs(10 * step);
    while let Some(next) = it.dialog.next_tick().filter(|next| *next <= end) {
        assert!(next > now);
        now = next;
        it.dialog.update(Event::Tick, now);
        ticks += 1;
    }
    assert!((9..=11).contains(&ticks), "{ticks} in ten steps");
}

#[test]
fn without_a_deadline_nothing_ticks_and_nothing_is_to_be_put_off() {
    let mut it = asking(DialogOptions::default());

    assert_eq!(it.dialog.next_tick(), None);
    it.assert_lacks("Ctrl-X");
    it.keys("<c-x>").assert_shows("This has no deadline.").assert_pending();
}

#[test]
fn b021_one_minute_before_the_end_it_is_said_once_and_a_key_gives_ten_more() {
    let mut it = asking(expiring_in(90));
    it.keys("c").wait(Duration::from_secs(20)).assert_lacks("nearly up");

    it.wait(Duration::from_secs(10))
        .assert_shows("The time is nearly up. Ctrl-X gives ten more minutes.");
    it.types("typing").assert_shows("nearly up").assert_shows("left!");
    it.wait(Duration::from_secs(11)).assert_lacks("nearly up").assert_shows("left!");

    it.keys("<c-x>").assert_shows("put off by ten minutes").assert_shows("min left");
    it.assert_lacks("left!");
    it.wait(Duration::from_secs(60)).assert_pending().assert_shows("typing");
    // Said again before the new end; then it is the end.
    it.wait(Duration::from_secs(530)).assert_shows("nearly up");
    it.wait(Duration::from_secs(61));
    assert_eq!(it.answer()["state"], json!("expired"));
    assert_eq!(it.dialog.put_off(), Duration::from_secs(600));
}

#[test]
fn a_held_key_puts_off_once() {
    let mut it = asking(expiring_in(90));
    for _ in 0..10 {
        it.wait(Duration::from_millis(30)).reads(b"\x18");
    }

    assert_eq!(it.dialog.put_off(), Duration::from_secs(600));
}

#[rstest]
#[case::in_the_review("s")]
#[case::in_a_prompt("<esc>")]
#[case::in_the_filter("/")]
#[case::in_the_help("?")]
#[case::folded("z")]
fn the_key_works_everywhere(#[case] keys: &str) {
    let mut it = asking(expiring_in(90));
    it.keys(keys).keys("<c-x>");

    assert_eq!(it.dialog.put_off(), Duration::from_secs(600));
}

#[test]
fn a_deadline_of_a_host_is_put_off_by_the_host() {
    let mut it = asking(DialogOptions { stays_pending: true, ..expiring_in(30) });
    it.assert_shows("Ctrl-X 10 more minutes");
    it.keys("<c-x>");
    assert_eq!(it.effects, [Effect::Extend]);
    it.assert_shows("left!").assert_lacks("put off");

    it.event(Event::Deadline(Some(Duration::from_secs(627))));
    it.event(Event::Extended(Ok(())));
    it.draw();

    it.assert_shows("put off by ten minutes").assert_shows("11 min left").assert_lacks("left!");
    assert_eq!(it.dialog.put_off(), Duration::ZERO);
    it.keys("<c-x>").event(Event::Extended(Err("no host".to_owned())));
    it.draw();
    it.assert_shows("was not put off: no host");
}

#[test]
fn a_deadline_put_off_elsewhere_shows_and_one_told_again_says_nothing() {
    let mut it = asking(DialogOptions { stays_pending: true, ..expiring_in(300) });
    it.event(Event::Deadline(Some(Duration::from_millis(299_100))));
    it.draw();
    it.assert_lacks("put off");

    it.event(Event::Deadline(Some(Duration::from_secs(899))));
    it.draw();

    it.assert_shows("The deadline was put off elsewhere.").assert_shows("15 min left");
}
