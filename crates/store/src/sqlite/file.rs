//! The file of a store: where it is, who may read it, and whether it is still the same one.
//!
//! Never opens the file itself once SQLite has it: closing any handle would drop SQLite's locks.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The place of a store.
#[derive(Debug)]
pub(super) struct StoreFile {
    path: PathBuf,
    log: PathBuf,
    opened: Option<[Identity; 2]>,
}

/// What makes a file the same one.
type Identity = (u64, u64);

impl StoreFile {
    /// Makes folder and file where there are none. Only what is made here is closed to others, and
    /// the file in any case; a folder that was there is left as it is.
    pub(super) fn prepare(path: &Path) -> Result<Self, StoreError> {
        let failed = |error: io::Error| {
            StoreError::unavailable(
                format!("{}: {error}", path.display()),
                "Make the folder of the store writable, or choose another one.",
            )
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let folder = folder.canonicalize().map_err(failed)?;
        refuse_network(&folder)?;
        let name = path.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        let mode = fs::metadata(&path).map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed)?;
        }
        Ok(Self::at(path))
    }

    /// The place as it is: nothing is made there, and nothing changed.
    pub(super) fn at(path: PathBuf) -> Self {
        let mut log = path.clone().into_os_string();
        log.push("-wal");
        Self { path, log: log.into(), opened: None }
    }

    /// The file that SQLite has opened just now.
    pub(super) fn opened(mut self) -> Result<Self, StoreError> {
        self.opened = Some([identity(&self.path)?, identity(&self.log)?]);
        Ok(self)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file at the path is still the one that is open: otherwise what is written would
    /// be gone with the next start.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let Some(opened) = self.opened else { return Ok(()) };
        if [identity(&self.path)?, identity(&self.log)?] == opened {
            return Ok(());
        }
        Err(StoreError::unavailable(
            format!("{} was replaced while it was in use", self.path.display()),
            "Put the former file back, or start the host again to use the new one.",
        ))
    }

    /// To be called when all connections are closed. Where another file has come in place of this
    /// one, SQLite has left the write-ahead log, and would take it for the other one's: it is put
    /// aside.
    pub(super) fn left(&self) {
        let Some([file, log]) = self.opened else { return };
        if identity(&self.path).ok() == Some(file) || identity(&self.log).ok() != Some(log) {
            return;
        }
        let mut aside = self.log.clone().into_os_string();
        aside.push(format!("-of-{}", file.1));
        let path = self.path.display();
        match fs::rename(&self.log, &aside) {
            Ok(()) => tracing::warn!(
                aside = %aside.display(),
                "{path} was replaced; what was not carried over into the former file is kept",
            ),
            Err(error) => tracing::error!(%error, "{path} was replaced, and its log is in the way"),
        }
    }
}

fn identity(path: &Path) -> Result<Identity, StoreError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok((metadata.dev(), metadata.ino())),
        Err(error) => Err(StoreError::unavailable(
            format!("{}: {error}", path.display()),
            "Put the store back where it was; the host goes on by itself.",
        )),
    }
}

/// The write-ahead log needs memory that all programs share, which a network can't give.
#[cfg(target_os = "linux")]
fn refuse_network(folder: &Path) -> Result<(), StoreError> {
    const NETWORK: [(u32, &str); 6] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB2"),
        (0x0102_1997, "9P"),
        (0x5346_414f, "AFS"),
    ];
    let Ok(stat) = rustix::fs::statfs(folder) else { return Ok(()) };
    match NETWORK.iter().find(|(magic, _)| *magic == stat.f_type as u32) {
        None => Ok(()),
        Some((_, name)) => Err(StoreError::unavailable(
            format!("{} is on a network file system ({name})", folder.display()),
            "Choose a folder on a disk of this machine.",
        )),
    }
}

#[cfg(not(target_os = "linux"))]
fn refuse_network(_: &Path) -> Result<(), StoreError> {
    Ok(())
}
