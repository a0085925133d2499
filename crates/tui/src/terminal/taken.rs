//! What is taken of a terminal for a dialog, and giving it back however the process ends: on drop,
//! before a panic is told, and while somebody else has it.
//!
//! Invariant: what stands above rows below the prompt is never erased.

use std::fs::File;
use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

use super::output;
use super::rows::to_first_row;

// Bracketed paste, and keys told apart and by their place where the terminal can (kitty protocol,
// flags 1 and 4; each of the two screens has its own). A terminal that does not know one of them
// ignores it.
pub(super) const KEYS: &str = "\x1b[?2004h\x1b[>5u";
pub(super) const KEYS_OFF: &str = "\x1b[<u\x1b[?2004l\x1b[m\x1b[?25h";
pub(super) const SCREEN: &str = "\x1b[?1049h";
// A terminal without a second screen (GNU screen, as it comes) would keep the picture.
const CLEAR: &str = "\x1b[H\x1b[J";
const SCREEN_OFF: &str = "\x1b[?1049l";
// Presses and the wheel, without motion, in the form that knows no end of columns.
pub(super) const MOUSE: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// What an editor may have left switched on: the mouse in all its forms, focus, keys of another kind.
pub(super) const EDITOR_OFF: &str =
    "\x1b[?1000;1002;1003;1004;1005;1006;1015l\x1b[?1l\x1b>\x1b[?25h\x1b[m";
/// One that died stands on the second screen still, perhaps with margins; the cursor goes where it was
/// saved before it came.
pub(super) const EDITOR_DIED: &str = "\x1b[r\x1b[4l\x1b[?6l\x1b[?7h\x1b[?1049l";
const SAVE_CURSOR: &str = "\x1b7";

/// What a terminal that does not read may hold up.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// What it takes to give the terminal back, in reach of the panic hook.
static TAKEN: Mutex<Option<Taken>> = Mutex::new(None);

struct Taken {
    tty: File,
    modes: Termios,
    /// Nothing while somebody else has the terminal.
    held: Option<Held>,
}

/// What is ours on the terminal now.
#[derive(Debug, Clone, Copy)]
pub(super) enum Held {
    /// The second screen.
    Screen,
    /// Rows below the prompt: the cursor is so far below the first of them.
    Rows(u16),
}

impl Held {
    /// The bytes that give it back. The rows are erased, and nothing above them.
    fn release(self) -> String {
        match self {
            Self::Screen => format!("{MOUSE_OFF}{KEYS_OFF}{CLEAR}{SCREEN_OFF}"),
            Self::Rows(row) => format!("{KEYS_OFF}{}", to_first_row(row)),
        }
    }
}

fn taken() -> MutexGuard<'static, Option<Taken>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what is ours now; nothing while somebody else has the terminal.
pub(super) fn hold(held: Option<Held>) {
    if let Some(taken) = &mut *taken() {
        taken.held = held;
    }
}

impl Taken {
    /// The terminal as it was. What it does not read within a second it will not get.
    fn release(&self) {
        let bytes = self.held.map(Held::release).unwrap_or_default();
        output::write_within(&self.tty, bytes.as_bytes(), PATIENCE);
        let _ = tcflush(&self.tty, QueueSelector::IFlush);
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &self.modes);
    }
}

/// Gives the terminal back for good.
pub(super) fn give_back() {
    if let Some(taken) = taken().take() {
        taken.release();
    }
}

/// Takes note of how the terminal is, to give it back so whatever happens.
pub(super) fn take(tty: &File) -> io::Result<()> {
    give_back_before_panics();
    *taken() = Some(Taken { tty: tty.try_clone()?, modes: tcgetattr(tty)?, held: None });
    Ok(())
}

/// Gives the terminal to somebody else for a while.
pub(super) fn lend() {
    if let Some(taken) = &*taken() {
        taken.release();
        output::write_within(&taken.tty, SAVE_CURSOR.as_bytes(), PATIENCE);
    }
    hold(None);
}

fn give_back_before_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let next = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            next(panic);
        }));
    });
}
