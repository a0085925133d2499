//! The mouse: clicks and the wheel, on what was drawn last.

use askwell_tui::{DialogOptions, Event, Pointer, Target};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::scenario::{R1, R2, R3, Scenario};

#[test]
fn a_click_chooses_as_space_does_and_stays() {
    let mut it = Scenario::asking(R2);
    it.clicks("Search").clicks("[ ] 3").clicks("Search").clicks("Audit");
    it.assert_shows("▸ [x] 4 Audit").assert_shows("[x] 3 Export").assert_shows("[ ] 2 Search");
    it.assert_pending();
    it.keys("<enter>");
    assert_eq!(it.answer()["answers"], json!([{"id": "feat", "selected": ["Export", "Audit"]}]));

    let mut it = Scenario::asking(R1);
    it.clicks("analytics").assert_shows("▸ (•) 3 DuckDB").assert_pending();
}

#[test]
fn a_click_into_the_field_places_the_caret() {
    let mut it = Scenario::asking(R1);
    it.clicks("Write your own").types("日本語 text");
    let caret = it.cursor();
    it.points(Pointer::Click, "日本語", 2).types("!");
    it.assert_shows("日!本語 text");
    assert_eq!(it.cursor(), (caret.0 - 11 + 3, caret.1));
    it.clicks("Postgres").assert_shows("▸ (•) 1 Postgres").assert_shows("not sent");
    it.clicks("[not sent]").types("?").assert_shows("▸ (•)   日!本語 text?");
}

#[test]
fn prompts_and_the_review_take_clicks() {
    let mut it = Scenario::asking(R3);
    it.clicks("SQLite").keys("r").clicks("Project name?").assert_shows("▸ Project name?");
    it.clicks("Which features?").clicks("Which features?").assert_shows("[ ] 1 Auth");
    it.keys("<esc>").clicks("Cancel with").assert_shows("Why do you cancel");
    it.types("because").points(Pointer::Click, "because", 2).types("-").keys("<enter>");
    assert_eq!(it.answer()["comment"], "be-cause");
}

#[test]
fn the_wheel_scrolls_what_it_is_over() {
    let detail: Vec<String> = (1..=40).map(|line| format!("line {line}\n\n")).collect();
    let options: Vec<_> = (1..=40).map(|it| json!({"label": format!("Option {it}")})).collect();
    let request = json!({"questions": [
        {"id": "q", "question": "Which?", "detail": detail.concat(), "options": options}
    ]});
    let mut it = Scenario::asking(&request.to_string());
    it.points(Pointer::WheelDown, "line 1", 0).assert_shows("lines 4–");
    it.points(Pointer::WheelUp, "line 3", 0).points(Pointer::WheelUp, "line 1", 0);
    it.assert_shows("lines 1–");
    it.points(Pointer::WheelDown, "Option 1", 0).assert_shows("▸ ( ) 2 Option 2");
    it.points(Pointer::WheelUp, "Option 1", 0).points(Pointer::WheelUp, "Option 1", 0);
    it.assert_shows("▸ ( ) 1 Option 1").assert_pending();
    it.keys("?").points(Pointer::WheelDown, "Keys", 0).assert_lacks("Keys");
}

#[test]
fn b031_a_click_before_keys_count_does_nothing() {
    let mut it = Scenario::with(R1, 80, 24, DialogOptions::default());
    it.event(Event::Pointed(Target::Option(1), Pointer::Click));
    it.draw();
    it.assert_shows("( ) 2 SQLite");
    // Like a key, it starts the silence anew.
    it.wait(std::time::Duration::from_millis(200)).reads(b"2").assert_shows("( ) 2 SQLite");
}
