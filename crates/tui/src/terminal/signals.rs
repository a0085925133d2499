//! Signals as events. SIGTERM and SIGHUP abort, an outside SIGINT is Ctrl-C, SIGWINCH is a resize.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::iterator::{Handle, Signals as Watched};
use termina::event::{KeyCode, KeyEvent, Modifiers};

use super::Control;
use crate::event::Event;

/// Catches signals while it lives; afterwards they act as they do by default.
pub(super) struct Signals {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
    released: Arc<AtomicBool>,
}

impl Signals {
    pub(super) fn catch(control: &Control) -> io::Result<Self> {
        let released = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&released))?;
        }
        let mut watched = Watched::new([SIGTERM, SIGHUP, SIGINT, SIGWINCH, SIGCONT])?;
        let handle = watched.handle();
        let control = control.clone();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in watched.forever() {
                control.send(event_of(signal));
            }
        })?;
        Ok(Self { handle, thread: Some(thread), released })
    }
}

fn event_of(signal: i32) -> Event {
    let aborted = |name: &str| Event::Aborted { reason: format!("a signal ({name})") };
    match signal {
        SIGTERM => aborted("SIGTERM"),
        SIGHUP => aborted("SIGHUP"),
        SIGINT => Event::Key(KeyEvent::new(KeyCode::Char('c'), Modifiers::CONTROL)),
        _ => Event::Resize,
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.released.store(true, Ordering::SeqCst);
    }
}
