//! Several processes on one store.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::RequestId;
use askwell_store::conformance::Fixture;
use askwell_store::conformance::fixture::new;
use askwell_store::{Filed, NewRequest, Settled, SqliteStore, Store, wait_for};
use tempfile::TempDir;

use crate::child::{self, mint, settlement, tell};

fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askwell.db");
    drop(Fixture::new(&|_| Box::new(SqliteStore::open(&path).unwrap()), "one"));
    (folder, path)
}

fn pending(store: &SqliteStore) -> Vec<RequestId> {
    let mut ids = Vec::new();
    store.pending(&mut |head| ids.push(head.id)).unwrap();
    ids
}

/// Makes many writes at once and waits until all are reported.
fn all<T>(items: Vec<T>, write: impl Fn(T, Box<dyn FnOnce() + Send>)) {
    const AT_ONCE: usize = 1_000;
    const PATIENCE: Duration = Duration::from_secs(60);
    let (told, heard) = std::sync::mpsc::channel();
    let count = items.len();
    for (index, item) in items.into_iter().enumerate() {
        let told = told.clone();
        write(item, Box::new(move || told.send(()).unwrap()));
        if index >= AT_ONCE {
            heard.recv_timeout(PATIENCE).unwrap();
        }
    }
    for _ in 0..count.min(AT_ONCE) {
        heard.recv_timeout(PATIENCE).unwrap();
    }
}

/// Claims everything that is pending, in an order of its own. What the store refuses because the
/// others hold it for too long is claimed again.
#[test]
fn claimer() {
    let Some((path, mut random)) = child::orders() else { return };
    let store = SqliteStore::open(&path).unwrap();
    let mut ids = pending(&store);
    for index in (1..ids.len()).rev() {
        ids.swap(index, random.below(index + 1));
    }
    let me = std::process::id().to_string();
    while !ids.is_empty() {
        let refused: Arc<Mutex<Vec<RequestId>>> = Arc::default();
        all(std::mem::take(&mut ids), |id, done| {
            let refused = Arc::clone(&refused);
            let report = move |settled: Result<Settled, _>| {
                match settled {
                    Ok(Settled::Won { .. }) => tell(&format!("won {id}")),
                    Ok(_) => {}
                    Err(_) => refused.lock().unwrap().push(id),
                }
                done();
            };
            store.settle(settlement(id, State::Answered, &me, false), Box::new(report));
        });
        ids = std::mem::take(&mut *refused.lock().unwrap());
    }
}

fn run(test: &str, path: &Path) -> Vec<(u32, Vec<String>)> {
    let children: Vec<_> = (1..=8).map(|seed| child::spawn(test, path, seed)).collect();
    let run = children.into_iter().map(|child| {
        std::thread::spawn(move || {
            let pid = child.id();
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success());
            (pid, child::told(&output.stdout))
        })
    });
    let threads: Vec<_> = run.collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn eight_processes_race_for_ten_thousand_claims_and_each_has_one_winner() {
    let (_folder, path) = store();
    let requests = SqliteStore::open(&path).unwrap();
    all((0..10_000).collect(), |_: u32, done| {
        let filed = |filed: Result<Filed, _>| {
            assert!(filed.is_ok());
            done();
        };
        requests.file(NewRequest { id: mint(), ..new(1) }, Box::new(filed));
    });
    let asked = pending(&requests);
    assert_eq!(asked.len(), 10_000);

    let mut won: HashMap<RequestId, u32> = HashMap::new();
    for (pid, lines) in run("race::claimer", &path) {
        for id in lines.iter().filter_map(|line| line.strip_prefix("won ")) {
            assert_eq!(won.insert(id.parse().unwrap(), pid), None, "two winners of {id}");
        }
    }

    assert_eq!(won.len(), 10_000);
    assert_eq!(pending(&requests), []);
    for id in asked {
        let outcome = requests.ended(id).unwrap().unwrap().outcome;
        assert_eq!(outcome["text"], won[&id].to_string());
    }
    // Dense and in order, whoever committed.
    let log = requests.events(10_000, 20_000).unwrap();
    assert!(log.events.iter().map(|event| event.number).eq(10_001..=20_000));
}

#[test]
fn eight_threads_race_and_each_claim_has_one_winner() {
    let (_folder, path) = store();
    let requests = SqliteStore::open(&path).unwrap();
    let ids: Vec<_> = (0..500).map(|_| mint()).collect();
    for id in &ids {
        requests.file(NewRequest { id: *id, ..new(1) }, Box::new(|_| {}));
    }
    let wins: Arc<Mutex<Vec<RequestId>>> = Arc::default();

    std::thread::scope(|scope| {
        for thread in 0..8_usize {
            let (requests, ids, wins) = (&requests, &ids, Arc::clone(&wins));
            scope.spawn(move || {
                for turn in 0..ids.len() {
                    let id = ids[(turn + thread * 61) % ids.len()];
                    let text = format!("thread {thread}");
                    let settle = settlement(id, State::Answered, &text, true);
                    if let Settled::Won { .. } =
                        wait_for(|done| requests.settle(settle, done)).unwrap()
                    {
                        wins.lock().unwrap().push(id);
                    }
                }
            });
        }
    });

    let mut wins = wins.lock().unwrap().clone();
    wins.sort_unstable();
    let mut asked = ids;
    asked.sort_unstable();
    assert_eq!(wins, asked);
    // Each of the seven others is kept beside it.
    assert_eq!(requests.late(asked[0]).unwrap().len(), 7);
}

/// Asks 125 times with the same question id, and tells what is on disk.
#[test]
fn asker() {
    let Some((path, _)) = child::orders() else { return };
    let store = SqliteStore::open(&path).unwrap();
    for count in 0..125 {
        let id = mint();
        let text = format!("{} {count}", std::process::id());
        let request = NewRequest { id, text: text.clone().into_bytes(), ..new(1) };
        // Refused while the others hold the store for too long.
        while wait_for(|done| store.file(request.clone(), done)).is_err() {}
        tell(&format!("filed {id} {text}"));
    }
}

#[test]
fn b120_eight_processes_ask_a_thousand_times_and_one_is_killed() {
    let (_folder, path) = store();
    let mut victim = child::spawn("race::asker", &path, 1);
    let reader = {
        let mut out = victim.stdout.take().unwrap();
        std::thread::spawn(move || {
            let mut told = Vec::new();
            std::io::Read::read_to_end(&mut out, &mut told).unwrap();
            told
        })
    };
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        victim.kill().unwrap();
        victim.wait().unwrap();
    });

    let mut filed: Vec<String> =
        run("race::asker", &path).into_iter().flat_map(|run| run.1).collect();
    killer.join().unwrap();
    filed.extend(child::told(&reader.join().unwrap()));

    let store = SqliteStore::open(&path).unwrap();
    let mut count = 0;
    for line in filed.iter().filter_map(|line| line.strip_prefix("filed ")) {
        let (id, text) = line.split_once(' ').unwrap();
        let record = store.request(id.parse().unwrap()).unwrap().unwrap();
        assert_eq!(String::from_utf8(record.text).unwrap(), text);
        count += 1;
    }
    assert!(count >= 1_000, "{count}");
    // At most the killed one's last write is there without having been told.
    let there = pending(&store).len();
    assert!(there == count || there == count + 1, "{there} of {count}");
}
