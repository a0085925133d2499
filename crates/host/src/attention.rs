//! Who looks at the inbox, and who is elsewhere and wants what is asked in it.

use std::collections::HashMap;
use std::sync::PoisonError;

use askwell_core::wire::{Attention, InboxError, Role, UnixMillis};

use crate::{Caller, Host};

/// Since when each person is elsewhere.
pub(crate) type Elsewhere = HashMap<String, UnixMillis>;

impl Host {
    /// Whether somebody would see a request right now (asker, answerer, admin).
    ///
    /// # Errors
    /// `UNAUTHORIZED` where the caller was revoked.
    pub fn attention(&self, caller: &Caller) -> Result<Attention, InboxError> {
        self.admit(caller, &[Role::Asker, Role::Answerer, Role::Admin])?;
        let elsewhere = self.elsewhere().read().unwrap_or_else(PoisonError::into_inner);
        let since = match caller.role() {
            Role::Answerer => elsewhere.get(&**caller.person()).copied(),
            Role::Asker | Role::Admin => elsewhere.values().min().copied(),
        };
        Ok(Attention { watching: self.hub().watching(), elsewhere_since: since })
    }

    /// Says that the caller's person is elsewhere, or is not any more (answerer). Kept over restarts;
    /// said twice, the first time counts.
    ///
    /// # Errors
    /// `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn set_elsewhere(
        &self,
        caller: &Caller,
        is_elsewhere: bool,
    ) -> Result<Attention, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        let person = caller.person().to_string();
        let before = self.attention(caller)?.elsewhere_since;
        let since = is_elsewhere.then(|| before.unwrap_or_else(|| self.wall()));
        if since != before {
            let kept = person.clone();
            self.write(
                |store, done| store.set_elsewhere(kept, since, done),
                move |host, ()| {
                    let mut all = host.elsewhere().write().unwrap_or_else(PoisonError::into_inner);
                    match since {
                        Some(since) => all.insert(person, since),
                        None => all.remove(&person),
                    };
                },
            )
            .await?;
        }
        self.attention(caller)
    }
}
