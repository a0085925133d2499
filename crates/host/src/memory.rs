//! What a host keeps in memory of pending requests: times, and who waits. Pure: no clock, no I/O.
//!
//! Invariant: each entry has at most one timer, for the first thing that can happen to it by time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{CredentialId, Ended, RequestId, UnixMillis};
use askwell_store::Presence;
use tokio::sync::oneshot;

use crate::config::Config;
use crate::recent::Known;

/// Milliseconds of the clock that only grows.
pub(crate) type Moment = u64;

pub(crate) fn moment(duration: Duration) -> Moment {
    duration.as_millis() as Moment
}

/// A pending request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) credential: CredentialId,
    pub(crate) created_at: UnixMillis,
    /// As it is written down, and as it is counted.
    pub(crate) deadline: Option<(UnixMillis, Moment)>,
    pub(crate) asker: AskerState,
    /// Waits of its own asker that are open.
    pub(crate) waits: u32,
    pub(crate) draft_writes: u64,
    /// Until when the request is not withdrawn, since somebody writes.
    pub(crate) rest_until: Moment,
    /// When to look again, while an end by time is on its way to the disk.
    ending: Option<Moment>,
    timer: Option<Moment>,
}

/// Whether the asker stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskerState {
    /// Until the lease lapses.
    Attached { lease_until: Moment },
    /// It has only posted the request, or left.
    Detached,
    /// Since when, and until when the request waits for it.
    Away { since: UnixMillis, until: Moment },
}

impl AskerState {
    pub(crate) fn presence(self) -> Presence {
        match self {
            Self::Attached { .. } => Presence { attached: true, away_since: None },
            Self::Detached => Presence { attached: false, away_since: None },
            Self::Away { since, .. } => Presence { attached: true, away_since: Some(since) },
        }
    }
}

/// What time brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Expire {
        deadline_at: UnixMillis,
        created_at: UnixMillis,
    },
    /// Its asker is away as from now.
    Away,
    Withdraw {
        since: UnixMillis,
        draft_writes: u64,
    },
}

impl Entry {
    pub(crate) fn new(
        credential: CredentialId,
        created_at: UnixMillis,
        deadline: Option<(UnixMillis, Moment)>,
        asker: AskerState,
    ) -> Self {
        Self {
            credential,
            created_at,
            deadline,
            asker,
            waits: 0,
            draft_writes: 0,
            rest_until: 0,
            ending: None,
            timer: None,
        }
    }

    /// Whether its asker is there.
    pub(crate) fn is_live(&self, now: Moment) -> bool {
        let leased =
            matches!(self.asker, AskerState::Attached { lease_until } if now < lease_until);
        leased || self.waits > 0
    }

    /// The first thing that can happen to it by time, and when.
    fn first_due(&self) -> Option<(Moment, Due)> {
        let created_at = self.created_at;
        let expiry =
            self.deadline.map(|(deadline_at, at)| (at, Due::Expire { deadline_at, created_at }));
        let asker = match self.asker {
            AskerState::Attached { lease_until } if self.waits == 0 => {
                Some((lease_until, Due::Away))
            }
            AskerState::Away { since, until } if self.waits == 0 => {
                let draft_writes = self.draft_writes;
                Some((until.max(self.rest_until), Due::Withdraw { since, draft_writes }))
            }
            AskerState::Attached { .. } | AskerState::Away { .. } | AskerState::Detached => None,
        };
        let first = expiry.into_iter().chain(asker).min_by_key(|(at, _)| *at)?;
        // On its way already: looked at again in case that the disk refuses.
        Some((self.ending.map_or(first.0, |again| first.0.max(again)), first.1))
    }
}

/// What a waiter hears of an end: the request and its outcome, where they are at hand. Otherwise
/// they are in the store.
pub(crate) type News = Option<(Arc<Known>, Arc<Ended>)>;

/// All pending requests.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    entries: HashMap<RequestId, Entry>,
    timers: BTreeSet<(Moment, RequestId)>,
    waiters: HashMap<RequestId, Vec<oneshot::Sender<News>>>,
    /// Open waits of own askers on what has just ended: they are about to hear of it.
    delivering: HashMap<RequestId, u32>,
    /// What has ended, and until when its asker is expected to fetch the outcome.
    fetching: Fetching,
    /// What is on its way to the disk under a derived key, or is about to be joined by one: nobody
    /// else joins it.
    claimed: HashSet<RequestId>,
    /// Whose drafts others were told of last, and when.
    answering: HashMap<RequestId, Vec<(Arc<str>, Moment)>>,
}

/// How often others are told that somebody goes on answering: every edit would be too much.
const GOES_ON: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
struct Fetching {
    until: HashMap<RequestId, Moment>,
    order: BTreeSet<(Moment, RequestId)>,
}

impl Fetching {
    fn insert(&mut self, id: RequestId, until: Moment) {
        self.remove(id);
        self.until.insert(id, until);
        self.order.insert((until, id));
    }

    fn remove(&mut self, id: RequestId) {
        if let Some(until) = self.until.remove(&id) {
            self.order.remove(&(until, id));
        }
    }

    fn forget_before(&mut self, now: Moment) {
        while let Some((until, id)) = self.order.first().copied()
            && until <= now
        {
            self.remove(id);
        }
    }

    fn is_expected(&self, id: RequestId, now: Moment) -> bool {
        self.until.get(&id).is_some_and(|until| now < *until)
    }
}

impl Memory {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn away(&self) -> usize {
        let away = |entry: &&Entry| matches!(entry.asker, AskerState::Away { .. });
        self.entries.values().filter(away).count()
    }

    pub(crate) fn get(&self, id: RequestId) -> Option<&Entry> {
        self.entries.get(&id)
    }

    pub(crate) fn insert(&mut self, id: RequestId, entry: Entry) {
        self.entries.insert(id, entry);
        self.set_timer(id);
    }

    /// Changes an entry, and its timer with it.
    pub(crate) fn change<T>(
        &mut self,
        id: RequestId,
        change: impl FnOnce(&mut Entry) -> T,
    ) -> Option<T> {
        let result = change(self.entries.get_mut(&id)?);
        self.set_timer(id);
        Some(result)
    }

    fn set_timer(&mut self, id: RequestId) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let timer = entry.first_due().map(|(at, _)| at);
        let former = std::mem::replace(&mut entry.timer, timer);
        if former != timer {
            if let Some(at) = former {
                self.timers.remove(&(at, id));
            }
            if let Some(at) = timer {
                self.timers.insert((at, id));
            }
        }
    }

    /// When the first timer goes off.
    pub(crate) fn next_timer(&self) -> Option<Moment> {
        self.timers.first().map(|(at, _)| *at)
    }

    /// One thing that is due. It is told again only after `again` milliseconds, if nothing has
    /// come of it by then.
    pub(crate) fn take_due(&mut self, now: Moment, again: Moment) -> Option<(RequestId, Due)> {
        let (at, id) = *self.timers.first()?;
        if at > now {
            return None;
        }
        let (_, due) = self.entries.get(&id)?.first_due()?;
        self.change(id, |entry| entry.ending = Some(now + again));
        Some((id, due))
    }

    /// Nothing came of what was due: it is looked at afresh.
    pub(crate) fn not_due(&mut self, id: RequestId) {
        self.change(id, |entry| entry.ending = None);
    }

    /// A wait until the request ends. `None` where it is not pending.
    pub(crate) fn wait(&mut self, id: RequestId, is_own: bool) -> Option<oneshot::Receiver<News>> {
        self.change(id, |entry| entry.waits += u32::from(is_own))?;
        let (told, heard) = oneshot::channel();
        self.waiters.entry(id).or_default().push(told);
        Some(heard)
    }

    /// A wait is over, whether it has heard of the end or not.
    pub(crate) fn wait_over(&mut self, id: RequestId, is_own: bool, lease_until: Moment) {
        if let Some(waiters) = self.waiters.get_mut(&id) {
            waiters.retain(|waiter| !waiter.is_closed());
            if waiters.is_empty() {
                self.waiters.remove(&id);
            }
        }
        if !is_own {
            return;
        }
        if let Some(waits) = self.delivering.get_mut(&id) {
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                self.delivering.remove(&id);
            }
            // Whether the outcome has reached it is not known yet.
            self.fetching.insert(id, lease_until);
            return;
        }
        self.change(id, |entry| {
            entry.waits = entry.waits.saturating_sub(1);
            if let AskerState::Attached { lease_until: until } = &mut entry.asker {
                *until = lease_until.max(*until);
            }
        });
    }

    /// The request has ended: tells everybody who waits.
    pub(crate) fn end(&mut self, id: RequestId, news: &News, now: Moment) -> Option<Entry> {
        let entry = self.entries.remove(&id)?;
        self.answering.remove(&id);
        self.fetching.forget_before(now);
        if let Some(at) = entry.timer {
            self.timers.remove(&(at, id));
        }
        if entry.waits > 0 {
            self.delivering.insert(id, entry.waits);
        } else if let AskerState::Attached { lease_until } = entry.asker
            && now < lease_until
        {
            self.fetching.insert(id, lease_until);
        }
        for waiter in self.waiters.remove(&id).unwrap_or_default() {
            let _ = waiter.send(news.clone());
        }
        Some(entry)
    }

    /// A person edits a draft: whether others are to be told of it.
    pub(crate) fn goes_on(&mut self, id: RequestId, person: &Arc<str>, now: Moment) -> bool {
        if !self.entries.contains_key(&id) {
            return false;
        }
        let told = self.answering.entry(id).or_default();
        match told.iter_mut().find(|(known, _)| known == person) {
            Some((_, at)) if now < *at + moment(GOES_ON) => false,
            Some((_, at)) => {
                *at = now;
                true
            }
            None => {
                told.push((Arc::clone(person), now));
                true
            }
        }
    }

    /// A person has nothing in a draft any more: whether others were told of it.
    pub(crate) fn leaves(&mut self, id: RequestId, person: &Arc<str>) -> bool {
        let Some(told) = self.answering.get_mut(&id) else { return false };
        let before = told.len();
        told.retain(|(known, _)| known != person);
        told.len() < before
    }

    /// A person is signed in nowhere any more: the requests that others were told of.
    pub(crate) fn leaves_all(&mut self, person: &Arc<str>) -> Vec<RequestId> {
        let ids: Vec<RequestId> = self.answering.keys().copied().collect();
        ids.into_iter().filter(|id| self.leaves(*id, person)).collect()
    }

    /// Nobody else joins this request, until it is given up.
    pub(crate) fn claim(&mut self, id: RequestId) {
        self.claimed.insert(id);
    }

    pub(crate) fn give_up(&mut self, id: RequestId) {
        self.claimed.remove(&id);
    }

    /// An asker is expected to fetch the outcome of what has ended.
    pub(crate) fn fetches(&mut self, id: RequestId, until: Moment) {
        self.fetching.insert(id, until);
    }

    /// It has fetched it, or left.
    pub(crate) fn fetched(&mut self, id: RequestId) {
        self.fetching.remove(id);
    }

    /// Whether the asker of a request waits for it, or for the news of its end, or somebody is about
    /// to.
    pub(crate) fn is_live(&self, id: RequestId, now: Moment) -> bool {
        self.claimed.contains(&id)
            || self.delivering.contains_key(&id)
            || self.fetching.is_expected(id, now)
            || self.entries.get(&id).is_some_and(|entry| entry.is_live(now))
    }

    /// The times of an asker that is there as from now, or away.
    pub(crate) fn attached(now: Moment, config: &Config) -> AskerState {
        AskerState::Attached { lease_until: now + moment(config.lease) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: RequestId = RequestId::from_bytes([7; 16]);

    fn memory(deadline: Option<(UnixMillis, Moment)>, asker: AskerState) -> Memory {
        let mut memory = Memory::default();
        memory.insert(ID, Entry::new(CredentialId::from_bytes([1; 16]), 0, deadline, asker));
        memory
    }

    #[test]
    fn the_first_thing_in_time_is_due_first_and_once() {
        let asker = AskerState::Attached { lease_until: 30 };
        let mut memory = memory(Some((5_000, 50)), asker);
        let expire = Due::Expire { deadline_at: 5_000, created_at: 0 };

        assert_eq!(memory.next_timer(), Some(30));
        assert_eq!(memory.take_due(29, 10), None);
        assert_eq!(memory.take_due(30, 10), Some((ID, Due::Away)));
        assert_eq!(memory.take_due(39, 10), None);
        memory.change(ID, |entry| entry.asker = AskerState::Away { since: 1, until: 90 });
        memory.not_due(ID);
        assert_eq!(memory.take_due(50, 10), Some((ID, expire)));
        // The disk refused: again.
        assert_eq!(memory.take_due(60, 10), Some((ID, expire)));
    }

    #[test]
    fn who_waits_is_not_away_and_a_lease_begins_when_the_wait_ends() {
        let mut memory = memory(None, AskerState::Attached { lease_until: 30 });

        let heard = memory.wait(ID, true).unwrap();
        assert_eq!(memory.next_timer(), None);
        assert!(memory.is_live(ID, 1_000));
        drop(heard);
        memory.wait_over(ID, true, 1_030);

        assert_eq!(memory.next_timer(), Some(1_030));
        assert!(memory.is_live(ID, 1_029) && !memory.is_live(ID, 1_030));
    }

    #[test]
    fn nothing_is_withdrawn_while_somebody_writes() {
        let mut memory = memory(None, AskerState::Away { since: 7, until: 100 });

        memory.change(ID, |entry| (entry.draft_writes, entry.rest_until) = (3, 600));

        assert_eq!(memory.take_due(599, 10), None);
        let due = Due::Withdraw { since: 7, draft_writes: 3 };
        assert_eq!(memory.take_due(600, 10), Some((ID, due)));
    }

    #[test]
    fn others_are_told_once_a_minute_that_somebody_answers() {
        let mut memory = memory(None, AskerState::Detached);
        let (ann, ben): (Arc<str>, Arc<str>) = ("ann".into(), "ben".into());

        let told = [(&ann, 0), (&ann, 59_999), (&ben, 59_999), (&ann, 60_000), (&ann, 60_001)]
            .map(|(person, now)| memory.goes_on(ID, person, now));

        assert_eq!(told, [true, false, true, true, false]);
        memory.end(ID, &None, 0);
        assert!(!memory.goes_on(ID, &ben, 1_000_000) && memory.answering.is_empty());
    }

    #[test]
    fn an_end_reaches_every_waiter_and_its_asker_is_there_until_it_has_heard() {
        let mut memory = memory(Some((9, 9)), AskerState::Detached);
        let (mut own, mut other) =
            (memory.wait(ID, true).unwrap(), memory.wait(ID, false).unwrap());

        assert!(memory.end(ID, &None, 0).is_some());

        assert!(own.try_recv().is_ok() && other.try_recv().is_ok());
        assert!(memory.is_live(ID, 1_000_000));
        memory.wait_over(ID, false, 0);
        memory.wait_over(ID, true, 40);
        // It has a lease's time to fetch what it was not handed.
        assert!(memory.is_live(ID, 39) && !memory.is_live(ID, 40));
        memory.fetched(ID);
        assert!(!memory.is_live(ID, 0));
        assert_eq!((memory.len(), memory.next_timer()), (0, None));
        assert!(memory.wait(ID, true).is_none());
    }
}
