//! A text in the person's own editor, by Ctrl-G: real programs as editors, in a real terminal.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use askwell_testkit::{Signal, TestEnvironment, TestTerminal};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{R1, document, environment, takes_keys};

/// A dialog whose editor is this line of shell, with the file as `$1`.
fn editing(environment: &TestEnvironment, editor: &str) -> TestTerminal {
    editing_with(environment, editor, &[])
}

fn editing_with(environment: &TestEnvironment, editor: &str, arguments: &[&str]) -> TestTerminal {
    environment.write("r1.json", R1);
    environment.write("editor", format!("#!/bin/sh\n{editor}\n"));
    let script = environment.work().join("editor");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o700)).unwrap();
    let terminal = environment
        .terminal([&["ask", "r1.json"], arguments].concat())
        .env("EDITOR", &script)
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys);
    terminal
}

/// The files of editors that are there.
fn files(environment: &TestEnvironment) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(environment.state().join("askwell")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|it| it == "txt")).collect()
}

fn custom(terminal: &TestTerminal) -> serde_json::Value {
    document(terminal)["answers"][0]["custom"].clone()
}

#[test]
fn what_the_editor_wrote_is_the_text_and_one_undo_takes_it_back() {
    let environment = environment();
    let editor = r#"stty -a >modes.txt; ls -l "$1" >file.txt; printf ' two\nthree\n' >>"$1""#;
    let terminal = editing(&environment, editor);
    terminal.keys("c").types("one").wait_for("one").keys("<c-g>").wait_for("three");
    terminal.wait_ready(takes_keys).keys("<c-z>").wait_gone("three").wait_for("one");
    terminal.keys("<c-g>").wait_for("three").wait_ready(takes_keys).keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(custom(&terminal), "one\n two\nthree");
    let modes = environment.read("modes.txt");
    assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
    let file = environment.read("file.txt");
    assert!(file.starts_with("-rw-------") && file.contains("/askwell/edit-"), "{file}");
    assert_eq!(files(&environment), Vec::<PathBuf>::new());
    terminal.assert_restored();
}

#[test]
fn the_list_and_an_editor_with_arguments_work_too() {
    let environment = environment();
    environment.write("r1.json", R1);
    let editor = r#"env WORDS='from the list' sh -c 'printf "%s" "$WORDS" >"$0"'"#;
    let terminal = environment
        .terminal(["ask", "r1.json"])
        .env("EDITOR", "false")
        .env("VISUAL", editor)
        .stdout_to("out.json")
        .spawn();
    terminal.wait_ready(takes_keys).keys("<c-g>").wait_for("from the list");
    terminal.wait_ready(takes_keys).keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(custom(&terminal), "from the list");
}

#[rstest]
#[case::failed(r#"echo more >>"$1"; exit 3"#, "exit status 3", true)]
#[case::no_text(r#"printf '\377' >"$1""#, "not UTF-8", true)]
#[case::too_long(r#"head -c 300000 /dev/zero | tr '\0' x >"$1""#, "over 262144 bytes", true)]
#[case::untouched("exit 3", "exit status 3", false)]
#[case::gone(r#"rm "$1""#, "can't be read", false)]
#[case::a_pipe(r#"rm "$1"; mkfifo "$1""#, "no regular file", true)]
#[case::a_folder(r#"rm "$1"; mkdir "$1""#, "no regular file", true)]
#[case::a_device(r#"ln -sf /dev/zero "$1""#, "no regular file", true)]
fn a_failure_leaves_the_text_as_it_was(
    #[case] editor: &str,
    #[case] told: &str,
    #[case] kept: bool,
) {
    let environment = environment();
    let terminal = editing(&environment, editor);
    terminal.keys("c").types("mine").wait_for("mine").keys("<c-g>");
    terminal.wait_for(told);
    terminal.wait_ready(takes_keys).keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(custom(&terminal), "mine");
    let files = files(&environment);
    assert_eq!(files.len(), usize::from(kept), "{files:?}");
    let error = environment.read("err.txt");
    let named = files.iter().all(|file| error.contains(&file.display().to_string()));
    assert_eq!((named, error.contains("your editor wrote")), (true, kept), "{error}");
}

#[test]
fn without_an_editor_it_says_what_to_set() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment
        .terminal(["ask", "r1.json"])
        .env_remove("EDITOR")
        .env_remove("VISUAL")
        .stdout_to("out.json")
        .spawn();
    terminal.wait_ready(takes_keys).keys("<c-g>").wait_for("set EDITOR").keys("<c-c>").wait_exit();
}

#[test]
fn an_expiry_waits_for_the_editor_and_keeps_its_text() {
    let environment = environment();
    let editor = r#"echo opened; sleep 2.5; echo late >"$1""#;
    let terminal = editing_with(&environment, editor, &["--timeout", "2"]);
    terminal.keys("<c-g>").wait_for("opened");
    assert_eq!(terminal.wait_code(), 124);
    assert_eq!(document(&terminal)["state"], "expired");
    assert!(environment.read("err.txt").contains("kept for 7 days"));
    terminal.assert_restored();
    let terminal = editing(&environment, "true");
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("late");
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn a_signal_ends_the_editor_and_the_dialog() {
    let environment = environment();
    let editor = r#"echo late >"$1"; trap 'exit 1' TERM; echo opened; sleep 60 & wait"#;
    let terminal = editing(&environment, editor);
    terminal.keys("c").types("mine").wait_for("draft saved").keys("<c-g>").wait_for("opened");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait_code(), 143);
    assert_eq!(document(&terminal)["state"], "aborted");
    let files = files(&environment);
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), "late\n");
    assert!(environment.read("err.txt").contains(&files[0].display().to_string()));
    terminal.assert_restored();
}

#[test]
fn keys_for_the_editor_are_not_the_dialogs() {
    let environment = environment();
    let editor = r#"trap '' INT; echo opened; read line; printf '%s' "$line" >"$1""#;
    let terminal = editing(&environment, editor);
    terminal.keys("c").types("mine").wait_for("draft saved").keys("<c-g>").wait_for("opened");
    terminal.keys("<c-c>").types("typed there\n");
    terminal.wait_for("typed there").wait_ready(takes_keys).keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(
        document(&terminal)["answers"],
        json!([{"id": "db", "selected": [], "custom": "typed there"}])
    );
}

#[test]
fn an_editor_that_stops_stops_the_job_and_goes_on_with_it() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#"set -m; export EDITOR="sh ./editor"; "$ASKWELL" ask r1.json >out.json; echo "stopped $?"; read again; fg; echo "exit $?""#;
    environment.write("editor", r#"echo opened; kill -STOP $$; echo again >"$1""#);
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("<c-g>").wait_for("stopped ").keys("<enter>");
    terminal.wait_for("again").wait_ready(takes_keys).keys("<enter>").wait_for("exit 0");
    assert_eq!(custom(&terminal), "again");
}

#[test]
fn what_the_editor_of_a_killed_dialog_wrote_is_offered_beside_the_draft_and_goes_with_the_answer() {
    let environment = environment();
    let editor = r#"echo "from the editor" >"$1"; echo written; sleep 60"#;
    let terminal = editing(&environment, editor);
    terminal.keys("c").types("mine").wait_for("draft saved").keys("<c-g>").wait_for("written");
    terminal.signal_foreground(Signal::KILL).wait_exit();
    assert_eq!(files(&environment).len(), 1);

    let terminal = editing(&environment, "true");
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("mine");
    terminal.wait_for("Ctrl-T take yours back").keys("c<c-t>").wait_for("from the editor");
    terminal.keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(custom(&terminal), "from the editor");
    assert_eq!(files(&environment), Vec::<PathBuf>::new());
    // Nor is there a lock of the terminal in which it was killed.
    let names = std::fs::read_dir(environment.state().join("askwell")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["drafts"]);
}

#[rstest]
#[case::drawn(&[])]
#[case::by_lines(&["--plain"])]
fn an_editor_that_dies_leaves_neither_its_screen_nor_its_modes(#[case] flags: &[&str]) {
    let environment = environment();
    let editor = r#"printf '\033[?1049h\033[?1003h\033[?1h\033[5;8r\033[8;1Hin the editor'; stty raw -echo; kill -9 $$"#;
    environment.write("r1.json", R1);
    environment.write("editor", editor);
    let line = format!(
        r#"echo above; "$ASKWELL" ask r1.json {} >out.json; echo "below $?""#,
        flags.join(" ")
    );
    let terminal = environment.shell(line).env("EDITOR", "sh ./editor").spawn();
    if flags.is_empty() {
        terminal.wait_ready(takes_keys).keys("<c-g>").wait_for("The editor failed");
        terminal.wait_ready(takes_keys);
        assert_eq!(terminal.row(0), "above");
        assert!(!terminal.modes().alternate_screen, "{}", terminal.screen());
        terminal.types("ok").wait_for("ok").keys("<enter>");
    } else {
        terminal.wait_for("? helps:").line("e", "The editor failed").wait_for("helps:");
        terminal.line("t ok", "Enter sends").line("", "Sent.");
    }
    terminal.wait_for("below 0").wait_exit();
    assert_eq!(custom(&terminal), "ok");
    assert!(terminal.screen().starts_with("above"), "{}", terminal.screen());
    terminal.assert_restored();
}
