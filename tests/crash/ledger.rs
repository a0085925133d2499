//! What was sent to the hosts of one place, and what they have told. It outlives every one of them.
//!
//! Invariant: a try is noted before it is sent and what is told after it came, so that whatever a
//! store holds is either told, or tried and not told, or a fault.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::random::Random;

/// A person's or an asker's credential, made by the admin.
#[derive(Debug, Clone)]
pub struct Credential {
    pub name: String,
    pub token: String,
}

/// A request that was sent.
#[derive(Debug, Clone)]
pub struct Posted {
    /// Its only question, which no other request has.
    pub text: String,
    pub asker: usize,
    pub key: Option<String>,
    pub expires: Option<u64>,
    /// Its id, once it is known.
    pub id: Option<String>,
}

impl Posted {
    pub fn body(&self) -> Value {
        let options = json!([{"label": "A"}, {"label": "B"}]);
        let question =
            json!({"id": "q", "question": self.text, "options": options, "multiSelect": true});
        match self.expires {
            None => json!({"questions": [question]}),
            Some(seconds) => json!({"questions": [question], "expiresInSeconds": seconds}),
        }
    }
}

/// How a request ended, as it was told.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    pub state: String,
    pub at: i64,
    pub outcome: Value,
}

impl End {
    /// Of a view, or of the `ended` of an error; nothing while it is pending.
    pub fn of(told: &Value) -> Option<Self> {
        let at = told["receipt"]["at"].as_i64()?;
        let state = told["state"].as_str().unwrap().to_owned();
        Some(Self { state, at, outcome: told["outcome"].clone() })
    }

    /// The text by which it can be told whose it is.
    pub fn text(&self) -> &str {
        text_of(&self.outcome)
    }
}

/// The person's or the asker's own text in an outcome or a late response.
pub fn text_of(document: &Value) -> &str {
    let custom = &document["answers"][0]["custom"];
    let found = [custom, &document["comment"], &document["reason"]].into_iter();
    found.filter_map(Value::as_str).next().unwrap_or_default()
}

/// One person's draft of one request.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub revision: u64,
    /// The text of that revision.
    pub told: String,
    pub tried: BTreeSet<String>,
    /// Texts of which was told that they are kept.
    pub kept: Vec<String>,
}

/// A request that is known to be on disk.
#[derive(Debug, Clone)]
pub struct Request {
    pub text: String,
    /// Every end that was sent, with its text.
    pub tried: BTreeSet<(&'static str, String)>,
    /// The end that was told to be ours.
    pub won: Option<String>,
    pub end: Option<End>,
    /// Texts of which was told that they came too late.
    pub late: Vec<String>,
    pub extensions_tried: u64,
    pub extensions_told: u64,
    pub picked_up: Option<i64>,
    pub drafts: [Draft; 2],
}

impl Request {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            tried: BTreeSet::new(),
            won: None,
            end: None,
            late: Vec::new(),
            extensions_tried: 0,
            extensions_told: 0,
            picked_up: None,
            drafts: Default::default(),
        }
    }
}

/// What happened how often.
#[derive(Debug, Clone, Default)]
pub struct Counts(pub BTreeMap<&'static str, u64>);

impl Counts {
    pub fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }
}

#[derive(Debug)]
pub struct Ledger {
    pub askers: [Credential; 2],
    pub persons: [Credential; 2],
    pub posted: BTreeMap<String, Posted>,
    pub requests: BTreeMap<String, Request>,
    /// Those of which no end is known.
    pub open: Vec<String>,
    /// Those that something was sent to since they were last checked.
    pub dirty: BTreeSet<String>,
    pub counts: Counts,
    texts: u64,
}

impl Ledger {
    pub fn new(askers: [Credential; 2], persons: [Credential; 2]) -> Self {
        Self {
            askers,
            persons,
            posted: BTreeMap::new(),
            requests: BTreeMap::new(),
            open: Vec::new(),
            dirty: BTreeSet::new(),
            counts: Counts::default(),
            texts: 0,
        }
    }

    /// A text that no other begins with.
    pub fn text(&mut self) -> String {
        self.texts += 1;
        format!("t{:08}", self.texts)
    }

    /// A request that is about to be sent.
    pub fn posts(&mut self, random: &mut Random) -> Posted {
        let text = self.text();
        let asker = random.below(2) as usize;
        let expires = random.one_in(6).then(|| 1 + random.below(3));
        let key = (expires.is_none() && random.one_in(2)).then(|| format!("key-{text}"));
        let posted = Posted { text: text.clone(), asker, key, expires, id: None };
        self.posted.insert(text, posted.clone());
        posted
    }

    /// This request is on disk. The same text has the same id for ever.
    pub fn is_there(&mut self, id: &str, text: &str) {
        let posted = self.posted.get_mut(text);
        let posted = posted.unwrap_or_else(|| panic!("invented: {id}, with the text {text:?}"));
        match &posted.id {
            None => posted.id = Some(id.to_owned()),
            Some(known) => assert_eq!(known, id, "{text} was asked once and is there twice"),
        }
        if !self.requests.contains_key(id) {
            self.requests.insert(id.to_owned(), Request::new(text));
            self.open.push(id.to_owned());
        }
        self.dirty.insert(id.to_owned());
    }

    pub fn request(&mut self, id: &str) -> &mut Request {
        self.dirty.insert(id.to_owned());
        self.requests.get_mut(id).unwrap()
    }

    /// One that something can be sent to: mostly one that may be pending.
    pub fn target(&self, random: &mut Random) -> Option<String> {
        if random.one_in(10) {
            let all: Vec<&String> = self.requests.keys().rev().take(40).collect();
            return random.choose(&all).map(|id| (*id).clone());
        }
        random.choose(&self.open).cloned()
    }

    /// It ended so: from whomever one hears it, and for ever.
    pub fn ended(&mut self, id: &str, end: End) {
        let request = self.request(id);
        match &request.end {
            Some(known) => assert_eq!(*known, end, "{id} has two ends"),
            None => {
                let ours = request.tried.contains(&(end.state.as_str(), end.text().to_owned()));
                assert!(ours || end.state == "expired", "nobody ended {id} so: {end:?}");
                if let Some(won) = &request.won {
                    assert_eq!(won, end.text(), "{id} has another winner");
                }
                request.end = Some(end);
            }
        }
        self.open.retain(|open| open != id);
    }

    /// A view of a request.
    pub fn viewed(&mut self, view: &Value) {
        let id = view["id"].as_str().unwrap();
        if let Some(end) = End::of(view) {
            self.ended(id, end);
        }
        // Views of several workers come in any order: that one is missing is no fault here.
        if let Some(picked_up) = view["receipt"]["pickedUpAt"].as_i64() {
            let known = self.request(id).picked_up.get_or_insert(picked_up);
            assert_eq!(*known, picked_up, "{id} was picked up for the first time twice");
        }
    }

    /// We were told that ours is the response that counts.
    pub fn won(&mut self, id: &str, text: &str, view: &Value) {
        let request = self.request(id);
        assert_eq!(request.won, None, "{id} has two winners");
        request.won = Some(text.to_owned());
        self.viewed(view);
        assert_eq!(self.requests[id].end.as_ref().unwrap().text(), text, "{id}: {view}");
        self.counts.add("won");
    }

    /// We were told that it came too late; `kept`: a text that is to be found with the request.
    pub fn late(&mut self, id: &str, kept: Option<String>, ended: &Value) {
        let end = End::of(ended).unwrap_or_else(|| panic!("{id}: no end in {ended}"));
        self.ended(id, end);
        self.request(id).late.extend(kept);
        self.counts.add("late");
    }

    /// What was told of a draft that was sent.
    pub fn drafted(&mut self, id: &str, person: usize, text: &str, told: &Value) {
        self.counts.add("drafts");
        let draft = &mut self.request(id).drafts[person];
        let revision = told["revision"].as_u64().unwrap();
        match told["result"].as_str().unwrap() {
            "saved" => {
                assert_eq!(told["custom"], text, "{id}: {told}");
                if revision > draft.revision {
                    (draft.revision, draft.told) = (revision, text.to_owned());
                }
            }
            "STALE_DRAFT" => draft.kept.push(text.to_owned()),
            other => panic!("{other}: {told}"),
        }
    }
}
