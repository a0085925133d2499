//! Askers and persons, who do what comes to their minds until the host is gone.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::http::{Http, Reply};
use super::ledger::Ledger;
use super::random::Random;

/// What all who work on a place share.
pub type Shared = Mutex<Ledger>;

pub fn lock(ledger: &Shared) -> MutexGuard<'_, Ledger> {
    // One that failed has said why; the others need not fail for that as well.
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One after another, calls of both askers and both persons.
pub struct Worker<'a> {
    ledger: &'a Shared,
    random: Random,
    askers: [Http; 2],
    persons: [Http; 2],
}

impl<'a> Worker<'a> {
    pub fn new(ledger: &'a Shared, port: u16, seed: u64) -> io::Result<Self> {
        let (askers, persons) = {
            let ledger = lock(ledger);
            (ledger.askers.clone(), ledger.persons.clone())
        };
        let to = |token: &str| Http::connect(port, token);
        Ok(Self {
            ledger,
            random: Random::new(seed),
            askers: [to(&askers[0].token)?, to(&askers[1].token)?],
            persons: [to(&persons[0].token)?, to(&persons[1].token)?],
        })
    }

    /// Works until the connection breaks: then the host is gone.
    pub fn run(mut self) {
        while self.step().is_ok() {}
    }

    fn step(&mut self) -> io::Result<()> {
        let open = lock(self.ledger).open.len() as u64;
        // So few that they get in each other's way, so many that there is something to lose.
        if self.random.below(12) > open {
            return self.ask();
        }
        let Some(id) = lock(self.ledger).target(&mut self.random) else { return Ok(()) };
        match self.random.below(12) {
            0..=3 => self.draft(&id),
            4 => self.extend(&id),
            5 | 6 => self.read(&id),
            7 | 8 => self.answer(&id),
            9 => self.cancel(&id),
            10 => self.abort(&id),
            // Two at the same time, most likely.
            _ => self.answer(&id).and_then(|()| self.cancel(&id)),
        }
    }

    fn ask(&mut self) -> io::Result<()> {
        let posted = lock(self.ledger).posts(&mut self.random);
        let key = posted.key.as_deref().map(|key| ("idempotency-key", key));
        let path = match self.random.one_in(2) {
            true => "/api/v1/requests?attach=true",
            false => "/api/v1/requests",
        };
        let http = &mut self.askers[posted.asker];
        let reply = http.call("POST", path, key.as_slice(), Some(&posted.body()))?;
        assert_eq!((reply.status, &reply.body["joined"]), (201, &json!(false)), "{reply:?}");
        let mut ledger = lock(self.ledger);
        ledger.is_there(reply.body["id"].as_str().unwrap(), &posted.text);
        ledger.counts.add("asked");
        Ok(())
    }

    fn draft(&mut self, id: &str) -> io::Result<()> {
        let person = self.random.below(2) as usize;
        let (text, base) = {
            let mut ledger = lock(self.ledger);
            let text = ledger.text();
            let draft = &mut ledger.request(id).drafts[person];
            draft.tried.insert(text.clone());
            (text, draft.revision.saturating_sub(u64::from(self.random.one_in(5))))
        };
        let entry =
            json!({"id": "q", "chosen": ["A"], "custom": text, "customOn": true, "base": base});
        let (path, body) = (at(id, "/draft"), json!({"questions": [entry]}));
        let reply = self.persons[person].call("PUT", &path, &[], Some(&body))?;
        let told = match (reply.status, reply.code()) {
            (200, _) => &reply.body["questions"][0],
            (409, "STALE_DRAFT" | "NOT_PENDING") => &reply.body["draft"]["questions"][0],
            _ => panic!("{reply:?}"),
        };
        let mut ledger = lock(self.ledger);
        ledger.drafted(id, person, &text, told);
        if reply.code() == "NOT_PENDING" {
            ledger.late(id, None, &reply.body["ended"]);
        }
        Ok(())
    }

    fn answer(&mut self, id: &str) -> io::Result<()> {
        let body =
            |text: &str| json!({"answers": [{"id": "q", "selected": ["B"], "custom": text}]});
        self.end(id, "answered", "/answer", true, body)
    }

    fn cancel(&mut self, id: &str) -> io::Result<()> {
        self.end(id, "cancelled", "/cancel", true, |text| json!({ "comment": text }))
    }

    fn abort(&mut self, id: &str) -> io::Result<()> {
        self.end(id, "aborted", "/abort", false, |text| json!({ "reason": text }))
    }

    fn end(
        &mut self,
        id: &str,
        state: &'static str,
        call: &str,
        by_person: bool,
        body: impl Fn(&str) -> Value,
    ) -> io::Result<()> {
        let (text, asker) = {
            let mut ledger = lock(self.ledger);
            let text = ledger.text();
            ledger.request(id).tried.insert((state, text.clone()));
            (text, asker_of(&ledger, id))
        };
        let http = match by_person {
            true => &mut self.persons[self.random.below(2) as usize],
            false => &mut self.askers[asker],
        };
        let reply = http.post(&at(id, call), &body(&text))?;
        let mut ledger = lock(self.ledger);
        match (reply.status, reply.code()) {
            (200, _) => ledger.won(id, &text, &reply.body),
            (409, "NOT_PENDING") => {
                ledger.late(id, by_person.then_some(text), &reply.body["ended"])
            }
            _ => panic!("{reply:?}"),
        }
        Ok(())
    }

    fn extend(&mut self, id: &str) -> io::Result<()> {
        lock(self.ledger).request(id).extensions_tried += 1;
        let reply = self.persons[0].post(&at(id, "/extend"), &json!({}))?;
        let mut ledger = lock(self.ledger);
        match (reply.status, reply.code()) {
            (200, _) => {
                ledger.request(id).extensions_told += 1;
                ledger.counts.add("extended");
            }
            (409, "NOT_PENDING") => ledger.late(id, None, &reply.body["ended"]),
            _ => panic!("{reply:?}"),
        }
        Ok(())
    }

    /// By its own asker, who picks up what has ended; another one must not even hear of it.
    fn read(&mut self, id: &str) -> io::Result<()> {
        let asker = asker_of(&lock(self.ledger), id);
        let path = match self.random.one_in(2) {
            true => at(id, "?wait=0.05"),
            false => at(id, ""),
        };
        if self.random.one_in(4) {
            let reply: Reply = self.askers[1 - asker].get(&path)?;
            assert_eq!((reply.status, reply.code()), (404, "NOT_FOUND"), "{reply:?}");
        }
        let reply = self.askers[asker].get(&path)?;
        assert_eq!(reply.status, 200, "{reply:?}");
        let mut ledger = lock(self.ledger);
        ledger.viewed(&reply.body);
        ledger.counts.add("read");
        Ok(())
    }
}

fn asker_of(ledger: &Ledger, id: &str) -> usize {
    ledger.posted[&ledger.requests[id].text].asker
}

pub fn at(id: &str, what: &str) -> String {
    format!("/api/v1/requests/{id}{what}")
}
