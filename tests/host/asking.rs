//! Askers: their requests wait, and each gets its own answer.

use askwell_testkit::Signal;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Host, Program, R1, R2};

#[test]
fn b067_with_nobody_there_the_request_waits_and_nothing_is_said_of_declining() {
    let host = Host::start();

    let (mut asking, id) = host.asking(R1, &[]);

    let shown = host.show(&id);
    assert_eq!(
        (&shown["request"]["state"], &shown["request"]["watching"]),
        (&json!("pending"), &json!(0))
    );
    asking.signal(Signal::KILL);
    asking.wait();
    let told = asking.rest();
    assert!(told.contains("nobody is watching") && told.contains(&id), "{told}");
    for word in ["declined", "cancelled"] {
        assert!(!told.contains(word) && !shown.to_string().contains(word), "{told}\n{shown}");
    }
}

#[test]
fn b115_b119_two_askers_get_their_own_answers_in_any_order() {
    let host = Host::start();
    let (older, first) = host.asking(R1, &["--asker", "builder"]);
    let (newer, second) = host.asking(R2, &["--asker", "reviewer"]);

    let list = host.run(["list"]).stdout;
    for text in ["builder", "Which database?", "reviewer", "Which features?"] {
        assert!(list.contains(text), "{list}");
    }
    host.run(["answer", &second, "--select", "Auth", "--custom", "also SSO"]);
    host.run(["answer", &first, "--select", "SQLite"]);

    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth"], "custom": "also SSO"}]});
    assert_eq!(newer.outcome(), (Some(0), answers));
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(older.outcome(), (Some(0), answers));
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn b075_an_answer_that_comes_too_late_is_kept() {
    let host = Host::start();
    let (expiring, expired) = host.asking(R1, &["--timeout", "1"]);
    let (withdrawn, aborted) = host.asking(R2, &[]);

    withdrawn.signal(Signal::TERM);
    let (code, document) = withdrawn.outcome();
    assert_eq!((code, &document["state"]), (Some(143), &json!("aborted")));
    assert_eq!(document["reason"], "a signal (SIGTERM)");
    let (code, document) = expiring.outcome();
    assert_eq!((code, &document["state"]), (Some(124), &json!("expired")));

    for (id, arguments) in [(&expired, ["--select", "SQLite"]), (&aborted, ["--custom", "SSO"])] {
        let run = host.run(["answer", id].into_iter().chain(arguments));
        assert_eq!((run.code(), run.stdout.as_str()), (1, ""), "{run}");
        assert!(run.stderr.contains("NOT_PENDING") && run.stderr.contains("is kept"), "{run}");
        let late = &host.show(id)["request"]["late"][0]["response"];
        assert!(late.to_string().contains(arguments[1]), "{late}");
    }
    let history = host.run(["history"]).stdout;
    assert!(history.contains("expired") && history.contains("aborted"), "{history}");
    let found = host.run(["history", "--search", "sso"]).stdout;
    assert!(found.contains(&aborted) && !found.contains(&expired), "{found}");
}

#[test]
fn b079_the_answer_to_an_asker_that_was_killed_is_kept_for_it() {
    let host = Host::start();
    let (mut asking, id) = host.asking(R1, &[]);
    asking.signal(Signal::KILL);
    asking.wait();

    let run = host.run(["answer", &id, "--select", "Postgres"]);
    assert_eq!(run.code(), 0, "{run}");

    assert_eq!(host.waiting(), [""; 0]);
    assert!(host.run(["history"]).stdout.contains("not picked up yet"));
    let answers = json!({"answers": [{"id": "db", "selected": ["Postgres"]}]});
    assert_eq!(host.json(["wait", &id]), answers);
    host.wait_until("picked up", &id, |shown| {
        shown["request"]["receipt"]["pickedUpAt"].is_number()
    });
}

#[test]
fn a_wait_that_runs_out_says_pending() {
    let host = Host::start();
    let id = host.post(R1);

    let run = host.run(["wait", &id, "--timeout", "0"]);

    assert_eq!(run.code(), 75, "{run}");
    let document = run.json();
    assert_eq!((&document["state"], &document["id"]), (&json!("pending"), &json!(id)));
}

#[test]
fn a_key_asked_again_is_the_same_request_and_its_outcome() {
    let host = Host::start();
    let ask = |request: &str| host.run(["ask", request, "--detach", "--key", "release 7"]);
    let first = ask("r1.json");
    assert_eq!(ask("r1.json").stdout, first.stdout);
    let other = ask("r2.json");
    assert_eq!(other.code(), 1);
    assert!(other.stderr.contains("KEY_CONFLICT"), "{other}");

    host.run(["answer", first.stdout.trim(), "--select", "SQLite"]);

    let again = host.json(["ask", "r1.json", "--via", "inbox", "--key", "release 7"]);
    assert_eq!(again, json!({"answers": [{"id": "db", "selected": ["SQLite"]}]}));
}

#[test]
fn without_a_terminal_a_host_that_runs_is_asked() {
    let host = Host::start();

    let asking = Program::start(&host.askwell, &["ask", "r1.json"]);
    let id = host.next_waiting();
    host.run(["cancel", &id, "--comment", "explain DuckDB first"]);

    let (code, document) = asking.outcome();
    assert_eq!((code, &document["state"]), (Some(130), &json!("cancelled")));
    assert_eq!(document["comment"], "explain DuckDB first");
}

#[test]
fn b120_many_askers_at_once_mix_nothing() {
    const PROCESSES: usize = 8;
    const EACH: usize = 6;
    let host = Host::start();
    let line = |process: usize| {
        format!(
            "for i in $(seq {EACH}); do \"$ASKWELL\" ask --question \"p{process} r$i\" --detach \
             || exit 1; done"
        )
    };
    let posting: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let askwell = host.askwell.clone();
            std::thread::spawn(move || askwell.run_shell(&line(process)))
        })
        .collect();
    let mut posted: Vec<(String, String)> = Vec::new();
    for (process, run) in posting.into_iter().enumerate() {
        let run = run.join().unwrap();
        assert_eq!(run.code(), 0, "{run}");
        let ids = run.stdout.lines().enumerate();
        posted.extend(ids.map(|(at, id)| (id.to_owned(), format!("p{process} r{}", at + 1))));
    }

    let host = host.killed_and_started_again();

    let mut ids: Vec<&String> = posted.iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), PROCESSES * EACH);
    for (id, question) in posted.iter().step_by(5) {
        let shown = host.show(id);
        assert_eq!(shown["request"]["request"]["questions"][0]["question"], json!(question));
        host.run(["answer", id, "--custom", &format!("to {question}")]);
        let answer = host.json(["wait", id]);
        assert_eq!(answer["answers"][0]["custom"], format!("to {question}"));
    }
}

#[test]
fn two_signals_at_once_withdraw_as_one() {
    // As GNU timeout sends them: to the program, and to its group.
    let host = Host::start();
    let (asking, id) = host.asking(R1, &[]);

    asking.signal(Signal::TERM);
    asking.signal(Signal::INT);

    let (code, document) = asking.outcome();
    assert_eq!((code, &document["state"]), (Some(143), &json!("aborted")));
    assert_eq!(host.show(&id)["request"]["state"], "aborted");
}
