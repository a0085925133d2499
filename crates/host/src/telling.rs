//! What is told outside the host, each thing once: that requests wait which nobody watches, and that
//! requests have ended. Whoever tells it pulls, at a pace of its own, and holds nobody up.
//!
//! Invariant: what was handed out is never handed out again, also after a restart: the place in the
//! log is on disk before. What was not handed out yet is, after a restart, if it still holds.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use askwell_core::wire::{Event, RequestId, RequestSummary, UnixMillis};
use askwell_core::{ErrorCode, State};
use askwell_store::{LogEvent, LogKind, Store, StoreError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::hub::Next;
use crate::recent::Known;
use crate::{Caller, Host};

/// How many events are read from the store at once.
const CHUNK: u32 = 128;
/// How long a store that refuses is left alone.
const PAUSE: Duration = Duration::from_secs(2);

impl Host {
    /// What waits and nobody watches, for the reader with this name. A new name begins with what is
    /// asked from now on.
    ///
    /// # Errors
    /// [`StoreError`] where its place can't be read.
    pub fn unwatched(&self, name: &'static str, delay: Duration) -> Result<Unwatched, StoreError> {
        Ok(Unwatched { log: self.log_reader(name)?, delay, next: None })
    }

    /// What has ended, for the reader with this name. A new name begins with what ends from now on.
    ///
    /// # Errors
    /// [`StoreError`] where its place can't be read.
    pub fn ends(&self, name: &'static str) -> Result<Ends, StoreError> {
        Ok(Ends { log: self.log_reader(name)? })
    }

    /// There is no reader with this name any more. If there is one again it begins anew.
    pub async fn forget_reader(&self, name: &'static str) {
        match self.read(move |store| store.bookmark(name)).await {
            Ok(None) => {}
            Ok(Some(_)) => {
                let forget = |store: &dyn Store, done| store.set_bookmark(name, None, done);
                if let Err(error) = self.write(forget, |_, ()| {}).await {
                    tracing::warn!(%error, name, "a place in the log was not forgotten");
                }
            }
            Err(error) => tracing::warn!(%error, name, "a place in the log can't be read"),
        }
    }

    fn log_reader(&self, name: &'static str) -> Result<LogReader, StoreError> {
        let heard = self.hub().listen();
        let (last, _) = self.hub().place();
        let place = match self.store().bookmark(name)? {
            Some(place) => place.min(last),
            None => {
                // Whatever is filed from now on is not on disk before this is.
                self.store().move_bookmark(name, last);
                last
            }
        };
        Ok(LogReader { host: self.clone(), name, heard, place, read: VecDeque::new() })
    }
}

/// A reader of the log that goes on where it was.
struct LogReader {
    host: Host,
    name: &'static str,
    heard: watch::Receiver<()>,
    /// The last event that was read.
    place: u64,
    /// Older events, as they were read from the store.
    read: VecDeque<LogEvent>,
}

/// What a reader wants to know of an event.
enum Logged {
    Requested(Box<RequestSummary>),
    Ended { id: RequestId, attended: bool },
}

impl LogReader {
    /// The next one; nothing once the host stops. May be dropped and called again without missing
    /// any.
    async fn next(&mut self) -> Option<Logged> {
        loop {
            self.heard.mark_unchanged();
            if let Some(event) = self.read.pop_front() {
                self.place = event.number;
                return Some(match event.kind {
                    LogKind::Requested(request) => Logged::Requested(request),
                    LogKind::Resolved(id, _) => Logged::Ended { id, attended: false },
                });
            }
            match self.host.hub().next_of_log(self.place) {
                Next::Log(told) => {
                    self.place = told.event().id().map_or(self.place + 1, |id| id.number);
                    match told.event() {
                        Event::Requested { request, .. } => {
                            return Some(Logged::Requested(request.clone()));
                        }
                        Event::Resolved { request: id, .. } => {
                            let attended = told.is_attended();
                            return Some(Logged::Ended { id: *id, attended });
                        }
                        Event::Draft { .. } | Event::Changed { .. } => {}
                    }
                }
                Next::InStore => self.read_on().await?,
                Next::Nothing => self.heard.changed().await.ok()?,
                Next::Change(..) | Next::Missed(_) | Next::Closed => return None,
            }
        }
    }

    async fn read_on(&mut self) -> Option<()> {
        let after = self.place;
        match self.host.read(move |store| store.events(after, CHUNK)).await {
            // What was purged has ended long ago.
            Ok(log) if log.events.is_empty() => (self.place, _) = self.host.hub().place(),
            Ok(log) => self.read = log.events.into(),
            Err(error) => {
                tracing::warn!(%error, name = self.name, "events can't be read");
                self.pause().await?;
            }
        }
        Some(())
    }

    /// All up to here is done with, whatever happens now. Nothing once the host stops.
    async fn mark(&self) -> Option<()> {
        let (name, place) = (self.name, self.place);
        loop {
            let mark = |store: &dyn Store, done| store.set_bookmark(name, Some(place), done);
            match self.host.write(mark, |_, ()| {}).await {
                Ok(()) => return Some(()),
                Err(error) => tracing::warn!(%error, name, "a place in the log was not kept"),
            }
            self.pause().await?;
        }
    }

    /// Leaves a store that refuses alone for a while. Nothing once the host stops.
    async fn pause(&self) -> Option<()> {
        let mut interrupts = self.host.interrupts();
        tokio::select! {
            _ = interrupts.wait_for(|it| it.stopping) => None,
            () = tokio::time::sleep(PAUSE) => Some(()),
        }
    }
}

/// What waits and nobody watches, some at once.
pub struct Unwatched {
    log: LogReader,
    /// How long something has to wait before it is told.
    delay: Duration,
    /// When the next ones may be told at the earliest.
    next: Option<Instant>,
}

impl Unwatched {
    /// The next ones to tell of; nothing once the host stops. They are handed out once. Not among
    /// them is what somebody watched when it came or watches now, and what has ended.
    pub async fn next(&mut self) -> Option<Waits> {
        loop {
            let mut waits = Waits::default();
            while waits.is_empty() {
                let logged = self.log.next().await?;
                self.take(logged, &mut waits);
            }
            let due = Instant::now() + self.delay;
            let until = self.next.map_or(due, |next| due.max(next));
            while Instant::now() < until
                && let Ok(logged) = timeout_at(until, self.log.next()).await
            {
                self.take(logged?, &mut waits);
            }
            let host = &self.log.host;
            waits.keep_pending(host);
            if waits.is_empty() || host.hub().watching() > 0 {
                host.store().move_bookmark(self.log.name, self.log.place);
                continue;
            }
            self.log.mark().await?;
            waits.keep_pending(&self.log.host);
            if !waits.is_empty() {
                self.next = Some(Instant::now() + self.log.host.config().notices_apart);
                return Some(waits);
            }
        }
    }

    fn take(&self, logged: Logged, waits: &mut Waits) {
        let Logged::Requested(request) = logged else { return };
        let host = &self.log.host;
        if !host.is_pending(request.id) {
            return;
        }
        match host.hub().watching() {
            0 => waits.add(*request),
            _ => host.store().move_bookmark(self.log.name, self.log.place),
        }
    }
}

/// Requests that wait: the oldest whole, of any number more only which.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Waits {
    /// The oldest ones, in order.
    pub listed: Vec<RequestSummary>,
    /// The others.
    pub others: HashSet<RequestId>,
}

impl Waits {
    /// The most that are listed.
    pub const LISTED: usize = 20;

    /// Forgets those that have ended.
    pub fn keep_pending(&mut self, host: &Host) {
        self.listed.retain(|request| host.is_pending(request.id));
        self.others.retain(|id| host.is_pending(*id));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.others.is_empty()
    }

    fn add(&mut self, request: RequestSummary) {
        match self.listed.len() {
            ..Self::LISTED => self.listed.push(request),
            _ => drop(self.others.insert(request.id)),
        }
    }
}

/// What has ended, one after the other.
pub struct Ends {
    log: LogReader,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Settling {
    /// What it was.
    pub request: RequestSummary,
    /// How it ended.
    pub state: State,
    /// When.
    pub at: UnixMillis,
    /// Whether its asker was there to hear of it.
    pub attended: bool,
}

impl Ends {
    /// The next one; nothing once the host stops. It is handed out once.
    pub async fn next(&mut self) -> Option<Settling> {
        loop {
            let Logged::Ended { id, attended } = self.log.next().await? else { continue };
            let known = loop {
                match self.log.host.known(&Caller::owner(), id).await {
                    Ok(known) => break Some(known),
                    // It was purged.
                    Err(error) if error.code == ErrorCode::NotFound => break None,
                    Err(error) => tracing::warn!(%error, "what has ended can't be read"),
                }
                self.log.pause().await?;
            };
            self.log.mark().await?;
            if let Some(settling) = known.and_then(|known| settling(&known, attended)) {
                return Some(settling);
            }
        }
    }
}

fn settling(known: &Known, attended: bool) -> Option<Settling> {
    let record = &known.record;
    let ended = record.ended.as_ref()?;
    let request = RequestSummary::of(
        &known.request,
        record.head.id,
        &record.credential_name,
        record.head.created_at,
        record.head.deadline_at,
        record.head.presence.attached,
    );
    Some(Settling { request, state: ended.state, at: ended.receipt.at, attended })
}
