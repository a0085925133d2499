//! Asking: filing a request, or finding the one that its key means.

use std::time::Duration;

use askwell_core::wire::{
    Asked, InboxError, Leaving, Posting, RequestId, RequestSummary, RequestView, Role,
};
use askwell_core::{State, ValidRequest};
use askwell_store::{Filed, Head, KeyClaim, NewRequest, Record};

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
        caller.require(&[Role::Asker])?;
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
            summary: RequestSummary::of(request, id, caller.name(), wall, deadline_at),
            session: request.asker.as_ref().and_then(|asker| asker.session.clone()),
            questions,
            matches: hashes::matches(request, caller.credential(), &questions),
            attached: posting.attach,
            key: None,
        };
        loop {
            new.key = self.claim(caller, posting).await?;
            match self.file(caller, request, new.clone(), lifetime).await? {
                Filed::New { .. } => return Ok(self.asked(id, State::Pending, false)),
                Filed::Joined(head) => return Ok(self.asked(head.id, head.state, true)),
                Filed::Conflict => return Err(errors::key_conflict()),
                // It ended, or was picked up, since we looked.
                Filed::Moved => {}
            }
        }
    }

    /// The key of a request, with the earlier one that it joins where a consumer derived it: the
    /// first whose waiter is gone.
    async fn claim(
        &self,
        caller: &Caller,
        posting: &Posting,
    ) -> Result<Option<KeyClaim>, InboxError> {
        let Some(key) = &posting.key else { return Ok(None) };
        let text = key.as_str().to_owned();
        if !key.is_derived() {
            return Ok(Some(KeyClaim::Explicit(text)));
        }
        let (credential, wanted) = (caller.credential(), text.clone());
        let earlier = self.read(move |store| store.derived(credential, &wanted)).await?;
        let now = self.now();
        let mut memory = self.memory();
        let join = earlier.into_iter().find(|id| !memory.is_live(*id, now));
        if let Some(id) = join
            && posting.attach
        {
            // A second identical call at this moment finds the waiter there.
            memory.change(id, |entry| entry.asker = Memory::attached(now, self.config()));
        }
        Ok(Some(KeyClaim::Derived { key: text, join }))
    }

    async fn file(
        &self,
        caller: &Caller,
        request: &ValidRequest,
        new: NewRequest,
        lifetime: Option<Duration>,
    ) -> Result<Filed, InboxError> {
        let (now, attach) = (self.now(), new.attached);
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
                Filed::New { event } => host.on_filed(*event, summary, entry, known),
                Filed::Joined(head) => host.on_joined(head, attach),
                Filed::Conflict | Filed::Moved => {}
            },
        )
        .await
    }

    /// An asker came (back) to a request by its key.
    fn on_joined(&self, head: &Head, attach: bool) {
        let now = self.now();
        let is_live = self.memory().is_live(head.id, now);
        let asker = match attach {
            true => Memory::attached(now, self.config()),
            // It only posted; but whoever waits there goes on waiting.
            false if is_live => return,
            false => AskerState::Detached,
        };
        self.set_asker(head.id, asker, head.presence != asker.presence());
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
        caller.require(&[Role::Asker])?;
        let known = self.known(caller, id).await?;
        let (is_detached, was_away) = {
            let memory = self.memory();
            let asker = memory.get(id).map(|entry| entry.asker);
            let away = matches!(asker, Some(AskerState::Away { .. }));
            (asker == Some(AskerState::Detached), away)
        };
        let asker = match leaving {
            Leaving::Told => AskerState::Detached,
            // Who was told already, or is away already, is not away anew.
            Leaving::Cut if is_detached || was_away => return Ok(self.view(caller, &known)),
            Leaving::Cut => self.away_as_from_now(),
        };
        self.set_asker_durably(id, asker).await?;
        let known = self.known(caller, id).await?;
        Ok(self.view(caller, &known))
    }

    pub(crate) fn away_as_from_now(&self) -> AskerState {
        let until = self.now() + moment(self.config().grace);
        AskerState::Away { since: self.wall(), until }
    }

    /// Whether an asker stays has changed; `anew`: in the store, whatever memory says. Nobody waits
    /// for the disk.
    pub(crate) fn set_asker(&self, id: RequestId, asker: AskerState, anew: bool) {
        let mut memory = self.memory();
        let Some(former) = memory.change(id, |entry| std::mem::replace(&mut entry.asker, asker))
        else {
            return;
        };
        if !anew && former.presence() == asker.presence() {
            return;
        }
        self.recent().remove(id);
        let host = self.clone();
        let done = move |written: Result<bool, _>| match written {
            Ok(_) => host.tell_changed(id),
            Err(error) => tracing::warn!(%error, "whether an asker is away was not written"),
        };
        // Under the lock, so that the disk gets them in this order.
        self.store().set_presence(id, asker.presence(), Box::new(done));
        drop(memory);
        self.timer().notify_one();
    }

    async fn set_asker_durably(&self, id: RequestId, asker: AskerState) -> Result<(), InboxError> {
        let write = |store: &dyn askwell_store::Store, done: askwell_store::Done<bool>| {
            let mut memory = self.memory();
            memory.change(id, |entry| entry.asker = asker);
            self.recent().remove(id);
            store.set_presence(id, asker.presence(), done);
        };
        self.write(write, move |host, _| host.tell_changed(id)).await?;
        self.timer().notify_one();
        Ok(())
    }
}
