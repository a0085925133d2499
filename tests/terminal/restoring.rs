//! However it ends, the terminal is as it was.

use askwell_testkit::{Exit, Signal, TestTerminal};
use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{R1, asking, asking_fullscreen, document, environment, takes_keys};

/// Below the prompt, and on the whole screen.
const PLACES: [fn() -> TestTerminal; 2] = [|| asking(R1), || asking_fullscreen(R1, 80, 24)];

#[test]
fn b042_ctrl_c_cancels_and_restores() {
    for place in PLACES {
        let terminal = place();
        terminal.keys("<c-c>");
        assert_eq!(terminal.wait_code(), 130);
        assert_eq!(document(&terminal)["state"], "cancelled");
        terminal.assert_restored();
    }
}

#[rstest]
#[case::term(Signal::TERM, "SIGTERM")]
#[case::hup(Signal::HUP, "SIGHUP")]
fn b008_b042_a_signal_aborts_and_restores(#[case] signal: Signal, #[case] name: &str) {
    for place in PLACES {
        let terminal = place();
        terminal.signal(signal);
        assert_eq!(terminal.wait_code(), 143);
        let answer = document(&terminal);
        assert_eq!(answer["state"], "aborted");
        assert_eq!(answer["reason"], format!("a signal ({name})"));
        terminal.assert_restored();
    }
}

#[test]
fn b042_an_interrupt_from_outside_is_ctrl_c() {
    for place in PLACES {
        let terminal = place();
        terminal.signal(Signal::INT);
        assert_eq!(terminal.wait_code(), 130);
        terminal.assert_restored();
    }
}

#[test]
fn b042_a_terminal_that_goes_away_aborts() {
    for place in PLACES {
        let terminal = place();
        terminal.keys("c").types("kept").wait_for("kept").hang_up();
        assert_eq!(terminal.wait_exit(), Exit::Code(143));
        assert_eq!(document(&terminal)["state"], "aborted");
    }
}

#[rstest]
#[case::in_place(&[])]
#[case::fullscreen(&["--fullscreen"])]
fn b042_a_panic_in_the_draw_routine_restores_first(#[case] flags: &[&str]) {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment
        .terminal([&["ask", "r1.json"], flags].concat())
        .env("ASKWELL_TEST_PANIC", "draw")
        .stdout_to("out.json")
        .spawn();
    assert_eq!(terminal.wait_code(), 1);
    terminal.assert_restored();
    assert_eq!(environment.read("out.json"), "");
    let rows: Vec<String> = terminal.screen().lines().map(str::to_owned).collect();
    assert!(rows.iter().any(|row| row.contains("asked for by a test")), "{rows:?}");
}

#[test]
fn b066_without_a_terminal_nobody_is_asked() {
    let environment = environment();
    environment.write("r1.json", R1);
    let run = environment.run(["ask", "r1.json"]);
    assert_eq!((run.code(), run.stdout.as_str()), (3, ""));
    assert!(run.stderr.contains("NO_PROVIDER"), "{}", run.stderr);

    let line = r#"set -m; "$ASKWELL" ask r1.json >out.json & wait $!; echo "exit $?""#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_for("exit 3");
    assert!(terminal.screen().contains("background"), "{}", terminal.screen());
    assert_eq!(environment.read("out.json"), "");
}

#[test]
fn b039_ctrl_c_leaves_while_the_receiver_is_slow() {
    // The document goes to a pipe that nobody reads: the dialog has left the terminal already.
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#""$ASKWELL" ask r1.json | (sleep 1; cat >out.json); echo done"#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("1").wait_for("(•) 1").keys("<enter>");
    terminal.wait_for("done");
    assert_eq!(document(&terminal)["answers"][0]["id"], "db");
}
