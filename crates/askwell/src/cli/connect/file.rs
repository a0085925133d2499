//! Files of others: read whole, shown as a difference, written whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::report::{Exit, Failure};

/// A file and what it shall hold.
pub struct Edit {
    /// Where it is.
    pub path: PathBuf,
    /// What it holds; nothing where it is not there.
    pub before: Option<String>,
    /// What it shall hold; nothing where it shall not be there.
    pub after: Option<String>,
    /// Whether this takes a connection out.
    pub is_removal: bool,
}

/// What a file holds; nothing where it is not there.
pub fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| {
            Failure::usage(format!("{} is left as it is: it is not UTF-8 text", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(to) => Err(Failure::new(
                Exit::Failure,
                format!("{} leads to {}, which is not there", path.display(), to.display()),
            )),
            Err(_) => Ok(None),
        },
        Err(error) => {
            Err(Failure::new(Exit::Failure, format!("can't read {}: {error}", path.display())))
        }
    }
}

impl Edit {
    /// Whether there is anything to be done.
    pub fn changes(&self) -> bool {
        self.before != self.after
    }

    /// The difference, as `diff -u` tells it.
    pub fn diff(&self) -> Vec<String> {
        let path = self.path.display().to_string();
        let name = |text: &Option<String>| match text {
            Some(_) => path.clone(),
            None => "/dev/null".to_owned(),
        };
        let (old, new) = (name(&self.before), name(&self.after));
        let before = self.before.as_deref().unwrap_or_default();
        let after = self.after.as_deref().unwrap_or_default();
        let diff = TextDiff::from_lines(before, after);
        let text = diff.unified_diff().context_radius(3).header(&old, &new).to_string();
        text.lines().map(str::to_owned).collect()
    }

    /// Whether it may be written. What replaces a file need not ask whether that one can be: somebody
    /// who made it read-only, or a program that looks after it, does not want it changed.
    ///
    /// # Errors
    /// Where the file is read-only.
    pub fn check(&self) -> Result<(), Failure> {
        match fs::metadata(&self.path) {
            Ok(found) if found.permissions().readonly() => {
                let path = self.path.display();
                let why =
                    format!("{path} is left as it is, and nothing was written: it is read-only");
                Err(Failure::new(Exit::Failure, why)
                    .hint("chmod u+w makes it writable, if no other program looks after it"))
            }
            _ => Ok(()),
        }
    }

    /// What makes the file again what it was before this.
    pub fn taken_back(&self) -> Self {
        let (path, is_removal) = (self.path.clone(), self.is_removal);
        Self { path, before: self.after.clone(), after: self.before.clone(), is_removal }
    }

    /// Writes it: whole or not at all, where a link leads, with the mode that it had.
    pub fn write(&self) -> Result<(), Failure> {
        let written = match &self.after {
            Some(text) => replace(&self.path, text),
            None => fs::remove_file(&self.path),
        };
        written.map_err(|error| {
            Failure::new(Exit::Failure, format!("can't write {}: {error}", self.path.display()))
        })
    }
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = match path.is_symlink() {
        true => path.canonicalize()?,
        false => path.to_owned(),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mode = match fs::metadata(&path) {
        Ok(metadata) => Some(metadata.permissions().mode() & 0o7777),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let unfinished = path.with_file_name(name);
    let written = write_new(&unfinished, text, mode).and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_new(path: &Path, text: &str, mode: Option<u32>) -> io::Result<()> {
    // As closed as it may have to be, from the beginning.
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode.unwrap_or(0o666));
    let mut file: File = options.open(path)?;
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
