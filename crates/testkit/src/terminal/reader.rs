//! The far end of the pseudo-terminal: a thread that parses what the program writes, answers the
//! queries that every terminal answers, and wakes those who wait. Owns the shared state of a
//! `TestTerminal`. Invariant: whoever holds the lock sees whole reads, never half of one.

use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use filedescriptor::FileDescriptor;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use rustix::process::{Pid, WaitOptions, waitpid};

use super::screen::Screen;
use crate::Exit;

/// What the reader knows; every change notifies `changed`.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

pub(super) struct State {
    pub parser: vt100::Parser<Answers>,
    /// Every byte that the program wrote.
    pub raw: Vec<u8>,
    /// When it last wrote.
    pub last_output: Instant,
    /// Nobody holds the terminal any more, or it was hung up.
    pub closed: bool,
    pub exit: Option<Exit>,
}

impl State {
    pub fn screen(&self) -> Screen {
        Screen::of(self.parser.screen())
    }
}

impl Shared {
    pub fn new(columns: u16, rows: u16, kitty: bool) -> Arc<Self> {
        let (rows, columns) = parser_size(columns, rows);
        let answers = Answers { kitty, ..Answers::default() };
        Arc::new(Self {
            state: Mutex::new(State {
                parser: vt100::Parser::new_with_callbacks(rows, columns, 0, answers),
                raw: Vec::new(),
                last_output: Instant::now(),
                closed: false,
                exit: None,
            }),
            changed: Condvar::new(),
        })
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        // A test that panicked while it looked has changed nothing.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits until `found` gives something, or `until`; then `None`.
    pub fn wait<T>(&self, until: Instant, mut found: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = found(&state) {
                return Some(result);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Reads until the program's end of the terminal is closed or `stop` is.
    pub fn read_from(&self, master: &FileDescriptor, stop: &OwnedFd) {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let mut sources =
                [PollFd::new(master, PollFlags::IN), PollFd::new(stop, PollFlags::empty())];
            match poll(&mut sources, None) {
                Err(Errno::INTR) => continue,
                Err(error) => panic!("poll on a pseudo-terminal: {error}"),
                Ok(_) if !sources[1].revents().is_empty() => break,
                Ok(_) => {}
            }
            match read(master, &mut buffer[..]) {
                Err(Errno::INTR | Errno::AGAIN) => continue,
                // EIO is how Linux tells that nobody holds the other end.
                Ok(0) | Err(_) => break,
                Ok(length) => self.take(master, &buffer[..length]),
            }
        }
        self.change(|state| state.closed = true);
    }

    fn take(&self, master: &FileDescriptor, bytes: &[u8]) {
        let mut answers = Vec::new();
        self.change(|state| {
            state.last_output = Instant::now();
            state.raw.extend_from_slice(bytes);
            state.parser.process(bytes);
            answers = std::mem::take(&mut state.parser.callbacks_mut().pending);
        });
        // A short answer fits, unless the program reads nothing at all: then it wants none.
        let _ = rustix::io::write(master, &answers);
    }

    /// Waits for the process to end and tells it.
    pub fn reap(&self, process: Pid) {
        let status = loop {
            match waitpid(Some(process), WaitOptions::empty()) {
                Err(Errno::INTR) => continue,
                Err(error) => panic!("waitpid: {error}"),
                Ok(None) => continue,
                Ok(Some((_, status))) => break status,
            }
        };
        let exit = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        };
        self.change(|state| state.exit = Some(exit));
    }

    /// Waits until nothing was written for `silence`, counted from now at the earliest.
    pub fn quiet(&self, silence: Duration, until: Instant) -> bool {
        let asked = Instant::now();
        loop {
            let last = self.lock().last_output.max(asked);
            let now = Instant::now();
            if now >= last + silence {
                return true;
            }
            if now >= until {
                return false;
            }
            // Woken by output, or when the silence has lasted.
            self.wait((last + silence).min(until), |state| {
                (state.last_output > last).then_some(())
            });
        }
    }
}

/// The size that the parser draws at: a terminal that nobody sized counts as 80×24.
pub(super) fn parser_size(columns: u16, rows: u16) -> (NonZeroU16, NonZeroU16) {
    let at_least = |number, usual| NonZeroU16::new(number).unwrap_or(usual);
    (at_least(rows, vt100::Parser::DEFAULT_ROWS), at_least(columns, vt100::Parser::DEFAULT_COLS))
}

/// Answers what terminals are asked: device attributes, cursor position and, where it is on, the
/// kitty keyboard protocol.
#[derive(Default)]
pub(super) struct Answers {
    kitty: bool,
    /// Keyboard levels pushed and not popped, answered or not.
    pub keyboard_levels: i32,
    pending: Vec<u8>,
}

impl vt100::Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        parameters: &[&[u16]],
        last: char,
    ) {
        let number = parameters.first().and_then(|values| values.first()).copied().unwrap_or(0);
        match (first, last, number) {
            (None, 'c', 0) => self.pending.extend(b"\x1b[?62;22c"),
            (None, 'n', 5) => self.pending.extend(b"\x1b[0n"),
            (None, 'n', 6) => {
                let (row, column) = screen.cursor_position();
                self.pending.extend(format!("\x1b[{};{}R", row + 1, column + 1).into_bytes());
            }
            (Some(b'>'), 'u', _) => self.keyboard_levels += 1,
            (Some(b'<'), 'u', count) => self.keyboard_levels -= i32::from(count.max(1)),
            (Some(b'?'), 'u', _) if self.kitty => {
                let flags = u8::from(self.keyboard_levels > 0);
                self.pending.extend(format!("\x1b[?{flags}u").into_bytes());
            }
            _ => {}
        }
    }
}
