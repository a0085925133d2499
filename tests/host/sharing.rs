//! The dialog beside another screen of the same person, which speaks HTTP: one draft, one deadline.

use std::time::Duration;

use askwell::draft::DraftState;
use askwell::inbox::wire::{
    DraftSaved, DraftWrite, EntryWrite, Inbox as _, RequestId, Role, Saved,
};
use askwell::inbox::{Client, Local, Place};
use askwell_testkit::Signal;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Host, R1, takes_keys};

/// Another screen of the same person.
struct Other {
    client: Client,
    id: RequestId,
}

impl Other {
    fn on(host: &Host, id: &str) -> Self {
        let place = Place::new(host.askwell.state().join("askwell"));
        let client = Client::new(Local::new(place, Role::Answerer));
        Self { client, id: id.parse().unwrap() }
    }

    /// `PUT …/draft` of the one question, on what stands there now.
    fn writes(&self, custom: &str) -> DraftSaved {
        let entry = self.client.draft(self.id).unwrap().questions.remove(0);
        let state = DraftState { custom: custom.to_owned(), custom_on: true, ..entry.state };
        let write = DraftWrite { questions: vec![EntryWrite { state, base: entry.revision }] };
        self.client.save_draft(self.id, &write).unwrap()
    }
}

fn custom(shown: &Value) -> &str {
    shown["draft"]["questions"][0]["custom"].as_str().unwrap()
}

fn kept(shown: &Value) -> Vec<&str> {
    let kept = shown["draft"]["questions"][0]["kept"].as_array();
    kept.into_iter().flatten().map(|kept| kept["text"].as_str().unwrap()).collect()
}

#[test]
fn b117_a_focused_field_stands_and_theirs_is_taken_given_back_and_kept() {
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);
    let terminal = host.dialog(&id);
    terminal.keys("c").types("mine").wait_for("draft saved");
    host.wait_until("saved", &id, |shown| custom(shown) == "mine");

    let saved = Other::on(&host, &id).writes("theirs");

    assert_eq!(saved.questions[0].result, Saved::Saved);
    terminal.wait_for("Your text here stands").wait_for("Ctrl-T take theirs").wait_for("mine");
    terminal.keys("<c-t>").wait_for("Ctrl-T takes it back").wait_gone("  mine");
    terminal.wait_for("theirs");
    host.wait_until("theirs", &id, |shown| custom(shown) == "theirs");
    terminal.keys("<c-t>").wait_for("Taken back").wait_for("mine");
    host.wait_until("mine again, theirs beside it", &id, |shown| {
        custom(shown) == "mine" && kept(shown).contains(&"theirs")
    });
    terminal.keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
    // The next screen has both as well.
    let terminal = host.dialog(&id);
    terminal.wait_for("Yours is kept: «theirs»").keys("<c-t>").wait_for("(•)   theirs");
    terminal.keys("<c-t>").wait_for("(•)   mine").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    let expected = json!({"answers": [{"id": "db", "selected": [], "custom": "mine"}]});
    assert_eq!(asking.outcome(), (Some(0), expected));
}

#[test]
fn b117_what_is_sent_is_what_this_screen_shows() {
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);
    let terminal = host.dialog(&id);
    let other = Other::on(&host, &id);
    terminal.keys("c").types("first").wait_for("draft saved");
    other.writes("theirs");
    terminal.wait_for("Ctrl-T take theirs");

    // Typed on, and sent before anything could be saved.
    terminal.types(", and more").wait_for("first, and more").keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    let (_, document) = asking.outcome();
    assert_eq!(document["answers"][0]["custom"], "first, and more");
}

#[test]
fn a_field_that_has_the_caret_is_not_written_into_and_one_that_was_left_is() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.dialog(&id);
    let other = Other::on(&host, &id);

    other.writes("begun there");
    terminal.wait_for("begun there").keys("c").wait_for("new line");
    other.writes("changed there");

    terminal.wait_for("Ctrl-T take theirs").wait_for("begun there");
    terminal.keys("<end>").wait_for("Elsewhere: «changed there»");
    terminal.keys("<c-t>").wait_gone("begun there").wait_for("changed there").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
    assert_eq!(custom(&host.show(&id)), "changed there");
}

#[test]
fn b021_a_deadline_is_put_off_here_and_seen_when_it_is_elsewhere() {
    let host = Host::start();
    let (mut asking, id) = host.asking(R1, &["--timeout", "50"]);
    let deadline = |shown: &Value| shown["request"]["deadlineAt"].as_i64().unwrap();
    let at = deadline(&host.show(&id));
    let terminal = host.dialog(&id);
    terminal.wait_for("left!").wait_for("Ctrl-X 10 more minutes");

    terminal.keys("<c-x>").wait_for("put off by ten minutes").wait_for("11 min left");
    assert_eq!(deadline(&host.show(&id)) - at, 600_000);

    Other::on(&host, &id).client.extend(id.parse().unwrap()).unwrap();
    terminal.wait_for("put off elsewhere").wait_for("21 min left").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
    asking.signal(askwell_testkit::Signal::TERM);
    assert_eq!(asking.wait(), Some(143));
}

#[test]
fn a_plan_is_decided_on_in_the_terminal() {
    let host = Host::start();
    let plan = json!({"questions": [{"id": "plan", "question": "Go on?", "detail": "# Steps\n\n1. Move",
        "options": [{"label": "Ship it"}, {"label": "Hold"}],
        "intent": {"kind": "plan-review", "approve": "Ship it"}}]});
    let (asking, id) = host.asking(&plan.to_string(), &[]);
    let terminal = host.dialog(&id);
    terminal.wait_for("Approve · Ship it").wait_for("Decline · Hold").wait_for("1. Move");
    let other = Other::on(&host, &id);
    other.writes("from the page");
    // The same draft, whatever it looks like.
    terminal.wait_for("from the page").keys("d").wait_for("(•) 2 Decline").keys("<enter>");

    terminal.wait_for("Send without the text").keys("w");

    assert_eq!(terminal.wait_code(), 0);
    let expected = json!({"answers": [{"id": "plan", "selected": ["Hold"]}]});
    assert_eq!(asking.outcome(), (Some(0), expected));
    assert_eq!(host.show(&id)["request"]["receipt"]["provider"], "terminal");
}

#[test]
fn an_open_dialog_with_a_deadline_is_idle() {
    let host = Host::start();
    let (_asking, id) = host.asking(R1, &["--timeout", "5h"]);
    let terminal = host.dialog(&id);
    terminal.wait_for("5 h");

    // Nothing is drawn while nothing changes.
    terminal.quiet(Duration::from_millis(1_200));
}

#[test]
fn who_else_is_at_a_request_is_seen_in_the_list_and_in_the_dialog() {
    let host = Host::start();
    let id = host.post(R1);
    let inbox = host.askwell.terminal(["inbox"]).spawn();
    inbox.wait_for("Which database?").wait_ready(takes_keys);
    let mine = host.dialog(&id);
    mine.keys("c").types("mine").wait_for("draft saved");
    let mei = host.elsewhere_as("Mei").terminal(["answer", &id]).spawn();
    mei.wait_ready(takes_keys).wait_for("also answering: ");

    mei.keys("c").types("secret").wait_for("draft saved");

    inbox.wait_for("answering: Mei");
    mine.wait_for("Also answering this now: Mei").types("!").wait_for("also answering: Mei");
    mine.wait_for("mine!");
    let list = host.run(["list"]);
    assert!(list.stdout.contains("being answered by Mei"), "{list}");
    let shown = host.run(["show", &id]);
    assert!(shown.stdout.contains("by Mei") && !shown.stdout.contains("secret"), "{shown}");
    mei.keys("<enter>");
    assert_eq!(mei.wait_code(), 0);
    mine.wait_for("Answered elsewhere");
}

#[test]
fn b085_a_host_that_is_gone_is_said_and_what_nothing_keeps_is_printed() {
    let host = Host::start();
    let id = host.post(R1);
    let ways = [("answer", "answer.txt"), ("inbox", "inbox.txt")];
    let terminals = ways.map(|(way, told)| {
        let terminal = host.askwell.terminal([way, &id]).stderr_to(told).spawn();
        terminal.wait_for("Postgres").wait_ready(takes_keys);
        (terminal, told)
    });
    // Neither can a file be written.
    std::fs::write(host.askwell.state().join("askwell/drafts"), "in the way").unwrap();

    host.kills();

    for (terminal, told) in &terminals {
        terminal.wait_for("no host").keys("c").types("words nobody may lose");
        terminal.wait_for("not saved yet: no host").signal(Signal::TERM).wait_exit();
        let told = host.askwell.read(told);
        assert!(told.contains("could not be saved: ") && !told.contains("kept in"), "{told}");
        assert!(told.contains("\n- DB\nwords nobody may lose\n"), "{told}");
    }
}
