//! A host that nobody started by hand.

use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use serde_json::Value;

use super::askwell;
use crate::cli::assert_refused;

/// An environment whose host in the background is stopped at the end.
pub struct Background(pub TestEnvironment);

impl Background {
    fn new() -> Self {
        Self(askwell().env("ASKWELL_PORT", "0"))
    }

    fn status(&self) -> Value {
        let run = self.0.run(["status", "--format", "json"]);
        assert_eq!(run.code(), 0, "{run}");
        run.json()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.run(["stop"]);
    }
}

#[test]
fn one_of_many_starts_the_host_and_all_reach_it() {
    let here = Background::new();
    let asking: Vec<_> = (0..6)
        .map(|_| {
            let askwell = here.0.clone();
            thread::spawn(move || askwell.run(["ask", "r1.json", "--detach"]))
        })
        .collect();
    for run in asking {
        let run = run.join().unwrap();
        assert_eq!(run.code(), 0, "{run}");
    }

    let status = here.status();
    assert_eq!(status["status"]["pending"], 6);
    assert_eq!(status["host"]["background"], true);
    assert_eq!(
        here.0.run(["list", "--format", "json"]).json()["requests"].as_array().unwrap().len(),
        6
    );
    let logs = here.0.run(["logs"]);
    assert!(logs.stdout.contains("the host listens on"), "{logs}");
}

#[test]
fn in_ci_and_for_a_look_no_host_is_started() {
    let here = Background::new();
    for arguments in [&["ask", "r1.json", "--via", "inbox"][..], &["ask", "r1.json", "--detach"]] {
        let run = here.0.command(arguments.iter().copied()).env("CI", "true").run();
        assert_refused(&run, 3, &["NO_PROVIDER", "CI is set", "askwell serve"]);
    }
    for arguments in [&["list"][..], &["status"], &["ask", "r1.json", "--key", "k"]] {
        assert_refused(
            &here.0.run(arguments.iter().copied()),
            3,
            &["HOST_UNREACHABLE", "askwell serve"],
        );
    }
    assert_refused(&here.0.run(["ask", "r1.json"]), 3, &["NO_PROVIDER"]);
    assert!(!here.0.state().join("askwell/askwell.db").exists());
}

#[test]
fn restart_is_a_new_host_in_the_background_with_the_same_requests() {
    let here = Background::new();
    assert_eq!(here.0.run(["ask", "r1.json", "--detach"]).code(), 0);
    let before = here.status();

    let run = here.0.run(["restart"]);

    assert_eq!(run.code(), 0, "{run}");
    let after = here.status();
    assert_ne!(after["host"]["pid"], before["host"]["pid"]);
    assert_eq!(after["status"]["pending"], 1);
    assert_eq!(here.0.run(["stop"]).code(), 0);
    assert_eq!(here.0.run(["status"]).code(), 3);
    // A store is there: it is worth a host.
    assert_eq!(
        here.0.run(["list", "--format", "json"]).json()["requests"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn an_unused_host_in_the_background_leaves() {
    let here = Background::new();
    let line = "\"$ASKWELL\" serve --background --idle 1 2>err.txt; echo left";

    let start = Instant::now();
    let run = here.0.run_shell(line);

    assert_eq!((run.code(), run.stdout.as_str()), (0, "left\n"), "{run}");
    assert!(start.elapsed() < deadline() && start.elapsed() > Duration::from_secs(1));
    assert!(!here.0.state().join("askwell/host.json").exists());
}
