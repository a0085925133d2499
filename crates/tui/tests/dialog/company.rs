//! Other persons at the same request: told calmly, by name, without what they enter.

use std::time::Duration;

use askwell_core::messages::Lang;
use askwell_tui::{DialogOptions, Event};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::scenario::{R1, Scenario};
use crate::talk::Talk;

fn joins(person: &str) -> Event {
    Event::Answering { person: person.to_owned(), lasts: Duration::from_secs(600) }
}

#[test]
fn who_joins_is_told_once_and_takes_no_key() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("my ans");

    it.event(joins("Mei"));
    it.draw();
    it.assert_shows("Also answering this now: Mei");
    it.types("wer").assert_shows("also answering: Mei").assert_shows("my answer");
    it.event(joins("Mei"));
    it.event(joins("local"));
    it.draw();
    it.assert_shows("Also answering this now: whoever runs this host");
    it.types("!").assert_shows("also answering: Mei, whoever runs this host");

    it.keys("<enter>");
    let expected = json!({"answers": [{"id": "db", "selected": [], "custom": "my answer!"}]});
    assert_eq!(it.answer(), expected);
}

#[test]
fn who_does_not_go_on_is_forgotten_by_itself() {
    let lasts = Duration::from_secs(30);
    let answering = vec![("Mei".to_owned(), lasts)];
    let mut it = Scenario::with(R1, 80, 24, DialogOptions { answering, ..Default::default() });
    it.wait(Duration::from_millis(400)).assert_shows("also answering: Mei");
    it.wait(Duration::from_secs(29)).assert_shows("also answering: Mei");

    it.wait(Duration::from_secs(1)).assert_lacks("answering");
}

#[test]
fn in_a_narrow_window_it_stands_first_and_in_chinese_too() {
    let answering = vec![("Mei".to_owned(), Duration::from_secs(30))];
    let options = DialogOptions { lang: Lang::Zh, answering, ..Default::default() };
    let mut it = Scenario::with(R1, 30, 8, options);

    it.wait(Duration::from_millis(400)).assert_shows("也在作答：Mei");
}

#[test]
fn by_lines_it_is_told_before_the_next_prompt() {
    let answering = vec![("Tom\u{1b}[2J".to_owned(), Duration::from_secs(30))];
    let mut talk = Talk::with(R1, 80, DialogOptions { answering, ..Default::default() });
    talk.assert_said("Also answering this now: Tom␛[2J");

    talk.event(joins("Mei"));
    assert_eq!(talk.said, "", "somebody may be typing");
    talk.types("1").assert_said("Also answering this now: Mei");
}
