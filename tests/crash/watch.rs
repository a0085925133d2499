//! Somebody who follows the events of a place through all its hosts, each time from where the last
//! one was cut.

use std::io;

use super::http::{Frame, Http};

/// A `requested` or `resolved` event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Event {
    pub number: u64,
    pub kind: String,
    pub request: String,
    /// The state of one that is resolved.
    pub state: Option<String>,
}

/// What came, over all hosts.
#[derive(Debug)]
pub struct Watcher {
    token: String,
    /// Whether it hears everything, so that no number may be missing.
    hears_all: bool,
    epoch: String,
    pub events: Vec<Event>,
    /// The number up to which everything is told.
    pub last: u64,
    /// Numbers of which was told that the list has to be read in their place.
    pub resynced: Vec<std::ops::RangeInclusive<u64>>,
}

impl Watcher {
    /// One who has heard nothing so far. `event_id` is any one of this store.
    pub fn new(token: &str, hears_all: bool, event_id: &str) -> Self {
        let epoch = event_id.split_once('-').unwrap().0.to_owned();
        let (events, resynced) = (Vec::new(), Vec::new());
        Self { token: token.to_owned(), hears_all, epoch, events, last: 0, resynced }
    }

    /// Listens until the host is gone, or this number was told.
    pub fn follow(&mut self, port: u16, until: Option<u64>) -> io::Result<()> {
        let after = format!("{}-{}", self.epoch, self.last);
        let mut frames = Http::connect(port, &self.token)?.events(Some(&after))?;
        while until.is_none_or(|until| self.last < until) {
            let frame = frames.next()?;
            self.hear(&frame);
        }
        Ok(())
    }

    fn hear(&mut self, frame: &Frame) {
        let Some(id) = &frame.id else {
            assert!(frame.event == "changed" || (self.hears_all && frame.event == "draft"));
            return;
        };
        let (epoch, number) = id.split_once('-').unwrap();
        assert_eq!(epoch, self.epoch, "another store: {frame:?}");
        let number: u64 = number.parse().unwrap();
        if frame.event == "resync" {
            assert!(number >= self.last, "back to {number} from {}", self.last);
            if number > self.last {
                self.resynced.push(self.last + 1..=number);
            }
            self.last = number;
            return;
        }
        match self.hears_all {
            true => assert_eq!(number, self.last + 1, "missed, or heard twice: {frame:?}"),
            false => assert!(number > self.last, "heard twice: {frame:?}"),
        }
        self.last = number;
        let request = &frame.data["request"];
        let request = request.as_str().or_else(|| request["id"].as_str()).unwrap().to_owned();
        let state = match frame.event.as_str() {
            "requested" => None,
            "resolved" => Some(frame.data["state"].as_str().unwrap().to_owned()),
            other => panic!("{other} with an id: {frame:?}"),
        };
        self.events.push(Event { number, kind: frame.event.clone(), request, state });
    }
}
