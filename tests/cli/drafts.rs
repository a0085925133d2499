//! The files of drafts, from the outside: what is there while a dialog runs and after it.

use std::fs;
use std::path::PathBuf;

use askwell_testkit::{Signal, TestEnvironment, TestTerminal};
use pretty_assertions::assert_eq;

use super::askwell;
use crate::terminal::takes_keys;

/// `askwell ask r1.json`, with keys that count.
fn asking(askwell: &TestEnvironment) -> TestTerminal {
    let terminal = askwell.terminal(["ask", "r1.json"]).stdout_to("out.json").stderr_to("err.txt");
    let terminal = terminal.spawn();
    terminal.wait_ready(takes_keys);
    terminal
}

/// The files in the folder of drafts, by their kinds.
fn files(askwell: &TestEnvironment) -> Vec<PathBuf> {
    let entries = fs::read_dir(askwell.state().join("askwell/drafts")).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn an_answer_that_arrived_leaves_no_draft_behind() {
    let askwell = askwell();
    let first = asking(&askwell);
    first.keys("c").types("begun").wait_for("draft saved").keys("<c-c>").wait_exit();
    assert_eq!(files(&askwell).len(), 1);

    let second = asking(&askwell);
    second.wait_for("Restore what you entered?").keys("r").wait_for("begun");
    // At once, so that the first save of this run is not just what was restored.
    second.keys("c<end>").types(" and ended").keys("<enter>");

    assert_eq!(second.wait_code(), 0);
    let sent = r#"{"answers":[{"id":"db","selected":[],"custom":"begun and ended"}]}"#;
    assert_eq!(askwell.read("out.json"), format!("{sent}\n"));
    assert_eq!((files(&askwell), askwell.read("err.txt")), (vec![], String::new()));
}

#[test]
fn a_dialog_in_which_nothing_was_entered_leaves_nothing() {
    let askwell = askwell();
    let terminal = asking(&askwell);

    terminal.keys("<down><c-c>");

    assert_eq!(terminal.wait_code(), 130);
    assert_eq!(files(&askwell), [] as [PathBuf; 0]);
    assert_eq!(askwell.read("err.txt"), "");
}

#[test]
fn b082_the_person_is_told_where_the_draft_is() {
    let askwell = askwell();
    let terminal = asking(&askwell);
    terminal.keys("c").types("three hundred words").wait_for("words");

    terminal.signal(Signal::TERM);

    assert_eq!(terminal.wait_code(), 143);
    let [file] = &files(&askwell)[..] else { panic!("{:?}", files(&askwell)) };
    let told = askwell.read("err.txt");
    assert_eq!(
        told,
        format!(
            "askwell: what was entered is kept for 7 days; ask the same again from here to get it \
             back ({})\n",
            file.display()
        )
    );
    assert!(fs::read_to_string(file).unwrap().contains("three hundred words"));
}

#[test]
fn b111_a_draft_that_is_being_written_is_not_offered_to_a_second_dialog() {
    let askwell = askwell();
    let first = asking(&askwell);
    first.keys("c").types("still at it").wait_for("draft saved");

    let second = asking(&askwell);
    assert!(!second.screen().contains("Restore"), "{}", second.screen());
    second.keys("<c-c>").wait_exit();
    first.signal(Signal::KILL).wait_exit();

    let third = asking(&askwell);
    third.wait_for("Restore what you entered?").keys("<c-c>").wait_exit();
}

#[test]
fn a_draft_of_another_folder_or_asker_is_not_offered() {
    let askwell = askwell();
    let first = asking(&askwell);
    first.keys("2").wait_for("draft saved").keys("<c-c>").wait_exit();
    fs::create_dir(askwell.work().join("sub")).unwrap();

    let request = askwell.work().join("r1.json");
    let request = request.to_str().unwrap();
    for (folder, arguments) in
        [("sub", vec!["ask", request]), (".", vec!["ask", request, "--asker", "somebody else"])]
    {
        let other = askwell.terminal(arguments).current_dir(askwell.work().join(folder));
        let other = other.stdout_to("out.json").spawn();
        other.wait_ready(takes_keys);
        assert!(!other.screen().contains("Restore"), "{}", other.screen());
        other.keys("<c-c>").wait_exit();
    }
    let same = asking(&askwell);
    same.wait_for("Restore what you entered?").keys("<c-c>").wait_exit();
}

#[test]
fn a_draft_file_that_is_broken_is_set_aside() {
    let askwell = askwell();
    let first = asking(&askwell);
    first.keys("2").wait_for("draft saved").keys("<c-c>").wait_exit();
    let file = files(&askwell).remove(0);
    fs::write(&file, "{\"version\":1,").unwrap();

    let second = asking(&askwell);
    second.keys("<c-c>").wait_exit();

    assert_eq!(files(&askwell), [file.with_extension("unreadable")]);
}

#[test]
fn lines_tell_the_persons_comment_on_stderr_and_nothing_on_stdout() {
    let askwell = askwell();
    let terminal = askwell
        .terminal(["ask", "r1.json", "--format", "lines"])
        .stdout_to("out.txt")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys).keys("<esc>").wait_for("Leave these questions?").keys("c");
    terminal.wait_for("Why").types("explain DuckDB first").keys("<enter>");

    assert_eq!(terminal.wait_code(), 130);
    assert_eq!(askwell.read("out.txt"), "");
    assert_eq!(
        askwell.read("err.txt"),
        "askwell: cancelled by the person, who wrote: explain DuckDB first\n"
    );
}
