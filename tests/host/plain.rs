//! `askwell answer --plain`: a request of the host by lines, with other screens on the same draft.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Host, R1, R2};

#[test]
fn an_answer_by_lines_reaches_the_asker() {
    let host = Host::start();
    let (asking, id) = host.asking(R2, &[]);

    let terminal = host.lines(&id);
    terminal.line("1 3", "Enter sends");
    terminal.line("t also SSO", "Enter sends").types("\r");

    assert_eq!(terminal.wait_code(), 0);
    let answer = json!({"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"});
    assert_eq!(asking.outcome(), (Some(0), json!({ "answers": [answer] })));
    assert_eq!(host.show(&id)["request"]["receipt"]["provider"], "terminal");
    terminal.assert_plain();
}

#[test]
fn leaving_by_lines_keeps_the_request_and_the_draft() {
    let host = Host::start();
    let id = host.post(R1);
    for leave in ["\u{3}", "\u{4}", "q\r"] {
        let terminal = host.lines(&id);
        terminal.line("t begun here", "Enter sends").types(leave);
        assert_eq!(terminal.wait_code(), 75);
        assert_eq!(host.waiting(), [id.as_str()]);
        assert_eq!(host.show(&id)["draft"]["questions"][0]["custom"], "begun here");
    }
}

#[test]
fn a_change_of_another_screen_is_told_by_lines_and_both_texts_are_kept() {
    let host = Host::start();
    let id = host.post(R2);
    let (lines, drawn) = (host.lines(&id), host.dialog(&id));
    drawn.keys("<space>c").types("from the drawn one").wait_for("from the drawn one");
    drawn.wait_for("draft saved");

    // It is told before the next prompt: whether it has come is seen by typing a line.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !lines.screen().contains("was updated from elsewhere") {
        assert!(std::time::Instant::now() < until, "never told:\n{}", lines.screen());
        let mark = lines.mark();
        lines.types("2\r").wait_written(mark, "helps:");
    }
    let mark = lines.mark();
    lines.types("r\r").wait_written(mark, "Your text: from the drawn one");
    let mark = lines.mark();
    lines.types("\r").wait_written(mark, "Sent.");

    assert_eq!(lines.wait_code(), 0);
    drawn.wait_for("Answered elsewhere");
    let shown = host.show(&id);
    let answer = &shown["request"]["outcome"]["answers"][0];
    assert_eq!(answer["custom"], "from the drawn one", "{shown}");
    assert_eq!(answer["selected"], json!(["Auth", "Search"]));
}

#[test]
fn cancelled_elsewhere_is_told_and_closed_by_the_person() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.lines(&id);
    terminal.line("t", "only a dot").types("half a line").wait_for("half a line");

    assert_eq!(host.run(["cancel", &id]).code(), 0);
    terminal.wait_for("Cancelled elsewhere");
    terminal.types(" typed on\r").wait_for("one of the letters").types("\r");

    assert_eq!(terminal.wait_code(), 130);
    let draft = &host.show(&id)["draft"]["questions"][0];
    assert_eq!(draft["custom"], "half a line", "{draft}");
}
