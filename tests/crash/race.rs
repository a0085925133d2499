//! Eight processes that all claim the same requests at the same time: one wins each, and all of them
//! are told the same.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::json;

use super::http::Http;
use super::ledger::{End, text_of};
use super::life::{Life, Place};
use super::random::{Random, number};
use super::workers::at;

const PROCESSES: usize = 8;
/// The requests of one credential at once that a host takes.
const CONNECTIONS: usize = 2;
const ORDERS: &str = "ASKWELL_CRASH_CLAIMER";

#[test]
fn eight_processes_race_and_each_claim_has_one_winner() {
    let claims = number("ASKWELL_SOAK_CLAIMS").unwrap_or(300) as usize;
    let place = Place::new();
    let life = place.start();
    let mut asker = life.http("asker");
    let ids: Vec<String> = (0..claims).map(|count| ask(&mut asker, count)).collect();
    place.askwell.write("ids", ids.join("\n"));

    let children: Vec<Child> =
        (0..PROCESSES).map(|process| spawn(&place, &life, process)).collect();
    // All are ready; the end of their input is the start.
    let told = all_at_once(children);

    let mut claimed: BTreeMap<&str, Vec<Claim>> = BTreeMap::new();
    for claim in told.iter().flat_map(|lines| lines.lines()).filter_map(Claim::read) {
        claimed.entry(claim.id).or_default().push(claim);
    }
    let mut won = [0; PROCESSES];
    let mut answerer = life.http("answerer");
    for id in &ids {
        let claims = &claimed[id.as_str()];
        assert_eq!(claims.len(), PROCESSES, "{id}: {claims:?}");
        let winners: Vec<&Claim> = claims.iter().filter(|claim| claim.won).collect();
        let [winner] = winners[..] else { panic!("{id} has not one winner: {claims:?}") };
        for claim in claims {
            assert_eq!(claim.end, winner.ours, "{id}: told of another winner: {claims:?}");
        }
        won[winner.process] += 1;
        assert_is_kept(&mut answerer, id, winner, claims);
    }
    println!("{claims} claims, won by each process: {won:?}");
    // Otherwise it was no race.
    assert!(won.iter().filter(|count| **count > 0).count() >= 2, "{won:?}");
    let waiting = life.get("answerer", "/api/v1/requests").body;
    assert_eq!(waiting["requests"], json!([]));
    assert!(waiting["eventId"].as_str().unwrap().ends_with(&format!("-{}", 2 * claims)));
    life.stop();
}

/// On disk stands what the winner sent, and beside it what all others sent.
fn assert_is_kept(answerer: &mut Http, id: &str, winner: &Claim, claims: &[Claim]) {
    let view = answerer.get(&at(id, "")).unwrap().body;
    assert_eq!(End::of(&view).unwrap().text(), winner.ours, "{view}");
    let mut late: Vec<&str> =
        view["late"].as_array().unwrap().iter().map(|late| text_of(&late["response"])).collect();
    let mut losers: Vec<&str> =
        claims.iter().filter(|claim| !claim.won).map(|claim| claim.ours).collect();
    late.sort_unstable();
    losers.sort_unstable();
    assert_eq!(late, losers, "{view}");
}

fn ask(asker: &mut Http, count: usize) -> String {
    let request = json!({"questions": [{"id": "q", "question": format!("Number {count}?")}]});
    let asked = asker.post("/api/v1/requests", &request).unwrap();
    assert_eq!(asked.status, 201, "{asked:?}");
    asked.body["id"].as_str().unwrap().to_owned()
}

/// What a process told of one claim.
#[derive(Debug, Clone, Copy)]
struct Claim<'a> {
    process: usize,
    won: bool,
    id: &'a str,
    /// The text that it sent.
    ours: &'a str,
    /// The text of the outcome that it was told.
    end: &'a str,
}

impl<'a> Claim<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let ["claim", process, won, id, ours, end] = words[..] else { return None };
        Some(Self { process: process.parse().unwrap(), won: won == "won", id, ours, end })
    }
}

/// This test binary as another process, with the claimer below as its only test.
fn spawn(place: &Place, life: &Life, process: usize) -> Child {
    let ids = place.askwell.work().join("ids");
    let token = place.token("answerer");
    let orders = format!("{process} {} {token} {}", life.port, ids.display());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::race::claimer", "--nocapture", "--test-threads", "1"])
        .env(ORDERS, orders)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut read = Vec::new();
    let out = child.stdout.as_mut().unwrap();
    while !read.ends_with(b"ready\n") {
        let mut byte = [0];
        assert_eq!(out.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
    child
}

fn all_at_once(children: Vec<Child>) -> Vec<String> {
    let run = children.into_iter().map(|mut child| {
        drop(child.stdin.take());
        thread::spawn(move || {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success());
            String::from_utf8(output.stdout).unwrap()
        })
    });
    let threads: Vec<_> = run.collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

/// Answers or cancels everything, in an order of its own. Does nothing in an ordinary run.
#[test]
fn claimer() {
    let Ok(orders) = std::env::var(ORDERS) else { return };
    let [process, port, token, ids] = orders.splitn(4, ' ').collect::<Vec<_>>()[..] else {
        panic!("{orders}");
    };
    let (process, port): (usize, u16) = (process.parse().unwrap(), port.parse().unwrap());
    let ids = std::fs::read_to_string(ids).unwrap();
    let mut connections: Vec<Http> =
        (0..CONNECTIONS).map(|_| Http::connect(port, token).unwrap()).collect();
    tell("\nready\n");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();

    thread::scope(|scope| {
        for (lane, http) in connections.iter_mut().enumerate() {
            let mut random = Random::new((process * CONNECTIONS + lane) as u64);
            let ids = ids.lines().skip(lane).step_by(CONNECTIONS);
            scope.spawn(move || ids.for_each(|id| claim(http, &mut random, process, id)));
        }
    });
}

fn claim(http: &mut Http, random: &mut Random, process: usize, id: &str) {
    let ours = format!("{process}-{id}");
    let reply = match random.one_in(2) {
        true => http.post(&at(id, "/cancel"), &json!({ "comment": ours })),
        false => {
            let answers = json!([{"id": "q", "selected": [], "custom": ours}]);
            http.post(&at(id, "/answer"), &json!({ "answers": answers }))
        }
    };
    let reply = reply.unwrap();
    let (won, told) = match (reply.status, reply.code()) {
        (200, _) => ("won", &reply.body),
        (409, "NOT_PENDING") => ("late", &reply.body["ended"]),
        _ => panic!("{reply:?}"),
    };
    let end = End::of(told).unwrap();
    tell(&format!("claim {process} {won} {id} {ours} {}\n", end.text()));
}

/// A whole line, or nothing.
fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).unwrap();
    out.flush().unwrap();
}
