//! What is written to the terminal, and where its cursor is.

use std::time::Duration;

use askwell_testkit::Screen;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R2, R3, asking, asking_fullscreen, asking_in, environment, takes_keys};

#[test]
fn b045_b046_after_resizes_the_screen_equals_a_fresh_draw() {
    let steps = |columns, rows| {
        let terminal = asking_fullscreen(R3, columns, rows);
        terminal.keys("2").wait_for("(•) 2 SQLite").keys("<enter>").wait_for("Which features?");
        terminal.keys("1c").types("more").wait_for("draft saved");
        terminal
    };
    let terminal = steps(80, 24);
    for (columns, rows) in [(30, 8), (200, 60), (31, 9), (120, 40), (60, 12)] {
        terminal.resize(columns, rows).wait_for("more");
    }
    terminal.resize(80, 24);
    let fresh = steps(80, 24);
    fresh.quiet(Duration::from_millis(100));
    let fresh = fresh.picture();
    terminal.wait_until("as a fresh draw", |screen: &Screen| *screen == fresh);
    terminal.keys("<enter>").wait_for("Project name?").types("x").keys("<enter>");
    terminal.wait_for("Review before").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
}

#[test]
fn b036_a_walk_through_sixty_options_leaves_no_residue() {
    let options: Vec<_> = (1..=60).map(|it| json!({"label": format!("Option {it}")})).collect();
    let request = json!({"questions": [{"id": "q", "question": "Which?", "options": options}]});
    let terminal = asking_in(&environment(), &request.to_string(), 80, 12);
    let first = terminal.screen();
    for step in 2..=60 {
        terminal.keys("j");
        if step % 10 == 0 {
            terminal.wait_for(&format!("Option {step}"));
        }
    }
    terminal.wait_for("▸ ( )   Option 60");
    for _ in 0..60 {
        terminal.keys("k");
    }
    terminal.wait_until("as at first", |screen: &Screen| screen.text() == first);
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b086_b101_the_cursor_is_where_the_person_is() {
    let terminal = asking(R1);
    assert!(!terminal.cursor_hidden());
    let at = |text: &'static str, column: u16| {
        move |screen: &Screen| {
            let row = screen.rows.iter().position(|row| row.contains(text));
            row.is_some_and(|row| screen.cursor == (u16::try_from(row).unwrap(), column))
        }
    };
    terminal.keys("j").wait_until("on the highlighted row", at("▸ ( ) 2 SQLite", 1));
    terminal.keys("c").types("日本").wait_until("at the caret", at("▸ (•)   日本", 13));
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b088_one_down_writes_only_the_cells_that_changed() {
    let terminal = asking(R2);
    let mark = terminal.mark();
    terminal.keys("<down>").wait_for("▸ [ ] 2 Search");
    let written = terminal.bytes_since(mark);
    let text = String::from_utf8_lossy(&written).into_owned();
    assert!(!text.contains("\u{1b}[2J") && !text.contains("Audit"), "{text:?}");
    assert!(written.len() < 300, "{} bytes: {text:?}", written.len());
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b126_no_control_byte_of_the_asker_reaches_the_terminal() {
    let evil = "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}\u{1b}]0;owned\u{7}\u{9b}31m\u{8}\r\u{0}\u{202e}";
    let request = json!({
        "questions": [{"id": "q", "header": evil, "question": evil, "detail": evil, "options": [{"label": evil, "description": evil}]}],
        "context": evil, "asker": {"name": evil, "cwd": evil},
    });
    let terminal = asking(&request.to_string());
    terminal.keys("o").wait_for("Detail").keys("G").wait_for("Who asks");
    terminal.keys("<esc>").wait_gone("Who asks").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let raw = String::from_utf8_lossy(&terminal.raw_output()).into_owned();
    for sequence in ["\u{1b}]", "\u{9b}", "\u{7}", "\u{8}", "\u{202e}", "\u{0}"] {
        assert!(!raw.contains(sequence), "{sequence:?} in {raw:?}");
    }
    assert_eq!(super::document(&terminal)["answers"][0]["selected"], json!([evil]));
}

#[test]
fn a_terminal_without_a_size_is_taken_for_80_by_24() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment.terminal(["ask", "r1.json"]).size(0, 0).stdout_to("o").spawn();
    terminal.quiet(Duration::from_millis(600)).keys("2").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
}

#[test]
fn ctrl_l_draws_over_what_another_program_wrote() {
    for arguments in ["", "--fullscreen"] {
        let environment = environment();
        environment.write("r1.json", R1);
        let made = environment.run_shell("mkfifo go");
        assert_eq!(made.code(), 0, "{made}");
        let line = format!(
            r#"(read x <go; printf 'NOISE 1\r\nNOISE 2' >/dev/tty) & exec "$ASKWELL" ask {arguments} r1.json"#
        );
        let terminal = environment.shell(line).spawn();
        terminal.wait_ready(takes_keys).keys("c").types("kept").wait_for("kept");
        let written = environment.run_shell("echo >go");
        assert_eq!(written.code(), 0, "{written}");
        terminal.wait_for("NOISE 2");

        terminal.keys("<c-l>").wait_gone("NOISE 2").wait_for("kept");

        assert_eq!(
            terminal.screen().matches("Which database?").count(),
            1,
            "{}",
            terminal.screen()
        );
        terminal.types("!").wait_for("kept!").keys("<c-c>").wait_exit();
        terminal.assert_restored();
    }
}
