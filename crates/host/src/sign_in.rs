//! Signing a browser in: whoever opens a link with a one-time code and says so becomes a device, with
//! a credential of its own for the person that the link is for.
//!
//! Owns the codes, in memory and only as their hashes. Invariants: a code works once and for ten
//! minutes, and looking at it uses nothing up; there are never more of them than fit a fixed bound.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::time::Duration;

use askwell_core::ErrorCode;
use askwell_core::fault::Rule;
use askwell_core::limits;
use askwell_core::wire::{
    Credential, CredentialId, Device, InboxError, NewSignIn, Role, UnixMillis,
};
use askwell_store::Digest;

use crate::credentials::{is_signed_in, named};
use crate::memory::{Moment, moment};
use crate::{Caller, Host, errors, hashes};

/// How long a link works.
const LASTS: Duration = Duration::from_secs(600);

/// The most codes that are kept; beyond them the oldest is forgotten.
const MOST: usize = 256;

/// A link that was made: its code, which is told here and never again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInCode {
    /// The code.
    pub code: String,
    /// Until when it works.
    pub expires_at: UnixMillis,
}

/// What a link is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// Whom it signs in.
    pub person: String,
    /// The name of the device, where the link gives it one.
    pub device: Option<String>,
    /// The page to show then, a path of this host.
    pub next: Option<String>,
    /// Until when it works.
    pub expires_at: UnixMillis,
}

/// Why a code signs nobody in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadCode {
    /// It was used before.
    Used,
    /// It is none, or its time is over.
    Unknown,
}

/// Why a browser could not be signed in.
#[derive(Debug, Clone, PartialEq)]
pub enum NotSignedIn {
    /// The code.
    Code(BadCode),
    /// The host. The code can be used again.
    Host(InboxError),
}

/// A browser that was signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The secret of its credential. `None` where it keeps the one it has.
    pub token: Option<String>,
    /// The page to show, a path of this host.
    pub next: Option<String>,
}

impl Host {
    /// Makes a link (answerer, for its own person; admin, for anybody).
    ///
    /// # Errors
    /// A bad request where `next` is no path of this host, a name is blank or over 1 KiB, or there is
    /// no person; `FORBIDDEN`.
    pub fn make_sign_in(&self, caller: &Caller, new: &NewSignIn) -> Result<SignInCode, InboxError> {
        self.admit(caller, &[Role::Answerer, Role::Admin])?;
        if let Some(device) = &new.device {
            named("device", device)?;
        }
        if let Some(next) = &new.next {
            errors::within("next", next, limits::ASKER)?;
            if !is_own_path(next) {
                let expected = "a path of this host, such as /r/ID";
                return Err(errors::fault("next", Rule::Unknown { expected }));
            }
        }
        let sign_in = SignIn {
            person: self.person_of(caller, new.person.as_deref())?,
            device: new.device.clone(),
            next: new.next.clone(),
            expires_at: self.wall() + moment(LASTS).cast_signed(),
        };
        let (code, expires_at) = (hashes::new_code()?, sign_in.expires_at);
        self.codes().keep(hashes::token(&code), sign_in, self.now());
        Ok(SignInCode { code, expires_at })
    }

    /// What a code is for. Uses nothing up.
    ///
    /// # Errors
    /// [`BadCode`].
    pub fn sign_in(&self, code: &str) -> Result<SignIn, BadCode> {
        let mut codes = self.codes();
        codes.find(&hashes::token(code), self.now()).map(|kept| kept.sign_in.clone())
    }

    /// Uses a code up, for a browser that calls itself so. One that is signed in as `former` already
    /// keeps its credential, or loses it where the link is for another person.
    ///
    /// # Errors
    /// [`NotSignedIn`].
    pub async fn use_sign_in(
        &self,
        code: &str,
        browser: &str,
        former: Option<&Caller>,
    ) -> Result<SignedIn, NotSignedIn> {
        let hash = hashes::token(code);
        let sign_in = self.codes().take(&hash, self.now()).map_err(NotSignedIn::Code)?;
        let SignIn { person, device, next, .. } = sign_in;
        if former.is_some_and(|former| **former.person() == *person) {
            return Ok(SignedIn { token: None, next });
        }
        let name = device.unwrap_or_else(|| browser.to_owned());
        match self.make_device(name, person).await {
            Ok(token) => {
                if let Some(former) = former
                    && let Err(error) = self.revoke(former.credential()).await
                {
                    tracing::warn!(%error, "a device that is signed in anew keeps its former sign-in");
                }
                Ok(SignedIn { token: Some(token), next })
            }
            Err(error) => {
                self.codes().give_back(&hash);
                Err(NotSignedIn::Host(error))
            }
        }
    }

    /// The devices of the caller's person that are signed in, the oldest first (answerer).
    ///
    /// # Errors
    /// `FORBIDDEN`.
    pub fn devices(&self, caller: &Caller) -> Result<Vec<Credential>, InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        Ok(self.devices_of(caller))
    }

    fn devices_of(&self, caller: &Caller) -> Vec<Credential> {
        let now = self.wall();
        let known = self.credential_map().read().unwrap_or_else(PoisonError::into_inner);
        let is_theirs = |it: &&Credential| {
            it.device.is_some()
                && it.revoked_at.is_none()
                && it.person.as_deref() == Some(caller.person())
                && is_signed_in(it, now)
        };
        let mut devices: Vec<Credential> = known.values().filter(is_theirs).cloned().collect();
        devices.sort_by_key(|device| (device.created_at, device.id));
        devices
    }

    /// Signs a device of the caller's person out (answerer).
    ///
    /// # Errors
    /// `NOT_FOUND` where it is none of theirs, or was signed out before; `UNAUTHORIZED` where the
    /// caller's own is no longer signed in; `FORBIDDEN`, `STORE_UNAVAILABLE`.
    pub async fn sign_out(&self, caller: &Caller, id: CredentialId) -> Result<(), InboxError> {
        self.admit(caller, &[Role::Answerer])?;
        match self.devices_of(caller).iter().any(|device| device.id == id) {
            true => self.revoke(id).await,
            false => Err(InboxError::new(ErrorCode::NotFound, "there is no such device")),
        }
    }

    async fn make_device(&self, name: String, person: String) -> Result<String, InboxError> {
        let now = self.wall();
        let credential = Credential {
            id: hashes::new_credential_id(now)?,
            role: Role::Answerer,
            name,
            person: Some(person),
            created_at: now,
            revoked_at: None,
            device: Some(Device { used_at: full_hour(now) }),
        };
        tracing::info!(credential = %credential.id, "a device signs in");
        self.keep_credential(credential).await
    }

    fn person_of(&self, caller: &Caller, said: Option<&str>) -> Result<String, InboxError> {
        let own = caller.person();
        match (caller.role(), said) {
            (Role::Answerer, None) => Ok(own.to_string()),
            (Role::Answerer, Some(person)) if person == &**own => Ok(own.to_string()),
            (Role::Answerer, Some(_)) => {
                let message = "an answerer's link is for its own person";
                Err(InboxError::new(ErrorCode::Forbidden, message))
            }
            (_, Some(person)) => {
                named("person", person)?;
                Ok(person.to_owned())
            }
            (_, None) => self.first_person().ok_or_else(|| {
                errors::fault("person", Rule::Missing { expected: "the name of a person" })
            }),
        }
    }

    /// The person of the first answerer's credential: on a host of one's own, its owner.
    fn first_person(&self) -> Option<String> {
        self.first_answerer().map(|first| first.person().to_string())
    }

    /// The holder of the first answerer's credential that is no device's.
    pub fn first_answerer(&self) -> Option<Caller> {
        let known = self.credential_map().read().unwrap_or_else(PoisonError::into_inner);
        let answerers = known.values().filter(|it| {
            it.role == Role::Answerer && it.device.is_none() && it.revoked_at.is_none()
        });
        answerers.min_by_key(|it| (it.created_at, it.id)).map(Caller::of)
    }
}

/// When a device was used, as coarsely as it is kept.
pub(crate) fn full_hour(at: UnixMillis) -> UnixMillis {
    const HOUR: UnixMillis = 3_600_000;
    at - at.rem_euclid(HOUR)
}

/// Whether this leads to a page of the host that shows it, whatever a browser makes of it: a path and a
/// query, without what would name another host.
fn is_own_path(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#'));
    plain && text.starts_with('/') && !text.starts_with("//")
}

/// The codes that were made within the last ten minutes.
#[derive(Debug, Default)]
pub(crate) struct Codes(HashMap<Digest, Kept>);

#[derive(Debug)]
struct Kept {
    sign_in: SignIn,
    until: Moment,
    used: bool,
}

impl Codes {
    fn keep(&mut self, hash: Digest, sign_in: SignIn, now: Moment) {
        self.0.retain(|_, kept| kept.until > now);
        while self.0.len() >= MOST
            && let Some((oldest, _)) = self.0.iter().min_by_key(|(_, kept)| kept.until)
        {
            let oldest = *oldest;
            self.0.remove(&oldest);
        }
        self.0.insert(hash, Kept { sign_in, until: now + moment(LASTS), used: false });
    }

    fn find(&mut self, hash: &Digest, now: Moment) -> Result<&mut Kept, BadCode> {
        let found = self.0.iter_mut().find(|(kept, _)| hashes::equal(kept, hash));
        match found.map(|(_, kept)| kept).filter(|kept| kept.until > now) {
            Some(kept) if kept.used => Err(BadCode::Used),
            Some(kept) => Ok(kept),
            None => Err(BadCode::Unknown),
        }
    }

    fn take(&mut self, hash: &Digest, now: Moment) -> Result<SignIn, BadCode> {
        let kept = self.find(hash, now)?;
        kept.used = true;
        Ok(kept.sign_in.clone())
    }

    fn give_back(&mut self, hash: &Digest) {
        if let Some(kept) = self.0.get_mut(hash) {
            kept.used = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_path_names_no_other_host() {
        for own in ["/", "/r/01a0c450-6c00-7bab-abab-abababababab", "/?part=list", "/a//b"] {
            assert!(is_own_path(own), "{own}");
        }
        for foreign in [
            "",
            "r",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https:",
            "https://evil.example",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/\n/evil.example",
            " /",
            "/ä",
            "/#x",
        ] {
            assert!(!is_own_path(foreign), "{foreign:?}");
        }
    }

    #[test]
    fn beyond_their_bound_the_oldest_code_is_forgotten() {
        let sign_in = SignIn { person: "ann".to_owned(), device: None, next: None, expires_at: 0 };
        let hash = |n: usize| hashes::token(&n.to_string());
        let mut codes = Codes::default();

        for n in 0..=MOST {
            codes.keep(hash(n), sign_in.clone(), n as Moment);
        }

        let now = MOST as Moment;
        assert_eq!(codes.0.len(), MOST);
        assert_eq!(codes.take(&hash(0), now), Err(BadCode::Unknown));
        assert_eq!(codes.take(&hash(1), now), Ok(sign_in.clone()));
        assert_eq!(codes.take(&hash(1), now), Err(BadCode::Used));
        codes.give_back(&hash(1));
        assert_eq!(codes.take(&hash(1), now), Ok(sign_in));
        assert_eq!(codes.take(&hash(MOST), now + moment(LASTS)), Err(BadCode::Unknown));
    }
}
