//! What is drawn once for a state folder and kept there: the secret that signs webhooks, where the
//! settings have none, and the key that seals what MCP clients carry for us.

use std::io;
use std::path::Path;

use crate::{Place, owner_only};

impl Place {
    /// The secret that signs webhooks, drawn where there is none yet.
    ///
    /// # Errors
    /// Where its file can't be read or made, or somebody else could have read it.
    pub fn webhook_secret(&self) -> io::Result<String> {
        drawn(&self.webhook_secret_file())
    }

    /// The key that seals what MCP clients carry, drawn where there is none yet.
    ///
    /// # Errors
    /// Where its file can't be read or made, somebody else could have read it, or it is too short.
    pub fn mcp_key(&self) -> io::Result<Vec<u8>> {
        let key = drawn(&self.mcp_key_file())?;
        match key.len() < 32 {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is too short")),
            false => Ok(key.into_bytes()),
        }
    }
}

/// What a file holds; new and random where there is none. All that ask at once get the same.
fn drawn(path: &Path) -> io::Result<String> {
    if owner_only::read(path)?.is_none() {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        owner_only::write_new(path, &format!("{secret}\n"))?;
    }
    let secret = owner_only::read(path)?.unwrap_or_default();
    match secret.trim() {
        "" => Err(io::Error::new(io::ErrorKind::InvalidData, "it is empty")),
        secret => Ok(secret.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn it_is_drawn_once_and_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().join("askwell"));

        let secret = place.webhook_secret().unwrap();

        assert!(secret.len() == 64 && place.webhook_secret().unwrap() == secret);
        let path = place.webhook_secret_file();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert!(place.webhook_secret().is_err());
    }

    #[test]
    fn a_key_is_another_one_and_never_a_short_one() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().join("askwell"));

        let key = place.mcp_key().unwrap();

        assert_eq!((key.len(), place.mcp_key().unwrap()), (64, key.clone()));
        assert_ne!(place.webhook_secret().unwrap().into_bytes(), key);
        owner_only::write(&place.mcp_key_file(), "short").unwrap();
        assert!(place.mcp_key().is_err());
    }

    #[test]
    fn an_empty_one_signs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        owner_only::write(&place.webhook_secret_file(), "\n").unwrap();

        assert!(place.webhook_secret().is_err());
    }
}
