//! Signals as events. SIGTERM, SIGHUP and SIGQUIT abort, an outside SIGINT is Ctrl-C, SIGWINCH is a resize.
//!
//! A handler only sets a flag and wakes the loop, so that no thread is needed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use termina::event::{KeyCode, KeyEvent, Modifiers};

use super::Control;
use crate::event::Event;

/// Catches signals while it lives; afterwards they act as they do by default.
#[derive(Debug)]
pub(super) struct Signals {
    caught: [(i32, Arc<AtomicBool>); 5],
    stopped: Arc<AtomicBool>,
    continued: Arc<AtomicBool>,
    registered: Vec<SigId>,
    released: Arc<AtomicBool>,
}

impl Signals {
    pub(super) fn catch<E>(control: &Control<E>) -> io::Result<Self> {
        let mut signals = Self {
            caught: [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGWINCH].map(|it| (it, Arc::default())),
            stopped: Arc::default(),
            continued: Arc::default(),
            registered: Vec::new(),
            released: Arc::default(),
        };
        let stopped = (SIGTSTP, Arc::clone(&signals.stopped));
        let continued = (SIGCONT, Arc::clone(&signals.continued));
        for (signal, caught) in signals.caught.iter().chain([&stopped, &continued]) {
            if let SIGTERM | SIGHUP | SIGQUIT | SIGINT | SIGTSTP = *signal {
                let released = Arc::clone(&signals.released);
                signal_hook::flag::register_conditional_default(*signal, released)?;
            }
            let flag = signal_hook::flag::register(*signal, Arc::clone(caught))?;
            let wake = signal_hook::low_level::pipe::register(*signal, control.waker()?)?;
            signals.registered.extend([flag, wake]);
        }
        Ok(signals)
    }

    /// Whether the process is to stop, which it does by itself once the terminal is given back.
    pub(super) fn stopped(&self) -> bool {
        self.stopped.swap(false, Ordering::SeqCst)
    }

    /// Whether the process was stopped and goes on, perhaps on a terminal that its shell used.
    pub(super) fn continued(&self) -> bool {
        self.continued.swap(false, Ordering::SeqCst)
    }

    /// The events of the signals that came since the last call.
    pub(super) fn take(&self) -> impl Iterator<Item = Event> {
        let caught = self.caught.iter().filter(|(_, caught)| caught.swap(false, Ordering::SeqCst));
        caught.map(|(signal, _)| event_of(*signal))
    }
}

fn event_of(signal: i32) -> Event {
    let aborted = |name: &str| Event::Aborted { reason: format!("a signal ({name})") };
    match signal {
        SIGTERM => aborted("SIGTERM"),
        SIGHUP => aborted("SIGHUP"),
        SIGQUIT => aborted("SIGQUIT"),
        SIGINT => Event::Key(KeyEvent::new(KeyCode::Char('c'), Modifiers::CONTROL)),
        _ => Event::Resize,
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            signal_hook::low_level::unregister(id);
        }
        self.released.store(true, Ordering::SeqCst);
    }
}
