//! What the files of agents were before they were changed, so that they can be given back as they were.
//!
//! Kept in the state folder, for its owner's eyes only: a configuration may hold secrets.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askwell::inbox::write_owner_only;
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
    /// Folders that were not there either, the innermost first.
    #[serde(default)]
    folders: Vec<PathBuf>,
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

    /// Remembers what a file is before this change is made.
    ///
    /// # Errors
    /// Where it can't be kept.
    pub fn keep(&self, edit: &Edit) -> Result<(), Failure> {
        let Some(after) = &edit.after else { return Ok(()) };
        self.try_keep(edit, after).map_err(|error| {
            let (path, folder) = (edit.path.display(), self.folder.display());
            let why =
                format!("{path} is left as it is: what it was can't be kept in {folder}: {error}");
            Failure::new(Exit::Failure, why)
        })
    }

    fn try_keep(&self, edit: &Edit, after: &str) -> io::Result<()> {
        // Changed twice: what it was before the first time.
        let first =
            self.remembered(&edit.path).filter(|it| Some(&it.after) == edit.before.as_ref());
        let (before, folders) = match first {
            Some(first) => (first.before, first.folders),
            None => (edit.before.clone(), missing_folders(&edit.path)),
        };
        let remembered =
            Remembered { path: edit.path.clone(), before, after: after.to_owned(), folders };
        let text = serde_json::to_string(&remembered).map_err(io::Error::other)?;
        write_owner_only(&self.file(&edit.path), &text)
    }

    /// Forgets what was undone, and takes away the folders that were made for it, if they are empty.
    ///
    /// # Errors
    /// Where it can't be forgotten.
    pub fn forget(&self, path: &Path) -> Result<(), Failure> {
        let Some(remembered) = self.remembered(path) else { return Ok(()) };
        for folder in &remembered.folders {
            // One that holds anything stays.
            let _ = fs::remove_dir(folder);
        }
        let file = self.file(path);
        fs::remove_file(&file).map_err(|error| {
            Failure::new(Exit::Failure, format!("can't remove {}: {error}", file.display()))
        })
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

/// The folders that have to be made for this file, the innermost first.
fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let folders = path.ancestors().skip(1).take_while(|folder| !folder.exists());
    folders.map(Path::to_owned).collect()
}
