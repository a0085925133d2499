//! `askwell ask --plain` in a real terminal: lines in, text out, and not one byte that draws.

use std::time::Duration;

use askwell_testkit::{Signal, TestEnvironment, TestTerminal};
use serde_json::{Value, json};

use super::{R1, R2, R3, document, environment, takes_keys};

fn asking(request: &str) -> TestTerminal {
    asking_in(&environment(), request, 80)
}

fn asking_in(environment: &TestEnvironment, request: &str, columns: u16) -> TestTerminal {
    environment.write("request.json", request);
    let terminal = environment
        .terminal(["ask", "--plain", "request.json"])
        .size(columns, 24)
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_for("? helps:");
    terminal
}

/// What is typed, and what is said then.
type Line = (&'static str, &'static str);

#[test]
fn every_shape_of_an_answer_arrives_whole() {
    let cases: [(&str, &[Line], Value); 6] = [
        (R1, &[("2", "Enter sends")], json!([{"id": "db", "selected": ["SQLite"]}])),
        (R1, &[("t 8080", "Enter sends")], json!([{"id": "db", "selected": [], "custom": "8080"}])),
        (R1, &[("s", "Enter sends")], json!([{"id": "db", "selected": []}])),
        (R2, &[("1, 3", "Enter sends")], json!([{"id": "feat", "selected": ["Auth", "Export"]}])),
        (
            R2,
            &[
                ("4", "Enter sends"),
                ("t", "only a dot"),
                ("also 数据", ""),
                ("SSO", ""),
                (".", "Enter sends"),
            ],
            json!([{"id": "feat", "selected": ["Audit"], "custom": "also 数据\nSSO"}]),
        ),
        (
            R3,
            &[
                ("1", "2 of 3"),
                ("a", "Enter goes on"),
                ("", "3 of 3"),
                ("t askwell", "Enter sends"),
            ],
            json!([
                {"id": "db", "selected": ["Postgres"]},
                {"id": "feat", "selected": ["Auth", "Search", "Export"]},
                {"id": "name", "selected": [], "custom": "askwell"},
            ]),
        ),
    ];
    for (request, lines, answers) in cases {
        let terminal = asking(request);
        lines.iter().for_each(|(typed, then)| {
            terminal.line(typed, then);
        });
        terminal.types("\r");
        assert_eq!(terminal.wait_code(), 0);
        assert_eq!(document(&terminal), json!({"answers": answers}));
        terminal.assert_plain();
    }
}

#[test]
fn b010_by_lines_a_text_is_a_text() {
    let terminal = asking(R1);

    terminal.line("keep it in memory", "Not understood");
    terminal.line("t keep it in memory", "Enter sends");
    terminal.types("\r");

    assert_eq!(terminal.wait_code(), 0);
    let answer = json!([{"id": "db", "selected": [], "custom": "keep it in memory"}]);
    assert_eq!(document(&terminal)["answers"], answer);
}

#[test]
fn b126_by_lines_no_control_byte_of_the_asker_reaches_the_terminal() {
    let hostile = "\u{1b}[2J\u{1b}[H\u{1b}]52;c;aGk=\u{7}\u{1b}]8;;http://x\u{7}\u{9b}31m\u{8}\r\0";
    let request = json!({
        "context": hostile, "asker": {"name": hostile, "cwd": hostile},
        "questions": [{
            "id": "q", "header": hostile, "question": hostile, "detail": hostile,
            "options": [{"label": hostile, "description": hostile, "preview": hostile}],
        }],
    });
    let terminal = asking(&request.to_string());

    terminal.line("o", "? helps:");
    terminal.line("1", "Enter sends");
    terminal.types("\r");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["selected"], json!([hostile]));
    let output = terminal.raw_output();
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\n' | b'\r');
    assert!(!output.iter().any(control), "{}", String::from_utf8_lossy(&output));
    assert!(!String::from_utf8_lossy(&output).contains('\u{9b}'));
    terminal.assert_plain();
}

#[test]
fn what_was_typed_before_it_could_be_read_does_not_count() {
    let environment = environment();
    environment.write("request.json", R1);
    // Typed while the shell still sleeps.
    let shell = environment
        .shell(r#"printf 'ready\n'; sleep 0.3; exec "$ASKWELL" ask --plain request.json >out.json"#)
        .spawn();
    shell.wait_for("ready").types("2\r\r").wait_for("were not used").wait_for("? helps:");
    shell.line("", "Nothing entered yet");

    // So is an Enter behind the line that makes it send.
    shell.sends_bytes(b"1\n\n").wait_for("Enter sends").quiet(Duration::from_millis(100));
    shell.types("\r");

    assert_eq!(shell.wait_code(), 0);
    assert_eq!(document(&shell)["answers"], json!([{"id": "db", "selected": ["Postgres"]}]));
}

#[test]
fn the_environment_the_configuration_and_the_terminal_choose_it() {
    let environment = environment();
    environment.write("request.json", R1);
    let spawn = |name: &str, value: &str| {
        environment.terminal(["ask", "request.json"]).env(name, value).stdout_to("out.json").spawn()
    };
    for (name, value) in [("ASKWELL_PLAIN", "1"), ("TERM", "dumb"), ("TERM", "")] {
        let terminal = spawn(name, value);
        terminal.wait_for("? helps:");
        terminal.line("3", "Enter sends").types("\r");
        assert_eq!(terminal.wait_code(), 0);
        terminal.assert_plain();
    }
    environment.write(environment.root().join("config/askwell/config.toml"), "plain = true\n");
    let terminal = spawn("NOTHING", "here");
    terminal.wait_for("? helps:").types("\u{4}");
    assert_eq!(terminal.wait_code(), 143);
    // The variable goes before the file.
    let drawn = spawn("ASKWELL_PLAIN", "0");
    drawn.wait_ready(takes_keys);
    assert!(drawn.modes().bracketed_paste);
    drawn.keys("<c-c>");
    assert_eq!(drawn.wait_code(), 130);

    let wrong = spawn("ASKWELL_PLAIN", "perhaps");
    assert_eq!(wrong.wait_code(), 2);
    assert!(wrong.screen().contains("not true or false"), "{}", wrong.screen());
}

#[test]
fn signals_and_the_end_of_input_end_as_in_the_drawn_dialog() {
    let ended = |end: fn(&TestTerminal) -> &TestTerminal| {
        let terminal = asking(R2);
        terminal.line("2", "Enter sends");
        end(&terminal);
        let code = terminal.wait_code();
        let document = document(&terminal);
        assert!(document.get("answers").is_none(), "{document}");
        assert!(terminal.environment().read("err.txt").contains("kept for 7 days"));
        (code, document["state"].as_str().unwrap_or_default().to_owned())
    };
    let cancelled = (130, "cancelled".to_owned());
    let aborted = (143, "aborted".to_owned());
    assert_eq!(ended(|terminal| terminal.types("\u{3}")), cancelled);
    assert_eq!(ended(|terminal| terminal.signal(Signal::TERM)), aborted);
    assert_eq!(ended(|terminal| terminal.signal(Signal::HUP)), aborted);
    assert_eq!(ended(|terminal| terminal.hang_up()), aborted);
    assert_eq!(ended(|terminal| terminal.types("\u{4}")), aborted);
}

#[test]
fn a_draft_is_offered_after_kill_9() {
    let environment = environment();
    let killed = asking_in(&environment, R2, 80);
    killed.line("3", "Enter sends");
    killed.line("t", "only a dot").types("half a text\r");
    let folder = environment.state().join("askwell/drafts");
    let saved = || {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        // Whole files only, not one that is being written.
        let whole = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|it| it == "json"));
        let mut texts = whole.filter_map(|path| std::fs::read_to_string(path).ok());
        texts.any(|text| text.contains("half a text"))
    };
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while !saved() {
        assert!(std::time::Instant::now() < until, "never saved");
        std::thread::sleep(Duration::from_millis(10));
    }
    killed.signal(Signal::KILL).wait_exit();

    let terminal = environment
        .terminal(["ask", "--plain", "request.json"])
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_for("Restore").wait_for("r, n:");
    terminal.line("", "one of the letters");
    terminal.line("r", "Your text: half a text");
    terminal.types("\r");

    assert_eq!(terminal.wait_code(), 0);
    let answer = json!([{"id": "feat", "selected": ["Export"], "custom": "half a text"}]);
    assert_eq!(document(&terminal)["answers"], answer);
}

#[test]
fn thirty_columns_and_chinese() {
    let environment = environment();
    environment.write("request.json", R3);
    let terminal = environment
        .terminal(["ask", "--plain", "--lang", "zh", "request.json"])
        .size(30, 8)
        .stdout_to("out.json")
        .spawn();
    terminal.wait_for("帮助：");
    terminal.line("１", "第 2 题");
    terminal.line("２、３", "回车继续");
    terminal.line("", "第 3 题");
    terminal.line("t 名字", "回车发送").types("\r");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][2]["custom"], "名字");
    terminal.assert_plain();
}

#[test]
fn stopped_and_gone_on_it_asks_again() {
    let environment = environment();
    environment.write("request.json", R1);
    let line_of = r#"set -m; "$ASKWELL" ask --plain request.json >out.json; echo "stopped $?"; fg >/dev/null; echo "code $?""#;
    let shell = environment.shell(line_of).spawn();
    shell.wait_for("? helps:");
    let mark = shell.mark();
    shell.types("\u{1a}").wait_written(mark, "? helps:");

    shell.line("1", "Enter sends").types("\r").wait_for("code 0");

    assert_eq!(document(&shell)["answers"], json!([{"id": "db", "selected": ["Postgres"]}]));
}

#[test]
fn an_expired_request_says_so() {
    let environment = environment();
    environment.write("request.json", R1);
    let terminal = environment
        .terminal(["ask", "--plain", "--timeout", "1s", "request.json"])
        .stdout_to("out.json")
        .spawn();
    terminal.wait_for("0:01 left");

    assert_eq!(terminal.wait_code(), 124);
    assert!(terminal.screen().contains("Expired"), "{}", terminal.screen());
}

#[test]
fn e_opens_a_real_editor_and_the_lines_go_on_after_it() {
    let environment = environment();
    environment.write("r2.json", R2);
    environment.write("editor", "echo opened; read line; printf ' %s\n' \"$line\" >>\"$1\"\n");
    let terminal = environment
        .terminal(["ask", "--plain", "r2.json"])
        .env("EDITOR", "sh ./editor")
        .stdout_to("out.json")
        .spawn();
    terminal.wait_for("? helps:");
    terminal.line("1", "Enter sends").line("t one", "Your text: one");

    terminal.line("e", "opened").line("two", "Enter sends");

    terminal.types("\r").wait_for("Sent.").wait_exit();
    let answer = json!({"id": "feat", "selected": ["Auth"], "custom": "one\n two"});
    assert_eq!(document(&terminal), json!({ "answers": [answer] }));
    terminal.assert_plain();
}

#[test]
fn a_line_that_is_cut_within_a_character_loses_that_character_only() {
    let terminal = asking(R1);
    let mark = terminal.mark();
    // The terminal keeps 4,095 bytes of a line: 1,364 whole characters after the command.
    terminal.types(&format!("t {}\r", "数".repeat(1_400))).wait_written(mark, "is lost");
    terminal.line("", "Sent.");

    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], "数".repeat(1_364));
}

#[test]
fn a_half_line_is_kept_when_the_time_runs_out() {
    let environment = environment();
    environment.write("request.json", R1);
    let terminal = environment
        .terminal(["ask", "--plain", "request.json", "--timeout", "2"])
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_for("? helps:").line("t", "only a dot").line("first line", "first line");
    terminal.types("half of the 第二行").wait_for("第二行");

    assert_eq!(terminal.wait_code(), 124);
    assert!(environment.read("err.txt").contains("kept for 7 days"));
    let terminal = environment.terminal(["ask", "--plain", "request.json"]).spawn();
    terminal.wait_for("Restore what you entered?").line("r", "first line");
    terminal.wait_for("half of the 第二行");
}
