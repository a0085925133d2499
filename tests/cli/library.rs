//! The library in a terminal of its own: this binary runs again in there, as a program that embeds
//! askwell.

use std::path::Path;
use std::thread;
use std::time::Duration;

use askwell::terminal::Terminal;
use askwell::{Askwell, Cancel, Question, Request, ValidRequest};
use askwell_testkit::{TestEnvironment, TestTerminal};
use pretty_assertions::assert_eq;

use crate::terminal::takes_keys;

/// Runs one of the programs below in a terminal; what it found out goes to `result.txt`.
fn program(name: &str) -> TestTerminal {
    let this = std::env::current_exe().unwrap();
    let name = format!("cli::library::{name}");
    TestEnvironment::new(this)
        .terminal(["--exact", &name, "--ignored", "--nocapture"])
        .stdout_to("test-output.txt")
        .spawn()
}

fn request(question: &str) -> ValidRequest {
    let question = Question::new("q", question).option("Yes").option("No");
    Request::new([question]).validate().unwrap()
}

/// Blocks until the test has made this file.
fn wait_for_file(name: &str) {
    while !Path::new(name).exists() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "a program: b008_a_library_call_is_withdrawn runs it"]
fn program_that_withdraws() {
    let cancel = Cancel::new();
    let withdrawing = thread::spawn({
        let cancel = cancel.clone();
        move || {
            wait_for_file("withdraw");
            cancel.cancel("the user wrote a new message");
        }
    });

    let askwell = Askwell::new().with(Terminal::new()).unwrap();
    let error = askwell.ask(&request("Go on?"), &cancel).unwrap_err();

    withdrawing.join().unwrap();
    std::fs::write("result.txt", error.to_string()).unwrap();
}

#[test]
fn b008_a_library_call_is_withdrawn() {
    let terminal = program("program_that_withdraws");
    terminal.wait_ready(takes_keys).wait_for("Go on?");

    terminal.environment().write("withdraw", "");

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    assert_eq!(
        terminal.environment().read("result.txt"),
        "ASK_ABORTED: withdrawn before an answer: the user wrote a new message"
    );
}

#[test]
#[ignore = "a program: b111_two_calls_at_once_are_asked_one_after_the_other runs it"]
fn program_that_asks_twice_at_once() {
    let askwell = Askwell::new().with(Terminal::new()).unwrap();
    let ask = |question: &'static str| {
        let askwell = askwell.clone();
        thread::spawn(move || askwell.ask(&request(question), &Cancel::new()).unwrap())
    };

    let first = ask("First?");
    wait_for_file("first-is-shown");
    let second = ask("Second?");

    let answers = [first, second].map(|asking| asking.join().unwrap());
    let answers = answers.map(|answers| answers.as_slice()[0].selected.join(","));
    std::fs::write("result.txt", answers.join(" then ")).unwrap();
}

#[test]
fn b111_two_calls_at_once_are_asked_one_after_the_other() {
    let terminal = program("program_that_asks_twice_at_once");
    terminal.wait_ready(takes_keys).wait_for("First?");
    terminal.environment().write("first-is-shown", "");

    terminal.keys("2").wait_for("(•) 2 No").keys("<enter>");
    terminal.wait_for("Second?").wait_ready(takes_keys).keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(terminal.environment().read("result.txt"), "No then Yes");
}
