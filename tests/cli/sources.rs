//! Where a request comes from: a file, standard input, flags. The shapes that `ask` reads are the
//! lenient edge's.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, deadline};
use pretty_assertions::assert_eq;
use rstest::rstest;
use rustix::process::{Pid, kill_process};
use serde_json::{Value, json};

use super::{R1, ask, askwell, assert_refused};

const POSTGRES: &str = r#"{"answers":[{"id":"db","selected":["Postgres"]}]}"#;

#[test]
fn a_request_comes_from_a_file_from_a_dash_or_from_a_pipe() {
    let askwell = askwell();
    askwell.write("answers.json", POSTGRES);
    let askwell = askwell.env("ASKWELL_ANSWERS", "answers.json");

    let file = askwell.run(["ask", "r1.json"]);
    let dash = askwell.command(["ask", "-"]).stdin(R1).run();
    let pipe = askwell.command(["ask"]).stdin(R1).run();
    let editor = askwell.command(["ask"]).stdin(format!("\u{feff}{R1}\r\n")).run();

    for run in [file, dash, pipe, editor] {
        assert_eq!((run.code(), run.stdout.as_str()), (0, &*format!("{POSTGRES}\n")), "{run}");
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn with_nothing_to_read_and_no_flags_the_way_is_shown() {
    let terminal = askwell().terminal(["ask"]).spawn();

    terminal.wait_for("nothing to ask: give a FILE, or a question");
    terminal.wait_for("askwell ask --question");
    assert_eq!(terminal.wait_code(), 2);
}

#[test]
fn a_file_and_a_question_do_not_go_together() {
    let askwell = askwell();
    for flag in [&["--question", "q"][..], &["--multi"], &["--option", "a"], &["--id", "x"]] {
        let run = askwell.run(["ask", "r1.json"].iter().chain(flag));
        assert_refused(&run, 2, &["cannot be used with"]);
    }
}

#[rstest]
#[case::string(r#"{"questions":"[{\"id\":\"db\",\"question\":\"Which?\",\"options\":[{\"label\":\"Postgres\"}]}]"}"#)]
#[case::one_object(
    r#"{"questions":{"id":"db","question":"Which?","options":[{"label":"Postgres"}]}}"#
)]
#[case::bare_labels(
    r#"{"questions":[{"id":"db","question":"Which?","options":["Postgres","SQLite"]}]}"#
)]
#[case::other_names(r#"{"questions":[{"id":"db","prompt":"Which?","choices":[{"value":"Postgres"}],"multi_select":false}]}"#)]
fn b107_the_shapes_that_models_send_are_read_as_meant(#[case] request: &str) {
    assert_eq!(ask(request, POSTGRES).stdout, format!("{POSTGRES}\n"));
}

#[test]
fn b107_a_missing_id_is_minted_and_comes_back() {
    let request = r#"{"questions":[{"question":"One?"},{"id":"q1","question":"Two?"}]}"#;
    let answers =
        r#"{"answers":[{"match":"One","selected":[],"custom":"1"},{"id":"q1","selected":[]}]}"#;

    assert_eq!(
        ask(request, answers).json(),
        json!({"answers": [
            {"id": "q2", "selected": [], "custom": "1"},
            {"id": "q1", "selected": []},
        ]})
    );
}

#[test]
fn b099_typographic_quotes_and_separators_come_back_byte_for_byte() {
    let label = "„DB“ ‘x’ «y» \u{2028} \"straight\" \\ back\\\\slash 日本語 👩‍💻 e\u{301}";
    let request = json!({"questions": [{
        "id": "„id“",
        "question": format!("Which {label}?"),
        "options": [{"label": label, "description": label}, {"label": "other"}],
    }]});
    let answers = json!({"answers": [{"id": "„id“", "selected": [label], }]});

    let run = ask(&request.to_string(), &answers.to_string());

    assert_eq!(run.code(), 0, "{run}");
    assert_eq!(run.json(), answers);
    assert!(run.stdout.contains("„DB“ ‘x’ «y» \u{2028} \\\"straight\\\""), "{run}");
}

#[test]
fn b014_an_option_called_other_is_an_ordinary_label() {
    let request = r#"{"questions":[{"id":"t","question":"Tone?","options":[{"label":"Formal"},{"label":"Other"},{"label":"Something else"}]}]}"#;
    for answers in [
        r#"{"answers":[{"id":"t","selected":["Other"]}]}"#,
        r#"{"answers":[{"id":"t","selected":[],"custom":"Other"}]}"#,
    ] {
        assert_eq!(ask(request, answers).stdout, format!("{answers}\n"));
    }
}

#[test]
fn b015_two_questions_of_the_same_wording_keep_their_answers_apart() {
    let question = |id: &str, file: &str| json!({"id": id, "question": "Keep?", "detail": file, "options": ["Yes", "No"]});
    let request = json!({"questions": [question("a", "file A"), question("b", "file B")]});
    let answers = json!({"answers": [
        {"id": "b", "selected": ["No"]},
        {"id": "a", "selected": ["Yes"]},
    ]});
    let twice = json!({"questions": [question("a", "file A"), question("a", "file B")]});

    assert_eq!(
        ask(&request.to_string(), &answers.to_string()).json(),
        json!({"answers": [
            {"id": "a", "selected": ["Yes"]},
            {"id": "b", "selected": ["No"]},
        ]})
    );
    assert_refused(
        &ask(&twice.to_string(), &answers.to_string()),
        2,
        &["BAD_QUESTION", "questions[1].id repeats questions[0].id"],
    );
}

#[rstest]
#[case(Signal::TERM, "SIGTERM")]
#[case(Signal::HUP, "SIGHUP")]
fn b008_a_signal_while_the_request_is_still_read_is_an_abort(
    #[case] signal: Signal,
    #[case] name: &str,
) {
    let askwell = askwell();
    let mut command = Command::new(askwell.program());
    command.args(["ask", "-"]).env_clear().envs(askwell.variables());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"questions\":[").unwrap();
    let until = Instant::now() + deadline();
    while rustix::io::ioctl_fionread(&stdin).unwrap() > 0 {
        assert!(Instant::now() < until, "it never read");
        std::thread::sleep(Duration::from_millis(1));
    }

    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();

    assert_eq!(output.status.code(), Some(143));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&document["state"], &document["reason"]),
        (&json!("aborted"), &json!(format!("a signal ({name})")))
    );
}
