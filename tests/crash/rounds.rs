//! Hosts that are killed at any moment of their work, one after another on one store.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::check::Check;
use super::ledger::{Counts, Credential, Ledger, Posted};
use super::life::{Life, Place};
use super::random::{Random, number, seed};
use super::watch::Watcher;
use super::workers::{Shared, Worker, lock};

const WORKERS: u64 = 4;

#[test]
fn killed_at_any_moment_nothing_that_was_told_is_lost_and_nothing_invented() {
    let rounds = number("ASKWELL_SOAK_ROUNDS").unwrap_or(100);
    let seed = seed();
    println!("the same again: ASKWELL_SOAK_SEED={seed}");
    let mut soak = Soak::new(seed);
    let begun = Instant::now();

    for round in 1..=rounds {
        soak.round();
        if round.is_power_of_two() || round == rounds {
            soak.check_everything();
        }
        if round % 500 == 0 {
            println!("{round} rounds, {} s: {:?}", begun.elapsed().as_secs(), soak.counts().0);
        }
    }
    soak.stop_gracefully_and_check();

    let counts = soak.counts();
    println!("{rounds} rounds, {} s: {:?}", begun.elapsed().as_secs(), counts.0);
    // A test in which nothing happens proves nothing.
    for what in ["asked", "drafts", "won", "late", "extended", "read", "events", "killed early"] {
        assert!(counts.of(what) >= rounds / 20, "hardly any: {what}, {:?}", counts.0);
    }
}

struct Soak {
    place: Place,
    random: Random,
    ledger: Shared,
    watchers: [Watcher; 2],
    /// What was posted before the life that comes next.
    known: usize,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let place = Place::new();
        let life = place.start();
        let (askers, persons) = (["one", "two"], ["ann", "bob"]);
        let ledger = Ledger::new(
            askers.map(|name| credential(&life, "asker", name)),
            persons.map(|name| credential(&life, "answerer", name)),
        );
        let page = life.get("answerer", "/api/v1/requests");
        let event_id = page.body["eventId"].as_str().unwrap();
        let watchers = [
            Watcher::new(&ledger.persons[0].token, true, event_id),
            Watcher::new(&ledger.askers[0].token, false, event_id),
        ];
        life.kill();
        Self { place, random: Random::new(seed), ledger: Shared::new(ledger), watchers, known: 0 }
    }

    fn counts(&self) -> Counts {
        let mut counts = lock(&self.ledger).counts.clone();
        let heard = self.watchers.iter().map(|watcher| watcher.events.len() as u64).sum();
        let resynced = self.watchers.iter().map(|watcher| watcher.resynced.len() as u64).sum();
        counts.0.extend([("events", heard), ("resynced", resynced)]);
        counts
    }

    /// A host comes, is held against what was told, works, and is killed.
    fn round(&mut self) {
        if self.random.one_in(8) {
            self.kill_while_it_starts();
        }
        let life = self.place.start();
        self.check(&life);
        let long = Duration::from_micros(1_000 + self.random.below(150_000));
        let seeds: Vec<u64> = (0..WORKERS).map(|_| self.random.next()).collect();
        let (ledger, port) = (&self.ledger, life.port);
        thread::scope(|scope| {
            for watcher in &mut self.watchers {
                scope.spawn(move || watcher.follow(port, None));
            }
            for seed in seeds {
                scope.spawn(move || Worker::new(ledger, port, seed).map(Worker::run));
            }
            thread::sleep(long);
            life.kill();
        });
    }

    fn kill_while_it_starts(&mut self) {
        let mut child = self.place.spawn();
        thread::sleep(Duration::from_micros(self.random.below(60_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        lock(&self.ledger).counts.add("killed early");
    }

    fn check(&mut self, life: &Life) {
        let mut ledger = lock(&self.ledger);
        let posted: Vec<Posted> = ledger.posted.values().skip(self.known).cloned().collect();
        self.known += posted.len();
        Check::new(&mut ledger, life.port).since_the_last(&posted);
    }

    fn check_everything(&mut self) {
        let life = self.place.start();
        self.check(&life);
        Check::new(&mut lock(&self.ledger), life.port).everything(&self.watchers);
        life.kill();
    }

    fn stop_gracefully_and_check(&mut self) {
        let waiting = |life: &Life| life.get("answerer", "/api/v1/requests?limit=1000").body;
        let life = self.place.start();
        let before = waiting(&life)["requests"].as_array().unwrap().len();
        life.stop();
        let life = self.place.start();
        // What expires meanwhile is no outcome of the shutdown.
        assert!(waiting(&life)["requests"].as_array().unwrap().len() <= before);
        self.check(&life);
        Check::new(&mut lock(&self.ledger), life.port).everything(&self.watchers);
        life.stop();
    }
}

fn credential(life: &Life, role: &str, name: &str) -> Credential {
    let made = life.post("admin", "/api/v1/credentials", &json!({"role": role, "name": name}));
    assert_eq!(made.status, 201, "{made:?}");
    let token = made.body["token"].as_str().unwrap().to_owned();
    Credential { name: name.to_owned(), token }
}
