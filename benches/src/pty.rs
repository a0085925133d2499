//! A pseudo-terminal for the clock: nothing but the bytes that arrive, read where they are timed.
//! The test terminal parses and hands over between threads, which would be measured as well.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use askwell_testkit::TestEnvironment;
use filedescriptor::FileDescriptor;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// No program that is measured takes this long.
const DEADLINE: Duration = Duration::from_secs(10);

/// A program in a terminal of 80×24.
pub struct Pty {
    started: Instant,
    master: FileDescriptor,
    child: Box<dyn Child + Send + Sync>,
    output: Vec<u8>,
    /// Never used again, but without it the program would be hung up.
    _pty: Box<dyn MasterPty + Send>,
}

impl Pty {
    /// Starts the program; its time runs from here.
    pub fn spawn<S: Into<OsString>>(
        environment: &TestEnvironment,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size)?;
        let descriptor = pair.master.as_raw_fd().context("a terminal without a descriptor")?;
        let master = FileDescriptor::dup(&descriptor)?;
        let mut command = CommandBuilder::new(program);
        command.args(arguments.into_iter().map(Into::into));
        command.cwd(environment.work());
        command.env_clear();
        for (name, value) in environment.variables() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");

        let started = Instant::now();
        let child = pair.slave.spawn_command(command)?;
        drop(pair.slave);
        Ok(Self { started, master, child, output: Vec::new(), _pty: pair.master })
    }

    /// Reads until `text` has been written; the time since the start.
    pub fn time_to(&mut self, text: &str) -> Result<Duration> {
        let found = |output: &[u8]| output.windows(text.len()).any(|part| part == text.as_bytes());
        while !found(&self.output) {
            if self.read(DEADLINE)?.is_none() {
                let shown = String::from_utf8_lossy(&self.output);
                bail!("no {text:?} within {DEADLINE:?}; it wrote {shown:?}");
            }
        }
        Ok(self.started.elapsed())
    }

    /// Reads until the program has ended; the time since the start.
    pub fn time_to_end(mut self) -> Result<Duration> {
        // The end of a terminal that nobody holds is an error, and here it is what is waited for.
        while let Ok(Some(_)) = self.read(DEADLINE) {}
        self.child.wait()?;
        Ok(self.started.elapsed())
    }

    /// The program's process id.
    pub fn process_id(&self) -> Option<u32> {
        self.child.process_id()
    }

    /// Presses a key; when the last byte that came of it was there, and how many there were.
    pub fn press(&mut self, key: &[u8]) -> Result<(Duration, usize)> {
        /// A program that writes a frame does not pause this long within it.
        const PAUSE: Duration = Duration::from_millis(5);

        let pressed = Instant::now();
        rustix::io::write(&self.master, key)?;
        let mut bytes = self.read(Duration::from_secs(1))?.context("nothing came of a key")?;
        let mut last = pressed.elapsed();
        while let Some(more) = self.read(PAUSE)? {
            last = pressed.elapsed();
            bytes += more;
        }
        Ok((last, bytes))
    }

    /// Reads until nothing has been written for `silence`.
    pub fn settle(&mut self, silence: Duration) -> Result<()> {
        while self.read(silence)?.is_some() {}
        Ok(())
    }

    /// Reads once, if anything comes within `time`; how much it was.
    fn read(&mut self, time: Duration) -> Result<Option<usize>> {
        let mut sources = [PollFd::new(&self.master, PollFlags::IN)];
        if poll(&mut sources, Some(&Timespec::try_from(time)?))? == 0 {
            return Ok(None);
        }
        let mut buffer = [0; 16 * 1024];
        let length = rustix::io::read(&self.master, &mut buffer).context("the program ended")?;
        let bytes = &buffer[..length];
        self.output.extend_from_slice(bytes);
        // What every terminal answers, so that no program waits for it.
        if bytes.windows(3).any(|part| part == b"\x1b[c") {
            rustix::io::write(&self.master, b"\x1b[?62;22c")?;
        }
        Ok(Some(length))
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
