//! The command line, with recorded answers in place of a person, or without anybody.

mod bad_input;
mod check;
mod connect;
mod drafts;
pub mod examples;
mod flags;
mod help;
mod library;
mod limits;
mod no_provider;
mod output;
mod recorded;
mod sources;

use askwell_testkit::{Run, TestEnvironment};
use pretty_assertions::assert_eq;

/// One choice of three.
pub const R1: &str = r#"{"questions":[{"id":"db","header":"DB","question":"Which database?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"},{"label":"DuckDB","description":"analytics"}]}]}"#;
/// Several of four.
pub const R2: &str = r#"{"questions":[{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"},{"label":"Audit"}]}]}"#;
/// A batch of three.
pub const R3: &str = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}]},{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"}]},{"id":"name","question":"Project name?"}]}"#;

/// The program in a place of its own, with R1 to R3 in the work folder.
pub fn askwell() -> TestEnvironment {
    let askwell = TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"));
    for (name, request) in [("r1.json", R1), ("r2.json", R2), ("r3.json", R3)] {
        askwell.write(name, request);
    }
    askwell
}

/// Asks `request` with these recorded answers.
#[track_caller]
pub fn ask(request: &str, answers: &str) -> Run {
    let askwell = askwell();
    askwell.write("request.json", request);
    askwell.write("answers.json", answers);
    askwell.run(["ask", "request.json", "--answers", "answers.json"])
}

/// Asserts that a run was refused: this exit code, nothing on stdout, and all of `told` on stderr.
#[track_caller]
pub fn assert_refused(run: &Run, code: i32, told: &[&str]) {
    assert_eq!((run.code(), run.stdout.as_str()), (code, ""), "{run}");
    for text in told {
        assert!(run.stderr.contains(text), "not told: {text:?}\n{run}");
    }
    assert!(!run.stderr.contains("panicked"), "{run}");
}
