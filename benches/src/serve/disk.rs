//! What this disk takes for one small durable write, in the folder that is measured in.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

/// A file that is written over and over, as a write-ahead log is.
pub struct Disk(File);

/// Where the file begins again.
const LENGTH: u64 = 4 << 20;
const PAGE: [u8; 4096] = [0x5a; 4096];

impl Disk {
    /// Makes the file.
    pub fn new(folder: &Path) -> Result<Self> {
        let mut file = File::create_new(folder.join("fsync"))?;
        for _ in 0..LENGTH / PAGE.len() as u64 {
            file.write_all(&PAGE)?;
        }
        file.sync_all()?;
        file.rewind()?;
        Ok(Self(file))
    }

    /// Writes one page; the time until it is on disk.
    pub fn fsync(&mut self) -> Result<Duration> {
        if self.0.stream_position()? >= LENGTH {
            self.0.seek(SeekFrom::Start(0))?;
        }
        let start = Instant::now();
        self.0.write_all(&PAGE)?;
        self.0.sync_all()?;
        Ok(start.elapsed())
    }
}
