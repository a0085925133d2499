//! Keys from the terminal: bytes in, events out.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use termina::Parser;

use super::control::Wakeups;
use crate::event::Event;

/// A sequence that a slow line cut in two goes on within this; an Esc alone does not.
const SEQUENCE: Duration = Duration::from_millis(25);

pub(super) struct Input<'a> {
    tty: &'a File,
    parser: Parser,
    buffer: Vec<u8>,
    /// The last read ended in an Esc that may begin a sequence.
    esc_waits: bool,
}

/// What there is to take in.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Ready {
    pub(super) keys: bool,
    pub(super) events: bool,
}

impl<'a> Input<'a> {
    pub(super) fn new(tty: &'a File) -> Self {
        Self { tty, parser: Parser::default(), buffer: vec![0; 16 * 1024], esc_waits: false }
    }

    /// Waits for keys, events or the end of `timeout`.
    pub(super) fn wait(&self, wakeups: &Wakeups, timeout: Option<Duration>) -> io::Result<Ready> {
        let wake = wakeups.fd();
        let mut fds = [PollFd::new(self.tty, PollFlags::IN), PollFd::new(&wake, PollFlags::IN)];
        match poll(&mut fds, timespec(timeout).as_ref()) {
            Ok(_) => Ok(Ready {
                keys: !fds[0].revents().is_empty(),
                events: !fds[1].revents().is_empty(),
            }),
            Err(Errno::INTR) => Ok(Ready::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// The events of one read.
    pub(super) fn read(&mut self) -> io::Result<Vec<Event>> {
        let count = match rustix::io::read(self.tty, &mut *self.buffer) {
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        if count == 0 {
            return Err(Errno::IO.into());
        }
        let bytes = &self.buffer[..count];
        if self.esc_waits && !matches!(bytes[0], b'[' | b'O') {
            // An Esc and a key after it, not the key with Alt: that comes in one piece.
            self.parser.parse(&[], false);
        }
        self.esc_waits = bytes.ends_with(b"\x1b") && self.goes_on()?;
        self.parser.parse(bytes, self.esc_waits);
        let mut events = Vec::new();
        while let Some(event) = self.parser.pop() {
            match event {
                termina::Event::Key(key) => events.push(Event::Key(key)),
                termina::Event::Paste(text) => events.push(Event::Paste(text)),
                _ => {}
            }
        }
        Ok(events)
    }

    /// Whether more comes at once.
    fn goes_on(&self) -> io::Result<bool> {
        let tty = self.tty.as_fd();
        let mut fds = [PollFd::new(&tty, PollFlags::IN)];
        match poll(&mut fds, timespec(Some(SEQUENCE)).as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn timespec(timeout: Option<Duration>) -> Option<Timespec> {
    // Rounded up, so that the loop does not spin through the last fraction of a millisecond.
    timeout.map(|timeout| Timespec {
        tv_sec: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: timeout.subsec_nanos().into(),
    })
}
