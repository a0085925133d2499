//! Previews, plans and deadlines in a real terminal.

use askwell_testkit::Screen;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{R1, asking_in, document, environment, takes_keys};

fn layouts() -> Value {
    let long: Vec<String> = (1..=50).map(|line| format!("文件 part{line}/lib.rs  \n")).collect();
    json!({"questions": [{"id": "layout", "question": "Which layout?", "options": [
        {"label": "Flat", "preview": "```\nmod core;\nmod tui;\n```"},
        {"label": "Nested", "description": "A crate for each part.", "preview": long.concat()},
        {"label": "As it is"},
    ]}]})
}

#[test]
fn b036_b045_previews_leave_no_residue_at_any_size() {
    let request = layouts().to_string();
    let terminal = asking_in(&environment(), &request, 100, 30);
    terminal.wait_for("mod tui;").keys("j").wait_for("part1/").keys("J").wait_gone("part1/");
    terminal.keys("j").wait_gone("│ 文件").keys("kk").wait_for("mod tui;");
    for (columns, rows) in [(80, 24), (30, 8), (140, 40), (99, 20)] {
        terminal.resize(columns, rows).wait_for("1 Flat");
        terminal.keys("j").wait_for("▸ ( ) 2").keys("k").wait_for("▸ ( ) 1");
    }
    terminal.resize(100, 30).wait_for("mod tui;");
    let fresh = asking_in(&environment(), &request, 100, 30);
    let fresh = fresh.wait_for("mod tui;").picture();

    terminal.wait_until("as a fresh draw", |screen: &Screen| *screen == fresh);
    terminal.keys("j<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["selected"], json!(["Nested"]));
}

#[test]
fn a_plan_is_read_and_decided_on() {
    let steps: Vec<String> = (1..=80).map(|step| format!("{step}. Step {step}\n")).collect();
    let plan = json!({"questions": [{"id": "plan", "question": "Go on?", "detail": steps.concat(),
        "options": [{"label": "Hold"}, {"label": "Ship it"}],
        "intent": {"kind": "plan-review", "approve": "Ship it"}}]});
    let terminal = asking_in(&environment(), &plan.to_string(), 80, 24);
    terminal.wait_for("Approve · Ship it").keys("<end>").wait_for("80. Step 80");
    terminal.keys("<home>").wait_for("1. Step 1").keys("a").wait_for("(•) 2 Approve");

    terminal.keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    let expected = json!({"answers": [{"id": "plan", "selected": ["Ship it"]}]});
    assert_eq!(document(&terminal), expected);
}

#[test]
fn b021_b023_the_expiry_of_a_dialog_without_a_host_moves_by_ten_minutes() {
    let environment = environment();
    environment.write("request.json", R1);
    let terminal = environment
        .terminal(["ask", "request.json", "--timeout", "3"])
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys).wait_for("left!");

    terminal.keys("<c-x>").wait_for("put off by ten minutes");

    // Past the first end: the clock on the screen counts on.
    terminal.wait_until("599 s are left", |screen| screen.contains("9:59 left"));
    terminal.keys("2<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["selected"], json!(["SQLite"]));
}
