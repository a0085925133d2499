//! One reader's stream of events.

use std::collections::VecDeque;
use std::sync::Arc;

use askwell_core::wire::{Delivery, Event, EventId, InboxError, Role};
use askwell_store::{LogEvent, LogKind};
use tokio::sync::watch;

use crate::hub::{Audience, Next, Told};
use crate::{Caller, Host, errors};

/// How many events are read from the store at once.
const CHUNK: u32 = 128;

impl Host {
    /// Follows what happens: an answerer everything, an asker its own requests; from the event
    /// after this one, or from now on. While an answerer's stream is open, it counts as watching.
    ///
    /// # Errors
    /// `FORBIDDEN` for other roles.
    pub fn subscribe(
        &self,
        caller: &Caller,
        after: Option<EventId>,
    ) -> Result<Subscription, InboxError> {
        self.admit(caller, &[Role::Answerer, Role::Asker])?;
        let hub = self.hub();
        let heard = hub.listen();
        let (last, change) = hub.place();
        let is_known = |id: &EventId| id.epoch == hub.epoch() && id.number <= last;
        let (event, resync) = match after {
            None => (last, false),
            Some(id) if is_known(&id) => (id.number, false),
            Some(_) => (last, true),
        };
        self.stream(true);
        if caller.role() == Role::Answerer {
            hub.watch(true);
        }
        let read = VecDeque::new();
        Ok(Subscription {
            host: self.clone(),
            caller: caller.clone(),
            heard,
            event,
            change,
            resync,
            read,
        })
    }
}

/// One reader's stream of events: every `requested` and `resolved` once, in order. It holds its
/// place and no queue, however slow it is read.
pub struct Subscription {
    host: Host,
    caller: Caller,
    heard: watch::Receiver<()>,
    /// The last event and the last change that were delivered.
    event: u64,
    change: u64,
    resync: bool,
    /// Older events, as they were read from the store.
    read: VecDeque<LogEvent>,
}

impl Subscription {
    /// The next one. May be dropped and called again without missing any.
    ///
    /// # Errors
    /// `UNAUTHORIZED` once the credential was revoked, `STORE_UNAVAILABLE` where the host stops or
    /// older events can't be read.
    pub async fn next(&mut self) -> Result<Delivery<Arc<Told>>, InboxError> {
        loop {
            self.heard.mark_unchanged();
            if let Some(delivery) = self.try_next().await? {
                return Ok(delivery);
            }
            if self.heard.changed().await.is_err() {
                return Err(errors::closing());
            }
        }
    }

    async fn try_next(&mut self) -> Result<Option<Delivery<Arc<Told>>>, InboxError> {
        if std::mem::take(&mut self.resync) {
            return Ok(Some(Delivery::Resync(self.event_id(self.event))));
        }
        loop {
            if let Some(event) = self.read.pop_front() {
                self.event = event.number;
                let told = Arc::new(self.told(event));
                if self.may_hear(&told) {
                    return Ok(Some(Delivery::Event(told)));
                }
                continue;
            }
            match self.host.hub().next(self.event, self.change, self.caller.credential()) {
                Next::Log(told) => {
                    self.event = told.event().id().map_or(self.event + 1, |id| id.number);
                    if self.may_hear(&told) {
                        return Ok(Some(Delivery::Event(told)));
                    }
                }
                Next::Change(place, told) => {
                    self.change = place;
                    if self.may_hear(&told) {
                        return Ok(Some(Delivery::Event(told)));
                    }
                }
                Next::InStore => {
                    if let Some(resync) = self.read_on().await? {
                        return Ok(Some(resync));
                    }
                }
                Next::Missed(place) => {
                    self.change = place;
                    return Ok(Some(Delivery::Resync(self.event_id(self.event))));
                }
                Next::Nothing => return Ok(None),
                Next::Closed => return Err(self.closed()),
            }
        }
    }

    /// Reads older events from the store; says so where they are gone.
    async fn read_on(&mut self) -> Result<Option<Delivery<Arc<Told>>>, InboxError> {
        let after = self.event;
        let log = self.host.read(move |store| store.events(after, CHUNK)).await?;
        if log.cut || log.events.is_empty() {
            (self.event, _) = self.host.hub().place();
            return Ok(Some(Delivery::Resync(self.event_id(self.event))));
        }
        self.read = log.events.into();
        Ok(None)
    }

    fn told(&self, event: LogEvent) -> Told {
        let id = self.event_id(event.number);
        let kind = match event.kind {
            LogKind::Requested(request) => Event::Requested { id, request },
            LogKind::Resolved(request, state) => Event::Resolved { id, request, state },
        };
        Told::new(kind, Audience::Asker(event.credential))
    }

    fn may_hear(&self, told: &Told) -> bool {
        match (self.caller.role(), told.to()) {
            (Role::Answerer, Audience::Person(person)) => person == self.caller.person(),
            (Role::Answerer, Audience::Others(person)) => person != self.caller.person(),
            (Role::Answerer, _) => true,
            (_, Audience::Asker(credential)) => *credential == self.caller.credential(),
            (_, Audience::Person(_) | Audience::Others(_) | Audience::Everybody) => false,
        }
    }

    fn event_id(&self, number: u64) -> EventId {
        EventId { epoch: self.host.hub().epoch(), number }
    }

    fn closed(&self) -> InboxError {
        match self.host.hub().is_revoked(self.caller.credential()) {
            true => errors::revoked(),
            false => errors::closing(),
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.host.stream(false);
        if self.caller.role() == Role::Answerer {
            self.host.hub().watch(false);
        }
    }
}
