//! A host that came back, held against all that was told before.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::http::Http;
use super::ledger::{Ledger, Posted, text_of};
use super::watch::{Event, Watcher};
use super::workers::at;

/// How late a deadline may be noticed by a busy machine.
const LATE: i64 = 30_000;

pub struct Check<'a> {
    ledger: &'a mut Ledger,
    port: u16,
    askers: [Http; 2],
    persons: [Http; 2],
}

impl<'a> Check<'a> {
    pub fn new(ledger: &'a mut Ledger, port: u16) -> Self {
        let to = |token: &str| Http::connect(port, token).unwrap();
        let askers = [to(&ledger.askers[0].token), to(&ledger.askers[1].token)];
        let persons = [to(&ledger.persons[0].token), to(&ledger.persons[1].token)];
        Self { ledger, port, askers, persons }
    }

    /// What something was sent to since the last check, and the list of what waits.
    pub fn since_the_last(&mut self, posted: &[Posted]) {
        self.list();
        self.post_again(posted);
        for id in std::mem::take(&mut self.ledger.dirty) {
            self.request(&id);
        }
        // The look itself changes nothing.
        self.ledger.dirty.clear();
    }

    /// Everything, from the first request and the first event on.
    pub fn everything(&mut self, watchers: &[Watcher]) {
        let (_, event_id) = self.list();
        let log = self.log(&event_id);
        for event in &log {
            if !self.ledger.requests.contains_key(&event.request) {
                // It ended by itself before we had heard of it.
                let view = self.persons[0].get(&at(&event.request, "")).unwrap().body;
                self.ledger.is_there(&event.request, text(&view));
            }
        }
        let ids: Vec<String> = self.ledger.requests.keys().cloned().collect();
        ids.iter().for_each(|id| self.request(id));
        self.ledger.dirty.clear();
        self.agrees_with_the_log(&log);
        let logged: HashSet<&Event> = log.iter().collect();
        for watcher in watchers {
            let heard = watcher.events.iter().all(|event| logged.contains(event));
            assert!(heard, "heard what is not in the log: {watcher:?}");
        }
        self.history(&log);
    }

    /// The pages of what waits. Whatever is in there was asked, and what is not in there has ended.
    fn list(&mut self) -> (Vec<String>, String) {
        let (mut listed, mut next) = (Vec::new(), None::<String>);
        let event_id = loop {
            let after = next.map_or(String::new(), |next| format!("&after={next}"));
            let page = self.persons[0].get(&format!("/api/v1/requests?limit=7{after}")).unwrap();
            assert_eq!(page.status, 200, "{page:?}");
            for summary in page.body["requests"].as_array().unwrap() {
                let id = summary["id"].as_str().unwrap();
                self.ledger.is_there(id, summary["question"].as_str().unwrap());
                listed.push(id.to_owned());
            }
            next = page.body["next"].as_str().map(str::to_owned);
            if next.is_none() {
                break page.body["eventId"].as_str().unwrap().to_owned();
            }
        };
        let waiting: BTreeSet<&String> = listed.iter().collect();
        assert_eq!(waiting.len(), listed.len(), "listed twice: {listed:?}");
        for id in self.ledger.open.clone() {
            if !listed.contains(&id) {
                self.request(&id);
                assert!(self.ledger.requests[&id].end.is_some(), "{id} waits and is not listed");
            }
        }
        (listed, event_id)
    }

    /// What had a key is the same request when it is sent again, whether we heard of it or not.
    fn post_again(&mut self, posted: &[Posted]) {
        for posted in posted {
            let Some(key) = &posted.key else { continue };
            let id = self.ledger.posted[&posted.text].id.clone();
            let end = id.as_ref().and_then(|id| self.ledger.requests[id].end.as_ref());
            // With this end the same key is a new request, by design.
            if end.is_some_and(|end| end.state == "aborted") {
                continue;
            }
            let headers = [("idempotency-key", key.as_str())];
            let (http, body) = (&mut self.askers[posted.asker], posted.body());
            let reply = http.call("POST", "/api/v1/requests", &headers, Some(&body)).unwrap();
            let status = if id.is_some() { 200 } else { 201 };
            assert_eq!(reply.status, status, "{posted:?}: {reply:?}");
            assert_eq!(reply.body["joined"], json!(id.is_some()), "{reply:?}");
            self.ledger.is_there(reply.body["id"].as_str().unwrap(), &posted.text);
            self.ledger.counts.add("posted again");
        }
    }

    fn request(&mut self, id: &str) {
        let reply = self.persons[0].get(&at(id, "")).unwrap();
        assert_eq!(reply.status, 200, "{id} is lost: {reply:?}\n{:?}", self.ledger.requests[id]);
        let view = reply.body;
        self.ledger.viewed(&view);
        let known = self.ledger.requests[id].clone();
        let posted = self.ledger.posted[&known.text].clone();
        let asker = &self.ledger.askers[posted.asker].name;
        assert_eq!((text(&view), &view["credential"]), (known.text.as_str(), &json!(asker)));
        let state = known.end.as_ref().map_or("pending", |end| end.state.as_str());
        assert_eq!(view["state"], state, "{id} has lost its end: {known:?}");
        let picked_up = view["receipt"]["pickedUpAt"].as_i64();
        assert_eq!(picked_up, known.picked_up, "{id} was picked up");
        let late: Vec<&str> = view["late"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| text_of(&it["response"]))
            .collect();
        for text in &known.late {
            assert!(late.contains(&text.as_str()), "{id} has lost {text}, which came late: {view}");
        }
        self.deadline(&view, &posted);
        (0..2).for_each(|person| self.draft(id, person));
    }

    /// It is where the request, and whoever put it off, have set it; nothing expires before it.
    fn deadline(&self, view: &Value, posted: &Posted) {
        let known = &self.ledger.requests[view["id"].as_str().unwrap()];
        let Some(seconds) = posted.expires else {
            assert_eq!(view["deadlineAt"], Value::Null, "{view}");
            assert_ne!(view["state"], "expired", "{view}");
            return;
        };
        let first = view["createdAt"].as_i64().unwrap() + seconds as i64 * 1_000;
        let deadline = view["deadlineAt"].as_i64().unwrap();
        let extended = (deadline - first) as u64;
        let (least, most) = (known.extensions_told, known.extensions_tried);
        let counts = (least..=most).map(|times| times * 600_000);
        assert!(counts.clone().any(|it| it == extended), "{extended} ms, {known:?}: {view}");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        match known.end.as_ref() {
            Some(end) if end.state == "expired" => assert!(end.at >= deadline, "too early: {view}"),
            Some(_) => {}
            None => assert!(now < deadline + LATE, "its time ran out long ago: {view}"),
        }
    }

    /// The last one that was told to be saved, or one that was sent after it.
    fn draft(&mut self, id: &str, person: usize) {
        let reply = self.persons[person].get(&at(id, "/draft")).unwrap();
        assert_eq!(reply.status, 200, "{reply:?}");
        let found = &reply.body["questions"][0];
        let custom = found["custom"].as_str().unwrap();
        let revision = found["revision"].as_u64().unwrap();
        let known = &mut self.ledger.requests.get_mut(id).unwrap().drafts[person];
        match revision.cmp(&known.revision) {
            std::cmp::Ordering::Less => panic!("{id} has lost a draft: {found}, {known:?}"),
            std::cmp::Ordering::Equal => assert_eq!(custom, known.told, "{id}: {found}"),
            std::cmp::Ordering::Greater => {
                assert!(known.tried.contains(custom), "{id}: nobody wrote {found}");
                (known.revision, known.told) = (revision, custom.to_owned());
            }
        }
        let kept = found["kept"].as_array().into_iter().flatten();
        let kept: Vec<&str> = kept.map(|kept| kept["text"].as_str().unwrap()).collect();
        for text in &known.kept {
            let there = kept.contains(&text.as_str()) || custom == text;
            assert!(there, "{id} has lost {text}, which was refused and kept: {found}");
        }
    }

    /// The whole log, read anew.
    fn log(&self, event_id: &str) -> Vec<Event> {
        let last = event_id.split_once('-').unwrap().1.parse().unwrap();
        let mut reader = Watcher::new(&self.ledger.persons[1].token, true, event_id);
        reader.follow(self.port, Some(last)).unwrap();
        assert_eq!(reader.resynced, [], "the log has holes");
        reader.events
    }

    /// Every request begins once and ends once, in this order, and the list is in the log's order.
    fn agrees_with_the_log(&mut self, log: &[Event]) {
        let mut ends: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for event in log {
            let before = match event.state.as_deref() {
                None => ends.insert(&event.request, None),
                Some(state) => {
                    let before = ends.insert(&event.request, Some(state));
                    assert_eq!(before, Some(None), "ended before it began, or twice: {event:?}");
                    None
                }
            };
            assert_eq!(before, None, "began twice: {event:?}");
        }
        for (id, known) in &self.ledger.requests {
            let there = ends.get(id.as_str()).unwrap_or_else(|| panic!("{id} is not in the log"));
            let end = known.end.as_ref().map(|end| end.state.as_str());
            // What ends by itself may do so between two looks.
            assert!(*there == end || end == Some("expired"), "{id}: {there:?} in the log, {end:?}");
        }
        let (listed, _) = self.list();
        let begun = log.iter().filter(|event| event.state.is_none()).map(|event| &event.request);
        let waiting: HashSet<&String> = listed.iter().collect();
        let in_order: Vec<&String> = begun.filter(|id| waiting.contains(id)).collect();
        assert_eq!(in_order, listed.iter().collect::<Vec<_>>(), "the list is in another order");
    }

    /// What has ended is in the history, the last to end first.
    fn history(&mut self, log: &[Event]) {
        let (mut found, mut next) = (Vec::new(), None::<String>);
        loop {
            let after = next.map_or(String::new(), |next| format!("&after={next}"));
            let page = self.persons[0].get(&format!("/api/v1/history?limit=1000{after}")).unwrap();
            let requests = page.body["requests"].as_array().unwrap().iter();
            found.extend(requests.map(|request| request["id"].as_str().unwrap().to_owned()));
            next = page.body["next"].as_str().map(str::to_owned);
            if next.is_none() {
                break;
            }
        }
        let ended = log.iter().rev().filter(|event| event.state.is_some());
        let ended: Vec<&String> = ended.map(|event| &event.request).collect();
        // Some may have expired since the log was read.
        let newer = found.len() - ended.len();
        assert_eq!(found[newer..].iter().collect::<Vec<_>>(), ended, "the history differs");
    }
}

fn text(view: &Value) -> &str {
    view["request"]["questions"][0]["question"].as_str().unwrap()
}
