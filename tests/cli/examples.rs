//! The examples of the library as whole programs, beside the agent (`tests/agent`) and the inbox
//! (`tests/host/library.rs`).

use std::path::PathBuf;

use askwell_testkit::TestEnvironment;
use pretty_assertions::assert_eq;

use crate::terminal::takes_keys;

/// An example, built beside the binary.
pub fn example(name: &str) -> PathBuf {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_askwell"));
    binary.parent().unwrap().join("examples").join(name)
}

#[test]
fn a_build_script_asks_in_the_terminal_and_tells_cargo() {
    let terminal =
        TestEnvironment::new(example("build")).terminal([] as [&str; 0]).stdout_to("out").spawn();

    terminal.wait_ready(takes_keys).wait_for("Which TLS");
    terminal.keys("<down><enter><enter>");

    assert_eq!(terminal.wait_code(), 0, "{}", terminal.screen());
    let told = terminal.environment().read("out");
    assert!(told.ends_with("\ncargo:rustc-cfg=tls=\"native-tls\"\n"), "{told}");
}

#[test]
fn a_build_script_without_a_terminal_says_what_to_set() {
    let script = TestEnvironment::new(example("build"));

    let run = script.run([] as [&str; 0]);
    assert_eq!(run.code(), 1, "{run}");
    assert!(run.stderr.contains("set TLS_BACKEND to rustls or native-tls"), "{run}");

    let answers = r#"{"answers": [{"id": "tls", "selected": ["rustls"]}]}"#;
    let run = script.env("TLS_ANSWERS", answers).run([] as [&str; 0]);
    assert!(run.stdout.ends_with("cargo:rustc-cfg=tls=\"rustls\"\n"), "{run}");
}
