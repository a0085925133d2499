//! The dialog on requests of the host: one draft for every screen, one end for all.

use askwell_testkit::Signal;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Host, R1, R2, R3, takes_keys};

/// The text of the draft of a question.
fn text(shown: &Value, question: usize) -> &str {
    shown["draft"]["questions"][question]["custom"].as_str().unwrap()
}

#[test]
fn an_answer_in_the_terminal_reaches_the_asker() {
    let host = Host::start();
    let (asking, id) = host.asking(R2, &[]);

    let terminal = host.dialog(&id);
    terminal.keys("<space>").wait_for("[x] 1 Auth").keys("c").types("also SSO");
    terminal.wait_for("also SSO").keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth"], "custom": "also SSO"}]});
    assert_eq!(asking.outcome(), (Some(0), answers));
    assert_eq!(host.show(&id)["request"]["receipt"]["provider"], "terminal");
}

#[test]
fn leaving_keeps_the_request_and_the_draft_for_the_next_screen() {
    let host = Host::start();
    let id = host.post(R1);

    let terminal = host.dialog(&id);
    terminal.keys("c").types("begun here").wait_for("begun here").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
    terminal.assert_restored();
    assert_eq!(host.waiting(), [id.as_str()]);
    assert!(host.run(["list"]).stdout.contains("draft begun"));

    let terminal = host.dialog(&id);
    terminal.wait_for("begun here").signal(Signal::TERM);
    assert_eq!(terminal.wait_code(), 75);
    assert_eq!(text(&host.show(&id), 0), "begun here");
}

#[test]
fn a_draft_of_another_screen_is_followed_live() {
    let host = Host::start();
    let id = host.post(R1);
    let (first, second) = (host.dialog(&id), host.dialog(&id));

    first.keys("c").types("from the first").wait_for("from the first");

    second.wait_for("from the first");
}

#[test]
fn b117_what_two_screens_write_is_both_kept() {
    let host = Host::start();
    let id = host.post(R3);
    let (first, second) = (host.dialog(&id), host.dialog(&id));
    first.keys("c").types("mine").wait_for("mine");
    second.keys("c");
    host.wait_until("saved", &id, |shown| text(shown, 0).contains("mine"));

    second.types("theirs").wait_for("theirs");

    let both = |shown: &Value| {
        let all = shown["draft"]["questions"][0].to_string();
        all.contains("mine") && all.contains("theirs")
    };
    host.wait_until("holding both", &id, both);
    first.wait_for("mine");
    second.wait_for("theirs");
}

#[test]
fn b117_b118_a_request_that_ended_elsewhere_leaves_every_screen() {
    let host = Host::start();
    let id = host.post(R1);
    let (first, second) = (host.dialog(&id), host.dialog(&id));
    second.keys("c").types("not sent").wait_for("not sent");

    first.keys("2").wait_for("(•) 2").keys("<enter>");
    assert_eq!(first.wait_code(), 0);

    second.wait_for("Answered elsewhere").wait_ready(|screen| screen.contains("Esc close"));
    second.quiet(std::time::Duration::from_millis(350)).keys("<esc>");
    assert_eq!(second.wait_code(), 0);
    let answer = host.json(["wait", &id]);
    assert_eq!(answer, json!({"answers": [{"id": "db", "selected": ["SQLite"]}]}));
}

#[test]
fn b118_a_cancel_in_the_terminal_is_final() {
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);

    let terminal = host.dialog(&id);
    terminal.keys("<esc>").wait_for("▸ g").keys("<down>").wait_for("▸ x").keys("<enter>");

    assert_eq!(terminal.wait_code(), 130);
    let (code, document) = asking.outcome();
    assert_eq!((code, &document["state"]), (Some(130), &json!("cancelled")));
    let again = host.askwell.terminal(["answer", &id]).spawn();
    assert_eq!(again.wait_code(), 1);
    assert!(again.screen().contains("NOT_PENDING"), "{}", again.screen());
}

#[test]
fn b076_a_draft_is_there_after_the_host_was_killed_and_its_dialog_goes_on() {
    let host = Host::start();
    let (asking, id) = host.asking(R3, &[]);
    let terminal = host.dialog(&id);
    terminal.keys("c").types("kept by the host").wait_for("kept by the host");
    host.wait_until("saved", &id, |shown| text(shown, 0) == "kept by the host");

    let host = host.killed_and_started_again();

    assert_eq!(text(&host.show(&id), 0), "kept by the host");
    terminal.keys("<enter>").wait_for("Which features?").wait_ready(takes_keys);
    terminal.keys("s").wait_for("Project name?").keys("<esc>").wait_gone("Alt-Enter");
    terminal.keys("s").wait_for("Review before sending").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let (code, document) = asking.outcome();
    assert_eq!(code, Some(0), "{document}");
    assert_eq!(document["answers"][0]["custom"], "kept by the host");
}

#[test]
fn an_answer_comes_from_a_file_or_flags_and_has_to_fit() {
    let host = Host::start();
    let id = host.post(R3);
    host.askwell.write(
        "answers.json",
        r#"{"answers":[{"id":"db","selected":["SQLite"]},{"match":"features","selected":[]},{"id":"name","selected":[],"custom":"askwell"}]}"#,
    );

    for (arguments, told) in [
        (&["--select", "SQLite"][..], "--question ID"),
        (&["--question", "db", "--select", "Oracle"], "BAD_RESPONSE"),
        (&["--question", "db"], "is given no answer"),
    ] {
        let run = host.run(["answer", &id].into_iter().chain(arguments.iter().copied()));
        assert_eq!((run.code(), run.stdout.as_str()), (2, ""), "{run}");
        assert!(run.stderr.contains(told), "{run}");
    }
    assert_eq!(host.waiting(), [id.as_str()]);

    let run = host.run(["answer", &id, "--file", "answers.json", "--format", "json"]);
    assert_eq!(run.code(), 0, "{run}");
    let view = run.json();
    assert_eq!((&view["state"], &view["receipt"]["provider"]), (&json!("answered"), &json!("api")));
    let expected = json!([{"id": "db", "selected": ["SQLite"]}, {"id": "feat", "selected": []},
        {"id": "name", "selected": [], "custom": "askwell"}]);
    assert_eq!(host.json(["wait", &id])["answers"], expected);
}
