//! What the program reads: a file or standard input, within a bound, with errors that name it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use askwell::limits;
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::low_level::signal_name;

use crate::report::{Exit, Failure};

/// The most bytes that are read: one more than a request may have.
const BOUND: usize = limits::REQUEST + 1;

/// Where something is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Input {
    /// The input that an argument names: `-` is standard input.
    pub fn named(argument: &Path) -> Self {
        match argument.as_os_str() == "-" {
            true => Self::Stdin,
            false => Self::File(argument.to_owned()),
        }
    }

    /// Reads everything; at most one byte more than a request may have.
    ///
    /// # Errors
    /// What kept it from being read.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::with_capacity(16 * 1024);
        let bound = BOUND as u64;
        let read = match self {
            Self::Stdin => io::stdin().lock().take(bound).read_to_end(&mut bytes),
            Self::File(path) => {
                File::open(path).and_then(|file| file.take(bound).read_to_end(&mut bytes))
            }
        };
        read.map_err(|error| self.unreadable(&error))?;
        Ok(without_mark(bytes))
    }

    /// Reads everything, unless SIGTERM or SIGHUP comes while standard input goes on: then its name.
    ///
    /// # Errors
    /// What kept it from being read.
    pub fn read_or_signal(&self) -> Result<Result<Vec<u8>, &'static str>, Failure> {
        match self {
            Self::File(_) => self.read().map(Ok),
            Self::Stdin => {
                let read = stdin_or_signal().map_err(|error| self.unreadable(&error))?;
                Ok(read.map(without_mark))
            }
        }
    }

    /// Reads everything as text.
    ///
    /// # Errors
    /// What kept it from being read, or where it is not UTF-8.
    pub fn read_text(&self) -> Result<String, Failure> {
        let bytes = self.read()?;
        if bytes.len() > limits::REQUEST {
            let bound = limits::REQUEST;
            return Err(Failure::usage(format!("{self} is too long (at most {bound} bytes)")));
        }
        String::from_utf8(bytes).map_err(|error| {
            let place = not_utf8(error.as_bytes()).unwrap_or_default();
            Failure::usage(format!("{self} is not UTF-8 text: {place}"))
        })
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        let (exit, why) = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                (Exit::Usage, "there is no such file".to_owned())
            }
            io::ErrorKind::IsADirectory => (Exit::Usage, "it is a directory".to_owned()),
            io::ErrorKind::PermissionDenied => (Exit::Usage, "permission denied".to_owned()),
            io::ErrorKind::InvalidFilename => (Exit::Usage, "no file has such a name".to_owned()),
            _ => (Exit::Failure, error.to_string()),
        };
        Failure::new(exit, format!("can't read {self}: {why}"))
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// Some editors begin a text with a byte order mark; it is no part of the text.
fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    bytes
}

fn stdin_or_signal() -> io::Result<Result<Vec<u8>, &'static str>> {
    let withdrawn = Withdrawn::watch()?;
    let mut stdin = io::stdin().lock();
    let (mut bytes, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
    while bytes.len() < BOUND {
        let mut ready = [rustix::stdio::stdin(), withdrawn.woken.as_fd()]
            .map(|end| PollFd::from_borrowed_fd(end, PollFlags::IN));
        match poll(&mut ready, None) {
            Err(rustix::io::Errno::INTR) => {}
            polled => drop(polled?),
        }
        if let Some(name) = withdrawn.signal() {
            return Ok(Err(name));
        }
        if !ready[0].revents().is_empty() {
            match stdin.read(&mut piece)? {
                0 => break,
                count => bytes.extend_from_slice(&piece[..count]),
            }
        }
    }
    bytes.truncate(BOUND);
    Ok(Ok(bytes))
}

/// Catches what withdraws a request, while it lives.
struct Withdrawn {
    woken: UnixStream,
    caught: Arc<AtomicUsize>,
    released: Arc<AtomicBool>,
    registered: Vec<SigId>,
}

impl Withdrawn {
    fn watch() -> io::Result<Self> {
        let (woken, wake) = UnixStream::pair()?;
        let (caught, released) = (Arc::default(), Arc::default());
        let mut watch = Self { woken, caught, released, registered: Vec::new() };
        for signal in [SIGTERM, SIGHUP] {
            let released = Arc::clone(&watch.released);
            signal_hook::flag::register_conditional_default(signal, released)?;
            let caught = Arc::clone(&watch.caught);
            watch.registered.extend([
                signal_hook::flag::register_usize(signal, caught, signal as usize)?,
                signal_hook::low_level::pipe::register(signal, wake.try_clone()?)?,
            ]);
        }
        Ok(watch)
    }

    fn signal(&self) -> Option<&'static str> {
        signal_name(self.caught.load(Ordering::SeqCst) as i32)
    }
}

impl Drop for Withdrawn {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            signal_hook::low_level::unregister(id);
        }
        self.released.store(true, Ordering::SeqCst);
    }
}

/// The first place where bytes are no UTF-8.
pub fn not_utf8(bytes: &[u8]) -> Option<String> {
    let valid = std::str::from_utf8(bytes).err()?.valid_up_to();
    let before = &bytes[..valid];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Some(format!("the byte 0x{:02x} at line {line} column {column}", bytes[valid]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_byte_is_told_by_its_place() {
        assert_eq!(not_utf8("„quoted“".as_bytes()), None);
        assert_eq!(
            not_utf8(b"{\n  \"\xc3\xa9\xff").as_deref(),
            Some("the byte 0xff at line 2 column 6")
        );
    }
}
