//! The host as a value: what it is made of, how it starts and stops, and how it reads and writes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use askwell_core::State;
use askwell_core::wire::{
    Answering, Asked, Credential, CredentialId, Ended, Event, EventId, InboxError, RequestId,
    RequestSummary, Role,
};
use askwell_store::{Digest, Done, Head, Metrics, Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore, oneshot, watch};

use crate::attention::Elsewhere;
use crate::claim::Claim;
use crate::clock::Clock;
use crate::config::{Config, Timers};
use crate::hub::{Audience, Hub, Told};
use crate::memory::{AskerState, Entry, Memory, Moment, moment};
use crate::recent::{Known, Recent};
use crate::sign_in::Codes;
use crate::{Caller, StartError, errors};

/// A host. Clones are the same one.
#[derive(Clone)]
pub struct Host {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    config: Config,
    memory: Mutex<Memory>,
    recent: Mutex<Recent>,
    hub: Hub,
    credentials: RwLock<HashMap<Digest, Credential>>,
    page: RwLock<Option<String>>,
    elsewhere: RwLock<Elsewhere>,
    runtime: Handle,
    timer: Notify,
    interrupts: watch::Sender<Interrupts>,
    codes: Mutex<Codes>,
    settled: Mutex<[u64; 4]>,
    calls: AtomicU64,
    streams: AtomicU32,
    reading: Semaphore,
}

/// What ends a wait before its time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Interrupts {
    pub(crate) stopping: bool,
    /// Whether any credential was revoked since the host was started.
    pub(crate) revoking: bool,
}

/// How many reads are on threads at once: more would only wait there for each other.
const READS: usize = 4;

/// How a host stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// Requests that wait for a person.
    pub pending: u64,
    /// Those of them whose asker is away.
    pub away: u64,
    /// Open event streams of answerers.
    pub watching: u32,
    /// Persons who are elsewhere, and want what is asked in the inbox.
    pub elsewhere: u32,
    /// Open event streams of all callers.
    pub streams: u32,
    /// Calls of people and programs since the host was started, reads too.
    pub calls: u64,
    /// Requests that ended since the host was started: answered, cancelled, aborted, expired.
    pub settled: [(State, u64); 4],
    /// How the writes went.
    pub store: Metrics,
}

impl Host {
    /// Starts a host on a store, within a tokio runtime. Blocks while it reads what is pending.
    ///
    /// # Errors
    /// [`StartError`]: the store can't be read, or there is no runtime.
    pub fn start(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        config: Config,
    ) -> Result<Self, StartError> {
        let runtime = Handle::try_current().map_err(|_| StartError::NoRuntime)?;
        let credentials = store.credentials()?.into_iter();
        let credentials = credentials.map(|stored| (stored.token, stored.credential)).collect();
        let elsewhere = store.elsewhere()?.into_iter().collect();
        let hub = Hub::new(store.epoch(), store.last_event()?);
        let mut memory = Memory::default();
        let (wall, now) = (clock.wall(), moment(clock.monotonic()));
        store.pending(&mut |head| {
            let entry = restored(&head, wall, now, &config);
            memory.insert(head.id, entry);
        })?;
        let manual = config.timers == Timers::Manual;
        let shared = Arc::new(Shared {
            store,
            clock,
            config,
            memory: Mutex::new(memory),
            recent: Mutex::default(),
            hub,
            credentials: RwLock::new(credentials),
            page: RwLock::new(None),
            elsewhere: RwLock::new(elsewhere),
            runtime,
            timer: Notify::new(),
            interrupts: watch::Sender::default(),
            codes: Mutex::default(),
            settled: Mutex::default(),
            calls: AtomicU64::new(0),
            streams: AtomicU32::new(0),
            reading: Semaphore::new(READS),
        });
        let host = Self { shared };
        if !manual {
            host.start_timer();
        }
        Ok(host)
    }

    /// The name of this host's store: letters and digits, drawn when it was made.
    pub fn label(&self) -> &str {
        self.store().label()
    }

    /// Says where the pages are, such as `http://127.0.0.1:8765`, for the links to them.
    pub fn set_page_base(&self, base: impl Into<String>) {
        let mut page = self.shared.page.write().unwrap_or_else(PoisonError::into_inner);
        *page = Some(base.into().trim_end_matches('/').to_owned());
    }

    /// Where the pages are, if they are served.
    pub fn page_base(&self) -> Option<String> {
        self.shared.page.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The page of a request, where pages are served.
    pub fn page_url(&self, id: RequestId) -> Option<String> {
        let page = self.shared.page.read().unwrap_or_else(PoisonError::into_inner);
        page.as_ref().map(|base| format!("{base}/r/{id}"))
    }

    /// How the host stands.
    pub fn stats(&self) -> Stats {
        let (pending, away) = {
            let memory = self.memory();
            (memory.len() as u64, memory.away() as u64)
        };
        let settled = *self.shared.settled.lock().unwrap_or_else(PoisonError::into_inner);
        Stats {
            pending,
            away,
            watching: self.hub().watching(),
            elsewhere: self.elsewhere().read().unwrap_or_else(PoisonError::into_inner).len() as u32,
            streams: self.shared.streams.load(Relaxed),
            calls: self.shared.calls.load(Relaxed),
            settled: std::array::from_fn(|index| (ENDED[index], settled[index])),
            store: self.store().metrics(),
        }
    }

    /// Whether a request is pending.
    pub fn is_pending(&self, id: RequestId) -> bool {
        self.memory().get(id).is_some()
    }

    /// Lets every open wait and stream end, with the requests as they stand. Writes no outcome.
    pub fn begin_shutdown(&self) {
        self.shared.interrupts.send_modify(|it| it.stopping = true);
        self.hub().close();
    }

    /// Stops: what was written is on disk when this returns. Writes no outcome; what is pending is
    /// pending when the host starts again.
    pub async fn shutdown(&self) {
        self.begin_shutdown();
        let store = Arc::clone(&self.shared.store);
        let closed = self.shared.runtime.spawn_blocking(move || store.close()).await;
        if let Err(error) = closed {
            tracing::error!(%error, "the store was not closed");
        }
    }

    /// Lets a caller in: it has one of these roles, and was not revoked since it was verified (it
    /// may have sent its call slowly). Counts as use of the host.
    pub(crate) fn admit(&self, caller: &Caller, roles: &[Role]) -> Result<(), InboxError> {
        caller.require(roles)?;
        let revoking = self.shared.interrupts.borrow().revoking;
        if revoking && self.hub().is_revoked(caller.credential()) {
            return Err(errors::revoked());
        }
        self.shared.calls.fetch_add(1, Relaxed);
        Ok(())
    }

    /// One more (or less) event stream is open.
    pub(crate) fn stream(&self, one_more: bool) {
        match one_more {
            true => self.shared.streams.fetch_add(1, Relaxed),
            false => self.shared.streams.fetch_sub(1, Relaxed),
        };
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.shared.store
    }

    pub(crate) fn config(&self) -> &Config {
        &self.shared.config
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.shared.hub
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.shared.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn recent(&self) -> MutexGuard<'_, Recent> {
        self.shared.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn elsewhere(&self) -> &RwLock<Elsewhere> {
        &self.shared.elsewhere
    }

    pub(crate) fn credential_map(&self) -> &RwLock<HashMap<Digest, Credential>> {
        &self.shared.credentials
    }

    pub(crate) fn runtime(&self) -> &Handle {
        &self.shared.runtime
    }

    pub(crate) fn timer(&self) -> &Notify {
        &self.shared.timer
    }

    pub(crate) fn interrupts(&self) -> watch::Receiver<Interrupts> {
        self.shared.interrupts.subscribe()
    }

    /// Ends the streams and waits of a credential that was revoked.
    pub(crate) fn cut_off(&self, credential: CredentialId) {
        self.hub().revoke(credential);
        self.shared.interrupts.send_modify(|it| it.revoking = true);
    }

    pub(crate) fn codes(&self) -> MutexGuard<'_, Codes> {
        self.shared.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What time it is by this host's clock: Unix milliseconds.
    pub fn wall(&self) -> i64 {
        self.shared.clock.wall()
    }

    /// The time to count by.
    pub(crate) fn now(&self) -> Moment {
        moment(self.shared.clock.monotonic())
    }

    /// Reads on a thread that may block.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, InboxError> {
        let _turn = self.shared.reading.acquire().await.map_err(errors::internal)?;
        let store = Arc::clone(&self.shared.store);
        let read = self.shared.runtime.spawn_blocking(move || read(&*store)).await;
        read.map_err(errors::internal)?.map_err(errors::store)
    }

    /// Writes, and waits until it is on disk. `effect` is carried out in commit order and whether
    /// or not the caller still waits.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&dyn Store, Done<T>),
        effect: impl FnOnce(&Self, &T) + Send + 'static,
    ) -> Result<T, InboxError> {
        let (told, heard) = oneshot::channel();
        let host = self.clone();
        let done = move |result: Result<T, StoreError>| {
            if let Ok(value) = &result {
                effect(&host, value);
            }
            let _ = told.send(result);
        };
        write(self.store(), Box::new(done));
        heard.await.map_err(|_| errors::closing())?.map_err(errors::store)
    }

    pub(crate) fn event_id(&self, number: u64) -> EventId {
        EventId { epoch: self.hub().epoch(), number }
    }

    /// A request was filed: it is pending, and everybody hears of it.
    pub(crate) fn on_filed(
        &self,
        event: u64,
        summary: RequestSummary,
        entry: Entry,
        known: Known,
        claim: Claim,
    ) {
        let (id, credential) = (summary.id, entry.credential);
        self.recent().insert(known);
        let mut memory = self.memory();
        memory.insert(id, entry);
        claim.give_up(&mut memory);
        drop(memory);
        self.timer().notify_one();
        let told = Event::Requested { id: self.event_id(event), request: Box::new(summary) };
        self.hub().tell(event, Told::new(told, Audience::Asker(credential)));
    }

    /// A request ended: whoever waits hears of it, and everybody else.
    pub(crate) fn on_settled(&self, event: u64, id: RequestId, ended: Ended) {
        let state = ended.state;
        let known = self.recent().remove(id);
        let entry = self.memory().end(id, &known.zip(Some(Arc::new(ended))), self.now());
        if let Some(index) = ENDED.iter().position(|ended| *ended == state) {
            self.shared.settled.lock().unwrap_or_else(PoisonError::into_inner)[index] += 1;
        }
        let attended = entry.as_ref().is_some_and(|entry| entry.is_live(self.now()));
        let to = entry.map_or(Audience::Everybody, |entry| Audience::Asker(entry.credential));
        let told = Event::Resolved { id: self.event_id(event), request: id, state };
        self.hub().tell(event, Told::new(told, to).attended(attended));
    }

    /// Tells how a pending request stands now.
    pub(crate) fn tell_changed(&self, id: RequestId) {
        let Some((credential, event)) = self.changed(id, None) else { return };
        let told = |watching| Told::new(event(watching), Audience::Asker(credential));
        self.hub().tell_changed(id, told);
    }

    /// Tells others that this person is answering a pending request, or has left it.
    pub(crate) fn tell_answering(&self, id: RequestId, person: &Arc<str>, left: bool) {
        let answering = Answering { person: person.to_string(), edited_at: self.wall(), left };
        let Some((_, event)) = self.changed(id, Some(answering)) else { return };
        self.hub().tell_answering(id, person, event);
    }

    /// How a pending request stands now, and whose it is.
    fn changed(
        &self,
        id: RequestId,
        answering: Option<Answering>,
    ) -> Option<(CredentialId, impl FnOnce(u32) -> Event + use<>)> {
        let memory = self.memory();
        let entry = memory.get(id)?;
        let (asker, deadline) = (entry.asker, entry.deadline);
        let event = move |watching| Event::Changed {
            request: Some(id),
            away_since: asker.presence().away_since,
            deadline_at: deadline.map(|(at, _)| at),
            watching,
            answering,
        };
        Some((entry.credential, event))
    }

    pub(crate) fn asked(&self, id: RequestId, state: State, joined: bool) -> Asked {
        let watching = self.hub().watching();
        Asked { id, state, url: self.page_url(id), watching, joined, note: None }
    }
}

const ENDED: [State; 4] = [State::Answered, State::Cancelled, State::Aborted, State::Expired];

/// A pending request after a restart: what is left of its times, by the wall clock. An attached
/// asker has a lease's time to come back.
fn restored(head: &Head, wall: i64, now: Moment, config: &Config) -> Entry {
    let left = |at: i64| now + at.saturating_sub(wall).max(0).unsigned_abs();
    let grace = moment(config.grace).cast_signed();
    let asker = match (head.presence.attached, head.presence.away_since) {
        (_, Some(since)) => AskerState::Away { since, until: left(since.saturating_add(grace)) },
        (true, None) => Memory::attached(now, config),
        (false, None) => AskerState::Detached,
    };
    let deadline = head.deadline_at.map(|at| (at, left(at)));
    let mut entry = Entry::new(head.credential, head.created_at, deadline, asker);
    entry.draft_writes = head.draft_writes;
    let rest = moment(config.draft_rest);
    entry.rest_until = head
        .draft_edited_at
        .map_or(0, |at| left(at.saturating_add(rest.cast_signed())).min(now + rest));
    entry
}

/// Fails unless the caller may see this request.
pub(crate) fn may_see(
    caller: &Caller,
    id: RequestId,
    owner: CredentialId,
) -> Result<(), InboxError> {
    match caller.role() {
        // Not even that it exists.
        Role::Asker if caller.credential() != owner => Err(errors::not_found(id)),
        Role::Asker | Role::Answerer | Role::Admin => Ok(()),
    }
}
