//! One run of a dialog and its draft file.
//!
//! Invariants: what was saved stays until [`DraftRun::discard`]; a run in which nothing was entered
//! leaves no file; after the run nothing is written any more.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askwell_core::draft::Entered;

use super::file::{self, Document};
use super::key::Key;
use super::lock::Claim;
use super::{DraftFolder, Offered, millis};

/// A dialog that is running, and the drafts that belong to it. Dropping it keeps them.
#[derive(Debug)]
pub struct DraftRun {
    own: Arc<Mutex<Own>>,
    earlier: Option<(Claim, Offered)>,
}

/// Saves the draft of a run, from whichever thread.
#[derive(Debug, Clone)]
pub struct DraftSaver {
    own: Arc<Mutex<Own>>,
}

#[derive(Debug)]
struct Own {
    folder: DraftFolder,
    key: Key,
    created: u64,
    /// Nothing until the first save.
    claim: Option<Claim>,
    saved: Option<Entered>,
    failure: Option<String>,
    over: bool,
}

impl DraftRun {
    pub(super) fn new(folder: DraftFolder, key: Key, earlier: Option<(Claim, Offered)>) -> Self {
        let created = millis((folder.clock)());
        let own =
            Own { folder, key, created, claim: None, saved: None, failure: None, over: false };
        Self { own: Arc::new(Mutex::new(own)), earlier }
    }

    /// The earlier draft that can be offered. No other run is offered it while this one lives.
    pub fn offered(&self) -> Option<&Offered> {
        self.earlier.as_ref().map(|(_, offered)| offered)
    }

    /// By which it is found again when the same is asked.
    pub fn key(&self) -> String {
        lock(&self.own).key.as_str().to_owned()
    }

    /// What saves the draft of this run.
    pub fn saver(&self) -> DraftSaver {
        DraftSaver { own: Arc::clone(&self.own) }
    }

    /// Where what was entered is kept: in this run, else in the one before.
    pub fn path(&self) -> Option<PathBuf> {
        let own = lock(&self.own);
        match (&own.claim, &own.saved) {
            (Some(claim), Some(entered)) if !entered.is_untouched() => Some(claim.draft()),
            _ => self.earlier.as_ref().map(|(claim, _)| claim.draft()),
        }
    }

    /// The person has taken the earlier draft up: once this run's own holds all of it, the earlier
    /// one is only a copy, and goes.
    pub fn supersede(&mut self) {
        let saved = {
            let own = lock(&self.own);
            own.is_on_disk() && own.saved.as_ref().is_some_and(|saved| !saved.is_untouched())
        };
        if let (true, Some((claim, _))) = (saved, self.earlier.take()) {
            claim.delete();
        }
    }

    /// Why the draft could not be saved, where that is so.
    pub fn failure(&self) -> Option<String> {
        lock(&self.own).failure.clone()
    }

    /// Removes the draft of this run, and the earlier one where the person took it up.
    pub fn discard(mut self, restored: bool) {
        let mut own = lock(&self.own);
        own.over = true;
        if let Some(claim) = own.claim.take() {
            claim.delete();
        }
        if let (true, Some((claim, _))) = (restored, self.earlier.take()) {
            claim.delete();
        }
    }
}

impl Drop for DraftRun {
    fn drop(&mut self) {
        let mut own = lock(&self.own);
        own.over = true;
        let empty = own.saved.as_ref().is_none_or(Entered::is_untouched);
        match own.claim.take() {
            Some(claim) if empty => claim.delete(),
            _ => {}
        }
    }
}

impl DraftSaver {
    /// Saves the draft as it stands. It is on disk when this returns.
    ///
    /// # Errors
    /// What kept it from being written, with the path.
    pub fn save(&self, entered: &Entered) -> io::Result<()> {
        let mut own = lock(&self.own);
        let same = own.saved.as_ref() == Some(entered);
        if own.over || (same && (own.is_on_disk() || entered.is_untouched())) {
            return Ok(());
        }
        let written = own.write(entered);
        own.failure = written.as_ref().err().map(ToString::to_string);
        written
    }
}

impl DraftSaver {
    /// Removes the draft of this run: it is safe elsewhere. The next save makes another one.
    pub fn clear(&self) {
        let mut own = lock(&self.own);
        (own.saved, own.failure) = (None, None);
        if let Some(claim) = own.claim.take() {
            claim.delete();
        }
    }
}

impl Own {
    fn is_on_disk(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.draft().exists())
    }

    fn write(&mut self, entered: &Entered) -> io::Result<()> {
        // The folder may have been taken away, and the lock with it.
        let claim = match self.claim.take() {
            Some(claim) if self.folder.path.is_dir() => claim,
            None if entered.is_untouched() => return Ok(()),
            _ => self.make().map_err(|error| named(&error, &self.folder.path))?,
        };
        let saved = millis((self.folder.clock)());
        let document = Document::new(self.created, saved, entered.clone());
        let written = file::write(&claim.draft(), &document);
        let written = written.map_err(|error| named(&error, &claim.draft()));
        self.claim = Some(claim);
        written?;
        self.saved = Some(document.entered);
        Ok(())
    }

    fn make(&mut self) -> io::Result<Claim> {
        let folder = &self.folder.path;
        file::make_folder(folder)?;
        loop {
            let stem = format!("{}-{}-{}", self.key.as_str(), self.created, std::process::id());
            // A process may begin two runs in the same millisecond.
            match Claim::make(folder, &stem) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Ok(claim) if claim.draft().exists() => {}
                made => return made,
            }
            self.created += 1;
        }
    }
}

/// Why, without the number that says it to programs, then where.
fn named(error: &io::Error, path: &std::path::Path) -> io::Error {
    let why = error.to_string();
    let why = why.split(" (os error").next().unwrap_or_default();
    io::Error::new(error.kind(), format!("{why}: {}", path.display()))
}

fn lock(own: &Mutex<Own>) -> MutexGuard<'_, Own> {
    own.lock().unwrap_or_else(PoisonError::into_inner)
}
