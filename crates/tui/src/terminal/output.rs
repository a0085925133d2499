//! Bytes for a terminal that may be slow to read: queued, and written as far as it takes them.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::control::timespec;

/// A queue before a terminal that is opened non-blocking. Clones share it.
#[derive(Clone)]
pub(super) struct Output {
    queue: Rc<RefCell<Queue>>,
}

struct Queue {
    tty: File,
    bytes: Vec<u8>,
}

impl Output {
    pub(super) fn new(tty: File) -> Self {
        Self { queue: Rc::new(RefCell::new(Queue { tty, bytes: Vec::with_capacity(8 * 1024) })) }
    }

    pub(super) fn queue(&self, bytes: &[u8]) {
        self.queue.borrow_mut().bytes.extend_from_slice(bytes);
    }

    /// Rings the terminal's bell.
    pub(super) fn ring(&self) -> io::Result<()> {
        self.queue(b"\x07");
        self.send()
    }

    /// What is still queued, to be written by somebody else.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.queue.borrow_mut().bytes)
    }

    /// Whether the terminal has not taken everything yet.
    pub(super) fn is_waiting(&self) -> bool {
        !self.queue.borrow().bytes.is_empty()
    }

    /// Writes everything, or as much as the terminal takes within `limit`.
    pub(super) fn send_within(&self, limit: Duration) {
        let mut queue = self.queue.borrow_mut();
        let Queue { tty, bytes } = &mut *queue;
        write_within(tty, bytes, limit);
        bytes.clear();
    }

    /// What the terminal has not taken yet.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> String {
        String::from_utf8_lossy(&self.queue.borrow().bytes).into_owned()
    }

    /// Writes as much as the terminal takes now.
    pub(super) fn send(&self) -> io::Result<()> {
        let mut queue = self.queue.borrow_mut();
        let Queue { tty, bytes } = &mut *queue;
        let mut written = 0;
        let result = loop {
            if written == bytes.len() {
                break Ok(());
            }
            match rustix::io::write(&*tty, &bytes[written..]) {
                Ok(count) => written += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break Ok(()),
                Err(error) => break Err(error.into()),
            }
        };
        bytes.drain(..written);
        result
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.queue(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes all of `bytes`, or as much as the terminal takes within `limit`.
pub(super) fn write_within(tty: &File, bytes: &[u8], limit: Duration) {
    let end = Instant::now() + limit;
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::io::write(tty, rest) {
            Ok(count) => rest = &rest[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return;
                }
                let _ = poll(&mut [PollFd::new(tty, PollFlags::OUT)], Some(&timespec(left)));
            }
            Err(_) => return,
        }
    }
}
