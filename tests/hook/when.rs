//! When a question goes to the inbox, and when the agent shows its own card.

use std::time::Instant;

use askwell_testkit::{TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Hook, allowed, asks, denied, elsewhere, two_questions};
use crate::cli::askwell;
use crate::host::{Host, takes_keys};

#[test]
fn without_anybody_who_looks_the_card_is_the_agent_s_own() {
    let here = askwell();
    let input = asks(two_questions());
    // No host: none is started.
    assert_eq!(Hook::start(&here, &input, &[]).says_nothing(), "");
    assert!(!here.state().join("askwell").exists());

    let host = Host::start_in(here);
    assert_eq!(Hook::start(&host.askwell, &input, &[]).says_nothing(), "");

    assert_eq!(host.waiting(), [""; 0]);
    assert!(!host.run(["history"]).stdout.contains("framework"));
}

#[test]
fn an_open_inbox_is_somebody_who_looks() {
    let host = Host::start();
    let inbox = host.askwell.terminal(["inbox"]).spawn();
    inbox.wait_for("Inbox");
    let until = Instant::now() + deadline();
    while !host.run(["elsewhere"]).stdout.starts_with("off; but 1 watching") {
        assert!(Instant::now() < until, "the inbox never watches");
    }
    let input = asks(json!([two_questions()[0]]));

    let (hook, _) = Hook::asking(&host, &input);
    inbox.wait_for("Which framework?").wait_ready(takes_keys);
    inbox.keys("<enter>");
    inbox.wait_until("the dialog takes keys", |screen| {
        takes_keys(screen) && screen.contains("Svelte") && screen.contains("Esc")
    });
    inbox.keys("2<enter>");

    assert_eq!(hook.says(), allowed(&input, json!({"Which framework?": "Svelte"})));
}

#[test]
fn that_a_person_is_elsewhere_is_kept_until_it_is_taken_back() {
    let host = elsewhere().stopped_and_started_again();
    let said = |arguments: &[&str]| host.run(arguments.iter().copied()).stdout;
    assert!(said(&["elsewhere"]).starts_with("on, since "), "{}", said(&["elsewhere"]));
    assert!(said(&["status"]).contains("askwell elsewhere off"));
    let (hook, id) = Hook::asking(&host, &asks(two_questions()));
    host.run(["cancel", &id, "--comment", "later"]);
    let reason = "The person set the questions aside and wrote: «later». Respond to that first. No \
                  option was chosen. Don't repeat the same questions unchanged.";
    assert_eq!(hook.says(), denied(reason));

    let off = said(&["elsewhere", "off"]);

    assert_eq!(off, "off, and nobody is watching: agents show their own cards\n");
    assert_eq!(Hook::start(&host.askwell, &asks(two_questions()), &[]).says_nothing(), "");
}

/// An environment whose host in the background is stopped at the end.
struct Background(TestEnvironment);

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.run(["stop"]);
    }
}

#[test]
fn where_nobody_sits_at_the_agent_a_host_is_started() {
    let here = Background(askwell().env("ASKWELL_PORT", "0"));
    let input = asks(two_questions());
    let asking = here.0.clone();
    let hook = std::thread::spawn(move || {
        let hook = asking.command(["hook", "claude-code", "--when", "always"]);
        hook.stdin(asks(two_questions()).to_string()).run()
    });
    let answering = "until id=$(\"$ASKWELL\" list --format json 2>/dev/null | \
                     grep -o '\"id\":\"[0-9a-f-]*\"' | cut -d'\"' -f4) && [ -n \"$id\" ]; do \
                     sleep 0.02; done; \"$ASKWELL\" answer $id --question q1 --select React \
                     --question q2 --select Auth";
    let answered = here.0.run_shell(answering);
    assert_eq!(answered.code(), 0, "{answered}");

    let run = hook.join().unwrap();
    let answers = json!({"Which framework?": "React", "Which parts?": "Auth"});
    assert_eq!(run.json()["hookSpecificOutput"], allowed(&input, answers), "{run}");
}

#[rstest]
#[case("true")]
#[case("1")]
fn in_ci_no_host_is_started(#[case] ci: &str) {
    let here = askwell();
    let hook = here.command(["hook", "claude-code", "--when", "always"]).env("CI", ci);

    let run = hook.stdin(asks(two_questions()).to_string()).run();

    assert_eq!((run.code(), run.stdout.as_str()), (0, ""), "{run}");
    assert!(run.stderr.contains("NO_PROVIDER") && run.stderr.contains("CI is set"), "{run}");
}
