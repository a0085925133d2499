//! What waits for a person and what has ended, as an inbox knows it: pages and events of a host in,
//! lists out. Knows nothing of screens and keys: a list that is drawn and one that is read out line
//! by line have the same.
//!
//! Invariants: a request stands here once, whether a page or an event told of it first; one whose
//! asker does not wait for it any more stays until the person has taken note of it.

use std::collections::HashSet;
use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{Delivery, Event, Page, RequestId, RequestSummary, UnixMillis};

/// What is heard of a host.
#[derive(Debug, Clone, PartialEq)]
pub enum Feed {
    /// A page of what waits. The first one of a list that is read anew replaces what was known.
    Waiting {
        /// The page.
        page: Page,
        /// Whether the list begins with it.
        first: bool,
    },
    /// A page of what has ended and holds this text.
    Ended {
        /// What was searched for; empty: everything.
        search: String,
        /// Where the page before ended; absent: the latest.
        after: Option<String>,
        /// The page.
        page: Page,
    },
    /// Something happened.
    Happened(Delivery),
    /// Whether the host can be reached.
    Reached(bool),
}

/// What a person may want to hear of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A request came in.
    Arrived(RequestId),
    /// A request that was listed ended.
    Ended(RequestId, State),
}

/// The requests of an inbox.
#[derive(Debug, Default)]
pub struct Requests {
    /// Those that wait, in the order in which they were accepted, and those whose asker has stopped
    /// waiting.
    waiting: Vec<RequestSummary>,
    /// Which have ended since the list was begun: a page may come later than the event.
    ended: HashSet<RequestId>,
    /// Which were known before the list was read anew, until it is whole.
    before: Option<HashSet<RequestId>>,
    settled: Vec<RequestSummary>,
    more_settled: Option<String>,
    search: String,
    whole: bool,
    reached: bool,
    /// The host's time, and when it was told.
    clock: Option<(UnixMillis, Duration)>,
    revision: u64,
}

impl Requests {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self { reached: true, ..Self::default() }
    }

    /// Those that wait, in the order in which they were accepted, and those whose asker has stopped
    /// waiting and that were not put away.
    pub fn waiting(&self) -> &[RequestSummary] {
        &self.waiting
    }

    /// Those that have ended, the latest first, as far as they were read.
    pub fn settled(&self) -> &[RequestSummary] {
        &self.settled
    }

    /// Where the next page of those that have ended begins; absent after the last one.
    pub fn more_settled(&self) -> Option<&str> {
        self.more_settled.as_deref()
    }

    /// What those that have ended were searched for.
    pub fn search(&self) -> &str {
        &self.search
    }

    /// Whether all that waits was read.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether the host can be reached, as far as is known.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// Grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// A request that is listed as waiting.
    pub fn get(&self, id: RequestId) -> Option<&RequestSummary> {
        self.waiting.iter().find(|request| request.id == id)
    }

    /// How many wait for an answer: those whose asker is away, and those that have ended, not
    /// counted.
    pub fn count(&self) -> usize {
        self.waiting.iter().filter(|request| is_waited_for(request)).count()
    }

    /// Now, by the host's clock.
    pub fn host_time(&self, now: Duration) -> UnixMillis {
        let Some((told, at)) = self.clock else { return 0 };
        let since = now.saturating_sub(at).as_millis();
        told.saturating_add(UnixMillis::try_from(since).unwrap_or(UnixMillis::MAX))
    }

    /// Takes in what was heard, and says what is new in it.
    pub fn take(&mut self, feed: Feed, now: Duration) -> Vec<News> {
        self.revision += 1;
        match feed {
            Feed::Waiting { page, first } => self.take_page(page, first, now),
            Feed::Ended { search, after, page } => {
                self.clock = Some((page.now, now));
                self.take_settled(search, after.is_some(), page);
                Vec::new()
            }
            Feed::Happened(Delivery::Event(event)) => self.happened(event, now),
            // The list is read anew by whoever feeds.
            Feed::Happened(Delivery::Resync(_)) => Vec::new(),
            Feed::Reached(reached) => {
                self.reached = reached;
                Vec::new()
            }
        }
    }

    /// Puts a request away whose asker has stopped waiting, or that ended here.
    pub fn put_away(&mut self, id: RequestId) {
        self.revision += 1;
        self.waiting.retain(|request| request.id != id);
        self.ended.insert(id);
    }

    fn take_page(&mut self, page: Page, first: bool, now: Duration) -> Vec<News> {
        self.clock = Some((page.now, now));
        if first {
            let known = self.waiting.iter().filter(|request| request.state == State::Pending);
            let known: HashSet<RequestId> = known.map(|request| request.id).collect();
            // What is not in the new list has ended meanwhile, nobody knows how.
            let whole = std::mem::replace(&mut self.whole, false);
            self.before = whole.then_some(known);
            self.ended.clear();
            self.waiting.retain(|request| request.state != State::Pending);
        }
        let mut news = Vec::new();
        for request in page.requests {
            if self.ended.contains(&request.id) || self.get(request.id).is_some() {
                continue;
            }
            if self.before.as_ref().is_some_and(|known| !known.contains(&request.id)) {
                news.push(News::Arrived(request.id));
            }
            self.waiting.push(request);
        }
        self.waiting.sort_by_key(|request| (request.created_at, request.id));
        if page.next.is_none() {
            (self.whole, self.before) = (true, None);
        }
        news
    }

    fn take_settled(&mut self, search: String, goes_on: bool, page: Page) {
        let older = |kept: &RequestSummary| {
            let last = page.requests.last().and_then(|last| last.receipt.as_ref());
            last.is_some_and(|last| kept.receipt.as_ref().is_none_or(|kept| kept.at < last.at))
        };
        if goes_on {
            if search == self.search {
                self.settled.extend(page.requests);
                self.more_settled = page.next;
            }
            return;
        }
        // The latest anew; what was read of the earlier ones stays.
        let kept: Vec<RequestSummary> = match search == self.search && page.next.is_some() {
            true => self.settled.drain(..).filter(older).collect(),
            false => Vec::new(),
        };
        if kept.is_empty() {
            self.more_settled = page.next;
        }
        self.settled = page.requests;
        self.settled.extend(kept);
        self.search = search;
    }

    fn happened(&mut self, event: Event, now: Duration) -> Vec<News> {
        let time = self.host_time(now);
        match event {
            Event::Requested { request, .. } => {
                let id = request.id;
                if self.ended.contains(&id) || self.get(id).is_some() {
                    return Vec::new();
                }
                self.waiting.push(*request);
                vec![News::Arrived(id)]
            }
            Event::Resolved { request: id, state, .. } => {
                self.ended.insert(id);
                let Some(at) = self.waiting.iter().position(|request| request.id == id) else {
                    return Vec::new();
                };
                match state {
                    State::Aborted | State::Expired => self.waiting[at].state = state,
                    State::Answered | State::Cancelled | State::Pending => {
                        self.waiting.remove(at);
                    }
                }
                vec![News::Ended(id, state)]
            }
            Event::Draft { request, .. } => {
                if let Some(request) = self.find(request) {
                    request.draft_edited_at = Some(time);
                }
                Vec::new()
            }
            Event::Changed { request, away_since, deadline_at, answering, .. } => {
                if let Some(request) = request.and_then(|id| self.find(id)) {
                    (request.away_since, request.deadline_at) = (away_since, deadline_at);
                    if let Some(other) = answering {
                        other.join(&mut request.answering);
                    }
                }
                Vec::new()
            }
        }
    }

    fn find(&mut self, id: RequestId) -> Option<&mut RequestSummary> {
        self.waiting.iter_mut().find(|request| request.id == id)
    }
}

/// Whether somebody waits for its answer, as far as is known.
pub fn is_waited_for(request: &RequestSummary) -> bool {
    request.state == State::Pending && request.away_since.is_none()
}

#[cfg(test)]
mod tests {
    use askwell_core::wire::EventId;
    use askwell_core::{Question, Request};

    use super::*;

    fn request(number: u8) -> RequestSummary {
        let request = Request::new([Question::new("q", format!("Question {number}?"))]);
        let id = RequestId::mint(u64::from(number), [number; 10]);
        RequestSummary::of(&request.validate().unwrap(), id, "local", number.into(), None, false)
    }

    fn page(numbers: &[u8], next: bool) -> Page {
        let requests = numbers.iter().map(|number| request(*number)).collect();
        let next = next.then(|| "more".to_owned());
        Page { requests, next, event_id: EventId { epoch: 1, number: 9 }, now: 1_000 }
    }

    fn listed(first: bool, numbers: &[u8], next: bool) -> Feed {
        Feed::Waiting { page: page(numbers, next), first }
    }

    fn resolved(number: u8, state: State) -> Feed {
        let id = EventId { epoch: 1, number: 10 };
        let request = request(number).id;
        Feed::Happened(Delivery::Event(Event::Resolved { id, request, state }))
    }

    fn requested(number: u8) -> Feed {
        let id = EventId { epoch: 1, number: 10 };
        let request = Box::new(request(number));
        Feed::Happened(Delivery::Event(Event::Requested { id, request }))
    }

    fn numbers(requests: &Requests) -> Vec<i64> {
        requests.waiting().iter().map(|request| request.created_at).collect()
    }

    #[test]
    fn pages_and_events_meet_in_whatever_order_they_come() {
        let mut requests = Requests::new();
        let now = Duration::ZERO;
        requests.take(listed(true, &[1, 2], true), now);

        assert_eq!(requests.take(requested(5), now), [News::Arrived(request(5).id)]);
        assert_eq!(requests.take(resolved(3, State::Answered), now), []);
        assert_eq!(requests.take(listed(false, &[3, 4], false), now), []);
        assert_eq!(requests.take(requested(5), now), []);

        assert_eq!(numbers(&requests), [1, 2, 4, 5]);
        assert!(requests.is_whole());
    }

    #[test]
    fn one_that_is_not_waited_for_stays_until_it_is_put_away() {
        let mut requests = Requests::new();
        let now = Duration::ZERO;
        requests.take(listed(true, &[1, 2, 3], false), now);

        let news = requests.take(resolved(2, State::Expired), now);
        requests.take(resolved(3, State::Cancelled), now);

        assert_eq!(news, [News::Ended(request(2).id, State::Expired)]);
        assert_eq!((numbers(&requests), requests.count()), (vec![1, 2], 1));
        requests.put_away(request(2).id);
        assert_eq!(numbers(&requests), [1]);
    }

    #[test]
    fn a_list_that_is_read_anew_tells_what_came_and_drops_what_is_gone() {
        let mut requests = Requests::new();
        let now = Duration::ZERO;
        requests.take(listed(true, &[1, 2, 3], false), now);
        requests.take(resolved(1, State::Aborted), now);

        let news = requests.take(listed(true, &[3, 4], false), now);

        assert_eq!(news, [News::Arrived(request(4).id)]);
        assert_eq!(numbers(&requests), [1, 3, 4], "withdrawn, and not put away yet");
    }

    #[test]
    fn the_time_is_the_hosts() {
        let mut requests = Requests::new();
        requests.take(listed(true, &[1], false), Duration::from_secs(2));

        assert_eq!(requests.host_time(Duration::from_secs(5)), 4_000);
    }

    #[test]
    fn earlier_ones_that_were_read_stay_when_the_latest_come_anew() {
        let ended = |numbers: &[u8], next: bool| {
            let mut page = page(numbers, next);
            for request in &mut page.requests {
                let at = request.created_at;
                let (provider, by, picked_up_at) = (None, None, None);
                let receipt = askwell_core::wire::Receipt { at, provider, by, picked_up_at };
                request.receipt = Some(receipt);
            }
            page
        };
        let feed = |page, after: bool| Feed::Ended {
            search: String::new(),
            after: after.then(|| "more".to_owned()),
            page,
        };
        let mut requests = Requests::new();
        let now = Duration::ZERO;
        requests.take(feed(ended(&[8, 7], true), false), now);
        requests.take(feed(ended(&[6, 5], false), true), now);

        requests.take(feed(ended(&[9, 8], true), false), now);

        let settled: Vec<i64> = requests.settled().iter().map(|it| it.created_at).collect();
        assert_eq!(settled, [9, 8, 7, 6, 5]);
        assert_eq!(requests.more_settled(), None);
    }
}
