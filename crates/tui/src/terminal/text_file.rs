//! The file that the person's own editor is given, and those that a killed dialog has left behind.
//!
//! Its name says of which text it is, and which process watches over it. Invariants: it is the
//! owner's only; what is no regular file is never read, since it may never end.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use askwell_core::limits;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::external::fault;
use crate::editor;
use crate::event::{EditorFault, EditorFaultKind};

/// The file of one editor.
pub(super) struct TextFile {
    path: PathBuf,
    /// What we wrote.
    begun: Vec<u8>,
}

impl TextFile {
    pub(super) fn write(folder: &Path, name: &str, text: &str) -> io::Result<Self> {
        let mut begun = text.as_bytes().to_vec();
        if !begun.is_empty() {
            // Editors end a last line that has no end; one newline is taken off again.
            begun.push(b'\n');
        }
        let (mut file, path) = make(folder, name)?;
        let made = Self { path, begun };
        file.write_all(&made.begun).inspect_err(|_| made.remove())?;
        Ok(made)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The text that the editor left, checked. The file goes, unless it holds what was not taken.
    pub(super) fn take(
        &self,
        ended: Result<(), String>,
        limit: usize,
    ) -> Result<String, EditorFault> {
        let bytes = read(&self.path, limit);
        let untouched = bytes.as_ref().is_ok_and(|bytes| *bytes == self.begun);
        let taken = ended.map_err(EditorFaultKind::Failed).and_then(|()| {
            let bytes = bytes.map_err(|error| EditorFaultKind::Unreadable(error.to_string()))?;
            text_of(bytes, limit)
        });
        match taken {
            Ok(text) => {
                self.remove();
                Ok(text)
            }
            Err(kind) if untouched => {
                self.remove();
                Err(fault(kind))
            }
            Err(kind) => {
                let kept = self.path.exists().then(|| self.path.clone());
                Err(EditorFault { kind, kept })
            }
        }
    }

    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The bytes of a file: far more than the limit need not be read to know that they are.
fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    // Opening one of another kind must not wait for somebody at its other end.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file any more"));
    }
    let mut bytes = Vec::new();
    // Every line end may be two bytes here.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_mul(2).saturating_add(8);
    file.take(most).read_to_end(&mut bytes)?;
    // A cut through a character is no other fault than the length.
    if bytes.len() as u64 == most {
        let whole = String::from_utf8_lossy(&bytes).into_owned();
        return Ok(whole.into_bytes());
    }
    Ok(bytes)
}

/// The text that such bytes are.
fn text_of(bytes: Vec<u8>, limit: usize) -> Result<String, EditorFaultKind> {
    let text = String::from_utf8(bytes).map_err(|_| EditorFaultKind::NotText)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    editor::whole(text, limit).ok_or(EditorFaultKind::TooLong(limit))
}

const PREFIX: &str = "edit-";
const SUFFIX: &str = ".txt";

/// A new file of this user alone.
fn make(folder: &Path, name: &str) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        number += 1;
        let process = std::process::id();
        let path = folder.join(format!("{PREFIX}{name}-{process}-{number}{SUFFIX}"));
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match opened {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.is_dir() => {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("{error}: {}", path.display())));
            }
        }
    }
}

/// What an editor wrote under a dialog that did not live to take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftText {
    /// Where it is.
    pub path: PathBuf,
    /// The question that it answers; none for the comment of a cancellation.
    pub question: Option<usize>,
    /// What it says.
    pub text: String,
}

/// The texts in this folder that editors have left of the request with this key. Those of whichever
/// request that were not touched for longer than `kept` are removed.
pub fn texts_left(folder: &Path, key: &str, kept: Duration) -> Vec<LeftText> {
    let mut left = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().and_then(Name::parse) else { continue };
        if is_alive(name.process) {
            continue;
        }
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.map(|it| SystemTime::now().duration_since(it).unwrap_or_default());
        if age.is_ok_and(|age| age > kept) {
            let _ = fs::remove_file(path);
        } else if name.key == key
            && let Ok(bytes) = read(&path, limits::CUSTOM)
            && let Ok(text) = text_of(bytes, limits::CUSTOM)
        {
            left.push(LeftText { path, question: name.place.checked_sub(1), text });
        }
    }
    left.sort_by(|a, b| a.path.cmp(&b.path));
    left
}

/// What an editor's file on this text is called, but for what makes it the only one.
pub(crate) fn name(key: &str, question: Option<usize>) -> String {
    let place = question.map_or(0, |index| index + 1);
    format!("{}-{place}", if key.is_empty() { "text" } else { key })
}

/// A file's name: `edit-<key>-<place>-<process id>-<number>.txt`.
struct Name {
    key: String,
    place: usize,
    process: i32,
}

impl Name {
    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.rsplitn(4, '-');
        let (_, process) = (parts.next()?.parse::<u32>().ok()?, parts.next()?.parse().ok()?);
        let place = parts.next()?.parse().ok()?;
        Some(Self { key: parts.next()?.to_owned(), place, process })
    }
}

/// Whether there is such a process: what it watches over is not left behind.
fn is_alive(process: i32) -> bool {
    let Some(process) = Pid::from_raw(process) else { return false };
    !matches!(test_kill_process(process), Err(Errno::SRCH))
}
