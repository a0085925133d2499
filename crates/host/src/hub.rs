//! Events: told once, read by everybody at their own pace.
//!
//! A reader has a place in the log and asks for what comes after it, so that a slow one holds
//! nobody up and holds no queue. The newest events are kept here; older ones are read from the
//! store. What is coalesced is kept once for each thing that can change, newest value only.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use askwell_core::wire::{CredentialId, Event, RequestId};
use tokio::sync::watch;

/// The newest events of the log that are kept in memory.
const RECENT: usize = 512;
/// The most coalesced changes that are kept.
const CHANGES: usize = 1_024;

/// An event as it is told to every reader: written as JSON at most once.
#[derive(Debug)]
pub struct Told {
    event: Event,
    json: OnceLock<String>,
    to: Audience,
    attended: bool,
}

/// Who may hear an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Audience {
    /// Answerers, and the asker with this credential.
    Asker(CredentialId),
    /// This person.
    Person(Arc<str>),
    /// Answerers who are not this person.
    Others(Arc<str>),
    /// Answerers.
    Everybody,
}

impl Told {
    pub(crate) fn new(event: Event, to: Audience) -> Self {
        Self { event, json: OnceLock::new(), to, attended: false }
    }

    /// Of the end of a request: whether its asker was there to hear of it.
    pub(crate) fn attended(mut self, attended: bool) -> Self {
        self.attended = attended;
        self
    }

    pub(crate) fn is_attended(&self) -> bool {
        self.attended
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The event as JSON, made once for all readers.
    pub fn json(&self) -> &str {
        // An event is made of strings and numbers: it can be written.
        self.json.get_or_init(|| serde_json::to_string(&self.event).unwrap_or_default())
    }

    pub(crate) fn to(&self) -> &Audience {
        &self.to
    }
}

/// Something that can change, of which only the newest value is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Subject {
    Request(RequestId),
    Draft(RequestId, Arc<str>),
    Answering(RequestId, Arc<str>),
    Watching,
}

pub(crate) struct Hub {
    epoch: u64,
    state: Mutex<State>,
    wake: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// The number of the last event.
    last: u64,
    recent: VecDeque<Arc<Told>>,
    /// Coalesced changes in the order in which they were last made.
    changes: BTreeMap<u64, (Subject, Arc<Told>)>,
    places: HashMap<Subject, u64>,
    changed: u64,
    /// Changes up to here may be missing.
    forgotten: u64,
    watching: u32,
    revoked: HashSet<CredentialId>,
    closed: bool,
}

/// What a reader that stands somewhere gets next.
pub(crate) enum Next {
    Log(Arc<Told>),
    Change(u64, Arc<Told>),
    /// It is older than what is kept here.
    InStore,
    /// It missed changes that are not kept any more.
    Missed(u64),
    Nothing,
    Closed,
}

impl Hub {
    pub(crate) fn new(epoch: u64, last: u64) -> Self {
        let state = State { last, ..State::default() };
        Self { epoch, state: Mutex::new(state), wake: watch::Sender::new(()) }
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Tells an event of the log. Called in the order of their numbers.
    pub(crate) fn tell(&self, number: u64, told: Told) {
        let mut state = self.lock();
        if number != state.last + 1 {
            // Another process wrote in between: those are in the store.
            state.recent.clear();
        }
        state.last = number;
        state.recent.push_back(Arc::new(told));
        if state.recent.len() > RECENT {
            state.recent.pop_front();
        }
        drop(state);
        self.wake.send_replace(());
    }

    /// Tells how a pending request stands now.
    pub(crate) fn tell_changed(&self, request: RequestId, told: impl FnOnce(u32) -> Told) {
        self.change(Subject::Request(request), told);
    }

    /// Tells that a person's draft was written.
    pub(crate) fn tell_draft(&self, request: RequestId, person: &Arc<str>, revision: u64) {
        let to = Audience::Person(Arc::clone(person));
        let told = Told::new(Event::Draft { request, revision }, to);
        self.change(Subject::Draft(request, Arc::clone(person)), |_| told);
    }

    /// Tells others that a person is answering, or has left.
    pub(crate) fn tell_answering(
        &self,
        request: RequestId,
        person: &Arc<str>,
        event: impl FnOnce(u32) -> Event,
    ) {
        let to = Audience::Others(Arc::clone(person));
        let subject = Subject::Answering(request, Arc::clone(person));
        self.change(subject, |watching| Told::new(event(watching), to));
    }

    fn change(&self, subject: Subject, told: impl FnOnce(u32) -> Told) {
        let mut state = self.lock();
        let told = told(state.watching);
        state.change(subject, told);
        drop(state);
        self.wake.send_replace(());
    }

    /// One more (or less) answerer watches.
    pub(crate) fn watch(&self, one_more: bool) {
        let mut state = self.lock();
        state.watching = match one_more {
            true => state.watching + 1,
            false => state.watching.saturating_sub(1),
        };
        let watching = state.watching;
        let event = Event::Changed {
            request: None,
            away_since: None,
            deadline_at: None,
            watching,
            answering: None,
        };
        state.change(Subject::Watching, Told::new(event, Audience::Everybody));
        drop(state);
        self.wake.send_replace(());
    }

    pub(crate) fn watching(&self) -> u32 {
        self.lock().watching
    }

    /// Ends the streams of a credential.
    pub(crate) fn revoke(&self, credential: CredentialId) {
        self.lock().revoked.insert(credential);
        self.wake.send_replace(());
    }

    pub(crate) fn is_revoked(&self, credential: CredentialId) -> bool {
        self.lock().revoked.contains(&credential)
    }

    /// Ends all streams.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.wake.send_replace(());
    }

    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.wake.subscribe()
    }

    /// Where a reader that comes now stands: the last event, the last change.
    pub(crate) fn place(&self) -> (u64, u64) {
        let state = self.lock();
        (state.last, state.changed)
    }

    /// What comes after this place.
    pub(crate) fn next(&self, event: u64, change: u64, credential: CredentialId) -> Next {
        let state = self.lock();
        if state.closed || state.revoked.contains(&credential) {
            return Next::Closed;
        }
        if let Some(next) = state.next_of_log(event) {
            return next;
        }
        if change < state.forgotten {
            return Next::Missed(state.changed);
        }
        match state.changes.range(change + 1..).next() {
            Some((place, (_, told))) => Next::Change(*place, Arc::clone(told)),
            None => Next::Nothing,
        }
    }

    /// What comes after this place of the log.
    pub(crate) fn next_of_log(&self, event: u64) -> Next {
        let state = self.lock();
        match state.closed {
            true => Next::Closed,
            false => state.next_of_log(event).unwrap_or(Next::Nothing),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_of_log(&self, event: u64) -> Option<Next> {
        // How many there are after it.
        let newer = self.last.checked_sub(event).filter(|newer| *newer > 0)? as usize;
        Some(match self.recent.len().checked_sub(newer) {
            Some(index) => Next::Log(Arc::clone(&self.recent[index])),
            None => Next::InStore,
        })
    }

    fn change(&mut self, subject: Subject, told: Told) {
        self.changed += 1;
        if let Some(former) = self.places.insert(subject.clone(), self.changed) {
            self.changes.remove(&former);
        }
        self.changes.insert(self.changed, (subject, Arc::new(told)));
        if self.changes.len() > CHANGES
            && let Some((place, (subject, _))) = self.changes.pop_first()
        {
            self.places.remove(&subject);
            self.forgotten = place;
        }
    }
}
