//! What the files of agents were before they were changed, so that they can be given back as they were.
//!
//! Kept in the state folder, for its owner's eyes only: a configuration may hold secrets.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file::Edit;
use crate::hosts;
use crate::report::{Exit, Failure};

/// The folder of what is remembered.
pub struct Undo {
    folder: PathBuf,
}

/// A file before and after it was changed.
#[derive(Serialize, Deserialize)]
struct Remembered {
    path: PathBuf,
    /// Nothing where there was no file.
    before: Option<String>,
    after: String,
}

impl Undo {
    pub fn of_this_user() -> Result<Self, Failure> {
        Ok(Self { folder: hosts::place()?.folder().join("connected") })
    }

    /// What the file held before (nothing: there was none), where it holds exactly what was written to it.
    pub fn before(&self, path: &Path, now: &str) -> Option<Option<String>> {
        let remembered = self.remembered(path)?;
        (remembered.after == now).then_some(remembered.before)
    }

    /// Remembers a change that was made, or forgets what was undone.
    pub fn remember(&self, edit: &Edit) -> Result<(), Failure> {
        let kept = match (&edit.after, edit.is_removal) {
            (Some(after), false) => self.keep(edit, after),
            _ => self.forget(&edit.path),
        };
        kept.map_err(|error| {
            let path = edit.path.display();
            Failure::new(
                Exit::Failure,
                format!("{path} was changed, and what it was is not kept: {error}"),
            )
        })
    }

    fn keep(&self, edit: &Edit, after: &str) -> io::Result<()> {
        // Changed twice: what it was before the first time.
        let first = edit.before.as_deref().and_then(|now| self.before(&edit.path, now));
        let remembered = Remembered {
            path: edit.path.clone(),
            before: first.unwrap_or_else(|| edit.before.clone()),
            after: after.to_owned(),
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let text = serde_json::to_string(&remembered).map_err(io::Error::other)?;
        let file = self.file(&edit.path);
        let _ = fs::remove_file(&file);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        options.open(file)?.write_all(text.as_bytes())
    }

    fn forget(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(self.file(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn remembered(&self, path: &Path) -> Option<Remembered> {
        let text = fs::read_to_string(self.file(path)).ok()?;
        let remembered: Remembered = serde_json::from_str(&text).ok()?;
        (remembered.path == path).then_some(remembered)
    }

    /// One file each, named by the path with everything that is special in it replaced.
    fn file(&self, path: &Path) -> PathBuf {
        let name: String = path
            .to_string_lossy()
            .chars()
            .map(|it| if it.is_ascii_alphanumeric() || it == '.' { it } else { '-' })
            .collect();
        // A name has 255 bytes at most; the end of a path tells more than its beginning.
        let from = name.len().saturating_sub(200);
        self.folder.join(format!("{}.json", &name[from..]))
    }
}
