//! One question from flags.

use askwell_testkit::Run;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{askwell, assert_refused};

/// Asks one question by flags, with this recorded answer to it.
#[track_caller]
fn ask(flags: &[&str], stdin: &str, answer: serde_json::Value) -> Run {
    let askwell = askwell();
    askwell.write("answers.json", json!({"answers": [answer]}).to_string());
    let arguments = ["ask", "--question", "Which?", "--answers", "answers.json"];
    askwell.command(arguments.iter().chain(flags)).stdin(stdin).run()
}

#[test]
fn a_question_with_options_is_asked_under_the_id_q1() {
    let flags = ["--option", "Tea", "--describe", "green", "--option", "Coffee"];

    let run = ask(&flags, "", json!({"id": "q1", "selected": ["Coffee"]}));

    assert_eq!(run.stdout, "{\"answers\":[{\"id\":\"q1\",\"selected\":[\"Coffee\"]}]}\n");
}

#[test]
fn all_flags_reach_the_question() {
    let labels = ["--multi", "--option", "A", "--option", "B", "--id", "pick", "--header", "H"];
    let both = json!({"id": "pick", "selected": ["B", "A"]});
    assert_eq!(
        ask(&labels, "", both).json(),
        json!({"answers": [{"id": "pick", "selected": ["A", "B"]}]})
    );

    let text = json!({"id": "q1", "selected": [], "custom": "text"});
    let closed = ["--option", "A", "--no-custom", "--detail", "**why**"];
    assert_refused(&ask(&closed, "", text.clone()), 2, &["takes only its own labels"]);
    assert_eq!(ask(&closed[..2], "", text).code(), 0);
}

#[test]
fn labels_are_taken_literally() {
    let labels = ["--multi", "-h", "a,b", "$(id)", "", "日本語", " spaces "];
    let mut flags = vec!["--multi"];
    for label in labels.iter().filter(|label| !label.is_empty()) {
        flags.extend(["--option", label]);
    }

    let run = ask(
        &flags,
        "",
        json!({"id": "q1", "selected": ["--multi", "-h", "a,b", "$(id)", "日本語", " spaces "]}),
    );

    assert_eq!(run.code(), 0, "{run}");
    assert_refused(
        &ask(&["--option", ""], "", json!({"id": "q1", "selected": []})),
        2,
        &["questions[0].options[0].label is blank"],
    );
}

#[test]
fn labels_come_from_standard_input_one_a_line_in_their_place() {
    let flags = ["--multi", "--option", "first", "--option", "-", "--option", "last"];
    let all = json!({"id": "q1", "selected": ["last", "-", "two words", "first", "crlf"]});

    let run = ask(&flags, "two words\n-\ncrlf\r\n", all);

    assert_eq!(
        run.json(),
        json!({"answers": [{"id": "q1", "selected": ["first", "two words", "-", "crlf", "last"]}]})
    );
}

#[rstest]
#[case::empty(&["--option", "-"], "", "found no label")]
#[case::twice(&["--option", "-", "--option", "-"], "a\n", "can be given once")]
#[case::blank(&["--option", "-"], "a\n\nb\n", "questions[0].options[1].label is blank")]
#[case::same(&["--option", "a", "--option", "-"], "a\n", "questions[0].options[1].label repeats")]
#[case::nul(&["--option", "-"], "a\nb\0c\n", "line 2 of standard input holds a NUL byte")]
#[case::undescribed(&["--describe", "x", "--option", "a"], "", "has no --option before it")]
#[case::described_twice(&["--option", "a", "--describe", "x", "--describe", "y"], "", "\"y\" has no")]
#[case::described_lines(&["--option", "-", "--describe", "x"], "a\n", "has no --option before it")]
#[case::nothing_to_answer(&["--no-custom"], "", "questions[0].allowCustom is false without options")]
fn options_that_can_not_be_meant_are_refused(
    #[case] flags: &[&str],
    #[case] stdin: &str,
    #[case] told: &str,
) {
    assert_refused(&ask(flags, stdin, json!({"id": "q1", "selected": []})), 2, &[told]);
}

#[test]
fn flags_without_a_question_are_refused() {
    for flags in [&["--option", "a"][..], &["--multi"], &["--describe", "x"]] {
        let run = askwell().run(["ask"].iter().chain(flags));
        assert_refused(&run, 2, &["--question <TEXT>"]);
    }
}

#[test]
fn labels_that_are_not_utf8_are_told_by_their_line() {
    let askwell = askwell();
    let run =
        askwell.command(["ask", "--question", "q", "--option", "-"]).stdin(b"a\nb\xffc\n").run();

    assert_refused(
        &run,
        2,
        &["standard input is not UTF-8 text: the byte 0xff at line 2 column 2"],
    );
}
