//! `askwell demo`, whole: an agent of its own by the real MCP server, a person in the terminal or a browser.

use std::fs;

use askwell_testkit::{Browser, TestEnvironment, TestTerminal};
use pretty_assertions::assert_eq;

use super::{environment, takes_keys};
use crate::browser::Card;

const SHOWN: &str = "Which database should the new service use?";
const GOT: &str = r#"   {"answers":[
     {"id":"database","selected":["SQLite (Recommended)"]},
     {"id":"features","selected":["Sign-in"],"custom":"passkeys only"},
     {"id":"name","selected":[],"custom":"Acme"}
   ]}"#;
const DECIDED: &str = "   {\"answers\":[\n     {\"id\":\"plan\",\"selected\":[\"Go on\"]}\n   ]}";

/// One beside a host that would be unreachable, and settings that would be refused.
fn surroundings() -> TestEnvironment {
    let environment = environment().env("ASKWELL_URL", "http://127.0.0.1:1").env("CI", "true");
    environment.write("../config/askwell/config.toml", "no-such-setting = 1\n");
    environment
}

fn demo(environment: &TestEnvironment, flags: &str) -> TestTerminal {
    let line = format!(r#""$ASKWELL" demo {flags}; echo "over $?""#);
    environment.shell(line).size(100, 40).spawn()
}

/// Waits for the end; nothing of it is left then.
fn over(terminal: &TestTerminal, environment: &TestEnvironment, code: i32) -> String {
    terminal.wait_for(&format!("over {code}")).wait_exit();
    assert_nothing_left(environment);
    terminal.screen()
}

fn assert_nothing_left(environment: &TestEnvironment) {
    let left = fs::read_dir(environment.root().join("tmp")).unwrap();
    assert_eq!(left.map(|it| it.unwrap().file_name()).collect::<Vec<_>>(), [""; 0]);
    assert!(!environment.state().join("askwell").exists());
}

#[test]
fn an_agent_asks_in_this_terminal_and_gets_what_was_entered() {
    let environment = surroundings();
    let terminal = demo(&environment, "");
    terminal.wait_for(SHOWN).wait_for("sign-in?code=").wait_ready(takes_keys);
    // Left, it waits with the draft, and opens again.
    terminal.keys("<c-c>").wait_for("left; it still waits").wait_for("Enter: here again");
    terminal.keys("<enter>").wait_for("Enter choose").wait_ready(takes_keys);

    terminal.keys("<enter>").wait_for("What should be in the first version?");
    terminal.keys("1c").types("passkeys only").wait_for("passkeys only").keys("<enter>");
    terminal.wait_for("What should it be called?").types("Acme").wait_for("Acme").keys("<enter>");
    terminal.wait_for("Review before").keys("<enter>");
    terminal.wait_for("Enter approve").wait_ready(takes_keys).keys("<enter>");

    let screen = over(&terminal, &environment, 0);
    assert!(screen.contains(GOT) && screen.contains(DECIDED), "{screen}");
}

#[test]
fn ctrl_c_ends_it_and_leaves_nothing() {
    let environment = surroundings();
    let terminal = environment.terminal(["demo", "--lang", "zh", "--plain"]).size(100, 40).spawn();
    terminal.wait_for("新服务用哪种数据库？").wait_for("? 帮助");

    terminal.keys("<c-c>").wait_for("你离开了").keys("<c-c>").wait_for("演示结束");

    assert_eq!(terminal.wait_code(), 130);
    assert_nothing_left(&environment);
}

#[test]
fn without_a_terminal_it_is_answered_in_the_browser() {
    let environment = surroundings();
    let line = r#"setsid -w "$ASKWELL" demo --print; echo "over $?""#;
    let terminal = environment.shell(line).size(100, 40).spawn();
    terminal.wait_for("Answer in the browser");
    answer_in_the_browser(&terminal);

    let screen = over(&terminal, &environment, 0);
    assert!(screen.contains(GOT) && screen.contains(DECIDED), "{screen}");
}

#[test]
fn what_is_answered_in_the_browser_closes_the_dialog_in_the_terminal() {
    let environment = surroundings();
    let terminal = demo(&environment, "--print");
    terminal.wait_ready(takes_keys);

    answer_in_the_browser(&terminal);

    let screen = over(&terminal, &environment, 0);
    assert!(screen.contains(GOT) && screen.contains(DECIDED), "{screen}");
    assert!(screen.contains("● Scope: Sign-in, «passkeys only»"), "{screen}");
}

fn answer_in_the_browser(terminal: &TestTerminal) {
    let screen = terminal.screen();
    let link = screen.lines().find(|row| row.contains("/sign-in?code=")).unwrap().trim();
    let browser = Browser::builder().start();
    browser.open(link).css("main form button").clicks();
    browser.wait_for(SHOWN);

    let card = Card(&browser);
    card.chooses("SQLite").goes_on().question(1).wait_shown();
    card.chooses("Sign-in").writes("passkeys only").goes_on().question(2).wait_shown();
    card.writes("Acme").goes_on();
    browser.css("#review").wait_shown();
    card.goes_on();
    browser.css("a.item").with_text("Go on with this plan?").clicks();
    browser.css("[value=choose-0]").wait_shown();
    browser.css("[value=choose-0]").clicks();
    browser.wait_for("Sent to");
}
