//! What else there is to say to a host.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Host, R1, R2, askwell};
use crate::cli::assert_refused;

#[test]
fn a_history_is_a_file_of_recorded_answers() {
    let host = Host::start();
    for answer in ["Postgres", "SQLite"] {
        let id = host.post(R1);
        assert_eq!(host.run(["answer", &id, "--select", answer]).code(), 0);
    }
    let id = host.post(R2);
    host.run(["answer", &id, "--custom", "none of these"]);
    let id = host.post(R2);
    host.run(["cancel", &id]);

    let run = host.run(["history", "--export"]);
    host.askwell.write("recorded.json", &run.stdout);

    // The latest answer to each.
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(host.json(["ask", "r1.json", "--answers", "recorded.json"]), answers);
    let answers = json!({"answers": [{"id": "feat", "selected": [], "custom": "none of these"}]});
    assert_eq!(host.json(["ask", "r2.json", "--answers", "recorded.json"]), answers);
    assert_refused(&host.run(["purge", "--keep", "0"]), 1, &["4 answers or cancels have not been"]);
    let open = host.run(["list", "--open"]).stdout;
    assert!(open.contains(&id), "{open}");
    let run = host.run(["purge", "--keep", "0", "--unread"]);
    assert_eq!(run.stderr, "askwell: forgot 4 requests\n");
    assert_eq!(host.run(["history"]).stdout, "nothing was found\n");
}

#[test]
fn an_exported_history_tells_questions_of_one_text_apart() {
    let host = Host::start();
    let question =
        |id| json!({"id": id, "question": "Sure?", "options": [{"label": "Yes"}, {"label": "No"}]});
    host.askwell
        .write("same.json", json!({"questions": [question("a"), question("b")]}).to_string());
    let id = host.run(["ask", "same.json", "--detach"]).stdout.trim().to_owned();
    let both = ["--question", "a", "--select", "No", "--question", "b", "--select", "Yes"];
    assert_eq!(host.run(["answer", id.as_str()].into_iter().chain(both)).code(), 0);

    host.askwell.write("recorded.json", &host.run(["history", "--export"]).stdout);

    let answers =
        json!({"answers": [{"id": "a", "selected": ["No"]}, {"id": "b", "selected": ["Yes"]}]});
    assert_eq!(host.json(["ask", "same.json", "--answers", "recorded.json"]), answers);
}

#[test]
fn a_credential_for_elsewhere_works_until_it_is_revoked() {
    let host = Host::start();
    let url = host.json(["status", "--format", "json"])["url"].as_str().unwrap().to_owned();
    let made =
        host.json(["token", "create", "--role", "asker", "--name", "ci", "--format", "json"]);
    let (token, id) = (made["token"].as_str().unwrap(), made["credential"]["id"].as_str().unwrap());
    let elsewhere = askwell().env("ASKWELL_URL", &url).env("ASKWELL_TOKEN", token);

    let asked = elsewhere.run(["ask", "r1.json", "--detach"]);
    assert_eq!(asked.code(), 0, "{asked}");
    assert!(host.run(["list"]).stdout.contains("  ci "), "{}", host.run(["list"]));
    // An asker cannot answer itself.
    let own = elsewhere.run(["answer", asked.stdout.trim(), "--select", "SQLite"]);
    assert_refused(&own, 1, &["FORBIDDEN"]);

    assert!(host.run(["token", "list"]).stdout.contains(id));
    assert_eq!(host.run(["token", "revoke", id]).code(), 0);
    assert_refused(&elsewhere.run(["ask", "r1.json", "--detach"]), 1, &["UNAUTHORIZED"]);
    assert!(host.run(["token", "list"]).stdout.contains("revoked"));
}

#[test]
fn what_a_host_keeps_is_for_its_owner_only() {
    let host = Host::start();
    host.post(R1);

    let folder = host.askwell.state().join("askwell");
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(""), 0o700);
    let files = ["askwell.db", "host.json", "host.lock", "credentials/asker", "credentials/admin"];
    for name in files {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    let tokens = fs::read_to_string(folder.join("credentials/asker")).unwrap();
    assert!(!fs::read_to_string(folder.join("host.json")).unwrap().contains(&tokens));
}

#[test]
fn abort_withdraws_and_an_unknown_id_is_told() {
    let host = Host::start();
    let id = host.post(R1);

    assert_eq!(host.run(["abort", &id, "--reason", "the release, called off"]).code(), 0);

    let run = host.run(["wait", &id]);
    assert_eq!(run.code(), 143);
    assert_eq!(run.json()["reason"], "the release, called off");
    assert_refused(&host.run(["abort", &id]), 1, &["NOT_PENDING", "aborted"]);
    let unknown = "01a0c450-6c00-7bab-abab-abababababab";
    for command in ["wait", "show", "cancel", "abort", "answer"] {
        let mut arguments = vec![command, unknown];
        if command == "answer" {
            arguments.extend(["--custom", "x"]);
        }
        assert_refused(&host.run(arguments), 1, &["NOT_FOUND", unknown]);
    }
    assert_refused(&host.run(["wait", "not-an-id"]), 2, &["is not the id of a request"]);
}

#[test]
fn answer_without_an_id_tells_what_waits() {
    let host = Host::start();
    assert_refused(&host.run(["answer"]), 2, &["no request was named, and none waits"]);

    let id = host.post(R1);

    let told = [&id, "Which database", "askwell inbox", "askwell list"];
    assert_refused(&host.run(["answer"]), 2, &told);
    assert_eq!(
        host.run(["answer", &id, "--select", "SQLite"]).stderr,
        format!("askwell: answered {id}\n")
    );
}

#[test]
fn settings_are_shown_with_the_source_that_won() {
    let askwell = askwell().env("ASKWELL_KEEP", "30d");
    let file = askwell.root().join("config/askwell/config.toml");
    askwell.write(&file, "port = 4000\nkeep = \"7d\"\n");

    let shown = askwell.run(["config", "show", "--format", "json"]).json();
    let of = |name: &str| {
        let all = shown["settings"].as_array().unwrap();
        let found = all.iter().find(|setting| setting["name"] == name).unwrap();
        (found["value"].clone(), found["source"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("port"), (json!("4000"), "file".to_owned()));
    assert_eq!(of("keep"), (json!("30d"), "environment, ASKWELL_KEEP".to_owned()));
    assert_eq!(of("grace"), (json!("24h"), "default".to_owned()));

    askwell.write(&file, "prot = 4000\n");
    assert_refused(&askwell.run(["config", "show"]), 2, &["\"prot\"", "port"]);
    let flag = askwell.run(["serve", "--port", "many"]);
    assert_refused(&flag, 2, &["\"prot\""]);
    askwell.write(&file, "");
    assert_refused(&askwell.run(["serve", "--port", "many"]), 2, &["\"many\"", "flag"]);
}

#[test]
fn the_doctor_looks_at_everything_and_starts_nothing() {
    let askwell = askwell();

    let run = askwell.run(["doctor", "--format", "json"]);

    assert_eq!(run.code(), 0, "{run}");
    let checks = run.json();
    let names: Vec<&str> = checks["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    for name in ["version", "container", "disk", "store", "host", "terminal"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(run.stdout.contains("none is running"), "{run}");
    let host = Host::start_in(askwell);
    let run = host.run(["doctor"]);
    assert!(run.stdout.contains("waiting") && run.stdout.contains("fsync"), "{run}");
}

#[test]
fn the_doctor_looks_into_a_store_that_no_host_has_open() {
    let askwell = askwell();
    let host = Host::start_in(askwell.clone());
    host.post(R1);
    assert_eq!(host.run(["stop"]).code(), 0);
    let looks = |code: i32, told: &str| {
        let run = askwell.run(["doctor"]);
        assert_eq!(run.code(), code, "{run}");
        assert!(run.stdout.contains(told), "{run}");
    };
    looks(0, "ok    store");
    let store = askwell.state().join("askwell/askwell.db");
    let whole = fs::read(&store).unwrap();

    let mut newer = whole.clone();
    newer[63] = 99;
    fs::write(&store, newer).unwrap();
    looks(1, "is of version 99");
    let mut damaged = whole;
    damaged[4096..].fill(7);
    fs::write(&store, damaged).unwrap();
    looks(1, "is damaged");
    fs::write(&store, "these are no data".repeat(400)).unwrap();
    looks(1, "is not an askwell store");
}

#[rstest]
#[case("dumb", "dumb, 80 × 24, asked by lines")]
#[case("", "TERM is not set, 80 × 24, asked by lines")]
#[case("xterm-256color", "xterm-256color, 80 × 24, with colours")]
fn the_doctor_says_how_a_terminal_is_asked(#[case] term: &str, #[case] told: &str) {
    let terminal = askwell().terminal(["doctor"]).size(80, 24).env("TERM", term).spawn();
    assert_eq!(terminal.wait_code(), 0);
    assert!(terminal.screen().contains(told), "{}", terminal.screen());
}

#[test]
fn the_bare_program_says_what_waits_and_what_to_do() {
    let host = Host::start();
    let none: [&str; 0] = [];
    assert!(host.run(none).stdout.starts_with("nothing waits\n"));

    let id = host.post(R1);

    let run = host.run(none);
    assert_eq!(run.code(), 0, "{run}");
    for text in ["Which database?", &format!("answer with: askwell answer {id}")] {
        assert!(run.stdout.contains(text), "{run}");
    }
}
