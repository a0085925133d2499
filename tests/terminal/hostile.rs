//! Terminals that misbehave, and processes that share one.

use std::time::Duration;

use askwell_testkit::{Screen, Signal};
use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{R1, asking, asking_in, document, environment, takes_keys};

#[rstest]
#[case::alt_bracket(b"\x1b]")]
#[case::alt_p(b"\x1bP")]
#[case::half_a_reply(b"\x1b[>0;276;0")]
#[case::half_a_mouse(b"\x1b[<")]
#[case::a_paste_without_an_end(b"\x1b[200~hello")]
fn b039_ctrl_c_works_and_typing_goes_on_whatever_came_before(#[case] bytes: &[u8]) {
    let terminal = asking(R1);
    terminal.keys("c").types("abc").wait_for("abc").sends_bytes(bytes);
    terminal.quiet(Duration::from_millis(1200)).types(" later").wait_for("later");
    terminal.sends_bytes(bytes).wait_read().keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
    terminal.assert_restored();
}

#[test]
fn a_paste_over_a_slow_line_is_text_and_sends_nothing() {
    let terminal = asking(R1);
    terminal.keys("c").wait_for("Alt-Enter");
    for byte in "\u{1b}[200~héllo\rworld 2\u{1b}[201~".bytes() {
        terminal.sends_bytes(&[byte]).wait_read().quiet(Duration::from_millis(15));
    }
    terminal.wait_for("world 2").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], "héllo\nworld 2");
}

#[test]
fn a_sequence_in_two_pieces_is_one_key() {
    let terminal = asking(R1);
    terminal.sends_bytes(b"\x1b").quiet(Duration::from_millis(50)).sends_bytes(b"[B");
    terminal.wait_for("▸ ( ) 2 SQLite");
    assert!(!terminal.screen().contains("Leave these questions?"));
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn a_stopped_dialog_gives_the_terminal_back_and_comes_again() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#"set -m; "$ASKWELL" ask r1.json >out.json; echo "stopped $?"; stty -a >stty.txt; read again; fg; echo "exit $?""#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("c").types("hello").wait_for("draft saved");
    let processes = format!("/proc/{0}/task/{0}/children", terminal.process_id());
    let child = std::fs::read_to_string(processes).unwrap().trim().parse().unwrap();
    let child = rustix::process::Pid::from_raw(child).unwrap();
    rustix::process::kill_process(child, Signal::TSTP).unwrap();
    terminal.wait_for("stopped ").keys("<enter>");
    terminal.wait_for("hello").wait_ready(takes_keys).types("!").wait_for("hello!").keys("<enter>");
    terminal.wait_until("over", |screen: &Screen| screen.contains("exit 0"));
    let modes = environment.read("stty.txt");
    assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
    assert_eq!(document(&terminal)["answers"][0]["custom"], "hello!");
}

#[test]
fn two_dialogs_of_one_terminal_come_one_after_the_other() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#""$ASKWELL" ask r1.json >one.json | "$ASKWELL" ask --question Second? --option X --option Y >two.json; stty -a >stty.txt"#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys);
    for _ in 0..2 {
        terminal.wait_ready(takes_keys).keys("2").wait_for("(•) 2").keys("<enter>");
        terminal.wait_gone("(•) 2");
    }
    assert_eq!(terminal.wait_code(), 0);
    assert!(environment.read("one.json").contains("SQLite"));
    assert!(environment.read("two.json").contains(r#""selected":["Y"]"#));
    assert!(environment.read("stty.txt").contains(" icanon"));
}

#[test]
fn b085_a_restored_draft_leaves_no_copy_behind() {
    let environment = environment();
    let files = || {
        let entries = std::fs::read_dir(environment.state().join("askwell/drafts")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".json")).count()
    };
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("c").types("mine").wait_for("draft saved").signal(Signal::KILL).wait_exit();
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("r").wait_for("Draft restored").keys("<c-c>").wait_exit();
    assert_eq!(files(), 1);
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("r").wait_for("Draft restored").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(files(), 0);
}

#[test]
fn a_draft_whose_folder_was_taken_away_is_made_again() {
    let environment = environment();
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("c").types("mine").wait_for("draft saved");
    std::fs::remove_dir_all(environment.state().join("askwell")).unwrap();
    terminal.keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
    assert!(environment.read("err.txt").contains("kept for 7 days"));
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("mine");
    terminal.keys("<c-c>").wait_exit();
}
