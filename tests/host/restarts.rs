//! Hosts that stop, are killed and come back.

use std::fs;

use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Host, Program, R1, R2, R3};

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
    let mut host = Host::start();
    host.post(R1);
    assert_eq!(host.run(["stop"]).code(), 0);
    assert_eq!(host.program.wait(), Some(0));
    // The version of its form, where SQLite keeps it: 4 bytes at 60.
    let path = host.askwell.state().join("askwell/askwell.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();

    let mut older = Program::start(&host.askwell, &["serve"]);
    assert_eq!(older.wait(), Some(1));
    let told = older.rest();
    assert!(told.contains("HOST_VERSION") && told.contains("9999"), "{told}");
    let run = host.run(["list"]);
    assert!(run.stderr.contains("HOST_VERSION"), "{run}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
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
