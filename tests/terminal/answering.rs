//! Answers of every kind, through the real binary in a real terminal.

use std::time::Duration;

use askwell_testkit::Screen;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R2, R3, asking, document, environment, takes_keys};

#[test]
fn b002_text_beside_ticks_arrives() {
    let terminal = asking(R2);
    terminal.keys("<space><down><down><space>c").types("also SSO").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let sent =
        json!({"answers": [{"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"}]});
    assert_eq!(document(&terminal), sent);
}

#[test]
fn b004_kept_text_is_asked_about_before_sending() {
    let terminal = asking(R1);
    terminal.keys("c").types("three hundred words").wait_for("words");
    terminal.keys("<esc>").wait_for("c own text").keys("<up><up>").wait_for("▸ ( ) 2 SQLite");
    terminal.keys("<enter>").wait_for("would not be sent").keys("t");
    assert_eq!(terminal.wait_code(), 0);
    let sent = json!({"answers": [{"id": "db", "selected": [], "custom": "three hundred words"}]});
    assert_eq!(document(&terminal), sent);
}

#[test]
fn a_batch_goes_through_the_review() {
    let terminal = asking(R3);
    terminal.keys("2").wait_for("(•) 2 SQLite").keys("<enter>").wait_for("Which features?");
    terminal.keys("13").wait_for("2 selected").keys("<enter>").wait_for("Project name?");
    terminal.types("日本語👍🏽é").wait_for("日本語").keys("<enter>").wait_for("Review before");
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let sent = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth", "Export"]},
        {"id": "name", "selected": [], "custom": "日本語👍🏽é"},
    ]});
    assert_eq!(document(&terminal), sent);
}

#[test]
fn b007_b009_a_cancel_with_a_comment_is_no_answer_and_no_malfunction() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#""$ASKWELL" ask r1.json >out.json && echo CONTINUED; echo "exit $?""#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("<esc>").wait_for("Leave these questions?").keys("c");
    terminal.wait_for("Why do you cancel").types("explain DuckDB first").keys("<enter>");
    terminal.wait_exit();
    assert!(terminal.screen().contains("exit 130"), "{}", terminal.screen());
    assert!(!terminal.screen().contains("CONTINUED"));
    let answer = document(&terminal);
    assert_eq!(answer["state"], "cancelled");
    assert_eq!(answer["comment"], "explain DuckDB first");
    assert_eq!(answer.get("answers"), None);
}

#[test]
fn b020_b071_b075_an_expiry_is_its_own_outcome_and_keeps_the_draft() {
    let environment = environment();
    environment.write("r3.json", R3);
    let terminal = environment
        .terminal(["ask", "r3.json", "--timeout", "3"])
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys).wait_for("left").keys("1").wait_for("(•) 1 Postgres");
    assert_eq!(terminal.wait_code(), 124);
    assert_eq!(document(&terminal)["state"], "expired");
    let told = environment.read("err.txt");
    assert!(told.contains("kept for 7 days"), "{told}");
    terminal.assert_restored();
}

#[test]
fn b030_what_was_typed_before_the_first_draw_answers_nothing() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment.terminal(["ask", "r1.json"]).stdout_to("out.json").spawn();
    terminal.types("hello world\n").wait_for("Which database?");
    terminal.wait_ready(takes_keys).wait_for("nothing entered yet").keys("2").wait_for("(•) 2");
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["selected"], json!(["SQLite"]));
}

#[test]
fn b049_shift_enter_breaks_the_line_where_the_terminal_can_tell() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal =
        environment.terminal(["ask", "r1.json"]).kitty_keyboard().stdout_to("out.json").spawn();
    terminal.wait_ready(takes_keys).keys("c").types("a").keys("<s-enter>").types("b");
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], "a\nb");
}

#[test]
fn b070_keys_come_from_the_terminal_while_stdin_and_stdout_are_pipes() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#"A=$(cat r1.json | "$ASKWELL" ask -); printf '%s|%s\n' "$?" "$A" >result.txt"#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("3").wait_for("(•) 3 DuckDB").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let sent = r#"0|{"answers":[{"id":"db","selected":["DuckDB"]}]}"#;
    assert_eq!(environment.read("result.txt"), format!("{sent}\n"));

    let terminal = environment.shell(r#""$ASKWELL" ask r1.json | cat >result.txt"#).spawn();
    terminal.wait_ready(takes_keys).keys("1").wait_for("(•) 1").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let sent = r#"{"answers":[{"id":"db","selected":["Postgres"]}]}"#;
    assert_eq!(environment.read("result.txt"), format!("{sent}\n"));
}

#[test]
fn b094_text_before_enter_in_one_read_is_in_and_what_follows_answers_nothing() {
    let terminal = asking(R3);
    terminal.keys("c").wait_for("Alt-Enter");
    terminal.sends_bytes("한글\r1\r".as_bytes()).wait_for("Which features?");
    terminal.wait_until("nothing of it ticked", |screen: &Screen| {
        screen.contains("[ ] 1 Auth") && screen.contains("typed ahead")
    });
    terminal.keys("<s-tab>").wait_for("한글").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
}

#[test]
fn b105_five_hundred_options_answer_exactly() {
    let options: Vec<_> = (1..=500).map(|it| json!({"label": format!("Option {it}")})).collect();
    let request = json!({"questions": [{"id": "q", "question": "Which?", "options": options}]});
    let terminal = asking(&request.to_string());
    terminal.keys("<end>").wait_for("Option 500").keys("<space>").wait_for("(•)   Option 500");
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["selected"], json!(["Option 500"]));
}

#[test]
fn a_large_paste_comes_through_whole() {
    let text = "paste me, line by line\n".repeat(5_000);
    let terminal = asking(R1);
    terminal.keys("c").pastes(&text).wait_for("paste me").quiet(Duration::from_millis(300));
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], text.trim_end());
}

#[test]
fn in_the_language_of_the_locale() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment
        .terminal(["ask", "r1.json"])
        .env("LC_ALL", "zh_CN.UTF-8")
        .stdout_to("out.json")
        .spawn();
    terminal.wait_for("写下你自己的回答").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
    let english = environment.terminal(["ask", "r1.json", "--lang", "en"]);
    let terminal = english.env("LC_ALL", "zh_CN.UTF-8").stdout_to("out.json").spawn();
    terminal.wait_for("Write your own answer").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
}
