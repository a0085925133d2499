//! An agent that goes away while its question waits, and comes back.

use askwell_testkit::Signal;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Hook, allowed, asks, elsewhere, two_questions};
use crate::host::Host;

fn answers_both(host: &Host, id: &str) {
    let run = host.run([
        "answer",
        id,
        "--question",
        "q1",
        "--select",
        "React",
        "--question",
        "q2",
        "--custom",
        "SSO",
    ]);
    assert_eq!(run.code(), 0, "{run}");
}

fn both(input: &Value) -> Value {
    allowed(input, json!({"Which framework?": "React", "Which parts?": "SSO"}))
}

#[rstest]
#[case(Some(Signal::TERM))]
#[case(Some(Signal::INT))]
#[case(Some(Signal::HUP))]
#[case::a_closed_pipe(None)]
fn b145_an_agent_that_leaves_is_away_and_finds_its_question_again(#[case] signal: Option<Signal>) {
    let host = elsewhere();
    let input = asks(two_questions());
    let (mut hook, id) = Hook::asking(&host, &input);

    match signal {
        Some(signal) => hook.signal(signal),
        None => hook.closes_stdout(),
    }

    assert_eq!(hook.output(), (0, String::new(), String::new()));
    host.wait_until("away", &id, |shown| shown["request"]["awaySince"].is_i64());
    let again = Hook::start(&host.askwell, &input, &[]);
    host.wait_until("back", &id, |shown| shown["request"]["awaySince"].is_null());
    assert_eq!(host.waiting(), [id.as_str()]);
    answers_both(&host, &id);
    assert_eq!(again.says(), both(&input));
}

#[test]
fn what_was_answered_meanwhile_is_there_at_once() {
    let host = elsewhere();
    let input = asks(two_questions());
    let (mut hook, id) = Hook::asking(&host, &input);
    hook.signal(Signal::TERM);
    hook.output();

    answers_both(&host, &id);

    assert_eq!(Hook::start(&host.askwell, &input, &[]).says(), both(&input));
    // Picked up: the same questions later are asked anew.
    let (_later, other) = Hook::asking(&host, &input);
    assert_ne!(other, id);
}

#[test]
fn two_agents_with_the_same_questions_each_get_their_own_answer() {
    let host = elsewhere();
    let mut other = asks(two_questions());
    other["session_id"] = json!("s-2");
    let input = asks(two_questions());
    let (one, first) = Hook::asking(&host, &input);
    let (two, second) = Hook::asking(&host, &other);
    // The same session twice at once is two as well.
    let (_three, third) = Hook::asking(&host, &input);
    assert!(third != first && third != second);

    host.run(["cancel", &second]);
    answers_both(&host, &first);

    assert_eq!(one.says(), both(&input));
    assert_eq!(two.says()["permissionDecision"], "deny");
}

#[test]
fn b076_a_host_that_was_killed_and_is_back_brings_the_answer() {
    let host = elsewhere();
    let input = asks(two_questions());
    let (hook, id) = Hook::asking(&host, &input);

    let host = host.killed_and_started_again();
    answers_both(&host, &id);

    assert_eq!(hook.says(), both(&input));
}

#[test]
fn b076_a_host_that_stays_away_leaves_the_question_to_the_agent_soon() {
    let host = elsewhere();
    let (hook, _) = Hook::asking(&host, &asks(two_questions()));

    host.kills();

    // Within the deadline of every test, and not the half minute of two waits.
    assert!(hook.says_nothing().contains("no host"), "it says why");
}
