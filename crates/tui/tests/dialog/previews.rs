//! Previews of options: beside the list or below it, never in the place of what has to be seen.

use askwell_core::messages::Lang;
use askwell_tui::DialogOptions;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scenario::Scenario;

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (140, 40), (30, 8)];

fn layouts() -> Value {
    let flat = "```rust\nmod core;\nmod tui;\nmod web;\n```\n\nOne folder, **three** modules.";
    let nested: Vec<String> =
        (1..=40).map(|line| format!("crates/part{line}/src/lib.rs")).collect();
    let nested = format!("```\n{}\n```", nested.join("\n"));
    json!({"questions": [{
        "id": "layout", "header": "Layout", "question": "Which layout should the repository have?",
        "detail": "It can be changed later, with some work.",
        "options": [
            {"label": "Flat (Recommended)", "description": "One crate.", "preview": flat},
            {"label": "Nested", "description": "A crate for each part.", "preview": nested},
            {"label": "As it is"},
        ],
    }]})
}

#[rstest]
#[case::english(Lang::En, "en")]
#[case::chinese(Lang::Zh, "zh")]
fn a_preview_at_every_size(#[case] lang: Lang, #[case] name: &str) {
    for (columns, rows) in SIZES {
        let options = DialogOptions { lang, ..DialogOptions::default() };
        let mut it = Scenario::with(&layouts().to_string(), columns, rows, options);
        it.wait(std::time::Duration::from_millis(400));
        insta::assert_snapshot!(format!("preview_code_{name}_{columns}x{rows}"), it.screen());
        it.keys("<down>J");
        insta::assert_snapshot!(format!("preview_scrolled_{name}_{columns}x{rows}"), it.screen());
    }
}

#[rstest]
#[case::beside(100, 30)]
#[case::below(80, 24)]
fn a_long_preview_is_read_to_its_end_while_everything_else_stays(
    #[case] columns: u16,
    #[case] rows: u16,
) {
    let mut it = Scenario::at(&layouts().to_string(), columns, rows);
    it.keys("<down>").assert_shows("crates/part1/").assert_shows("J/K");
    let mut seen = it.screen();
    for _ in 0..12 {
        it.keys("J");
        seen.push_str(&it.screen());
        it.assert_shows("Which layout").assert_shows("2 Nested").assert_shows("Write your own");
        it.assert_shows("? help");
    }
    for line in 1..=40 {
        assert!(seen.contains(&format!("crates/part{line}/")), "line {line} was never seen");
    }
    it.assert_shows("crates/part40/").assert_shows("of 40");
    it.keys("K").assert_lacks("crates/part40/");
    // By line as well.
    it.keys("KKKK").assert_shows("lines 1–");
    it.keys("<s-down>").assert_shows("lines 2–");
    it.keys("<s-up>").assert_shows("lines 1–");
}

#[test]
fn the_preview_is_that_of_the_highlighted_option_and_nothing_else_moves() {
    let mut it = Scenario::at(&layouts().to_string(), 100, 30);
    let at =
        |it: &Scenario| (it.row_of("1 Flat"), it.row_of("3 As it is"), it.row_of("Write your"));
    let places = at(&it);

    it.assert_shows("mod tui;");
    it.keys("<down>").assert_lacks("mod tui;").assert_shows("part1/");
    assert_eq!(at(&it), places);
    it.keys("<down>").assert_lacks("part1/").assert_lacks("Preview:");
    assert_eq!(at(&it), places);
    it.keys("1").assert_shows("mod tui;");
    assert_eq!(at(&it), places);
}

#[test]
fn b034_a_preview_without_a_row_has_a_key_on_the_screen() {
    let mut it = Scenario::at(&layouts().to_string(), 30, 8);

    it.assert_shows("Which layout").assert_shows("Flat").assert_lacks("mod tui;");
    it.assert_shows("o details");
    it.keys("o");
    let mut seen = it.screen();
    for _ in 0..6 {
        it.keys("<pgdn>");
        seen.push_str(&it.screen());
    }
    assert!(seen.contains("mod tui;"), "{seen}");
}

#[test]
fn b126_a_preview_can_neither_leave_its_place_nor_bring_codes() {
    let request = json!({"questions": [{"id": "q", "question": "Which?", "options": [
        {"label": "A", "preview": format!("\u{1b}[2J\u{9b}31m{}\n\nEnter send · ? help", "wide ".repeat(200))},
        {"label": "B"},
    ]}]});
    let it = Scenario::at(&request.to_string(), 120, 40);

    let screen = it.screen();
    assert!(!screen.contains('\u{1b}') && !screen.contains('\u{9b}'), "{screen}");
    for row in screen.lines().filter(|row| row.contains("wide")) {
        let from = row.chars().take_while(|it| *it != '│').count();
        assert!(from >= 50 && !row[..from.min(row.len())].contains("wide"), "{row}");
    }
}

#[test]
fn the_keys_told_are_those_of_the_picture_they_stand_under() {
    let long: Vec<String> = (1..=120).map(|line| format!("line {line}  \n")).collect();
    let mut request = layouts();
    let second = json!({"id": "b", "question": "Sure?", "detail": long.concat(), "options": [{"label": "Yes"}]});
    request["questions"].as_array_mut().unwrap().push(second);
    let mut it = Scenario::at(&request.to_string(), 80, 24);

    it.keys("<tab>").assert_shows("line 1").assert_shows("PgDn scroll");
    it.keys("<s-tab>").assert_lacks("PgDn scroll");
    it.resize(30, 8).assert_shows("o details");
}
