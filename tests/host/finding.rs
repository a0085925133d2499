//! Which host is taken for the one of a state folder: what holds its lock and answers by its name.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use serde_json::Value;

use super::{Host, Program, R1, askwell};
use crate::cli::assert_refused;

fn file(askwell: &TestEnvironment, name: &str) -> PathBuf {
    askwell.state().join("askwell").join(name)
}

/// Takes the lock of a host, as one does that starts or stops.
fn hold_lock(askwell: &TestEnvironment) -> File {
    let lock = File::options().write(true).open(file(askwell, "host.lock")).unwrap();
    lock.lock().unwrap();
    lock
}

/// A folder with a store in which a host was killed.
fn killed() -> (Host, Value) {
    let mut host = Host::start_in(askwell());
    host.post(R1);
    let told = fs::read_to_string(file(&host.askwell, "host.json")).unwrap();
    host.program.signal(Signal::KILL);
    host.program.wait();
    (host, serde_json::from_str(&told).unwrap())
}

/// A program of somebody else at a port, and all that it is sent.
fn stranger(port: u16, says: &'static str) -> Arc<Mutex<String>> {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let heard = Arc::new(Mutex::new(String::new()));
    let hearing = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut bytes = [0; 16 * 1024];
            let count = stream.read(&mut bytes).unwrap_or(0);
            hearing.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let _ = write!(stream, "{head}content-length: {}\r\n\r\n{says}", says.len());
        }
    });
    heard
}

#[test]
fn a_credential_is_not_sent_to_whoever_is_at_the_port_of_a_host_that_was_killed() {
    let (host, told) = killed();
    let heard = stranger(u16::try_from(told["port"].as_u64().unwrap()).unwrap(), "{}");
    // The next host has the lock, and has not told yet where it is.
    let lock = hold_lock(&host.askwell);

    for command in [&["list"][..], &["status"], &["ask", "posted.json", "--via", "inbox"]] {
        let run = host.askwell.command(command.iter().copied()).env("CI", "true").run();
        assert_ne!(run.code(), 0, "{run}");
        assert!(run.stderr.contains("can't be reached"), "{run}");
    }

    drop(lock);
    let heard = heard.lock().unwrap().to_ascii_lowercase();
    assert!(heard.contains("/healthz"), "it was never asked who it is: {heard}");
    assert!(!heard.contains("authorization") && !heard.contains("bearer"), "{heard}");
}

#[test]
fn a_host_clears_away_what_a_killed_one_told_before_it_opens_its_store() {
    let (host, _) = killed();
    let store = file(&host.askwell, "askwell.db");
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(store.with_extension(format!("db{suffix}")));
    }
    fs::write(&store, "no store").unwrap();

    let mut next = Program::start(&host.askwell, &["serve"]);

    assert_eq!(next.wait(), Some(1));
    assert!(!file(&host.askwell, "host.json").exists());
}

#[test]
fn a_command_that_meets_a_host_that_stops_waits_and_starts_another() {
    let (host, _) = killed();
    let here = host.askwell.clone().env("ASKWELL_PORT", "0");
    fs::remove_file(file(&here, "host.json")).unwrap();
    let lock = hold_lock(&here);
    let listing = here.clone();
    let listing = thread::spawn(move || listing.run(["list", "--format", "json"]));
    thread::sleep(Duration::from_millis(500));
    assert!(!listing.is_finished(), "it did not wait");

    let start = Instant::now();
    drop(lock);
    let run = listing.join().unwrap();

    assert_eq!(run.code(), 0, "{run}");
    assert!(start.elapsed() < deadline(), "{:?}", start.elapsed());
    assert_eq!(run.json()["requests"].as_array().unwrap().len(), 1);
    assert_eq!(here.run(["stop"]).code(), 0);
}

#[test]
fn a_host_that_does_not_say_where_it_is_is_told_as_such_and_holds_nobody_up() {
    let host = Host::start();
    let told = file(&host.askwell, "host.json");
    let pipe = || {
        let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&told).status();
        assert!(made.unwrap().success());
    };
    let garbage = || {
        fs::write(&told, "{{{").unwrap();
        fs::set_permissions(&told, fs::Permissions::from_mode(0o600)).unwrap();
    };
    for put in [&(|| {}) as &dyn Fn(), &garbage, &pipe] {
        let _ = fs::remove_file(&told);
        put();

        let status = host.run(["status"]);
        assert_refused(&status, 1, &["a host holds", "host.lock", "can't be reached"]);
        let list = host.askwell.command(["list"]).env("CI", "true").run();
        assert_refused(&list, 3, &["a host holds", "can't be reached"]);
    }
}

#[test]
fn where_the_lock_of_a_running_host_was_removed_no_second_one_starts() {
    let host = Host::start();
    fs::remove_file(file(&host.askwell, "host.lock")).unwrap();

    let mut second = Program::start(&host.askwell, &["serve"]);
    assert_eq!(second.wait(), Some(1));
    let said = second.rest();
    assert!(said.contains("runs already") && said.contains("kill "), "{said}");

    assert_refused(&host.run(["list"]), 3, &["its lock", "is gone", "kill "]);
    assert!(file(&host.askwell, "host.json").exists());
}

#[test]
fn what_a_stranger_makes_of_a_killed_hosts_name_keeps_no_host_from_starting() {
    let (host, told) = killed();
    let says: &'static str = format!(r#"{{"status":"ok","instance":{}}}"#, told["instance"]).leak();
    let heard = stranger(u16::try_from(told["port"].as_u64().unwrap()).unwrap(), says);
    let here = host.askwell.clone().env("ASKWELL_PORT", "0");

    let run = here.run(["list", "--format", "json"]);

    assert_eq!(run.code(), 0, "{run}");
    assert_eq!(run.json()["requests"].as_array().unwrap().len(), 1);
    assert!(!heard.lock().unwrap().to_ascii_lowercase().contains("bearer"));
    assert_eq!(here.run(["stop"]).code(), 0);
}
