//! stdout is exactly the result, or the exit code says that it is not.

use pretty_assertions::assert_eq;

use super::{R3, ask, askwell, assert_refused};

const ALL: &str = r#"{"answers":[{"id":"db","selected":["SQLite"]},{"id":"feat","selected":["Auth","Export"],"custom":"two\nlines"},{"id":"name","selected":[]}]}"#;

#[test]
fn b070_stdout_is_one_document_and_a_line_end() {
    let run = ask(R3, ALL);

    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, format!("{ALL}\n"));
}

#[test]
fn lines_are_the_labels_and_then_the_text_of_each_question() {
    let askwell = askwell();
    askwell.write("all.json", ALL);
    let lines = ["ask", "r3.json", "--answers", "all.json", "--format", "lines"];

    assert_eq!(askwell.run(lines).stdout, "SQLite\nAuth\nExport\ntwo\nlines\n");
    assert_eq!(
        askwell.run(lines.iter().chain(&["--print0"])).stdout,
        "SQLite\0Auth\0Export\0two\nlines\0"
    );
    askwell.write("nul.json", r#"{"questions":[{"question":"?","options":["a\u0000b"]}]}"#);
    let with_nul = ["ask", "nul.json", "--answers", "all.json", "--format", "lines", "--print0"];
    assert_refused(&askwell.run(with_nul), 2, &["a label holds U+0000"]);
    let without_lines = ["ask", "r3.json", "--answers", "all.json", "--print0"];
    assert_refused(&askwell.run(without_lines), 2, &["--print0 needs --format lines"]);
}

#[test]
fn an_output_that_takes_nothing_is_a_failure() {
    let askwell = askwell();
    askwell.write("all.json", ALL);
    for (output, told) in [("> /dev/full", "No space left"), ("| exec 3<&0", "Broken pipe")] {
        for format in ["json", "lines"] {
            let line = format!(
                "{{ \"$ASKWELL\" ask r3.json --answers all.json --format {format}; echo code $? >&2; }} {output}"
            );
            // The reader leaves before anything is written.
            let line = line.replace("| exec 3<&0", "| exec /bin/true");
            let line = line.replace("{ \"$ASKWELL\"", "{ sleep 0.2; \"$ASKWELL\"");
            let run = askwell.run_shell(&line);

            assert!(run.stderr.contains("can't write to stdout"), "{run}");
            assert!(run.stderr.contains(told), "{run}");
            assert!(run.stderr.ends_with("code 1\n"), "{run}");
        }
    }
}

#[test]
fn help_that_nobody_reads_to_its_end_is_no_failure() {
    let run = askwell()
        .run_shell("{ sleep 0.2; \"$ASKWELL\" ask --help; echo code $? >&2; } | exec /bin/true");

    assert_eq!(run.stderr, "code 0\n");
}

#[test]
fn a_stderr_that_is_gone_stops_nothing() {
    let askwell = askwell();

    assert_eq!(askwell.run_shell("\"$ASKWELL\" ask nowhere.json 2>/dev/full").code(), 2);
    assert_eq!(askwell.run_shell("\"$ASKWELL\" ask nowhere.json 2>&-").code(), 2);
}

#[test]
fn b126_a_terminal_gets_the_result_as_escapes_with_the_same_value() {
    let hostile = "x\u{1b}[2J\u{9b}31m\u{202e}\u{7f}é 日本 👩‍💻";
    let askwell = askwell();
    let request =
        serde_json::json!({"questions": [{"id": "q", "question": "Which?", "options": [hostile]}]});
    let answers = serde_json::json!({"answers": [{"id": "q", "selected": [hostile]}]});
    askwell.write("request.json", request.to_string());
    askwell.write("answers.json", answers.to_string());
    let ask = ["ask", "request.json", "--answers", "answers.json"];

    let terminal = askwell.terminal(ask).size(200, 24).spawn();
    assert_eq!(terminal.wait_code(), 0);
    let shown = String::from_utf8(terminal.raw_output()).unwrap();
    assert!(!shown.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{shown:?}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), answers);

    let terminal = askwell.terminal(ask.iter().chain(&["--format", "lines"])).spawn();
    assert_eq!(terminal.wait_code(), 0);
    let shown = String::from_utf8(terminal.raw_output()).unwrap();
    assert!(!shown.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{shown:?}");
    assert!(askwell.run(ask.iter().chain(&["--format", "lines"])).stdout == format!("{hostile}\n"));
}
