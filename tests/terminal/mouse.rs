//! The mouse in a real terminal.

use askwell_testkit::{Screen, Signal, TestTerminal};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R2, asking, asking_fullscreen, document, environment, takes_keys};

/// A click on the row that holds `text`, on the first column of it.
fn click(terminal: &TestTerminal, text: &str) {
    let screen = terminal.picture();
    let row = screen.row_of(text).unwrap();
    let column = screen.row(row).split(text).next().unwrap().chars().count();
    let (column, row) = (column + 1, row + 1);
    terminal.types(&format!("\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"));
}

#[test]
fn clicks_tick_and_the_mouse_is_given_back() {
    let terminal = asking_fullscreen(R2, 80, 24);
    assert!(terminal.modes().mouse);
    click(&terminal, "Search");
    terminal.wait_for("▸ [x] 2 Search");
    click(&terminal, "Write your own");
    terminal.wait_for("Alt-Enter").types("more").wait_for("more").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let sent = json!([{"id": "feat", "selected": ["Search"], "custom": "more"}]);
    assert_eq!(document(&terminal)["answers"], sent);
    terminal.assert_restored();

    let terminal = asking_fullscreen(R2, 80, 24);
    terminal.signal(Signal::TERM).wait_exit();
    terminal.assert_restored();
}

#[test]
fn it_is_left_to_the_terminal_below_the_prompt_and_where_that_is_asked_for() {
    let terminal = asking(R2);
    assert!(!terminal.modes().mouse);
    click(&terminal, "Search");
    terminal
        .wait_read()
        .keys("j")
        .wait_until("not ticked", |screen: &Screen| screen.contains("▸ [ ] 2 Search"));
    terminal.keys("<c-c>").wait_exit();

    // GNU screen would hold every Esc back.
    let ways = [(Some("--no-mouse"), "TERM", "xterm"), (None, "ASKWELL_NO_MOUSE", "1")];
    for (flag, name, value) in ways.into_iter().chain([(None, "STY", "1.screen")]) {
        let environment = environment();
        environment.write("r2.json", R2);
        let arguments = ["ask", "r2.json", "--fullscreen"].into_iter().chain(flag);
        let terminal = environment.terminal(arguments).env(name, value).stdout_to("o").spawn();
        terminal.wait_ready(takes_keys);
        assert!(!terminal.modes().mouse);
        terminal.keys("<c-c>").wait_exit();
    }
}
