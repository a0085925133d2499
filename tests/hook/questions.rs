//! AskUserQuestion in the inbox, and every outcome as Claude Code gets it.

use askwell_testkit::TestEnvironment;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Hook, allowed, asks, denied, elsewhere, transcript, two_questions};
use crate::cli::askwell;
use crate::host::Host;

#[rstest]
#[case::labels_and_text(
    "--question q1 --select Svelte --question q2 --select Auth --select 'Search, fast' --custom 'also SSO'",
    json!({"Which framework?": "Svelte", "Which parts?": "Auth, \"Search, fast\", also SSO"})
)]
#[case::labels_only(
    "--question q1 --select React --question q2 --select Auth --select 'The \"old\" one'",
    json!({"Which framework?": "React", "Which parts?": "Auth, \"The \\\"old\\\" one\""})
)]
#[case::text_only(
    "--question q1 --custom 'Vue, \"or\" none' --question q2 --custom 'one, two'",
    json!({"Which framework?": "Vue, \"or\" none", "Which parts?": "\"one, two\""})
)]
fn an_answer_comes_back_whole(#[case] flags: &str, #[case] answers: Value) {
    let host = elsewhere();
    let input = asks(two_questions());
    let (hook, id) = Hook::asking(&host, &input);

    let run = host.askwell.run_shell(&format!("\"$ASKWELL\" answer {id} {flags}"));
    assert_eq!(run.code(), 0, "{run}");

    assert_eq!(hook.says(), allowed(&input, answers));
    host.wait_until("picked up", &id, |it| it["request"]["receipt"]["pickedUpAt"].is_i64());
}

#[test]
fn a_skipped_question_has_no_answer_and_the_model_is_told_so() {
    let host = elsewhere();
    let input = asks(two_questions());
    let (hook, id) = Hook::asking(&host, &input);

    host.run(["answer", &id, "--question", "q1", "--skip", "--question", "q2", "--select", "Auth"]);

    let mut expected = allowed(&input, json!({"Which parts?": "Auth"}));
    let notes = "Skipped by the person: choose sensibly and say what you chose";
    expected["updatedInput"]["annotations"] = json!({"Which framework?": {"notes": notes}});
    assert_eq!(hook.says(), expected);
}

#[test]
fn a_card_of_which_all_was_skipped_is_no_empty_answer() {
    let host = elsewhere();
    let input = asks(two_questions());
    let (hook, id) = Hook::asking(&host, &input);

    let run = host.run(["answer", &id, "--question", "q1", "--skip", "--question", "q2", "--skip"]);
    assert_eq!(run.code(), 0, "{run}");

    let said = hook.says();
    assert_eq!(said["updatedInput"]["answers"], json!({}));
    let noted = said["updatedInput"]["annotations"].as_object().unwrap();
    assert_eq!(noted.keys().collect::<Vec<_>>(), ["Which framework?", "Which parts?"]);
}

#[test]
fn the_person_sees_what_the_agent_showed_and_what_led_to_it() {
    let host = elsewhere();
    let mut input = asks(two_questions());
    input["transcript_path"] = json!(transcript(&host.askwell, "There are **two** ways."));
    let (_hook, id) = Hook::asking(&host, &input);

    let shown = host.show(&id)["request"]["request"].take();

    assert_eq!(
        shown,
        json!({
            "questions": [
                {"id": "q1", "header": "Stack", "question": "Which framework?", "options": [
                    {"label": "React", "description": "known", "preview": "<App/>"},
                    {"label": "Svelte", "description": "small"},
                ]},
                {"id": "q2", "header": "Parts", "question": "Which parts?", "options": [
                    {"label": "Auth", "description": "who"},
                    {"label": "Search, fast", "description": "what"},
                    {"label": "The \"old\" one", "description": "as it is"},
                ], "multiSelect": true},
            ],
            "context": "There are **two** ways.",
            "asker": {"name": "claude-code", "session": "s-1", "cwd": "/home/kim/shop"},
        })
    );
}

#[rstest]
#[case::with_a_comment(
    "cancel ID --comment 'explain SSO first'",
    "The person set the questions aside and wrote: «explain SSO first». Respond to that first. No \
     option was chosen. Don't repeat the same questions unchanged."
)]
#[case::without(
    "cancel ID",
    "The person set the questions aside and gave no reason. Stop this line of work, or ask in chat \
     how to go on."
)]
#[case::withdrawn(
    "abort ID --reason 'not needed any more'",
    "Withdrawn before an answer: not needed any more. No decision."
)]
fn what_is_no_answer_denies_and_says_what_to_do(#[case] command: &str, #[case] reason: &str) {
    let host = elsewhere();
    let (hook, id) = Hook::asking(&host, &asks(two_questions()));

    let run = host.askwell.run_shell(&format!("\"$ASKWELL\" {}", command.replace("ID", &id)));
    assert_eq!(run.code(), 0, "{run}");

    assert_eq!(hook.says(), denied(reason));
}

#[test]
fn an_expiry_below_the_least_is_raised_and_nobody_s_answer_is_no_decision() {
    let host = Host::start_in(askwell().env("ASKWELL_MIN_EXPIRY", "2s"));
    host.run(["elsewhere", "on"]);
    let mut input = asks(two_questions());
    input["tool_input"]["expiresInSeconds"] = json!(1);

    let (hook, id) = Hook::asking(&host, &input);
    assert_eq!(host.show(&id)["request"]["request"]["expiresInSeconds"], 2);

    assert_eq!(
        hook.says(),
        denied(
            "Nobody answered within 2 s. No decision was made. Do only what is safe and reversible, \
             name your assumption, or stop. Don't ask again now. You gave them 1 s; here a question \
             waits at least 2 s."
        )
    );
}

fn twice() -> Value {
    let question = two_questions()[0].clone();
    json!([question, question])
}

#[rstest]
#[case::two_of_one_text(asks(twice()).to_string(), "two questions have one text")]
#[case::two_of_one_label(
    asks(json!([{"question": "A?", "options": [{"label": "x"}, {"label": "x"}]}])).to_string(),
    "BAD_QUESTION"
)]
#[case::of_a_kind_that_is_not_known(
    asks(json!([{"question": "How many?", "kind": "number", "max": 3}])).to_string(), "number"
)]
#[case::none(asks(json!([])).to_string(), "EMPTY_QUESTIONS")]
#[case::no_json("{\"hook_event_name\": \"PreTool".to_owned(), "not valid JSON")]
#[case::nothing(String::new(), "not valid JSON")]
#[case::no_object("[]".to_owned(), "a list")]
#[case::no_event("{}".to_owned(), "names no event")]
#[case::another_tool(
    asks(json!([])).to_string().replace("AskUserQuestion", "Bash"), "PreToolUse of Bash"
)]
#[case::another_event(json!({"hook_event_name": "Stop"}).to_string(), "Stop")]
fn what_is_none_of_ours_or_can_t_be_asked_is_left_to_the_card(
    #[case] input: String,
    #[case] why: &str,
) {
    let host = elsewhere();

    let run = host.askwell.command(["hook", "claude-code"]).stdin(input).run();

    assert_eq!((run.code(), run.stdout.as_str()), (0, ""), "{run}");
    assert!(run.stderr.contains(why), "{run}");
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn bad_usage_forbids_nothing() {
    // A hook that ends with 2 forbids what it was called for.
    let askwell: TestEnvironment = askwell();
    for arguments in [&["hook"][..], &["hook", "emacs"], &["hook", "claude-code", "--sometimes"]] {
        let run = askwell.run(arguments.iter().copied());
        assert_eq!((run.code(), run.stdout.as_str()), (1, ""), "{run}");
        assert!(run.stderr.contains("try '--help'"), "{run}");
    }
}
