//! Who calls, and what that allows.

use std::sync::Arc;

use askwell_core::ErrorCode;
use askwell_core::wire::{Credential, CredentialId, InboxError, Role};

/// A verified caller. Made by [`crate::Host::authenticate`], or by whoever runs the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    credential: CredentialId,
    role: Role,
    name: Arc<str>,
    person: Arc<str>,
}

impl Caller {
    /// The holder of a credential, which the caller of this has verified.
    pub fn of(credential: &Credential) -> Self {
        let name: Arc<str> = credential.name.as_str().into();
        let person = credential.person.as_deref().map_or_else(|| Arc::clone(&name), Arc::from);
        Self { credential: credential.id, role: credential.role, name, person }
    }

    /// The program that runs the host, which may manage it.
    pub fn owner() -> Self {
        let name: Arc<str> = "the host".into();
        let credential = CredentialId::from_bytes([0; 16]);
        Self { credential, role: Role::Admin, person: Arc::clone(&name), name }
    }

    /// The credential.
    pub fn credential(&self) -> CredentialId {
        self.credential
    }

    /// What it allows.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The verified name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The person for whom an answerer stands.
    pub fn person(&self) -> &Arc<str> {
        &self.person
    }

    /// Fails unless the caller has one of these roles.
    ///
    /// # Errors
    /// `FORBIDDEN`.
    pub fn require(&self, roles: &[Role]) -> Result<(), InboxError> {
        if roles.contains(&self.role) {
            return Ok(());
        }
        let words: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        let message = format!(
            "this needs a credential of the role {}, and this one is {}",
            words.join(" or "),
            self.role.as_str()
        );
        Err(InboxError::new(ErrorCode::Forbidden, message))
    }
}
