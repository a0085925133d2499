//! Whose turn it is at the terminal among several processes, as in `askwell ask a | askwell ask -`.
//!
//! Invariant: of all processes of this user in one terminal at most one has a dialog on it; the
//! others wait, and end as withdrawn or expired while they do.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use askwell_core::Outcome;

use crate::Cancel;
use crate::drafts::{self, DraftFolder};

/// How often one that waits looks again.
const LOOK: Duration = Duration::from_millis(50);

const PREFIX: &str = "terminal-";
const SUFFIX: &str = ".lock";

/// The terminal, until it is dropped.
pub(super) struct Seat {
    held: Option<(File, PathBuf)>,
}

/// Waits until no other process has a dialog on this terminal.
pub(super) fn wait(cancel: &Cancel, deadline: Option<Instant>) -> Result<Seat, Outcome> {
    let Some(path) = path() else { return Ok(Seat { held: None }) };
    loop {
        match drafts::lock(&path, OpenOptions::new().create(true)) {
            Ok(file) => return Ok(Seat { held: Some((file, path)) }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            // A folder that can't be written: better two dialogs than none.
            Err(_) => return Ok(Seat { held: None }),
        }
        if let Some(reason) = cancel.reason() {
            return Err(Outcome::Aborted { reason });
        }
        if deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Outcome::Expired);
        }
        std::thread::sleep(LOOK);
    }
}

/// The lock of this terminal, by its session: a terminal is that of one.
fn path() -> Option<PathBuf> {
    let session = askwell_tui::terminal_session()?;
    let drafts = DraftFolder::of_this_user()?;
    let folder = drafts.path().parent()?;
    drafts::make_folder(folder).ok()?;
    Some(folder.join(format!("{PREFIX}{session}{SUFFIX}")))
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Some((_, path)) = &self.held else { return };
        let _ = fs::remove_file(path);
        // Here, where nobody waits for a first frame.
        path.parent().into_iter().for_each(clear);
    }
}

/// Removes the locks of terminals in which a dialog was killed: nobody holds them.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let session =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        if session.is_some_and(|session| session.parse::<u32>().is_ok())
            && drafts::lock(&entry.path(), &mut OpenOptions::new()).is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}
