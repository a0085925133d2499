//! The lock of one draft: who holds it uses the draft.
//!
//! Invariant: of all live processes at most one holds the lock file that the name leads to.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The right to use a draft, for as long as this lives. The lock file goes with it.
#[derive(Debug)]
pub(super) struct Claim {
    /// The draft's path without its extension.
    stem: PathBuf,
    /// Nothing where the folder takes no lock: then there is nobody who could write to it either.
    lock: Option<File>,
}

impl Claim {
    /// Claims a draft that may be there. Nothing where another run uses it.
    pub(super) fn take(folder: &Path, stem: &str) -> Option<Self> {
        let stem = folder.join(stem);
        match lock(&stem.with_extension("lock"), OpenOptions::new().create(true)) {
            Ok(lock) => Some(Self { stem, lock: Some(lock) }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => None,
            Err(_) => Some(Self { stem, lock: None }),
        }
    }

    /// Claims the name of a draft that is to be made.
    pub(super) fn make(folder: &Path, stem: &str) -> io::Result<Self> {
        let stem = folder.join(stem);
        let lock = lock(&stem.with_extension("lock"), OpenOptions::new().create_new(true))?;
        Ok(Self { stem, lock: Some(lock) })
    }

    /// The draft's file.
    pub(super) fn draft(&self) -> PathBuf {
        self.stem.with_extension("json")
    }

    /// Removes the draft.
    pub(super) fn delete(self) {
        // Where that fails it is found again, or cleared away when it is old.
        let _ = fs::remove_file(self.draft());
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.lock.is_some() {
            let _ = fs::remove_file(self.stem.with_extension("lock"));
        }
    }
}

/// Takes the lock that a file stands for.
pub(crate) fn lock(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.write(true).mode(0o600).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        // A file system without locks: better unlocked than without drafts.
        Err(TryLockError::Error(_)) => return Ok(file),
    }
    // Whoever held it may have removed it since we opened it: then the name leads elsewhere by now.
    let (ours, named) = (file.metadata()?, fs::metadata(path));
    match named {
        Ok(named) if (named.dev(), named.ino()) == (ours.dev(), ours.ino()) => Ok(file),
        _ => Err(io::ErrorKind::WouldBlock.into()),
    }
}
