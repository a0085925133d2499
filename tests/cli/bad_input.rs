//! What can't be asked: a clear error with its place, exit 2, and nothing shown to anybody.

use rstest::rstest;

use super::{askwell, assert_refused};

#[rstest]
#[case::not_json(b"{\"questions\":\n  [oops]}", "line 2 column 4")]
#[case::cut_off(b"{\"questions\": [", "line 1 column 15")]
#[case::nothing(b"", "there was nothing to read")]
#[case::only_blanks(b" \n\t\n", "there was nothing to read")]
#[case::nul(b"{\"questions\":[{\"question\":\"a\0b\"}]}", "line 1 column 29")]
#[case::half_a_surrogate(b"{\"questions\":[{\"question\":\"\\ud800\"}]}", "line 1 column 34")]
#[case::not_utf8(b"{\n\"questions\":[{\"question\":\"\xff\"}]}", "0xff at line 2 column 27")]
#[case::utf16(b"\xff\xfe{\0\"\0", "0xff at line 1 column 1")]
#[case::no_object(b"[1, 2]", "the request is a list (expected an object)")]
#[case::no_questions(b"{}", "questions is missing")]
#[case::empty_questions(b"{\"questions\":[]}", "EMPTY_QUESTIONS")]
#[case::wrong_type(
    b"{\"questions\":[{\"question\":\"q\",\"options\":7}]}",
    "questions[0].options is a number (expected a list of options)"
)]
fn a_bad_request_is_told_with_its_place(#[case] request: &[u8], #[case] told: &str) {
    let askwell = askwell();
    askwell.write("request.json", request);
    let from_file = askwell.run(["ask", "request.json"]);
    let from_stdin = askwell.command(["ask", "-"]).stdin(request).run();

    assert_refused(&from_file, 2, &["request.json has ", told]);
    assert_refused(&from_stdin, 2, &["standard input has ", told]);
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let askwell = askwell();
    for request in [
        "[".repeat(200_000),
        format!(r#"{{"questions":{}1{}}}"#, "[".repeat(5_000), "]".repeat(5_000)),
        format!(r#"{{"questions":"{}"}}"#, "[".repeat(5_000)),
    ] {
        let run = askwell.command(["ask", "-"]).stdin(request).run();
        assert_refused(&run, 2, &["BAD_REQUEST", "recursion limit"]);
    }
}

#[test]
fn four_mebibytes_are_the_bound_and_no_more_is_read() {
    let askwell = askwell();
    let request = format!(r#"{{"questions":[{{"question":"{}"}}]}}"#, "x".repeat(5_000_000));

    let run = askwell.command(["ask", "-"]).stdin(request.clone()).run();
    assert_refused(&run, 2, &["LIMIT_EXCEEDED", "is over 4194304 bytes"]);

    // Nobody ever stops writing to this one.
    let run = askwell.run_shell("yes '{' | \"$ASKWELL\" ask -");
    assert_refused(&run, 2, &["LIMIT_EXCEEDED"]);
}

#[rstest]
#[case::missing("nowhere.json", "can't read nowhere.json: there is no such file")]
#[case::directory(".", "can't read .: it is a directory")]
#[case::below_a_file("r1.json/x", "can't read r1.json/x: there is no such file")]
#[case::json_for_a_name(r#"{"questions":[]}"#, "pipe a request in")]
#[case::long_json_for_a_name(
    &format!(r#"{{"questions":[{{"question":"{}"}}]}}"#, "long ".repeat(1_000)),
    "pipe a request in"
)]
#[case::question_for_a_name("Which database?", "askwell ask --question TEXT")]
fn what_can_not_be_read_is_told_by_its_name(#[case] file: &str, #[case] told: &str) {
    let askwell = askwell();

    assert_refused(&askwell.run(["ask", file]), 2, &[told]);
    let told = told.split(": ").next().unwrap();
    if told.starts_with("can't") {
        assert_refused(&askwell.run(["check", file]), 2, &[told]);
        let recorded = ["ask", "r1.json", "--answers", file];
        assert_refused(&askwell.run(recorded), 2, &[told]);
    }
}

#[test]
fn many_faults_do_not_push_the_first_ones_out_of_sight() {
    let options = vec![r#"{"label":""}"#; 100].join(",");
    let request = format!(r#"{{"questions":[{{"question":"q","options":[{options}]}}]}}"#);
    let askwell = askwell();
    askwell.write("request.json", request);

    let asked = askwell.run(["ask", "request.json"]);
    let checked = askwell.run(["check", "request.json"]);

    assert_refused(&asked, 2, &["100 faults", "options[19].label", "80 more: askwell check"]);
    assert!(!asked.stderr.contains("options[20].label"), "{asked}");
    assert!(checked.stdout.contains("options[99].label"), "{checked}");
}

#[test]
fn b126_no_control_character_reaches_the_terminal_through_stderr_or_check() {
    let hostile = "\\u001b[2J\\u001b]52;c;aGk=\\u0007\\u009b31m\\b\\r\\u0000\\u202e";
    let request = format!(
        r#"{{"questions":[{{"id":"{hostile}","question":"","header":7,
            "options":[{{"label":"{hostile}"}},{{"label":"{hostile}"}}]}}]}}"#
    );
    let answers = format!(r#"{{"answers":[{{"id":"{hostile}","selected":["{hostile}"]}}]}}"#);
    let name = "evil\u{1b}[2J\u{9b}31m\u{202e}.json";
    let askwell = askwell();
    askwell.write(name, request);
    askwell.write("hostile.json", answers);

    for arguments in [
        vec!["ask", name],
        vec!["ask", "nowhere\u{1b}[2J.json"],
        vec!["ask", "r1.json", "--lang", "\u{1b}[2J"],
        vec!["ask", "r1.json", "surplus\u{1b}]0;title\u{7}"],
        vec!["ask", "r1.json", "--timeout", "\u{1b}[2J\u{202e}"],
        vec!["ask", "r1.json", "--answers", "hostile.json"],
        vec!["check", name],
        vec!["check", "r1.json", "--answer", "hostile.json"],
    ] {
        let run = askwell.run(&arguments);
        assert_eq!(run.code(), 2, "{run}");
        let shown = format!("{}{}", run.stdout, run.stderr);
        assert!(!shown.is_empty());
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.contains(steers), "{arguments:?}: {shown:?}");
    }
}
