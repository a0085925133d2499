//! What a running host tells to the clients of the same user: where it is.

use std::fs;
use std::io;
use std::time::Duration;

use askwell_core::wire::UnixMillis;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

use crate::{Access, Client, HostLock, Place, owner_only};

/// The version of the API that this client speaks: `/api/v1`.
pub const API_VERSION: u32 = 1;

/// The contents of the discovery file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// The host's process.
    pub pid: u32,
    /// Where it is, without a path: `http://127.0.0.1:7420`.
    pub url: String,
    /// The port that it listens on.
    pub port: u16,
    /// The version of askwell that it is.
    pub version: String,
    /// The version of the API that it speaks.
    pub api_version: u32,
    /// What tells this run of a host from every other.
    pub instance: String,
    /// When it was started.
    pub started_at: UnixMillis,
    /// Whether it was started in the background by a client, and leaves by itself.
    #[serde(default)]
    pub background: bool,
    /// The flags of `serve` that it was started with, for the one that takes its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Discovery {
    /// A name for a run of a host that no other has.
    ///
    /// # Errors
    /// Where no random numbers are to be had.
    pub fn draw_instance() -> io::Result<String> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Tells where this host is. The port is remembered for the next one.
    ///
    /// # Errors
    /// Where the state folder can't be written.
    pub fn write(&self, place: &Place) -> io::Result<()> {
        owner_only::write(&place.port(), &self.port.to_string())?;
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        owner_only::write(&place.discovery(), &text)
    }

    /// What a host has told; nothing where none runs. The file of one that was killed is left
    /// aside: at its port may be anybody by now.
    ///
    /// # Errors
    /// Where the file can't be read, or is open to others.
    pub fn read(place: &Place) -> io::Result<Option<Self>> {
        if !HostLock::is_held(place) {
            return Ok(None);
        }
        // A host that holds the lock and has not told yet is only just starting.
        let text = owner_only::read(&place.discovery())?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// What was told last, whether or not whoever told it still runs. Nothing where it can't be read.
    ///
    /// For a host that has the lock and looks whether another one lost its own.
    pub fn told(place: &Place) -> Option<Self> {
        let text = owner_only::read(&place.discovery()).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok())
    }

    /// Whether there is a file that no host has written: those of hosts come and go as a whole.
    pub(crate) fn is_garbage(place: &Place) -> bool {
        let text = owner_only::read(&place.discovery()).ok().flatten();
        text.is_some_and(|text| serde_json::from_str::<Self>(&text).is_err())
    }

    /// Whether this very host answers where it says that it is. No credential is sent.
    pub fn answers(&self) -> bool {
        let access = Access { url: self.url.clone(), token: None };
        let client = Client::with_patience(access, Duration::ZERO);
        client.health().is_ok_and(|health| health.instance == self.instance)
    }

    /// The same of one that has lost its lock: its process is there as well.
    pub fn runs_without_lock(&self) -> bool {
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        let there =
            pid.is_some_and(|pid| !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)));
        there && self.answers()
    }

    /// Clears away what a host that was killed had told. For the one that has the lock now, before
    /// anything else: at that port may be anybody.
    pub fn clear(place: &Place) {
        // A folder in its place stays, and is told when this host tells where it is.
        let _ = fs::remove_file(place.discovery());
    }

    /// Takes back what this host has told. Another one's is left.
    pub fn remove(&self, place: &Place) {
        if Self::told(place).is_some_and(|told| told.instance == self.instance) {
            let _ = fs::remove_file(place.discovery());
        }
    }

    /// The port that the last host listened on.
    pub fn last_port(place: &Place) -> Option<u16> {
        owner_only::read(&place.port()).ok().flatten()?.trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn discovery(instance: &str) -> Discovery {
        Discovery {
            pid: 1,
            url: "http://127.0.0.1:7420".to_owned(),
            port: 7420,
            version: "0.1.0".to_owned(),
            api_version: API_VERSION,
            instance: instance.to_owned(),
            started_at: 1_790_000_000_000,
            background: false,
            flags: Vec::new(),
        }
    }

    #[test]
    fn a_host_is_found_while_it_runs_and_not_after_it_was_killed() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        assert_eq!(Discovery::read(&place).unwrap(), None);

        let lock = HostLock::acquire(&place).unwrap();
        assert_eq!(Discovery::read(&place).unwrap(), None);
        discovery("one").write(&place).unwrap();
        assert_eq!(Discovery::read(&place).unwrap(), Some(discovery("one")));

        drop(lock);
        assert!(place.discovery().exists());
        assert_eq!(Discovery::read(&place).unwrap(), None);
        assert_eq!(Discovery::last_port(&place), Some(7420));
    }

    #[test]
    fn a_host_takes_back_only_what_is_its_own() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        discovery("two").write(&place).unwrap();

        discovery("one").remove(&place);
        assert!(place.discovery().exists());
        discovery("two").remove(&place);
        assert!(!place.discovery().exists());
    }
}
