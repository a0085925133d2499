//! One host at a time in a state folder.
//!
//! Invariant: whoever holds the lock is the host, and nobody holds it after that process has ended,
//! however it did.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::thread;
use std::time::{Duration, Instant};

use crate::Place;

/// Those who only look hold it, shared, for an instant.
const LOOKS: Duration = Duration::from_millis(250);

/// The lock, until it is dropped.
#[derive(Debug)]
pub struct HostLock {
    _file: File,
}

impl HostLock {
    /// Takes the lock; nothing, at once, where another host has it. (Who waited for that one to
    /// end would come to life just when a person has stopped it.)
    ///
    /// # Errors
    /// Where the state folder can't be written.
    pub fn acquire(place: &Place) -> io::Result<Option<Self>> {
        place.prepare()?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(place.lock())?;
        let until = Instant::now() + LOOKS;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            match file.try_lock_shared() {
                Ok(()) if Instant::now() < until => {
                    file.unlock()?;
                    thread::sleep(Duration::from_millis(5));
                }
                _ => return Ok(None),
            }
        }
    }

    /// Whether a host holds it.
    pub fn is_held(place: &Place) -> bool {
        let Ok(file) = File::open(place.lock()) else { return false };
        // Shared, so that two who look do not take each other for a host.
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_winner_until_it_lets_go() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        assert!(!HostLock::is_held(&place));

        let first = HostLock::acquire(&place).unwrap();
        assert!(first.is_some());
        assert!(HostLock::is_held(&place));
        assert!(HostLock::acquire(&place).unwrap().is_none());

        drop(first);
        assert!(!HostLock::is_held(&place));
        assert!(HostLock::acquire(&place).unwrap().is_some());
    }
}
