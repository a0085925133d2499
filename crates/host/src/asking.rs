//! Asking: filing a request, or finding the one that its key means.

use std::time::Duration;

use askwell_core::wire::{
    Asked, InboxError, Leaving, Posting, RequestId, RequestSummary, RequestView, Role,
};
use askwell_core::{State, ValidRequest};
use askwell_store::{Done, Filed, Head, KeyClaim, NewRequest, Presence, Record, Store};

use crate::claim::Claim;
use crate::memory::{AskerState, Entry, Memory, moment};
use crate::recent::Known;
use crate::{Caller, Host, errors, hashes};

impl Host {
    /// Posts a request (asker). It is on disk when this returns.
    ///
    /// # Errors
    /// `KEY_CONFLICT` where its key was used for other questions; `FORBIDDEN`,
    /// `STORE_UNAVAILABLE`, `RATE_LIMITED`.
    pub async fn ask(
        &self,
        caller: &Caller,
        request: &ValidRequest,
        posting: &Posting,
    ) -> Result<Asked, InboxError> {
        self.admit(caller, &[Role::Asker])?;
        let text = serde_json::to_vec(request).map_err(errors::internal)?;
        let questions = hashes::questions(request)?;
        let wall = self.wall();
        let id = hashes::new_request_id(wall)?;
        let lifetime = request.expires_in_seconds.map(Duration::from_secs);
        let deadline_at = lifetime.map(|lifetime| wall + lifetime.as_millis() as i64);
        let mut new = NewRequest {
            id,
            credential: caller.credential(),
            text,
            summary: RequestSummary::of(
                request,
                id,
                caller.name(),
                wall,
                deadline_at,
                posting.attach,
            ),
            session: request.asker.as_ref().and_then(|asker| asker.session.clone()),
            questions,
            matches: hashes::matches(request, caller.credential(), &questions),
            key: None,
        };
        loop {
            let claim;
            (new.key, claim) = self.claim(caller, id, posting).await?;
            match self.file(caller, request, new.clone(), lifetime, claim).await? {
                Filed::New { .. } => return Ok(self.asked(id, State::Pending, false)),
                Filed::Joined(head) => return Ok(self.asked(head.id, head.state, true)),
                Filed::Conflict => return Err(errors::key_conflict()),
                // It ended, or was picked up, since we looked.
                Filed::Moved => {}
            }
        }
    }

    /// The key of a request, with the earlier one that it joins where a consumer derived it: the
    /// first whose waiter is gone. Nobody else joins that one, or the new one, until the store has
    /// decided.
    async fn claim(
        &self,
        caller: &Caller,
        new: RequestId,
        posting: &Posting,
    ) -> Result<(Option<KeyClaim>, Claim), InboxError> {
        let Some(key) = &posting.key else { return Ok((None, Claim::none(self))) };
        let text = key.as_str().to_owned();
        if !key.is_derived() {
            return Ok((Some(KeyClaim::Explicit(text)), Claim::none(self)));
        }
        let (credential, wanted) = (caller.credential(), text.clone());
        let earlier = self.read(move |store| store.derived(credential, &wanted)).await?;
        let now = self.now();
        let mut memory = self.memory();
        let join = earlier.into_iter().find(|id| !memory.is_live(*id, now));
        let claim = Claim::on(self, &mut memory, [new].into_iter().chain(join));
        Ok((Some(KeyClaim::Derived { key: text, join }), claim))
    }

    async fn file(
        &self,
        caller: &Caller,
        request: &ValidRequest,
        new: NewRequest,
        lifetime: Option<Duration>,
        claim: Claim,
    ) -> Result<Filed, InboxError> {
        let (now, attach) = (self.now(), new.summary.attached);
        let deadline = new.summary.deadline_at.zip(lifetime.map(|life| now + moment(life)));
        let asker = match attach {
            true => Memory::attached(now, self.config()),
            false => AskerState::Detached,
        };
        let created_at = new.summary.created_at;
        let entry = Entry::new(new.credential, created_at, deadline, asker);
        let summary = new.summary.clone();
        let head = Head {
            id: new.id,
            credential: new.credential,
            state: State::Pending,
            created_at,
            deadline_at: summary.deadline_at,
            presence: asker.presence(),
            draft_writes: 0,
            draft_edited_at: None,
        };
        let record = Record {
            head,
            text: new.text.clone(),
            credential_name: caller.name().to_owned(),
            ended: None,
            late: Vec::new(),
        };
        let known = Known { record, request: request.clone() };
        self.write(
            |store, done| store.file(new, done),
            move |host, filed| match filed {
                Filed::New { event } => host.on_filed(*event, summary, entry, known, claim),
                Filed::Joined(head) => host.on_joined(head, attach, claim),
                Filed::Conflict | Filed::Moved => {}
            },
        )
        .await
    }

    /// An asker came (back) to a request by its key.
    fn on_joined(&self, head: &Head, attach: bool, claim: Claim) {
        let now = self.now();
        let attached = Memory::attached(now, self.config());
        let mut memory = self.memory();
        let is_derived = claim.give_up(&mut memory);
        if memory.get(head.id).is_none() {
            // The outcome is this caller's: an identical call does not get it too.
            if is_derived {
                memory.fetches(head.id, now + moment(self.config().lease));
            }
            return;
        }
        let is_live = memory.is_live(head.id, now);
        self.set_asker_in(&mut memory, head.id, Some(head.presence), |_| match attach {
            true => Some(attached),
            // It only posted; but whoever waits there goes on waiting.
            false => (!is_live).then_some(AskerState::Detached),
        });
    }

    /// Stops waiting without withdrawing (its own asker): it was told, and the request waits for as
    /// long as it may; or its call was cut, and it is away as from now.
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`. A request that has ended is none.
    pub async fn detach(
        &self,
        caller: &Caller,
        id: RequestId,
        leaving: Leaving,
    ) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Asker])?;
        self.known(caller, id).await?;
        let away = self.away_as_from_now();
        let write = |store: &dyn Store, done: Done<bool>| {
            let mut memory = self.memory();
            // Of what has ended it does not fetch the outcome.
            memory.fetched(id);
            let decided = memory.get(id).and_then(|entry| match (leaving, entry.asker) {
                (Leaving::Told, _) => Some(AskerState::Detached),
                (Leaving::Cut, AskerState::Attached { .. }) => Some(away),
                // Who was told already, or is away already, is not away anew.
                (Leaving::Cut, AskerState::Detached | AskerState::Away { .. }) => None,
            });
            let Some(asker) = decided else {
                drop(memory);
                return done(Ok(false));
            };
            memory.change(id, |entry| entry.asker = asker);
            self.recent().remove(id);
            store.set_presence(id, asker.presence(), done);
        };
        let effect = move |host: &Self, changed: &bool| {
            if *changed {
                host.tell_changed(id);
            }
        };
        self.write(write, effect).await?;
        self.timer().notify_one();
        let known = self.known(caller, id).await?;
        Ok(self.view(caller, &known))
    }

    pub(crate) fn away_as_from_now(&self) -> AskerState {
        let until = self.now() + moment(self.config().grace);
        AskerState::Away { since: self.wall(), until }
    }

    /// Decides whether an asker stays, by how it stands at that moment. Nobody waits for the disk.
    pub(crate) fn set_asker(
        &self,
        id: RequestId,
        decide: impl FnOnce(&Entry) -> Option<AskerState>,
    ) {
        self.set_asker_in(&mut self.memory(), id, None, decide);
    }

    /// The same within a longer decision. `stored`: how it stands in the store, where that is known.
    pub(crate) fn set_asker_in(
        &self,
        memory: &mut Memory,
        id: RequestId,
        stored: Option<Presence>,
        decide: impl FnOnce(&Entry) -> Option<AskerState>,
    ) {
        let decided = memory.change(id, |entry| {
            let asker = decide(entry)?;
            let former = std::mem::replace(&mut entry.asker, asker);
            Some((former.presence(), asker.presence()))
        });
        let Some((former, presence)) = decided.flatten() else { return };
        if stored.unwrap_or(former) == presence && former == presence {
            return;
        }
        self.recent().remove(id);
        let host = self.clone();
        let done = move |written: Result<bool, _>| match written {
            Ok(_) => host.tell_changed(id),
            Err(error) => tracing::warn!(%error, "whether an asker is away was not written"),
        };
        // Under the lock, so that the disk gets them in this order.
        self.store().set_presence(id, presence, Box::new(done));
        self.timer().notify_one();
    }
}
