//! `askwell ask` in a real terminal: keys in, the screen, the document and the exit code out.

mod answering;
mod deciding;
mod demo;
mod drafts;
mod drawing;
mod editor;
mod hostile;
mod mouse;
mod place;
mod plain;
mod restoring;

use askwell_testkit::{Screen, TestEnvironment, TestTerminal};
use serde_json::Value;

pub const R1: &str = r#"{"questions":[{"id":"db","header":"DB","question":"Which database?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"},{"label":"DuckDB","description":"analytics"}]}]}"#;
pub const R2: &str = r#"{"questions":[{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"},{"label":"Audit"}]}]}"#;
pub const R3: &str = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}]},{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"}]},{"id":"name","question":"Project name?"}]}"#;

pub fn environment() -> TestEnvironment {
    TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"))
}

/// `askwell ask` on this request, its document in a file, past the guard of early keys.
pub fn asking(request: &str) -> TestTerminal {
    asking_in(&environment(), request, 80, 24)
}

pub fn asking_in(
    environment: &TestEnvironment,
    request: &str,
    columns: u16,
    rows: u16,
) -> TestTerminal {
    asking_with(environment, request, columns, rows, &[])
}

/// The same on the whole screen.
pub fn asking_fullscreen(request: &str, columns: u16, rows: u16) -> TestTerminal {
    asking_with(&environment(), request, columns, rows, &["--fullscreen"])
}

fn asking_with(
    environment: &TestEnvironment,
    request: &str,
    columns: u16,
    rows: u16,
    flags: &[&str],
) -> TestTerminal {
    environment.write("request.json", request);
    let terminal = environment
        .terminal([&["ask", "request.json"], flags].concat())
        .size(columns, rows)
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys);
    terminal
}

pub fn takes_keys(screen: &Screen) -> bool {
    // Once the dialog is drawn the cursor is above the keys.
    let last = screen.rows.iter().rposition(|row| !row.is_empty());
    let drawn = last.is_some_and(|last| last > usize::from(screen.cursor.0));
    drawn && !screen.contains("Keys count in a moment")
}

/// The document that the asker got: exactly one, and a newline.
#[track_caller]
pub fn document(terminal: &TestTerminal) -> Value {
    let out = terminal.environment().read("out.json");
    assert!(out.ends_with('\n') && out.matches('\n').count() == 1, "{out:?}");
    assert!(!out.contains('\u{1b}'), "{out:?}");
    serde_json::from_str(&out).unwrap()
}
