//! What the program reads: a file or standard input, within a bound, with errors that name it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use askwell::limits;

use crate::report::{Exit, Failure};

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
        let bound = limits::REQUEST as u64 + 1;
        let read = match self {
            Self::Stdin => io::stdin().lock().take(bound).read_to_end(&mut bytes),
            Self::File(path) => {
                File::open(path).and_then(|file| file.take(bound).read_to_end(&mut bytes))
            }
        };
        read.map_err(|error| self.unreadable(&error))?;
        // Some editors begin a text with it; it is no part of the text.
        if bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..'\u{feff}'.len_utf8());
        }
        Ok(bytes)
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
