use pretty_assertions::assert_eq;

use super::*;
use crate::Exit;

fn environment() -> TestEnvironment {
    TestEnvironment::new("/bin/cat")
}

#[test]
fn what_is_typed_is_seen() {
    let terminal = environment().terminal([] as [&str; 0]).spawn();

    terminal
        .types("héllo 日本")
        .keys("<enter>")
        .wait_until("echoed by cat too", |screen| screen.rows[..2] == ["héllo 日本", "héllo 日本"]);

    assert_eq!(terminal.screen(), "héllo 日本\nhéllo 日本");
    assert_eq!(terminal.cursor(), (2, 0));
    assert_eq!(terminal.keys("<c-d>").wait_exit(), Exit::Code(0));
}

#[test]
fn a_shell_has_a_foreground_terminal_of_the_size_told() {
    let groups = "cut -d' ' -f5,8 /proc/self/stat > groups.txt";
    let terminal = environment().shell(format!("stty size; {groups}")).size(100, 30).spawn();

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(terminal.screen(), "30 100");
    let groups = terminal.environment().read("groups.txt");
    let (own, foreground) = groups.trim().split_once(' ').unwrap();
    assert_eq!(own, foreground);
}

#[test]
fn a_terminal_may_have_no_size() {
    let terminal = environment().shell("stty size").size(0, 0).spawn();

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(terminal.screen(), "0 0");
}

#[test]
fn a_resize_is_told_to_the_program() {
    let line = "trap 'stty size; exit 7' WINCH; echo ready; while :; do read _; done";
    let terminal = environment().shell(line).spawn();

    terminal.wait_for("ready").resize(33, 9);

    assert_eq!(terminal.wait_code(), 7);
    assert_eq!(terminal.row(1), "9 33");
    assert_eq!(terminal.picture().rows.len(), 9);
}

#[test]
fn streams_are_redirected_and_the_terminal_stays() {
    let environment = TestEnvironment::new("/bin/sh");
    environment.write("in.txt", "from a file");
    let line =
        "cat; echo wrong >&2; sleep 0.05; echo shown >/dev/tty; read key </dev/tty; echo $key";
    let terminal = environment
        .terminal(["-c", line])
        .stdin_from("in.txt")
        .stdout_to("it's out.txt")
        .stderr_to("err.txt")
        .spawn();

    terminal.wait_for("shown").types("yes").keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(environment.read("it's out.txt"), "from a fileyes\n");
    assert_eq!(environment.read("err.txt"), "wrong\n");
}

#[test]
fn a_hang_up_reaches_the_program() {
    let environment = environment();
    let line = "trap 'echo gone > left.txt; exit 9' HUP; echo ready; while :; do read _; done";
    let terminal = environment.shell(line).spawn();

    terminal.wait_for("ready").hang_up();

    assert_eq!(terminal.wait_code(), 9);
    assert_eq!(environment.read("left.txt"), "gone\n");
}

#[test]
fn signals_end_it_and_are_told() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::KILL, 9)] {
        let terminal = environment().terminal([] as [&str; 0]).spawn();

        terminal.types("up").wait_for("up").signal(signal);

        assert_eq!(terminal.wait_exit(), Exit::Signal(number));
    }
}

#[test]
fn control_c_is_a_signal_in_a_usual_terminal() {
    let terminal = environment().terminal([] as [&str; 0]).spawn();

    terminal.types("up").wait_for("up").keys("<c-c>");

    assert_eq!(terminal.wait_exit(), Exit::Signal(2));
}

#[test]
fn modes_are_told_and_their_return_asserted() {
    let line = r"stty raw -echo; printf '\033[?1049h\033[?2004h\033[?25l\033[>1uup'; read _;
                 stty sane; printf '\033[<u\033[?25h\033[?2004l\033[?1049l'; read _";
    let terminal = environment().shell(line).spawn();

    terminal.wait_for("up");
    assert_eq!(
        terminal.modes(),
        Modes {
            alternate_screen: true,
            bracketed_paste: true,
            cursor_hidden: true,
            mouse: false,
            keyboard_levels: 1,
            echo: false,
            canonical: false,
            signals: false,
            output_processing: false,
        }
    );
    terminal.keys("<c-j>").wait_gone("up").quiet(Duration::from_millis(20)).assert_restored();
    terminal.keys("<enter>").wait_exit();
    terminal.assert_restored();
}

#[test]
fn queries_are_answered() {
    let line = r"stty raw -echo; printf 'ab\033[6n'; head -c 6 | od -An -c; printf '\033[?u\033[c';
                 head -c 14 | od -An -c; stty sane";
    let terminal = environment().shell(line).kitty_keyboard().spawn();

    assert_eq!(terminal.wait_code(), 0);
    let shown = terminal.screen().replace(char::is_whitespace, "");
    assert!(shown.contains("033[1;3R"), "{shown}");
    assert!(shown.contains("033[?0u033[?62;22c"), "{shown}");
}

#[test]
fn an_escape_is_read_before_the_next_key() {
    // Each read is printed on its own line: two keys in one would show as one line.
    let line = "stty raw -echo; echo up; for i in 1 2 3; do dd bs=64 count=1 2>/dev/null | od -An -tx1; done";
    let terminal = environment().shell(line).spawn();

    terminal.wait_for("up").keys("<esc><down>").wait_for("1b 5b 42");

    terminal.keys("x").wait_exit();
    let lines: Vec<String> = terminal
        .picture()
        .rows
        .iter()
        .map(|row| row.trim().to_owned())
        .filter(|row| !row.is_empty())
        .collect();
    assert_eq!(lines, ["up", "1b", "1b 5b 42", "78"]);
}

#[test]
fn output_is_counted_from_a_mark() {
    let terminal = environment().shell("stty -echo; echo one; read _; printf two").spawn();
    terminal.wait_for("one");

    let mark = terminal.mark();
    terminal.keys("<enter>").wait_exit();

    assert_eq!(terminal.bytes_since(mark), b"two");
    assert_eq!(terminal.raw_output(), b"one\r\ntwo");
}

#[test]
fn a_megabyte_may_be_pasted() {
    let environment = environment();
    let line = "stty raw -echo; echo up; head -c 1000012 > pasted; stty sane";
    let terminal = environment.shell(line).spawn();

    terminal.wait_for("up").pastes(&"x".repeat(1_000_000)).wait_exit();

    assert_eq!(environment.read("pasted").len(), 1_000_012);
}

#[test]
#[should_panic(expected = "the program ended before: \"never\" shown")]
fn an_early_end_is_told_at_once() {
    environment().shell("echo something else").spawn().wait_for("never");
}
