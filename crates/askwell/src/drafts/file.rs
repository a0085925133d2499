//! The contents of a draft file, and how it is read and written.
//!
//! Invariant: the name of a draft leads to a whole document, the last one or the one before.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use askwell_core::draft::Entered;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// What a draft file holds. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Document {
    version: u32,
    pub(super) created: u64,
    pub(super) saved: u64,
    #[serde(flatten)]
    pub(super) entered: Entered,
}

impl Document {
    pub(super) fn new(created: u64, saved: u64, entered: Entered) -> Self {
        Self { version: VERSION, created, saved, entered }
    }
}

/// What was found where a draft should be.
pub(super) enum Contents {
    Draft(Document),
    /// Written by a later askwell: not ours to judge.
    OfAnotherVersion,
    Gone,
    Unreadable,
}

pub(super) fn read(path: &Path) -> Contents {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }

    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Contents::Gone,
        Err(_) => return Contents::Unreadable,
    };
    match serde_json::from_slice(&bytes) {
        Ok(Version { version }) if version > VERSION => Contents::OfAnotherVersion,
        Ok(Version { version: VERSION }) => {
            serde_json::from_slice(&bytes).map_or(Contents::Unreadable, Contents::Draft)
        }
        _ => Contents::Unreadable,
    }
}

/// Makes the folder, for its owner only.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Puts the document in place of the last one. It is on disk when this returns.
pub(super) fn write(path: &Path, document: &Document) -> io::Result<()> {
    let unfinished = path.with_extension("tmp");
    let written = put(&unfinished, document).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn put(path: &Path, document: &Document) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(&serde_json::to_vec(document)?)?;
    // By our clock, which also judges the age.
    file.set_modified(UNIX_EPOCH + Duration::from_millis(document.saved))?;
    file.sync_all()
}
