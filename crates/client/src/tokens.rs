//! The credentials of the programs of one user: one secret for each role, in owner-only files.

use std::fmt;
use std::io;

use askwell_core::wire::Role;

use crate::{Place, owner_only};

/// The secret of a credential. It is never shown by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A secret that was handed over.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The local secret of this role; nothing where no host ever ran here.
    ///
    /// # Errors
    /// Where the file can't be read, or is open to others.
    pub fn local(place: &Place, role: Role) -> io::Result<Option<Self>> {
        let text = owner_only::read(&place.credential(role))?;
        let text = text.map(|text| text.trim().to_owned());
        Ok(text.filter(|text| !text.is_empty()).map(Self))
    }

    /// Makes this the local secret of this role. For the host, which holds the lock and has
    /// registered it.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn keep(&self, place: &Place, role: Role) -> io::Result<()> {
        owner_only::write(&place.credential(role), &self.0)
    }

    /// The secret itself.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_kept_by_role_and_not_shown() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        assert_eq!(Token::local(&place, Role::Asker).unwrap(), None);

        Token::new("one").keep(&place, Role::Asker).unwrap();
        Token::new("two").keep(&place, Role::Admin).unwrap();

        assert_eq!(Token::local(&place, Role::Asker).unwrap(), Some(Token::new("one")));
        assert_eq!(Token::local(&place, Role::Answerer).unwrap(), None);
        assert_eq!(format!("{:?}", Token::new("one")), "Token(…)");
    }
}
