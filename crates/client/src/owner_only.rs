//! Small files that nobody but their owner can read or has written: whole or not there.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

use crate::place::make_private;

/// More than any of them holds.
const MOST: u64 = 64 * 1024;

/// Reads a file; nothing where there is none.
///
/// # Errors
/// Where it can't be read, or somebody else could have read or written it.
pub(crate) fn read(path: &Path) -> io::Result<Option<String>> {
    // A pipe in its place must not hold anybody up.
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = match OpenOptions::new().read(true).custom_flags(nonblocking).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let message = format!("{} is no file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        let message = format!("{} belongs to another user", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    if metadata.mode() & 0o077 != 0 {
        let message = format!("{} is open to other users: chmod 600 it", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Writes a file that only its owner can read, in a folder of the same kind, in the place of the one that
/// is there: whole or not at all.
///
/// # Errors
/// Where it can't be written. What was there stays.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    put(path, text, |unfinished| fs::rename(unfinished, path))
}

/// Writes a file where there is none; another one's stays.
///
/// # Errors
/// Where it can't be written.
pub(crate) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let there = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    put(path, text, |unfinished| {
        let linked = fs::hard_link(unfinished, path);
        let _ = fs::remove_file(unfinished);
        linked.or_else(|error| if there(&error) { Ok(()) } else { Err(error) })
    })
}

fn put(path: &Path, text: &str, finish: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        make_private(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let unfinished = path.with_file_name(name);
    // What a killed process of the same id left would keep its mode.
    let _ = fs::remove_file(&unfinished);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&unfinished)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| finish(&unfinished));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_is_new_is_written_once() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");

        write_new(&path, "one").unwrap();
        write_new(&path, "two").unwrap();

        assert_eq!(read(&path).unwrap().as_deref(), Some("one"));
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_written_is_read_back_and_closed_to_others() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("made/file");

        assert_eq!(read(&path).unwrap(), None);
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();

        assert_eq!(read(&path).unwrap().as_deref(), Some("two"));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_pipe_in_the_place_of_a_file_holds_nobody_up() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");
        let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&path).status();
        assert!(made.unwrap().success());

        let error = read(&path).unwrap_err();

        assert!(error.to_string().contains("is no file"), "{error}");
    }

    #[test]
    fn what_others_could_read_is_not_taken() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");
        write(&path, "secret").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();

        let error = read(&path).unwrap_err();

        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }
}
