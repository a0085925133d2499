//! `askwell inbox` in a real terminal at a real host: lists, answers one after the other, follows
//! what happens elsewhere, and loses nothing.

use std::fs;
use std::time::Duration;

use askwell_testkit::{Signal, TestTerminal};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Host, R1, R2, R3, askwell, takes_keys};

impl Host {
    /// The inbox, past the guard of early keys.
    #[track_caller]
    fn inbox(&self) -> TestTerminal {
        self.inbox_at(80, 24)
    }

    #[track_caller]
    fn inbox_at(&self, columns: u16, rows: u16) -> TestTerminal {
        let terminal = self.askwell.terminal(["inbox"]).size(columns, rows).spawn();
        terminal.wait_for("Inbox").wait_ready(takes_keys);
        terminal
    }
}

/// Opens what is highlighted, and waits until its dialog takes keys.
#[track_caller]
fn opens(terminal: &TestTerminal, shown: &str) {
    terminal.keys("<enter>");
    is_open(terminal, shown);
}

#[track_caller]
fn is_open(terminal: &TestTerminal, shown: &str) {
    terminal.wait_until("the dialog takes keys", |screen| {
        takes_keys(screen)
            && screen.contains(shown)
            && screen.contains("Esc")
            && !screen.contains("Inbox ")
    });
}

fn text(shown: &Value, question: usize) -> &str {
    shown["draft"]["questions"][question]["custom"].as_str().unwrap()
}

fn count(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part).count()
}

#[test]
fn b115_what_waits_is_answered_one_after_the_other_on_one_screen() {
    let host = Host::start();
    let (first, _) = host.asking(R1, &[]);
    let (second, _) = host.asking(R2, &[]);
    let terminal = host.inbox();
    terminal.wait_for("Which database?").wait_for("2 waiting");

    opens(&terminal, "Postgres");
    terminal.keys("2").wait_for("(•) 2").keys("<enter>");
    is_open(&terminal, "Auth");
    terminal.keys("13").wait_for("2 selected").keys("c").types("also SSO").wait_for("also SSO");
    terminal.keys("<enter>").wait_for("0 waiting").wait_for("Answered");

    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(first.outcome(), (Some(0), answers));
    let answers = json!({"answers": [
        {"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"},
    ]});
    assert_eq!(second.outcome(), (Some(0), answers));
    terminal.wait_ready(takes_keys).keys("q");
    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    let output = terminal.raw_output();
    assert_eq!(count(&output, b"\x1b[?1049h"), 1, "never through the main screen in between");
}

#[test]
fn b061_one_that_arrives_while_somebody_types_takes_nothing_away() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");
    terminal.keys("c").types("my ans").wait_for("my ans");

    host.post(R2);
    terminal.wait_for("1 more waiting, 1 new").types("wer").wait_for("my answer");
    terminal.keys("<enter>");

    is_open(&terminal, "Auth");
    let answer = host.json(["wait", &id]);
    assert_eq!(answer, json!({"answers": [{"id": "db", "selected": [], "custom": "my answer"}]}));
}

#[test]
fn b073_one_that_arrives_at_the_list_is_told_and_leaves_the_highlight() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.inbox();
    terminal.wait_for("▸ DB: Which database?");

    host.post(R2);

    terminal.wait_for("New from local: Which features?").wait_for("1 new · 2 waiting");
    terminal.wait_for("▸ DB: Which database?");
}

#[test]
fn b117_one_answered_elsewhere_shows_how_and_what_was_typed_stays() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");
    terminal.keys("c").types("typed, not sent").wait_for("typed, not sent");

    assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);

    terminal.wait_for("Answered elsewhere").wait_for("by a program").wait_for("(•) SQLite");
    terminal.wait_for("typed, not sent").wait_ready(takes_keys);
    terminal.quiet(Duration::from_millis(350)).keys("<esc>").wait_for("0 waiting");
}

#[test]
fn b118_one_cancelled_elsewhere_leaves_the_list_and_is_read_lower() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox();
    terminal.wait_for("▸ DB: Which database?");

    assert_eq!(host.run(["cancel", &id, "--comment", "explain DuckDB first"]).code(), 0);

    terminal.wait_for("0 waiting").wait_for("Cancelled: Which database?").wait_for("Earlier");
    terminal.wait_ready(takes_keys).keys("<tab>").wait_for("▸ DB").keys("<enter>");
    terminal.wait_for("explain DuckDB first");
}

#[test]
fn b114_a_cancel_here_ends_that_one_and_the_next_opens() {
    let host = Host::start();
    let (first, _) = host.asking(R1, &[]);
    let second = host.post(R2);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");

    terminal.keys("x").wait_for("Leave these questions?").keys("c").wait_for("Why do you cancel");
    terminal.types("not now").wait_for("not now").keys("<enter>");

    is_open(&terminal, "Auth");
    let (code, document) = first.outcome();
    assert_eq!((code, &document["comment"]), (Some(130), &json!("not now")));
    terminal.keys("<esc>").wait_for("1 waiting").keys("q");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(host.waiting(), [second]);
}

#[test]
fn b076_the_host_is_killed_while_somebody_types_and_nothing_is_lost() {
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");
    terminal.keys("c").types("before").wait_for("before");
    host.wait_until("saved", &id, |shown| text(shown, 0) == "before");

    host.kills();
    terminal.types(" and while it was gone").wait_for("not saved yet");
    let host = host.killed_and_started_again();

    let all = "before and while it was gone";
    host.wait_until("saved", &id, |shown| text(shown, 0) == all);
    terminal.keys("<enter>").wait_for("0 waiting");
    let (code, document) = asking.outcome();
    assert_eq!((code, &document["answers"][0]["custom"]), (Some(0), &json!(all)));
}

#[test]
fn the_list_says_that_the_host_is_gone_and_goes_on_when_it_is_back() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.inbox();
    terminal.wait_for("1 waiting");

    host.kills();
    terminal.wait_for("No host answers").wait_for("Which database?");
    let host = host.killed_and_started_again();
    terminal.wait_gone("No host answers");
    host.post(R2);

    terminal.wait_for("Which features?").wait_for("2 waiting");
}

#[test]
fn b117_two_terminals_on_one_draft_and_what_the_killed_one_wrote_is_sent_by_the_other() {
    let host = Host::start();
    let (asking, id) = host.asking(R3, &[]);
    let (first, second) = (host.inbox(), host.inbox());
    opens(&first, "Postgres");
    opens(&second, "Postgres");
    let list = host.inbox();
    first.keys("c").types("by the first").wait_for("by the first");
    second.wait_for("by the first");
    list.wait_for("you are at it elsewhere");

    first.signal(Signal::KILL);
    let host = host.killed_and_started_again();

    assert_eq!(text(&host.show(&id), 0), "by the first");
    second.keys("<tab>").wait_for("Which features?").keys("2").wait_for("[x] 2 Search");
    second.keys("<tab>").wait_for("Project name?").types("askwell").wait_for("askwell");
    second.keys("<enter>").wait_for("Review before sending").wait_for("by the first");
    second.keys("<enter>").wait_for("0 waiting");
    let (code, document) = asking.outcome();
    let expected = json!([
        {"id": "db", "selected": [], "custom": "by the first"},
        {"id": "feat", "selected": ["Search"]},
        {"id": "name", "selected": [], "custom": "askwell"},
    ]);
    assert_eq!((code, &document["answers"]), (Some(0), &expected));
}

#[test]
fn b117_what_two_inboxes_write_is_both_kept_over_a_restart_of_the_host() {
    let host = Host::start();
    let id = host.post(R1);
    let (first, second) = (host.inbox(), host.inbox());
    opens(&first, "Postgres");
    opens(&second, "Postgres");
    second.keys("c").wait_for("Alt-Enter");
    first.keys("c").types("mine").wait_for("mine");
    host.wait_until("saved", &id, |shown| text(shown, 0) == "mine");

    let host = host.killed_and_started_again();
    second.types("theirs").wait_for("theirs");

    host.wait_until("holding both", &id, |shown| {
        let all = shown["draft"]["questions"][0].to_string();
        all.contains("mine") && all.contains("theirs")
    });
    first.wait_for("mine");
    second.wait_for("theirs");
}

#[test]
fn b071_one_that_expires_says_so_and_one_key_puts_it_away() {
    let host = Host::start();
    let soon = R1.replacen('{', r#"{"expiresInSeconds":2,"#, 1);
    host.post(R2);
    let terminal = host.inbox();
    host.post(&soon);
    terminal.wait_for("DB: Which database?").keys("j").wait_for("▸ DB: Which database?");

    terminal.wait_for("Expired, nobody answered in time").wait_for("1 waiting");
    terminal.keys("x").wait_for("▸ Which features?");
    terminal.wait_until("only lower now", |screen| {
        let row = |text: &str| screen.rows.iter().position(|row| row.contains(text));
        row("Earlier").is_some_and(|earlier| row("Which database?") > Some(earlier))
    });
}

#[test]
fn a_search_finds_what_waits_and_what_has_ended() {
    let host = Host::start();
    host.post(R2);
    let id = host.post(R1);
    assert_eq!(host.run(["answer", &id, "--custom", "a needle in it"]).code(), 0);
    let terminal = host.inbox();

    terminal.keys("/").types("features").wait_for("/features").wait_gone("Which database?");
    terminal.wait_for("Which features?").keys("<esc>").wait_for("Which database?");
    terminal.wait_ready(takes_keys).keys("/").types("needle").keys("<enter>");

    terminal.wait_for("search: needle · 1 found").wait_for("Which database?");
}

#[test]
fn in_a_window_of_30_by_8_everything_is_reached() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox_at(30, 8);
    terminal.wait_for("▸ DB:");

    terminal.keys("<enter>").wait_for("Postgres").wait_ready(takes_keys);
    terminal.keys("2").wait_for("(•) 2").keys("<enter>").wait_for("0 waiting");

    terminal.resize(120, 40).wait_for("Answered");
    assert_eq!(host.json(["wait", &id])["answers"][0]["selected"], json!(["SQLite"]));
}

#[rstest]
#[case::ctrl_c(None)]
#[case::sigint(Some(Signal::INT))]
#[case::sigterm(Some(Signal::TERM))]
#[case::sighup(Some(Signal::HUP))]
#[case::sigquit(Some(Signal::QUIT))]
fn signals_only_leave_and_restore_the_terminal(#[case] signal: Option<Signal>) {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");
    terminal.keys("c").types("kept").wait_for("kept");

    match signal {
        Some(signal) => terminal.signal(signal),
        None => terminal.keys("<c-c>"),
    };

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    assert_eq!(host.waiting(), [id.as_str()]);
    assert_eq!(text(&host.show(&id), 0), "kept");
}

#[test]
fn a_window_that_is_closed_leaves_the_draft() {
    let host = Host::start();
    let id = host.post(R1);
    let terminal = host.inbox();
    opens(&terminal, "Postgres");
    terminal.keys("c").types("kept").wait_for("kept").hang_up();

    terminal.wait_exit();

    assert_eq!(text(&host.show(&id), 0), "kept");
    assert_eq!(host.waiting(), [id]);
}

#[test]
fn b126_a_hostile_asker_draws_nothing_but_its_own_row() {
    // Without our own bell, so that none that rings is ours.
    let host = Host::start_in(askwell().env("ASKWELL_NOTIFY_BELL", "0"));
    let hostile = "\u{1b}[2J\u{1b}[H\u{1b}]0;owned\u{7}\u{9b}31m\u{8}\r\u{202e}";
    let request = json!({
        "questions": [{"id": "q", "header": hostile, "question": format!("Ship it?{hostile}"),
            "options": [{"label": hostile}]}],
        "asker": {"name": hostile, "cwd": hostile, "session": hostile, "chain": [hostile]},
    });
    let terminal = host.inbox();
    host.post(&request.to_string());

    terminal.wait_for("New from ␛[2J").wait_for("(local)").wait_for("1 waiting");
    opens(&terminal, "Ship it?");
    terminal.keys("<esc>").wait_for("1 waiting");

    let output = String::from_utf8_lossy(&terminal.raw_output()).into_owned();
    for bad in ["\u{1b}[H\u{1b}]", "\u{1b}]0;", "\u{7}", "\u{9b}", "\u{8}", "\u{202e}"] {
        assert!(!output.contains(bad), "{bad:?} reached the terminal");
    }
}

#[test]
fn one_alone_is_answered_and_left() {
    let host = Host::start();
    let (other, id) = (host.post(R2), host.post(R1));

    let terminal = host.askwell.terminal(["inbox", &id]).spawn();
    is_open(&terminal, "Postgres");
    terminal.keys("2").wait_for("(•) 2").keys("<enter>");

    assert_eq!(terminal.wait_code(), 0);
    terminal.assert_restored();
    assert_eq!(host.waiting(), [other.as_str()]);
    let terminal = host.askwell.terminal(["inbox", &other]).spawn();
    is_open(&terminal, "Auth");
    terminal.keys("<esc>");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(host.waiting(), [other]);

    let unknown = "01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e";
    let terminal = host.askwell.terminal(["inbox", unknown]).spawn();
    assert_eq!(terminal.wait_code(), 1);
    assert!(terminal.screen().contains("NOT_FOUND"), "{}", terminal.screen());
    assert_eq!(count(&terminal.raw_output(), b"\x1b[?1049h"), 0);
}

#[test]
fn without_a_terminal_it_says_so_and_what_to_do() {
    let host = Host::start();
    let run = host.run(["inbox"]);
    assert_eq!((run.code(), run.stdout.as_str()), (3, ""), "{run}");
    assert!(run.stderr.contains("no terminal is attached"), "{run}");
    assert!(run.stderr.contains("askwell list"), "{run}");
}

#[test]
fn where_no_host_runs_one_is_started() {
    let askwell = askwell().env("ASKWELL_PORT", "0");
    let terminal = askwell.terminal(["inbox"]).spawn();
    terminal.wait_for("Nothing waits for you").wait_ready(takes_keys).keys("q");
    assert_eq!(terminal.wait_code(), 0);
    assert_eq!(askwell.run(["stop"]).code(), 0);
}

#[test]
fn it_costs_nothing_while_nothing_happens() {
    let host = Host::start();
    host.post(R1);
    let terminal = host.inbox();
    terminal.wait_for("1 waiting").quiet(Duration::from_millis(300));
    let stat = format!("/proc/{}/stat", terminal.process_id());
    let spent = || {
        let text = fs::read_to_string(&stat).unwrap();
        let fields: Vec<u64> = text
            .rsplit_once(") ")
            .unwrap()
            .1
            .split(' ')
            .skip(11)
            .take(2)
            .map(|field| field.parse().unwrap())
            .collect();
        fields.iter().sum::<u64>()
    };
    let before = spent();
    terminal.quiet(Duration::from_secs(1));
    assert!(spent() <= before + 1, "{before} ticks, then {}", spent());
}

#[test]
fn a_text_is_written_in_the_persons_own_editor() {
    let host = Host::start();
    let (asker, _) = host.asking(R1, &[]);
    let editor = r#"sh -c 'echo opened; read line; printf "%s" "$line" >"$0"'"#;
    let terminal = host.askwell.terminal(["inbox"]).env("EDITOR", editor).spawn();
    terminal.wait_for("Inbox").wait_ready(takes_keys);
    opens(&terminal, "Postgres");
    assert!(terminal.modes().mouse);
    terminal.keys("<c-g>").wait_for("opened").types("from my editor\n");
    terminal.wait_for("(•)   from my editor").wait_until("takes keys", takes_keys);
    terminal.keys("<enter>").wait_for("0 waiting");
    let answers = json!({"answers": [{"id": "db", "selected": [], "custom": "from my editor"}]});
    assert_eq!(asker.outcome(), (Some(0), answers));
    terminal.keys("<c-c>").wait_exit();
    terminal.assert_restored();

    let (_asker, _) = host.asking(R2, &[]);
    let terminal = host.askwell.terminal(["inbox"]).env("EDITOR", editor).spawn();
    terminal.wait_for("Inbox").wait_ready(takes_keys);
    opens(&terminal, "Auth");
    terminal.keys("<c-g>").wait_for("opened").signal(Signal::TERM);
    terminal.wait_exit();
    terminal.assert_restored();
}
