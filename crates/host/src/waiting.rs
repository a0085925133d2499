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
        caller.require(&[Role::Asker, Role::Answerer])?;
        let known = self.known(caller, id).await?;
        if caller.role() == Role::Asker {
            self.asker_is_there(id);
        }
        let view = self.view(caller, &known);
        self.picked_up(caller, &view);
        Ok(view)
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
        caller.require(&[Role::Asker, Role::Answerer])?;
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
        let view = match news {
            Some((known, ended)) => self.view_ended(caller, &known, Some(&ended)),
            None => {
                let known = self.known(caller, id).await?;
                self.view(caller, &known)
            }
        };
        self.picked_up(caller, &view);
        Ok(view)
    }

    /// Begins a wait, if the request is pending. It is over when the guard is dropped.
    fn begin_wait(
        &self,
        caller: &Caller,
        id: RequestId,
    ) -> Result<Option<(tokio::sync::oneshot::Receiver<News>, WaitOver)>, InboxError> {
        let is_own = caller.role() == Role::Asker;
        let owner = self.memory().get(id).map(|entry| entry.credential);
        let Some(owner) = owner else { return Ok(None) };
        may_see(caller, id, owner)?;
        if is_own {
            self.asker_is_there(id);
        }
        let heard = self.memory().wait(id, is_own);
        Ok(heard.map(|heard| (heard, WaitOver { host: self.clone(), id, is_own })))
    }

    /// Renews the lease of an attached asker, and takes back that it is away.
    fn asker_is_there(&self, id: RequestId) {
        let asker = self.memory().get(id).map(|entry| entry.asker);
        match asker {
            None | Some(AskerState::Detached) => {}
            Some(AskerState::Attached { .. } | AskerState::Away { .. }) => {
                self.set_asker(id, Memory::attached(self.now(), self.config()), false);
            }
        }
    }

    fn picked_up(&self, caller: &Caller, view: &RequestView) {
        let is_new = view.receipt.as_ref().is_some_and(|receipt| receipt.picked_up_at.is_none());
        if caller.role() == Role::Asker && view.state != State::Pending && is_new {
            self.store().pick_up(view.id, self.wall());
        }
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
