//! Beside the inbox: how a host is, its credentials, signing browsers in, clearing away, stopping.

use std::time::Duration;

use askwell_core::wire::{
    Credential, CredentialId, InboxError, NewCredential, NewSignIn, SignInLink,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call::Call;
use crate::client::{Again, Client};

/// How a host is, as it tells everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Health {
    /// `ok`, or what is wrong.
    pub status: String,
    /// The version of askwell that it is.
    pub version: String,
    /// What tells this run of a host from every other.
    pub instance: String,
}

/// A new credential and its secret, which is told this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewToken {
    /// The credential.
    pub credential: Credential,
    /// Its secret.
    pub token: String,
}

/// What was cleared away.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Purged {
    /// How many ended requests.
    pub requests: u64,
}

/// How a host stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HostStatus {
    /// The version of askwell that it is.
    pub version: String,
    /// What tells this run of a host from every other.
    pub instance: String,
    /// The process.
    pub pid: u32,
    /// For how long it has run.
    pub uptime_seconds: u64,
    /// How many requests wait for a person.
    pub pending: u64,
    /// Those of them whose asker is away.
    pub away: u64,
    /// How many event streams of answerers are open.
    pub watching: u32,
    /// How many persons are elsewhere, and want what is asked in the inbox.
    pub elsewhere: u32,
    /// How many connections are open.
    pub connections: u64,
}

const CREDENTIALS: &str = "/api/v1/credentials";

impl Client {
    /// How the host is (everybody). A host that is not there is told at once.
    ///
    /// # Errors
    /// `HOST_UNREACHABLE`, `HOST_VERSION`.
    pub fn health(&self) -> Result<Health, InboxError> {
        let mut call = Call::get("/healthz");
        call.time = Duration::from_secs(5);
        self.call(&call, Again::Always)
    }

    /// How the host stands (admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn status(&self) -> Result<HostStatus, InboxError> {
        self.call(&Call::get("/api/v1/status"), Again::Always)
    }

    /// All credentials without their secrets (admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn credentials(&self) -> Result<Vec<Credential>, InboxError> {
        self.call(&Call::get(CREDENTIALS), Again::Always)
    }

    /// Makes a credential (admin).
    ///
    /// # Errors
    /// Those of every call, `BAD_REQUEST`, `LIMIT_EXCEEDED`.
    pub fn create_credential(&self, new: &NewCredential) -> Result<NewToken, InboxError> {
        self.call(&Call::send("POST", CREDENTIALS, &json!(new)), Again::IfUnsent)
    }

    /// Takes a credential back (admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn revoke_credential(&self, id: CredentialId) -> Result<Credential, InboxError> {
        let path = format!("{CREDENTIALS}/{id}/revoke");
        self.call(&Call::send("POST", path, &json!({})), Again::IfUnsent)
    }

    /// Makes a link that signs one browser in, once (answerer, admin).
    ///
    /// # Errors
    /// Those of every call, `BAD_REQUEST`, `LIMIT_EXCEEDED`.
    pub fn sign_in(&self, new: &NewSignIn) -> Result<SignInLink, InboxError> {
        // A link too many runs out by itself.
        self.call(&Call::send("POST", "/api/v1/sign-in", &json!(new)), Again::Always)
    }

    /// Clears away what ended longer ago than this (admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn purge(&self, keep: Duration) -> Result<Purged, InboxError> {
        let body = json!({ "keepSeconds": keep.as_secs() });
        self.call(&Call::send("POST", "/api/v1/purge", &body), Again::Always)
    }

    /// Asks the host to leave (admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn stop(&self) -> Result<(), InboxError> {
        let _: Value =
            self.call(&Call::send("POST", "/api/v1/stop", &json!({})), Again::IfUnsent)?;
        Ok(())
    }
}
