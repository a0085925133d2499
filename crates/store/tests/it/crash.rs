//! A process killed at any moment has lost nothing that it was told is on disk, and left nothing
//! that nobody did.
//!
//! A hundred rounds; `ASKWELL_CRASH_ROUNDS` makes it thousands.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use askwell_core::State;
use askwell_core::draft::DraftState;
use askwell_core::wire::{EntryWrite, RequestId, Saved};
use askwell_store::conformance::Fixture;
use askwell_store::conformance::fixture::new;
use askwell_store::{Filed, NewRequest, Settled, SqliteStore, Store};
use serde_json::Value;

use crate::child::{self, Random, mint, settlement, tell};

/// Writes without end, many at once, and tells what it tries and what is on disk.
#[test]
fn child() {
    let Some((path, mut random)) = child::orders() else { return };
    let store = SqliteStore::open(&path).unwrap();
    let mut known: Vec<RequestId> = Vec::new();
    store.pending(&mut |head| known.push(head.id)).unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    for count in 0_u64.. {
        let told = told.clone();
        let text = format!("{:016x}-{count}.", random.next());
        let id = match known.is_empty() {
            true => mint(),
            false => known[random.below(known.len())],
        };
        match random.below(10) {
            0..=3 => known.push(file(&store, text, told)),
            4..=5 => draft(&store, id, text, random.below(3) as u64, told),
            6 => settle(&store, id, State::Cancelled, text, told),
            7 => settle(&store, id, State::Expired, text, told),
            _ => settle(&store, id, State::Answered, text, told),
        }
        // Up to 32 on their way.
        if count >= 32 {
            heard.recv().unwrap();
        }
    }
}

type Told = std::sync::mpsc::Sender<()>;

fn file(store: &SqliteStore, text: String, told: Told) -> RequestId {
    let id = mint();
    let request = NewRequest { id, text: text.clone().into_bytes(), ..new(1) };
    let done = move |filed: Result<Filed, _>| {
        assert!(matches!(filed, Ok(Filed::New { .. })));
        tell(&format!("filed {id} {text}"));
        let _ = told.send(());
    };
    store.file(request, Box::new(done));
    id
}

fn settle(store: &SqliteStore, id: RequestId, state: State, text: String, told: Told) {
    tell(&format!("tries {id} {text}"));
    let done = {
        let text = text.clone();
        move |settled: Result<Settled, _>| {
            match settled.unwrap() {
                Settled::Won { .. } => tell(&format!("ended {id} {text}")),
                Settled::Late(_) => tell(&format!("late {id} {text}")),
                Settled::Missing | Settled::NotDue => {}
            }
            let _ = told.send(());
        }
    };
    store.settle(settlement(id, state, &text, true), Box::new(done));
}

fn draft(store: &SqliteStore, id: RequestId, text: String, base: u64, told: Told) {
    let state = DraftState {
        id: "q".to_owned(),
        custom: text.clone(),
        custom_on: true,
        ..DraftState::default()
    };
    let done = move |written: Result<Option<askwell_store::DraftWritten>, _>| {
        match written.unwrap().map(|written| written.saved.questions[0].clone()) {
            Some(saved) if saved.result == Saved::Saved => {
                tell(&format!("draft {id} {text} {}", saved.entry.revision));
            }
            Some(_) => tell(&format!("kept {id} {text}")),
            None => {}
        }
        let _ = told.send(());
    };
    store.save_draft(id, "ann".to_owned(), vec![EntryWrite { state, base }], 1, Box::new(done));
}

/// What was told of the requests, over all rounds.
#[derive(Default)]
struct Ledger {
    tried: HashMap<RequestId, Vec<String>>,
    filed: HashMap<RequestId, String>,
    ended: HashMap<RequestId, String>,
    late: Vec<(RequestId, String)>,
    drafts: Vec<(RequestId, String, u64)>,
    kept: Vec<(RequestId, String)>,
}

impl Ledger {
    fn enter(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, id, text, ..] = words[..] else { return };
        let (Ok(id), text) = (id.parse::<RequestId>(), text.to_owned()) else { return };
        match what {
            "tries" => self.tried.entry(id).or_default().push(text),
            "filed" => assert_eq!(self.filed.insert(id, text), None, "filed twice: {id}"),
            "ended" => assert_eq!(self.ended.insert(id, text), None, "ended twice: {id}"),
            "late" => self.late.push((id, text)),
            "draft" => self.drafts.push((id, text, words[3].parse().unwrap())),
            "kept" => self.kept.push((id, text)),
            _ => {}
        }
    }

    /// Compares the store with all that was told, and forgets what is settled for good.
    fn check(&mut self, store: &SqliteStore) {
        for (id, text) in &self.filed {
            let record = store.request(*id).unwrap().unwrap_or_else(|| panic!("lost: {id}"));
            assert_eq!(record.text, text.as_bytes());
            let ended = record.ended.map(|ended| outcome_text(&ended.outcome));
            match (self.ended.get(id), ended) {
                (Some(told), Some(found)) => assert_eq!(*told, found, "{id}"),
                (Some(told), None) => panic!("{id} has lost its end {told}"),
                (None, Some(found)) => {
                    let tried = self.tried.get(id);
                    assert!(tried.is_some_and(|tried| tried.contains(&found)), "invented: {id}");
                }
                (None, None) => {}
            }
        }
        for (id, text) in self.late.drain(..) {
            let late = store.late(id).unwrap();
            assert!(late.iter().any(|late| outcome_text(&late.response) == text), "late {text}");
        }
        for (id, text, revision) in self.drafts.drain(..) {
            let draft = store.draft(id, "ann").unwrap();
            let entry = &draft.entries[0];
            assert!(entry.revision >= revision, "{id}: {revision}");
            assert!(entry.revision > revision || entry.state.custom == text, "{id}: {text}");
        }
        for (id, text) in self.kept.drain(..) {
            let draft = store.draft(id, "ann").unwrap();
            let kept = &draft.entries[0].kept;
            assert!(kept.iter().any(|kept| kept.text.contains(&text)), "kept {text}");
        }
    }
}

fn outcome_text(outcome: &Value) -> String {
    outcome["text"].as_str().unwrap().to_owned()
}

/// One life: a child that is killed. Tells the lines that it told.
fn life(path: &Path, seed: u64, long: Duration) -> Vec<String> {
    let mut child = child::spawn("crash::child", path, seed);
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut told = Vec::new();
        out.read_to_end(&mut told).unwrap();
        told
    });
    std::thread::sleep(long);
    child.kill().unwrap();
    child.wait().unwrap();
    child::told(&reader.join().unwrap())
}

#[test]
fn killed_at_any_moment_nothing_accepted_is_lost_and_nothing_invented() {
    let rounds = std::env::var("ASKWELL_CRASH_ROUNDS").map_or(100, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askwell.db");
    drop(Fixture::new(&|_| Box::new(SqliteStore::open(&path).unwrap()), "one"));
    let seed = rounds ^ u64::from(std::process::id()) << 20;
    println!("seed {seed}");
    let (mut random, mut total) = (Random(seed), 0);
    let mut ledger = Ledger::default();

    // A machine that is busy with other things gets less done in a life: it has more of them.
    for round in 0..rounds * 5 {
        let few =
            [ledger.filed.len(), ledger.ended.len(), total].map(|count| count as u64 <= rounds);
        if round >= rounds && !few.contains(&true) {
            break;
        }
        let long = Duration::from_micros(2_000 + random.below(60_000) as u64);
        let lines = life(&path, random.next(), long);
        total += lines.len();
        lines.iter().for_each(|line| ledger.enter(line));
        if round % 20 == 19 {
            ledger.check(&SqliteStore::open(&path).unwrap());
        }
    }
    ledger.check(&SqliteStore::open(&path).unwrap());

    let counts = [ledger.filed.len(), ledger.ended.len(), total];
    println!("filed, ended, lines: {counts:?}");
    assert!(
        counts.iter().all(|count| *count as u64 > rounds),
        "hardly anything happened: {counts:?}"
    );
}
