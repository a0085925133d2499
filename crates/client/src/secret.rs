//! The secret that signs webhooks, where the settings have none: one a state folder.

use std::io;

use crate::{Place, owner_only};

impl Place {
    /// The secret, drawn where there is none yet.
    ///
    /// # Errors
    /// Where its file can't be read or made, or somebody else could have read it.
    pub fn webhook_secret(&self) -> io::Result<String> {
        let path = self.webhook_secret_file();
        if owner_only::read(&path)?.is_none() {
            let mut bytes = [0; 32];
            getrandom::fill(&mut bytes).map_err(io::Error::other)?;
            let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            owner_only::write(&path, &format!("{secret}\n"))?;
        }
        // Of several that were drawn at once the last one stays.
        let secret = owner_only::read(&path)?.unwrap_or_default();
        match secret.trim() {
            "" => Err(io::Error::new(io::ErrorKind::InvalidData, "it is empty")),
            secret => Ok(secret.to_owned()),
        }
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
    fn an_empty_one_signs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        owner_only::write(&place.webhook_secret_file(), "\n").unwrap();

        assert!(place.webhook_secret().is_err());
    }
}
