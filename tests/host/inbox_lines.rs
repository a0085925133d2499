//! `askwell inbox --plain` in a real terminal at a real host: by lines, with no escape code.

use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestTerminal};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Host, R1, R2};

impl Host {
    /// The inbox by lines, at its first prompt.
    #[track_caller]
    fn inbox_lines(&self) -> TestTerminal {
        let terminal = self.askwell.terminal(["inbox", "--plain"]).spawn();
        terminal.wait_for("? helps:");
        terminal
    }
}

/// Types empty lines until something is told, which is before a prompt only.
#[track_caller]
fn is_told(terminal: &TestTerminal, wanted: &str) {
    let until = Instant::now() + Duration::from_secs(10);
    while !terminal.screen().contains(wanted) {
        assert!(Instant::now() < until, "{wanted:?} is never told:\n{}", terminal.screen());
        terminal.line("", "? helps:");
    }
}

#[test]
fn b115_what_waits_is_answered_by_lines_one_after_the_other() {
    let host = Host::start();
    let (first, _) = host.asking(R1, &[]);
    let (second, _) = host.asking(R2, &[]);
    let terminal = host.inbox_lines();
    terminal.wait_for("2 waiting").wait_for("1. DB: Which database?");

    terminal.line("1", "a number chooses, t writes, s skips, ? helps:");
    terminal.line("2", "Enter sends, ? helps:");
    terminal.line("", "numbers choose, t writes, s skips, ? helps:");
    terminal.line("1 3", "Enter sends, ? helps:");
    terminal.line("t also SSO", "Enter sends, ? helps:");
    terminal.line("", "0 waiting").wait_for("Nothing waits for you");

    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(first.outcome(), (Some(0), answers));
    let answers = json!({"answers": [
        {"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"},
    ]});
    assert_eq!(second.outcome(), (Some(0), answers));
    terminal.types("q\r");
    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_plain();
}

#[test]
fn b117_one_answered_elsewhere_is_told_by_lines_and_what_was_typed_stays() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox_lines();
    terminal.line("1", "a number chooses");
    terminal.line("t typed, not sent", "Enter sends, ? helps:");

    assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);

    terminal.wait_for("Answered elsewhere");
    let mark = terminal.mark();
    terminal.line("", "by a program").wait_written(mark, "0 waiting");
    let since = String::from_utf8_lossy(&terminal.bytes_since(mark)).into_owned();
    assert!(since.contains("typed, not sent") && since.contains("SQLite"), "{since}");
    terminal.assert_plain();
}

#[test]
fn b073_one_that_arrives_meanwhile_is_told_before_the_next_prompt_by_lines() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.inbox_lines();
    let mark = terminal.mark();
    terminal.types("half a li").wait_written(mark, "half a li");

    let id = host.post(R2);

    terminal.wait_written(mark, "\u{7}").quiet(Duration::from_millis(300));
    assert_eq!(terminal.bytes_since(mark), b"half a li\x07", "somebody is typing");
    terminal.line("ne", "Not understood").wait_for("2. New from local: Which features?");
    terminal.line("2", "Which features?").wait_for("numbers choose");
    terminal.line("q", "It still waits");
    assert!(host.waiting().contains(&id));
    terminal.assert_plain();
}

#[test]
fn where_nothing_waits_one_that_arrives_is_listed_by_itself() {
    let host = Host::start();
    let terminal = host.inbox_lines();
    terminal.wait_for("Nothing waits for you");

    host.post(R1);

    terminal.wait_for("1. DB: Which database?").wait_for("a number opens");
    terminal.assert_plain();
}

#[test]
fn what_was_typed_before_a_request_could_be_read_does_not_answer_it() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox_lines();

    terminal.types("1\r2\r\r").wait_for("a number chooses, t writes, s skips, ? helps:");

    terminal.line("l", "Nothing entered yet.");
    assert_eq!(host.waiting(), [id]);
}

#[test]
fn one_is_put_aside_by_lines_after_a_yes_and_read_among_what_has_ended() {
    let host = Host::start();
    let (asking, _) = host.asking(R1, &[]);
    let terminal = host.inbox_lines();

    terminal.line("x 1", "y cancels it, anything else does not:");
    terminal.line("y", "Cancelled; the asker is told.");

    assert_eq!(asking.outcome().0, Some(130));
    terminal.line("e", "1. DB: Which database?").wait_for("Cancelled");
    terminal.assert_plain();
}

#[test]
fn chinese_lines_at_30_columns() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.askwell.terminal(["inbox", "--plain", "--lang", "zh"]).size(30, 8).spawn();
    terminal.wait_for("1 个待回答").wait_for("编号打开");

    terminal.line("1", "Which database?").wait_for("? 帮助：");
    terminal.line("q", "仍在等待。");
    terminal.types("q\r");

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_plain();
}

#[rstest]
#[case::ctrl_c(None)]
#[case::sigterm(Some(Signal::TERM))]
#[case::sighup(Some(Signal::HUP))]
fn signals_only_leave_the_lines_and_the_draft_is_kept(#[case] signal: Option<Signal>) {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox_lines();
    terminal.line("1", "a number chooses");
    terminal.line("t begun here", "Enter sends, ? helps:");

    match signal {
        Some(signal) => terminal.signal(signal),
        None => terminal.types("\u{3}"),
    };

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(host.waiting(), [id.as_str()]);
    assert_eq!(host.show(&id)["draft"]["questions"][0]["custom"], "begun here");
    terminal.assert_plain();
}

#[test]
fn a_window_of_lines_that_is_closed_leaves_the_draft() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox_lines();
    terminal.line("1", "a number chooses");
    terminal.line("t begun here", "Enter sends, ? helps:").hang_up();

    terminal.wait_exit();

    assert_eq!(host.show(&id)["draft"]["questions"][0]["custom"], "begun here");
    assert_eq!(host.waiting(), [id]);
}

#[test]
fn a_host_that_is_gone_is_told_by_lines_and_the_list_goes_on() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.inbox_lines();

    host.kills();
    is_told(&terminal, "No host answers.");
    terminal.line("l", "1. DB: Which database?");
    let host = host.killed_and_started_again();

    is_told(&terminal, "The host answers again.");
    terminal.line("1", "a number chooses");
    drop(host);
    terminal.assert_plain();
}

#[rstest]
#[case("TERM", "dumb")]
#[case("ASKWELL_PLAIN", "1")]
fn by_the_environment_as_by_the_flag(#[case] variable: &str, #[case] value: &str) {
    let host = Host::start();
    host.post(R1);
    let terminal = host.askwell.terminal(["inbox"]).env(variable, value).spawn();
    terminal.wait_for("1. DB: Which database?").wait_for("? helps:").types("q\r");
    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_plain();
}

#[test]
fn by_the_configuration_file_as_by_the_flag() {
    let host = Host::start();
    host.post(R1);
    let file = host.askwell.root().join("config/askwell/config.toml");
    host.askwell.write(file, "plain = true\n");
    let terminal = host.askwell.terminal(["inbox"]).spawn();
    terminal.wait_for("1. DB: Which database?").wait_for("? helps:").types("\u{4}");
    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_plain();
}
