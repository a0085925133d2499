//! The dialog below the prompt: what is above stays, and a short summary remains.

use askwell_testkit::{Screen, TestEnvironment, TestTerminal};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R3, asking, asking_fullscreen, asking_in, environment, takes_keys};

/// A dialog after these commands of a shell, and `below` after it.
fn after(environment: &TestEnvironment, commands: &str, request: &str) -> TestTerminal {
    environment.write("request.json", request);
    let line = format!(r#"{commands}; "$ASKWELL" ask request.json >out.json; echo "below $?""#);
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys);
    terminal
}

/// The screen once the dialog is over.
fn left(terminal: &TestTerminal) -> String {
    terminal.wait_for("below ").wait_exit();
    terminal.assert_restored();
    terminal.screen()
}

#[test]
fn what_is_above_stays_and_a_line_a_question_remains() {
    let terminal = after(&environment(), "echo above", R3);
    assert_eq!(terminal.row(0), "above");
    assert!(terminal.row(1).starts_with(" askwell asks"), "{}", terminal.screen());
    assert!(!terminal.modes().alternate_screen);
    terminal.keys("2").wait_for("(•) 2").keys("<enter>").wait_for("Which features?");
    terminal.keys("13c").types("and more").wait_for("and more").keys("<enter>");
    terminal.wait_for("Project name?").keys("<esc>").wait_for("s skip").keys("s");
    terminal.wait_for("Review before").keys("<enter>");
    let remains = "\
above
● Which database? SQLite
● Which features? Auth, Export, «and more»
● Project name? skipped
below 0";
    assert_eq!(left(&terminal), remains);
}

#[test]
fn a_line_that_was_begun_and_a_full_screen_lose_nothing() {
    let terminal = after(&environment(), "seq 1 30; printf half", R1);
    let screen = terminal.picture();
    assert!(screen.row_of("half") < screen.row_of("askwell asks"), "{screen}");
    terminal.keys("<c-c>");
    let screen = left(&terminal);
    assert!(screen.ends_with("29\n30\nhalf\n○ DB: cancelled\nbelow 130"), "{screen}");
}

#[test]
fn moves_are_relative_and_nothing_asks_the_terminal() {
    let terminal = asking(R1);
    terminal.keys("jjkc").types("text").wait_for("text").keys("<c-c>").wait_exit();
    let raw = String::from_utf8_lossy(&terminal.raw_output()).into_owned();
    let sequences: Vec<&str> = raw.split("\u{1b}[").skip(1).collect();
    let ends = |sequence: &&str| sequence.find(|it: char| it.is_ascii_alphabetic());
    let finals: Vec<char> =
        sequences.iter().filter_map(|it| it[ends(it)?..].chars().next()).collect();
    let allowed = ['A', 'B', 'G', 'J', 'K', 'm', 'h', 'l', 'u'];
    assert!(finals.iter().all(|it| allowed.contains(it)), "{raw:?}");
}

#[test]
fn where_it_does_not_fit_it_has_the_whole_screen() {
    let many: Vec<_> = (1..=30).map(|it| json!({"label": format!("Option {it}")})).collect();
    let many = json!({"questions": [{"id": "q", "question": "Which?", "options": many}]});
    let detail = "A paragraph.\n\n".repeat(20);
    let long = json!({"questions": [{"id": "q", "question": "Why?", "detail": detail}]});
    for (request, columns, rows) in
        [(R1, 30, 8), (R1, 80, 10), (&many.to_string(), 80, 24), (&long.to_string(), 80, 24)]
    {
        let terminal = asking_in(&environment(), request, columns, rows);
        assert!(terminal.modes().alternate_screen, "{}", terminal.screen());
        terminal.keys("<c-c>").wait_exit();
        terminal.assert_restored();
    }
    let terminal = after(&environment(), "printf half", &many.to_string());
    assert!(terminal.modes().alternate_screen);
    terminal.keys("<c-c>");
    assert_eq!(left(&terminal), "half\n○ Which? cancelled\nbelow 130");
    let terminal = asking_fullscreen(R1, 80, 24);
    assert!(terminal.modes().alternate_screen);
    terminal.keys("<c-c>").wait_exit();
    assert_eq!(terminal.assert_restored().screen(), "");
}

#[test]
fn b045_a_wider_and_a_higher_window_keep_the_place() {
    let terminal = after(&environment(), "echo above", R1);
    terminal.keys("c").types("kept").wait_for("kept");
    for (columns, rows) in [(100, 24), (100, 40), (100, 20), (120, 30)] {
        terminal.resize(columns, rows).wait_until("drawn", |screen: &Screen| {
            let title = usize::from(columns) - "DB ".len();
            screen.row(0) == "above"
                && screen.row(1).find("DB").is_some_and(|at| at >= title - 2)
                && screen.rows.iter().filter(|row| row.contains("kept")).count() == 1
        });
        assert!(!terminal.modes().alternate_screen);
    }
    terminal.keys("<enter>");
    assert_eq!(left(&terminal), "above\n● DB: «kept»\nbelow 0");
}

#[test]
fn b045_a_window_that_gets_narrower_or_too_low_is_taken_whole() {
    for (columns, rows) in [(60, 24), (80, 13), (40, 13)] {
        let terminal = after(&environment(), "echo above", R1);
        terminal.keys("c").types("kept").wait_for("kept").resize(columns, rows);
        terminal.wait_until("on the whole screen", |screen: &Screen| {
            screen.row(0).starts_with(" askwell asks") && screen.contains("kept")
        });
        assert!(terminal.modes().alternate_screen);
        terminal.resize(80, 24).wait_for("Alt-Enter").keys("<enter>");
        let screen = left(&terminal);
        assert!(screen.ends_with("● DB: «kept»\nbelow 0"), "{screen}");
        assert!(screen.starts_with("above") && !screen.contains("Postgres"), "{screen}");
    }
}

#[test]
fn a_long_batch_is_summed_up_in_a_few_lines() {
    let questions: Vec<_> = (1..=9)
        .map(|it| json!({"id": format!("q{it}"), "question": format!("Nr {it}?")}))
        .collect();
    let request = json!({"questions": questions}).to_string();
    let terminal = after(&environment(), "true", &request);
    terminal.keys("<esc>").wait_for("r review").keys("r").wait_for("skip the rest").keys("s");
    terminal.wait_for("y  Skip the rest").keys("y").wait_for("Enter send").keys("<enter>");
    let screen = left(&terminal);
    assert_eq!(screen.lines().count(), 7, "{screen}");
    assert!(screen.contains("● Nr 5? skipped\n  … and 4 more\nbelow 0"), "{screen}");
}
