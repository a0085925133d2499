//! Nobody there: said at once, with its own exit code, and nothing invented.

use super::{R1, askwell, assert_refused};

#[test]
fn b066_without_a_terminal_nothing_is_answered() {
    let askwell = askwell();
    for run in [
        askwell.run(["ask", "r1.json"]),
        askwell.run(["ask", "r1.json", "--via", "terminal"]),
        askwell.run(["ask", "r3.json", "--format", "lines", "--timeout", "1"]),
        askwell.run(["ask", "--question", "Go on?", "--option", "Yes"]),
        askwell.command(["ask"]).stdin(R1).run(),
    ] {
        assert_refused(&run, 3, &["NO_PROVIDER", "no terminal is attached", "--answers FILE"]);
    }
}

#[test]
fn b066_a_bad_request_is_told_before_that_nobody_is_there() {
    let run = askwell().run(["ask", "--question", ""]);

    assert_refused(&run, 2, &["BAD_QUESTION"]);
}

#[test]
fn a_terminal_that_can_not_be_drawn_on_is_asked_by_lines() {
    for term in ["dumb", ""] {
        let terminal = askwell().terminal(["ask", "r1.json"]).env("TERM", term).spawn();

        terminal.wait_for("? helps:").keys("<c-c>");
        assert_eq!(terminal.wait_code(), 130);
        terminal.assert_restored();
    }
}

#[test]
fn a_job_in_the_background_of_its_terminal_is_no_provider() {
    let line = "set -m; \"$ASKWELL\" ask r1.json >out.json 2>err.txt & wait $!; echo code $?";
    let terminal = askwell().shell(line).spawn();

    terminal.wait_for("code 3").wait_exit();

    assert_eq!(terminal.environment().read("out.json"), "");
    assert!(terminal.environment().read("err.txt").contains("runs in the background"));
}
