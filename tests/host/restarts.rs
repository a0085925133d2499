//! Hosts that stop, are killed and come back.

use std::fs;
use std::path::PathBuf;

use askwell_testkit::TestEnvironment;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Host, Program, R1, R2, R3, askwell};
use crate::cli::assert_refused;

#[test]
fn b077_b078_after_a_restart_everything_waits_in_its_first_order() {
    let host = Host::start();
    let ids = [R1, R2, R3].map(|request| host.post(request));

    let host = host.stopped_and_started_again();

    assert_eq!(host.waiting(), ids);
    for id in &ids {
        assert_eq!(host.show(id)["request"]["state"], "pending");
    }
    assert_eq!(host.run(["answer", &ids[1], "--select", "Auth"]).code(), 0);
    assert_eq!(host.waiting(), [ids[0].clone(), ids[2].clone()]);
    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth"]}]});
    assert_eq!(host.json(["wait", &ids[1]]), answers);
}

#[test]
fn b076_an_asker_waits_through_a_host_that_is_killed() {
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);

    let host = host.killed_and_started_again();

    assert_eq!(host.waiting(), [id.as_str()]);
    assert_eq!(host.run(["answer", &id, "--select", "DuckDB"]).code(), 0);
    let answers = json!({"answers": [{"id": "db", "selected": ["DuckDB"]}]});
    assert_eq!(asking.outcome(), (Some(0), answers));
}

#[test]
fn a_host_is_found_at_the_same_place_again() {
    let host = Host::start();
    let url = |host: &Host| host.json(["status", "--format", "json"])["url"].clone();
    let before = url(&host);

    let host = host.stopped_and_started_again();

    assert_eq!(url(&host), before);
}

#[test]
fn an_older_host_refuses_a_newer_store() {
    let askwell = askwell();
    let (path, bytes) = make_newer(&askwell);

    let mut older = Program::start(&askwell, &["serve"]);
    assert_eq!(older.wait(), Some(1));
    let told = older.rest();
    assert!(told.contains("HOST_VERSION") && told.contains("9999"), "{told}");
    let run = askwell.run(["list"]);
    assert!(run.stderr.contains("HOST_VERSION"), "{run}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// Makes a store with a request in it, of a version that is to come: its file, and what that holds.
pub fn make_newer(askwell: &TestEnvironment) -> (PathBuf, Vec<u8>) {
    let mut host = Host::start_in(askwell.clone());
    host.post(R1);
    assert_eq!(host.run(["stop"]).code(), 0);
    assert_eq!(host.program.wait(), Some(0));
    // The version of its form, where SQLite keeps it: 4 bytes at 60.
    let path = askwell.state().join("askwell/askwell.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    (path, bytes)
}

#[test]
fn a_second_host_leaves_the_first_alone() {
    let host = Host::start();

    let mut second = Program::start(&host.askwell, &["serve"]);

    assert_eq!(second.wait(), Some(1));
    let told = second.rest();
    assert!(told.contains("runs already") && told.contains("askwell stop"), "{told}");
    assert_eq!(host.run(["status"]).code(), 0);
}

#[test]
fn a_host_that_was_stopped_stays_so_whoever_waits_and_what_waits_goes_on_with_the_next() {
    let host = Host::start();
    // May start a host, and does where one was killed.
    host.askwell.write("waiting.json", R1);
    let waiting = Program::start(&host.askwell, &["ask", "waiting.json", "--via", "inbox"]);
    let id = host.next_waiting();

    assert_eq!(host.run(["stop"]).code(), 0);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(host.run(["status"]).code(), 3, "somebody has started it again");

    let host = Host::start_in(host.askwell.clone());
    assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(waiting.outcome(), (Some(0), answers));
}

#[test]
fn restart_keeps_the_flags_and_stops_nothing_that_it_can_not_start_again() {
    let mut host = Host::start_in(askwell());
    assert_eq!(host.run(["stop"]).code(), 0);
    host.program.wait();
    let flags = ["serve", "--public-url", "http://ask.example:8302"];
    let _first = Program::start(&host.askwell.clone().env("ASKWELL_PORT", "0"), &flags);
    let until = std::time::Instant::now() + askwell_testkit::deadline();
    while host.run(["status"]).code() != 0 {
        assert!(std::time::Instant::now() < until);
    }
    let id = host.post(R1);
    let url = host.show(&id)["request"]["url"].clone();
    assert_eq!(url, format!("http://ask.example:8302/r/{id}"));
    let pid = |host: &Host| host.json(["status", "--format", "json"])["host"]["pid"].clone();
    let before = pid(&host);

    let in_ci = host.askwell.command(["restart"]).env("CI", "true").run();
    assert_refused(&in_ci, 3, &["the one that runs was left alone"]);
    let wrong = host.askwell.command(["restart"]).env("ASKWELL_KEEP", "for ever").run();
    assert_refused(&wrong, 2, &["keep"]);
    assert_eq!(pid(&host), before);

    let here = host.askwell.clone().env("ASKWELL_PORT", "0");
    assert_eq!(here.run(["restart"]).code(), 0);
    assert_ne!(pid(&host), before);
    assert_eq!(host.show(&id)["request"]["url"], url);
    assert_eq!(host.run(["stop"]).code(), 0);
}
