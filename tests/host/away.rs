//! Hosts that vanish or hang while somebody is at work: nothing typed is lost, and whoever wants to
//! leave can.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestTerminal, deadline};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Host, Program, R1, R2, askwell, takes_keys};

/// Leaving takes two seconds at most; the rest is for a machine that has much to do.
const LEFT: Duration = Duration::from_secs(5);

/// A dialog that starts no host of its own.
fn dialog(host: &Host, id: &str) -> TestTerminal {
    let here = host.askwell.clone().env("CI", "true");
    let terminal = here.terminal(["answer", id]).spawn();
    terminal.wait_ready(takes_keys);
    terminal
}

/// A dialog in whose field something is saved.
fn begun(host: &Host, id: &str) -> TestTerminal {
    let terminal = dialog(host, id);
    terminal.keys("c").types("begun").wait_for("begun");
    host.wait_until("saved", id, |shown| text(shown) == "begun");
    terminal
}

fn text(shown: &Value) -> &str {
    shown["draft"]["questions"][0]["custom"].as_str().unwrap()
}

/// The files of this user that hold drafts.
fn kept(host: &Host) -> Vec<PathBuf> {
    let folder = fs::read_dir(host.askwell.state().join("askwell/drafts"));
    let files = folder.into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "json")).collect()
}

fn kill(host: &mut Host) {
    host.program.signal(Signal::KILL);
    host.program.wait();
}

#[track_caller]
fn wait_for_kept(host: &Host, text: &str) -> PathBuf {
    let until = Instant::now() + deadline();
    loop {
        let holds = |path: &&PathBuf| fs::read_to_string(path).unwrap_or_default().contains(text);
        if let Some(path) = kept(host).iter().find(holds) {
            return path.clone();
        }
        assert!(Instant::now() < until, "no file ever holds {text:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_typed_while_no_host_runs_is_kept_here_and_saved_by_itself_once_one_does() {
    let mut host = Host::start();
    let id = host.post(R1);
    let terminal = begun(&host, &id);
    kill(&mut host);

    terminal.types(" while away").wait_for("not saved yet: no host");
    let file = wait_for_kept(&host, "begun while away");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);

    let host = Host::start_in(host.askwell.clone());
    host.wait_until("saved", &id, |shown| text(shown) == "begun while away");
    terminal.wait_gone("not saved yet").signal(Signal::KILL);
    terminal.wait_exit();
    assert_eq!(kept(&host), Vec::<PathBuf>::new());
}

#[test]
fn what_a_killed_dialog_could_not_save_is_offered_when_it_is_opened_again() {
    let mut host = Host::start();
    let id = host.post(R1);
    let terminal = begun(&host, &id);
    kill(&mut host);
    terminal.types(" while away");
    wait_for_kept(&host, "begun while away");
    terminal.signal(Signal::KILL);
    terminal.wait_exit();

    let host = Host::start_in(host.askwell.clone());
    let terminal = dialog(&host, &id);
    terminal.wait_for("Restore what you entered?").keys("r").wait_for("begun while away");

    host.wait_until("saved", &id, |shown| text(shown) == "begun while away");
    terminal.keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
    assert_eq!(kept(&host), Vec::<PathBuf>::new());
}

#[test]
fn leaving_is_quick_and_says_where_the_text_is_when_the_host_is_gone_or_hangs() {
    for signal in [Signal::KILL, Signal::STOP] {
        let host = Host::start();
        let id = host.post(R1);
        let terminal = begun(&host, &id);
        host.program.signal(signal);
        terminal.types(" and more").wait_for("not saved yet");

        let start = Instant::now();
        terminal.keys("<c-c>");
        assert_eq!(terminal.wait_code(), 75, "{}", terminal.screen());

        assert!(start.elapsed() < LEFT, "{:?}", start.elapsed());
        terminal.wait_for("it is kept in");
        wait_for_kept(&host, "begun and more");
    }
}

#[test]
fn a_dialog_whose_request_ended_elsewhere_is_left_by_ctrl_c_by_signals_and_with_its_terminal() {
    type Leave = (&'static str, fn(&TestTerminal));

    let host = Host::start();
    let leave: [Leave; 4] = [
        ("Ctrl-C", |terminal| {
            terminal.keys("<c-c>");
        }),
        ("SIGTERM", |terminal| {
            terminal.signal(Signal::TERM);
        }),
        ("SIGHUP", |terminal| {
            terminal.signal(Signal::HUP);
        }),
        ("hung up", |terminal| {
            terminal.hang_up();
        }),
    ];
    for (how, leave) in leave {
        let id = host.post(R1);
        let terminal = begun(&host, &id);
        assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);
        terminal.wait_for("Answered elsewhere");

        leave(&terminal);

        let exit = terminal.wait_exit();
        assert_eq!(exit.code(), 0, "{how}");
    }
}

#[test]
fn ticks_of_two_screens_at_once_both_stand() {
    let host = Host::start();
    let id = host.post(R2);
    let (first, second) = (host.dialog(&id), host.dialog(&id));

    first.keys("<space>");
    second.keys("3");

    let chosen = |shown: &Value| shown["draft"]["questions"][0]["chosen"].clone();
    host.wait_until("merged", &id, |shown| chosen(shown) == json!(["Auth", "Export"]));
    for screen in [&first, &second] {
        screen.wait_for("[x] 1 Auth").wait_for("[x] 3 Export");
    }
}

#[test]
fn b117_after_a_conflict_each_screen_sends_what_it_shows() {
    let host = Host::start();
    let id = host.post(R1);
    let (first, second) = (host.dialog(&id), host.dialog(&id));
    second.keys("c");
    first.keys("c").types("mine").wait_for("mine");
    host.wait_until("saved", &id, |shown| text(shown) == "mine");
    second.types("theirs").wait_for("theirs");
    host.wait_until("saved", &id, |shown| text(shown) == "theirs");

    first.wait_for("Changed elsewhere").keys("<esc>").wait_gone("Alt-Enter");
    second.types(" more").wait_for("theirs more");
    host.wait_until("saved", &id, |shown| text(shown) == "theirs more");
    first.wait_for("Changed elsewhere").wait_for("mine");
    first.keys("c").wait_for("Alt-Enter").keys("<enter>");

    assert_eq!(first.wait_code(), 0);
    let answer = json!({"answers": [{"id": "db", "selected": [], "custom": "mine"}]});
    assert_eq!(host.json(["wait", &id]), answer);
}

/// The exit code, the document and what was said of an asker that was sent a signal.
fn signalled(mut asking: Program, signal: Signal) -> (Option<i32>, Value, String) {
    let start = Instant::now();
    asking.signal(signal);
    let code = asking.wait();
    assert!(start.elapsed() < LEFT, "{:?}", start.elapsed());
    let said = asking.rest();
    let (_, document) = asking.outcome();
    (code, document, said)
}

/// Waits until a program has its hands on SIGTERM.
fn catches_signals(program: &Program) {
    let until = Instant::now() + deadline();
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", program.child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught & (1 << (Signal::TERM.as_raw() - 1)) != 0 {
            return;
        }
        assert!(Instant::now() < until, "never catches signals");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_signal_ends_an_asker_at_once_though_the_host_hangs_or_is_gone_and_says_what_is_left() {
    for gone in [Signal::KILL, Signal::STOP] {
        let host = Host::start();
        let (asking, id) = host.asking(R1, &[]);
        host.program.signal(gone);

        let (code, document, said) = signalled(asking, Signal::TERM);

        assert_eq!((code, &document["state"]), (Some(143), &json!("aborted")), "{said}");
        assert!(said.contains("may still be shown"), "{said}");
        assert!(said.contains(&format!("askwell abort {id}")), "{said}");
    }
}

#[test]
fn a_signal_ends_an_asker_whose_request_hangs_on_its_way_to_the_host() {
    let host = Host::start();
    host.askwell.write("posting.json", R1);
    host.program.signal(Signal::STOP);
    let posting = ["ask", "posting.json", "--via", "inbox"];
    let asking = Program::start(&host.askwell.clone().env("CI", "true"), &posting);
    catches_signals(&asking);

    let (code, document, said) = signalled(asking, Signal::TERM);

    assert_eq!((code, &document["state"]), (Some(143), &json!("aborted")), "{said}");
    assert!(said.contains("askwell abort ID"), "{said}");
}

/// A host of a few lines, on whose clock it is 1970, with one request that expires in ten minutes.
fn host_of_long_ago() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || tell_of_long_ago(stream.unwrap()));
        }
    });
    url
}

const LONG_AGO: &str = "01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e";

fn tell_of_long_ago(mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    while let Some(Ok(line)) = lines.next() {
        while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
        let path = line.split(' ').nth(1).unwrap_or_default();
        let request: Value = serde_json::from_str(R1).unwrap();
        let body = if path.starts_with("/api/v1/events") {
            stream.write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: keep\n\n",
            )?;
            continue;
        } else if path.ends_with("/draft") {
            json!({"request": LONG_AGO, "revision": 0, "questions": [
                {"id": "db", "chosen": [], "custom": "", "customOn": false, "skipped": false, "revision": 0}]})
        } else if path.contains(LONG_AGO) {
            json!({"id": LONG_AGO, "state": "pending", "request": request, "credential": "local",
                "createdAt": 1_000, "deadlineAt": 601_000, "attached": false, "watching": 0})
        } else {
            json!({"requests": [], "eventId": "07048a821d85f3df-21", "now": 1_000})
        };
        let body = body.to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len())?;
    }
    Ok(())
}

#[test]
fn a_clock_that_is_ahead_of_the_hosts_ends_no_dialog() {
    let here = askwell().env("ASKWELL_URL", host_of_long_ago()).env("ASKWELL_TOKEN", "any");

    let terminal = here.terminal(["answer", LONG_AGO]).spawn();

    terminal.wait_ready(takes_keys).wait_for(" left");
    let left = |screen: &askwell_testkit::Screen| screen.contains("9:5") || screen.contains("9:4");
    terminal.wait_until("ten minutes are left", left).keys("<c-c>");
    assert_eq!(terminal.wait_code(), 75);
}
