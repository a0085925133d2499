//! What was entered is kept through every end but a sent answer, and offered back.

use std::os::unix::fs::PermissionsExt;

use askwell_testkit::Signal;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{R1, R3, asking_in, document, environment, takes_keys};

#[test]
fn b082_b085_a_draft_survives_kill_nine_and_is_offered_back() {
    let environment = environment();
    let words = "five hundred words ".repeat(26);
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("c").types(&words).wait_for("draft saved").signal(Signal::KILL);
    terminal.wait_exit();

    let drafts = environment.state().join("askwell/drafts");
    for entry in std::fs::read_dir(&drafts).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "owner only");
    }

    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("five hundred words");
    terminal.wait_for("Draft restored").keys("c<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], words.trim_end());

    let terminal = asking_in(&environment, R1, 80, 24);
    assert!(!terminal.screen().contains("Restore"), "an answered draft is gone");
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn a_draft_survives_ctrl_c_and_starting_empty_leaves_it_alone() {
    let environment = environment();
    let terminal = asking_in(&environment, R3, 80, 24);
    terminal.keys("2").wait_for("(•) 2").keys("<c-c>");
    assert_eq!(terminal.wait_code(), 130);
    let told = environment.read("err.txt");
    assert!(told.contains("kept for 7 days"), "{told}");

    let terminal = asking_in(&environment, R3, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("n").wait_for("Started empty");
    terminal.wait_for("( ) 2 SQLite").keys("<c-c>").wait_exit();

    let terminal = asking_in(&environment, R3, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("Which features?");
    terminal.keys("<s-tab>").wait_for("(•) 2 SQLite").keys("<c-c>").wait_exit();
}

#[test]
fn b082_a_draft_is_never_offered_for_other_questions() {
    let environment = environment();
    let terminal = asking_in(&environment, R3, 80, 24);
    terminal.keys("2").wait_for("draft saved").keys("<c-c>").wait_exit();
    let other = R3.replace("Which database?", "Which cache?");
    let terminal = asking_in(&environment, &other, 80, 24);
    assert!(!terminal.screen().contains("Restore"), "{}", terminal.screen());
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b004_a_text_that_was_sent_without_stays_a_draft() {
    let environment = environment();
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.keys("c").types("my reasons").wait_for("my reasons").keys("<esc>");
    terminal.wait_for("c own text").keys("1").wait_for("[not sent]").keys("<enter>");
    terminal.wait_for("would not be sent").keys("w");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal), json!({"answers": [{"id": "db", "selected": ["Postgres"]}]}));
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("my reasons");
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b083_an_answer_that_could_not_be_written_is_kept() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#""$ASKWELL" ask r1.json >/dev/full 2>err.txt; echo "exit $?""#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("c").types("precious").wait_for("precious");
    terminal.keys("<enter>").wait_for("exit 1");
    assert!(environment.read("err.txt").contains("kept"), "{}", environment.read("err.txt"));
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("precious");
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn an_answer_to_a_closed_output_is_kept_and_told() {
    let environment = environment();
    environment.write("r1.json", R1);
    let line = r#""$ASKWELL" ask r1.json >&- 2>err.txt; echo "exit $?""#;
    let terminal = environment.shell(line).spawn();
    terminal.wait_ready(takes_keys).keys("c").types("precious").wait_for("precious");
    terminal.keys("<enter>").wait_for("exit ");
    let told = environment.read("err.txt");
    assert!(told.contains("nobody got the answer") && told.contains("kept for 7 days"), "{told}");
    let terminal = asking_in(&environment, R1, 80, 24);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("precious");
    terminal.keys("<c-c>").wait_exit();
}

#[test]
fn b085_a_state_folder_that_cannot_be_written_is_told_and_stops_nothing() {
    let environment = environment();
    environment.write("r1.json", R1);
    let terminal = environment
        .terminal(["ask", "r1.json"])
        .env("XDG_STATE_HOME", "/proc/nowhere")
        .stdout_to("out.json")
        .stderr_to("err.txt")
        .spawn();
    terminal.wait_ready(takes_keys).keys("c").types("x").wait_for("not saved yet");
    terminal.keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(document(&terminal)["answers"][0]["custom"], "x");
    assert!(!environment.read("err.txt").is_empty());
}

#[rstest]
#[case::drawn(&[], "2c", false)]
#[case::by_lines(&["--plain"], "", true)]
fn b085_what_could_not_be_saved_is_printed_and_nothing_is_said_to_be_kept(
    #[case] flags: &[&str],
    #[case] begins: &str,
    #[case] is_plain: bool,
) {
    let environment = environment();
    environment.write("r1.json", R1);
    let arguments = [&["ask", "r1.json"], flags].concat();
    let terminal = environment.terminal(arguments).stdout_to("out.json").stderr_to("err.txt");
    let terminal = terminal.spawn();
    if is_plain {
        terminal.wait_for("? helps:").line("t first", "Enter sends");
    } else {
        terminal.wait_ready(takes_keys).keys(begins).types("first").wait_for("draft saved");
    }
    // From now on the folder can't be written, as on a full disk.
    let drafts = environment.state().join("askwell/drafts");
    let saved = || std::fs::read_dir(&drafts).is_ok_and(|mut files| files.next().is_some());
    terminal.wait_until("the first is saved", |_| saved());
    std::fs::remove_dir_all(&drafts).unwrap();
    std::fs::write(&drafts, "in the way").unwrap();
    if is_plain {
        terminal.line("t words nobody\u{7} may lose", "Enter sends");
    } else {
        terminal.types(" words nobody may lose").wait_for("not saved yet");
    }

    terminal.signal(Signal::TERM);

    assert_eq!(terminal.wait_code(), 143);
    let told = environment.read("err.txt");
    assert!(told.contains("could not be saved: ") && !told.contains("kept for"), "{told}");
    assert!(told.contains("\n- DB\n") && told.contains("words nobody may lose\n"), "{told}");
    // Why comes before where, which a narrow status line cuts.
    let (why, place) = (told.find("File exists"), told.find("askwell/drafts"));
    assert!(why.is_some() && why < place, "{told}");
}
