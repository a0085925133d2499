//! What is killed beside the host: the dialog in which a person writes.

use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestTerminal};
use serde_json::json;

use super::life::Place;
use super::random::{Random, seed};
use super::workers::at;
use crate::terminal::takes_keys;

/// What a draft may be behind when everything is killed, and what a busy machine may add.
const BEHIND: Duration = Duration::from_millis(1_000 + 500);
/// So long that all that is typed fits into one row.
const PAUSE: Duration = Duration::from_millis(60);

#[test]
fn a_dialog_and_its_host_killed_at_once_lose_at_most_a_second_of_a_draft() {
    let seed = seed();
    println!("the same again: ASKWELL_SOAK_SEED={seed}");
    let mut random = Random::new(seed);
    let place = Place::new();

    for _ in 0..4 {
        let life = place.start();
        let question = json!({"id": "q", "question": "Which?", "options": [{"label": "A"}]});
        let asked = life.post("asker", "/api/v1/requests", &json!({"questions": [question]})).body;
        let id = asked["id"].as_str().unwrap();
        let terminal = place.askwell.terminal(["answer", id]).spawn();
        terminal.wait_ready(takes_keys).keys("c");

        let written = write(&terminal, Duration::from_millis(500 + random.below(2_500)));
        terminal.signal(Signal::KILL);
        let killed = Instant::now();
        life.kill();

        let life = place.start();
        let draft = life.get("answerer", &at(id, "/draft")).body;
        let found = draft["questions"][0]["custom"].as_str().unwrap();
        let whole: String = written.iter().map(|(letter, _)| *letter).collect();
        assert!(whole.starts_with(found), "nobody wrote {found:?}: {whole:?}");
        if let Some((letter, at)) = written.get(found.len()) {
            let behind = killed.duration_since(*at);
            assert!(behind < BEHIND, "{letter:?} was typed {behind:?} ago: {found:?} of {whole:?}");
        }
        life.stop();
    }
}

/// Types a letter now and then, for this long; each with the time by which it was drawn.
fn write(terminal: &TestTerminal, long: Duration) -> Vec<(char, Instant)> {
    let (begun, mut written) = (Instant::now(), Vec::new());
    let mut text = String::new();
    for letter in ('a'..='z').cycle() {
        if begun.elapsed() > long {
            break;
        }
        text.push(letter);
        terminal.types(&letter.to_string());
        terminal.wait_for(&text);
        written.push((letter, Instant::now()));
        thread::sleep(PAUSE);
    }
    written
}
