//! Drafts in files, for dialogs that no host stands behind: one owner-only file a run, found again
//! by whoever asks the same.
//!
//! Owns the folder: names, ages, which draft is offered, what is cleared away. What a person
//! entered is [`askwell_core::draft`]; showing and applying an offer is the dialog's. Invariants: a
//! draft that a live run uses is neither offered nor removed; a file that can't be read is set
//! aside, never deleted; nothing here ever stops a dialog.

mod file;
mod key;
mod lock;
mod run;

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askwell_core::ValidRequest;
use askwell_core::draft::Entered;

#[cfg(feature = "terminal")]
pub(crate) use file::make_folder;
use file::{Contents, Document};
use key::Key;
use lock::Claim;
#[cfg(feature = "terminal")]
pub(crate) use lock::lock;
pub use run::{DraftRun, DraftSaver};

/// How long a draft is kept after it was last saved.
pub const KEPT: Duration = Duration::from_hours(7 * 24);

type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The folder that holds the drafts of one user.
#[derive(Clone)]
pub struct DraftFolder {
    path: PathBuf,
    clock: Clock,
}

/// An earlier draft of the same request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// What was entered.
    pub entered: Entered,
    /// How long ago it was saved.
    pub age: Duration,
}

impl DraftFolder {
    /// A folder of one's own choice. It is made when the first draft is saved.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), clock: Arc::new(SystemTime::now) }
    }

    /// This user's folder: `askwell/drafts` below `$XDG_STATE_HOME`, or `~/.local/state`.
    pub fn of_this_user() -> Option<Self> {
        let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
        let state = state.filter(|path| path.is_absolute()).or_else(|| {
            let home = std::env::home_dir().filter(|path| path.is_absolute())?;
            Some(home.join(".local/state"))
        })?;
        Some(Self::new(state.join("askwell/drafts")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Begins a run of this request, asked from the folder `cwd`: clears away what is too old, and
    /// finds the draft that can be offered. Writes nothing yet.
    pub fn begin(&self, request: &ValidRequest, cwd: &Path) -> DraftRun {
        self.begin_as(Key::of(request, cwd))
    }

    /// Begins a run on a request of a host, whose id this is, for what the host could not be given.
    pub fn begin_for(&self, id: &str) -> DraftRun {
        self.begin_as(Key::of_request(id))
    }

    fn begin_as(&self, key: Key) -> DraftRun {
        let now = (self.clock)();
        let mut best: Option<(Claim, Document)> = None;
        for entry in self.entries() {
            let Some(name) = Name::parse(&entry) else {
                continue;
            };
            if name.kind == Kind::Draft && name.key() == key.as_str() {
                let saved = |found: &(Claim, Document)| found.1.saved;
                let found = self.open(&name, now);
                if found.as_ref().map(saved) > best.as_ref().map(saved) {
                    best = found;
                }
            } else if is_old(&entry, now) {
                self.clear(&name);
            }
        }
        let offered = best.map(|(claim, document)| {
            let age = age(document.saved, now);
            (claim, Offered { entered: document.entered, age })
        });
        DraftRun::new(self.clone(), key, offered)
    }

    fn entries(&self) -> impl Iterator<Item = DirEntry> {
        fs::read_dir(&self.path).into_iter().flatten().flatten()
    }

    /// A draft of the same request that nobody uses and that holds something.
    fn open(&self, name: &Name, now: SystemTime) -> Option<(Claim, Document)> {
        let claim = Claim::take(&self.path, &name.stem)?;
        let path = claim.draft();
        match file::read(&path) {
            Contents::Draft(document) if age(document.saved, now) > KEPT => {
                claim.delete();
                None
            }
            Contents::Draft(document) => {
                (!document.entered.is_untouched()).then_some((claim, document))
            }
            Contents::OfAnotherVersion | Contents::Gone => None,
            Contents::Unreadable => {
                // It stays for a person to look at; where even that fails it stays where it is.
                let _ = fs::rename(&path, path.with_extension("unreadable"));
                None
            }
        }
    }

    /// Removes a file that is too old, unless a run uses it.
    fn clear(&self, name: &Name) {
        let unfinished = self.path.join(format!("{}.tmp", name.stem));
        match (name.kind, Claim::take(&self.path, &name.stem)) {
            (_, None) => {}
            (Kind::Draft, Some(claim)) => claim.delete(),
            // The claim takes the lock along. A draft that it belonged to has an age of its own.
            (Kind::Lock, Some(_)) => {}
            (Kind::Unfinished, Some(_)) => {
                let _ = fs::remove_file(unfinished);
            }
        }
    }
}

impl std::fmt::Debug for DraftFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("DraftFolder").field(&self.path).finish()
    }
}

/// The name of a file in the folder: `<key>-<start in ms>-<process id>.<kind>`.
struct Name {
    stem: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Draft,
    Lock,
    /// What a killed run was just writing.
    Unfinished,
}

impl Name {
    /// Nothing for a file that is not ours to touch, those set aside among them.
    fn parse(entry: &DirEntry) -> Option<Self> {
        let name = entry.file_name().into_string().ok()?;
        let (stem, kind) = name.rsplit_once('.')?;
        let kind = match kind {
            "json" => Kind::Draft,
            "lock" => Kind::Lock,
            "tmp" => Kind::Unfinished,
            _ => return None,
        };
        let (key, rest) = stem.split_at_checked(key::LENGTH)?;
        let (start, process) = rest.strip_prefix('-')?.split_once('-')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let ours = key.bytes().all(|b| b.is_ascii_hexdigit()) && digits(start) && digits(process);
        ours.then(|| Self { stem: stem.to_owned(), kind })
    }

    fn key(&self) -> &str {
        &self.stem[..key::LENGTH]
    }
}

fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// None where the clock was put back since.
fn age(saved: u64, now: SystemTime) -> Duration {
    Duration::from_millis(millis(now).saturating_sub(saved))
}

fn is_old(entry: &DirEntry, now: SystemTime) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| now.duration_since(modified).unwrap_or_default() > KEPT)
}

#[cfg(test)]
mod tests;
