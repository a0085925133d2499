//! Credentials: made and revoked by an admin, checked at every call. Those of devices are made by
//! signing in: `sign_in.rs`.

use std::sync::{Arc, PoisonError};

use askwell_core::ErrorCode;
use askwell_core::fault::Rule;
use askwell_core::limits;
use askwell_core::text::is_blank;
use askwell_core::wire::{
    Answering, Credential, CredentialId, Device, InboxError, NewCredential, Role, UnixMillis,
};
use askwell_store::{Digest, StoredCredential};

use crate::sign_in::full_hour;
use crate::{Caller, Host, errors, hashes};

impl Host {
    /// Who holds this token.
    ///
    /// # Errors
    /// `UNAUTHORIZED` where it is not known, or was revoked.
    pub fn authenticate(&self, token: &str) -> Result<Caller, InboxError> {
        self.held(&hashes::token(token), Caller::of)
    }

    /// Which device holds this token. Says that it was used.
    ///
    /// # Errors
    /// `UNAUTHORIZED` where it is not known, was revoked, is no device's, or signed in a year ago.
    pub fn authenticate_device(&self, token: &str) -> Result<Caller, InboxError> {
        let hash = hashes::token(token);
        let held = self.held(&hash, |credential| (Caller::of(credential), credential.device))?;
        let (caller, Some(device)) = held else {
            return Err(unauthorized("the credential is no device's"));
        };
        let at = full_hour(self.wall());
        if at > device.used_at {
            let mut known = self.credential_map().write().unwrap_or_else(PoisonError::into_inner);
            if let Some(credential) = known.get_mut(&hash) {
                credential.device = Some(Device { used_at: at });
            }
            drop(known);
            self.store().use_credential(caller.credential(), at);
        }
        Ok(caller)
    }

    /// What is read of the credential whose token has this hash.
    fn held<T>(&self, hash: &Digest, read: impl FnOnce(&Credential) -> T) -> Result<T, InboxError> {
        let known = self.credential_map().read().unwrap_or_else(PoisonError::into_inner);
        // Found by its hash; then compared in constant time all the same.
        let found = known.get_key_value(hash).filter(|(kept, _)| hashes::equal(kept, hash));
        match found.map(|(_, credential)| credential) {
            None => Err(unauthorized("the credential is not known")),
            Some(credential) if credential.revoked_at.is_some() => Err(errors::revoked()),
            Some(credential) if !is_signed_in(credential, self.wall()) => {
                Err(unauthorized("the sign-in was a year ago"))
            }
            Some(credential) => Ok(read(credential)),
        }
    }

    /// Makes a credential (admin). The token is told here and never again; the store has only its
    /// hash.
    ///
    /// # Errors
    /// A bad request where the name is blank or over 1 KiB; `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn create_credential(
        &self,
        caller: &Caller,
        new: NewCredential,
    ) -> Result<(Credential, String), InboxError> {
        self.admit(caller, &[Role::Admin])?;
        named("name", &new.name)?;
        if let Some(person) = &new.person {
            named("person", person)?;
        }
        let is_answerer = new.role == Role::Answerer;
        let now = self.wall();
        let credential = Credential {
            id: hashes::new_credential_id(now)?,
            role: new.role,
            person: is_answerer.then(|| new.person.unwrap_or_else(|| new.name.clone())),
            name: new.name,
            created_at: now,
            revoked_at: None,
            device: None,
        };
        let token = self.keep_credential(credential.clone()).await?;
        Ok((credential, token))
    }

    /// Keeps a new credential; its token.
    pub(crate) async fn keep_credential(
        &self,
        credential: Credential,
    ) -> Result<String, InboxError> {
        let token = hashes::new_token()?;
        let stored =
            StoredCredential { credential: credential.clone(), token: hashes::token(&token) };
        let (hash, known) = (stored.token, credential);
        self.write(
            |store, done| store.add_credential(stored, done),
            move |host, ()| {
                let mut map = host.credential_map().write().unwrap_or_else(PoisonError::into_inner);
                map.insert(hash, known);
            },
        )
        .await?;
        Ok(token)
    }

    /// Every credential, revoked ones included, the oldest first (admin).
    ///
    /// # Errors
    /// `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn credentials(&self, caller: &Caller) -> Result<Vec<Credential>, InboxError> {
        self.admit(caller, &[Role::Admin])?;
        let stored = self.read(|store| store.credentials()).await?;
        Ok(stored.into_iter().map(|stored| stored.credential).collect())
    }

    /// Revokes a credential (admin): it is refused from now on, and its open streams and waits end.
    /// What was asked with it stays.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is none, or it was revoked before; `FORBIDDEN`,
    /// `STORE_UNAVAILABLE`.
    pub async fn revoke_credential(
        &self,
        caller: &Caller,
        id: CredentialId,
    ) -> Result<(), InboxError> {
        self.admit(caller, &[Role::Admin])?;
        self.revoke(id).await
    }

    pub(crate) async fn revoke(&self, id: CredentialId) -> Result<(), InboxError> {
        let at = self.wall();
        let effect = move |host: &Self, revoked: &bool| {
            if !revoked {
                return;
            }
            let mut map = host.credential_map().write().unwrap_or_else(PoisonError::into_inner);
            let mut person: Option<Arc<str>> = None;
            for credential in map.values_mut().filter(|credential| credential.id == id) {
                credential.revoked_at = Some(at);
                person = credential.person.as_deref().map(Arc::from);
            }
            drop(map);
            host.cut_off(id);
            if let Some(person) = person.filter(|person| !host.is_signed_in(person)) {
                let left = host.memory().leaves_all(&person);
                left.into_iter().for_each(|id| host.tell_answering(id, &person, true));
            }
        };
        let revoked =
            self.write(|store, done| store.revoke_credential(id, at, done), effect).await?;
        match revoked {
            true => Ok(()),
            false => {
                let message = format!("there is no credential {id} to revoke");
                Err(InboxError::new(ErrorCode::NotFound, message))
            }
        }
    }
}

impl Host {
    /// Whether anything that this person holds is still let in.
    fn is_signed_in(&self, person: &str) -> bool {
        let (known, now) = (self.credential_map().read(), self.wall());
        known.unwrap_or_else(PoisonError::into_inner).values().any(|credential| {
            credential.person.as_deref() == Some(person)
                && credential.revoked_at.is_none()
                && is_signed_in(credential, now)
        })
    }

    /// Those who are answering and are still let in.
    pub(crate) fn still_here(&self, others: &mut Vec<Answering>) {
        others.retain(|other| self.is_signed_in(&other.person));
    }
}

/// How long a device stays signed in.
const YEAR: UnixMillis = 365 * 24 * 3_600_000;

/// Whether a credential is none of a device, or of one that is still signed in.
pub(crate) fn is_signed_in(credential: &Credential, now: UnixMillis) -> bool {
    credential.device.is_none() || now < credential.created_at.saturating_add(YEAR)
}

pub(crate) fn named(path: &str, name: &str) -> Result<(), InboxError> {
    if is_blank(name) {
        return Err(errors::fault(path, Rule::Blank { max: limits::ASKER }));
    }
    errors::within(path, name, limits::ASKER)
}

fn unauthorized(message: &str) -> InboxError {
    InboxError::new(ErrorCode::Unauthorized, message)
}
