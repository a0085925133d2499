//! The waits of a `TestTerminal`, and what they say when they fail.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::fs::OFlags;

use super::{Screen, TestTerminal, ready};
use crate::{Exit, deadline};

impl TestTerminal {
    /// Waits until the screen is as `condition` says. `what` names the wait when it fails.
    ///
    /// # Panics
    /// After the [`deadline`], or as soon as the program has ended without it.
    #[track_caller]
    pub fn wait_until(&self, what: &str, condition: impl Fn(&Screen) -> bool) -> &Self {
        let outcome = self.shared.wait(Instant::now() + deadline(), |state| {
            if condition(&state.screen()) {
                Some(true)
            } else {
                (state.closed && state.exit.is_some()).then_some(false)
            }
        });
        match outcome {
            Some(true) => self,
            Some(false) => panic!("the program ended before: {what}\n{}", self.report()),
            None => panic!("waited {:?} for: {what}\n{}", deadline(), self.report()),
        }
    }

    /// Waits until the program takes keys. The same as [`Self::wait_until`], under the name that a
    /// test reads well with: a dialog ignores keys for a moment after its first frame, and shows it.
    #[track_caller]
    pub fn wait_ready(&self, condition: impl Fn(&Screen) -> bool) -> &Self {
        self.wait_until("ready for keys", condition)
    }

    /// Waits until a row holds `text`.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> &Self {
        self.wait_until(&format!("{text:?} shown"), |screen| screen.contains(text))
    }

    /// Waits until the program has written `text` since the mark, wherever it stands by then.
    ///
    /// # Panics
    /// As [`Self::wait_until`] does.
    #[track_caller]
    pub fn wait_written(&self, mark: usize, text: &str) -> &Self {
        let wanted = text.as_bytes();
        let outcome = self.shared.wait(Instant::now() + deadline(), |state| {
            let written = state.raw.get(mark..).unwrap_or_default();
            if wanted.is_empty() || written.windows(wanted.len()).any(|part| part == wanted) {
                Some(true)
            } else {
                (state.closed && state.exit.is_some()).then_some(false)
            }
        });
        match outcome {
            Some(true) => self,
            Some(false) => panic!("the program ended before {text:?}\n{}", self.report()),
            None => panic!("waited {:?} for {text:?}\n{}", deadline(), self.report()),
        }
    }

    /// Waits until no row holds `text`.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) -> &Self {
        self.wait_until(&format!("{text:?} gone"), |screen| !screen.contains(text))
    }

    /// Waits until the program has written nothing for `silence`, counted from now at the earliest.
    /// The one wait that takes time by design: where silence itself is the thing to wait for.
    #[track_caller]
    pub fn quiet(&self, silence: Duration) -> &Self {
        let quiet = self.shared.quiet(silence, Instant::now() + deadline());
        assert!(quiet, "never quiet for {silence:?}\n{}", self.report());
        self
    }

    /// Waits until the program has read everything that was typed.
    #[track_caller]
    pub fn wait_read(&self) -> &Self {
        let terminal = self.with_master(|master| master.terminal.clone());
        let until = Instant::now() + deadline();
        // Opened for each look and closed again: held, it would keep the terminal from closing.
        let unread = || {
            let flags = i32::try_from(OFlags::NOCTTY.bits()).unwrap();
            let end = OpenOptions::new().read(true).custom_flags(flags).open(&terminal);
            end.is_ok_and(|end| ready(&end, PollFlags::IN, Duration::ZERO))
        };
        while unread() && self.shared.lock().exit.is_none() {
            assert!(Instant::now() < until, "keys were never read\n{}", self.report());
            // The kernel has no event for "was read", so this one looks every millisecond.
            self.shared.wait(Instant::now() + Duration::from_millis(1), |state| state.exit);
        }
        self
    }

    /// Waits until the program has ended and everything it wrote was taken in.
    #[track_caller]
    pub fn wait_exit(&self) -> Exit {
        let Some(exit) = self.shared.wait(Instant::now() + deadline(), |state| state.exit) else {
            panic!("waited {:?} for the program to end\n{}", deadline(), self.report());
        };
        // Another process of the session may hold the terminal for longer than the program.
        let grace = Instant::now() + Duration::from_millis(500);
        self.shared.wait(grace, |state| state.closed.then_some(()));
        exit
    }

    /// Waits as [`Self::wait_exit`] does, for the code.
    #[track_caller]
    pub fn wait_code(&self) -> i32 {
        self.wait_exit().code()
    }

    pub(super) fn report(&self) -> String {
        let state = self.shared.lock();
        let screen = state.screen();
        // Blank rows at the end say nothing, and a failure is read better without them.
        let shown = screen.text();
        let rows: Vec<String> = shown.lines().map(|row| format!("| {row}\n")).collect();
        let (row, column) = screen.cursor;
        let hidden = if screen.cursor_hidden { ", hidden" } else { "" };
        let program = state.exit.map_or("still running".to_owned(), |exit| exit.to_string());
        format!("{}cursor: row {row}, column {column}{hidden}; program: {program}", rows.concat())
    }
}
