//! Reading one request and waiting for its end. By its own asker, both say that it is there, and
//! an outcome that they bring counts as picked up.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{InboxError, RequestId, RequestView, Role};

use crate::host::may_see;
use crate::memory::{AskerState, Memory, News, moment};
use crate::{Caller, Host, errors};

impl Host {
    /// A request as it stands (its own asker, answerer).
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn get(&self, caller: &Caller, id: RequestId) -> Result<RequestView, InboxError> {
        let view = self.show(caller, id).await?;
        self.handing(caller, &view).into_iter().for_each(Handing::taken);
        Ok(view)
    }

    /// The same for who has yet to hand it on: [`Host::handing`] comes next.
    ///
    /// # Errors
    /// As [`Host::get`].
    pub async fn show(&self, caller: &Caller, id: RequestId) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Asker, Role::Answerer])?;
        let known = self.known(caller, id).await?;
        if caller.role() == Role::Asker {
            self.asker_is_there(&mut self.memory(), id);
        }
        self.with_others(caller, self.view(caller, &known)).await
    }

    /// Waits until the request ends, at most for this long, and shows it as it stands then. A
    /// host that stops ends the wait too, and so does revoking the caller's credential.
    ///
    /// # Errors
    /// `UNAUTHORIZED` once the credential was revoked; `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`. A wait that runs out is none.
    pub async fn wait(
        &self,
        caller: &Caller,
        id: RequestId,
        at_most: Duration,
    ) -> Result<RequestView, InboxError> {
        let view = self.show_end(caller, id, at_most).await?;
        self.handing(caller, &view).into_iter().for_each(Handing::taken);
        Ok(view)
    }

    /// The same for who has yet to hand it on: [`Host::handing`] comes next.
    ///
    /// # Errors
    /// As [`Host::wait`].
    pub async fn show_end(
        &self,
        caller: &Caller,
        id: RequestId,
        at_most: Duration,
    ) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Asker, Role::Answerer])?;
        let waiting = self.begin_wait(caller, id)?;
        let (mut news, mut _over) = (None, None);
        if let Some((heard, over)) = waiting {
            let mut interrupts = self.interrupts();
            let revoked = || self.hub().is_revoked(caller.credential());
            tokio::select! {
                heard = heard => news = heard.ok().flatten(),
                () = tokio::time::sleep(at_most) => {}
                _ = interrupts.wait_for(|it| it.stopping || it.revoking && revoked()) => {
                    if revoked() {
                        return Err(errors::revoked());
                    }
                }
            }
            _over = Some(over);
        }
        match news {
            Some((known, ended)) => Ok(self.view_ended(caller, &known, Some(&ended))),
            None => {
                let known = self.known(caller, id).await?;
                self.with_others(caller, self.view(caller, &known)).await
            }
        }
    }

    /// An outcome that was shown and not handed on has reached its asker (its own asker). What is
    /// pending, or was picked up before, stays as it is.
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn pick_up(&self, caller: &Caller, id: RequestId) -> Result<RequestView, InboxError> {
        self.admit(caller, &[Role::Asker])?;
        let known = self.known(caller, id).await?;
        let view = self.view(caller, &known);
        self.handing(caller, &view).into_iter().for_each(Handing::taken);
        Ok(view)
    }

    /// Begins a wait, if the request is pending. It is over when the guard is dropped.
    fn begin_wait(
        &self,
        caller: &Caller,
        id: RequestId,
    ) -> Result<Option<(tokio::sync::oneshot::Receiver<News>, WaitOver)>, InboxError> {
        let is_own = caller.role() == Role::Asker;
        let mut memory = self.memory();
        let Some(owner) = memory.get(id).map(|entry| entry.credential) else { return Ok(None) };
        may_see(caller, id, owner)?;
        // In one step: it is never away while it waits.
        if is_own {
            self.asker_is_there(&mut memory, id);
        }
        let heard = memory.wait(id, is_own);
        drop(memory);
        Ok(heard.map(|heard| (heard, WaitOver { host: self.clone(), id, is_own })))
    }

    /// Renews the lease of an attached asker, and takes back that it is away.
    fn asker_is_there(&self, memory: &mut Memory, id: RequestId) {
        let attached = Memory::attached(self.now(), self.config());
        self.set_asker_in(memory, id, None, |entry| match entry.asker {
            AskerState::Detached => None,
            AskerState::Attached { .. } | AskerState::Away { .. } => Some(attached),
        });
    }

    /// The outcome that this view brings to its own asker, if it is the first to do so.
    pub fn handing(&self, caller: &Caller, view: &RequestView) -> Option<Handing> {
        let is_new = view.receipt.as_ref().is_some_and(|receipt| receipt.picked_up_at.is_none());
        let is_news = caller.role() == Role::Asker && view.state != State::Pending && is_new;
        is_news.then(|| Handing { host: self.clone(), id: view.id })
    }
}

/// An outcome on its way to its asker. It counts as picked up once it is said to be taken, and not
/// where this is dropped.
#[must_use]
pub struct Handing {
    host: Host,
    id: RequestId,
}

impl Handing {
    /// The outcome was handed over.
    pub fn taken(self) {
        let mut memory = self.host.memory();
        // In one step: from now on it is the store that keeps others from joining it.
        self.host.store().pick_up(self.id, self.host.wall());
        memory.fetched(self.id);
    }
}

/// Ends a wait, also when its future is dropped.
struct WaitOver {
    host: Host,
    id: RequestId,
    is_own: bool,
}

impl Drop for WaitOver {
    fn drop(&mut self) {
        let lease_until = self.host.now() + moment(self.host.config().lease);
        self.host.memory().wait_over(self.id, self.is_own, lease_until);
        self.host.timer().notify_one();
    }
}
