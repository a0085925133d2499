//! The controlling terminal: opening it, taking it over for a dialog, giving it back.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::{Mutex, Once};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport as Area};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr};

use crate::dialog::Dialog;
use crate::view::Renderer;

/// Why no dialog can be shown here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    reason: String,
}

impl Unavailable {
    pub(super) fn failed(error: &dyn fmt::Display) -> Self {
        Self { reason: format!("the terminal can't be used: {error}") }
    }

    fn because(reason: &str) -> Self {
        Self { reason: reason.to_owned() }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unavailable {}

/// Whether a dialog can be shown: there is a controlling terminal, this process is in its
/// foreground, and it can be drawn on.
///
/// # Errors
/// [`Unavailable`] with the reason.
pub fn check_terminal() -> Result<(), Unavailable> {
    open_terminal().map(|_| ())
}

pub(super) fn open_terminal() -> Result<File, Unavailable> {
    let tty = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/tty")
        .map_err(|_| Unavailable::because("no terminal is attached"))?;
    let foreground =
        tcgetpgrp(&tty).map_err(|_| Unavailable::because("no terminal is attached"))?;
    if foreground != rustix::process::getpgrp() {
        return Err(Unavailable::because("this process runs in the background of its terminal"));
    }
    match std::env::var_os("TERM") {
        Some(term) if term == "dumb" => {
            Err(Unavailable::because("this terminal can't be drawn on (TERM=dumb)"))
        }
        Some(term) if !term.is_empty() => Ok(tty),
        _ => Err(Unavailable::because("TERM is not set, so the terminal can't be drawn on")),
    }
}

// Alternate screen, bracketed paste, and keys told apart where the terminal can (kitty protocol).
// A terminal that does not know one of them ignores it.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[>1u\x1b[2J";
const LEAVE: &[u8] = b"\x1b[<u\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";

/// What it takes to give the terminal back, in reach of the panic hook.
static TAKEN: Mutex<Option<Taken>> = Mutex::new(None);

struct Taken {
    tty: File,
    modes: Termios,
}

fn give_back() {
    let taken = match TAKEN.lock() {
        Ok(mut taken) => taken.take(),
        Err(poisoned) => poisoned.into_inner().take(),
    };
    if let Some(mut taken) = taken {
        let _ = taken.tty.write_all(LEAVE);
        let _ = tcsetattr(&taken.tty, OptionalActions::Flush, &taken.modes);
    }
}

/// A terminal with a dialog on it. Given back on drop, and before a panic is told.
pub(super) struct Screen {
    tty: File,
    terminal: Terminal<CrosstermBackend<BufWriter<File>>>,
    renderer: Renderer,
    panic_on_draw: bool,
}

impl Screen {
    pub(super) fn enter(tty: &File, dialog: &Dialog) -> io::Result<Self> {
        give_back_before_panics();
        let modes = tcgetattr(tty)?;
        let mut raw = modes.clone();
        raw.make_raw();
        let taken = Taken { tty: tty.try_clone()?, modes };
        if let Ok(mut slot) = TAKEN.lock() {
            *slot = Some(taken);
        }
        let screen = Self::take_over(tty, &raw, dialog);
        if screen.is_err() {
            give_back();
        }
        screen
    }

    fn take_over(tty: &File, raw: &Termios, dialog: &Dialog) -> io::Result<Self> {
        tcsetattr(tty, OptionalActions::Now, raw)?;
        let mut handle = tty.try_clone()?;
        handle.write_all(ENTER)?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(16 * 1024, handle));
        let options = TerminalOptions { viewport: Area::Fixed(size_of(tty)) };
        Ok(Self {
            tty: tty.try_clone()?,
            terminal: Terminal::with_options(backend, options)?,
            renderer: Renderer::new(dialog.options()),
            panic_on_draw: dialog.options().panic_on_draw,
        })
    }

    /// Takes the terminal over once more, after somebody else had it.
    pub(super) fn take_over_again(&mut self) -> io::Result<()> {
        let mut raw = tcgetattr(&self.tty)?;
        raw.make_raw();
        tcsetattr(&self.tty, OptionalActions::Now, &raw)?;
        self.tty.write_all(ENTER)?;
        self.resize()
    }

    /// Takes the window's size as it is now, and draws everything anew.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        self.terminal.resize(size_of(&self.tty))
    }

    pub(super) fn draw(&mut self, dialog: &mut Dialog, now: Duration) -> io::Result<()> {
        let mut viewport = dialog.viewport();
        self.terminal.draw(|frame| {
            #[expect(clippy::panic, reason = "a test's way to prove that the terminal is restored")]
            if self.panic_on_draw {
                panic!("asked for by a test");
            }
            viewport = self.renderer.draw(dialog, frame);
        })?;
        dialog.drawn(viewport, now);
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// The window; 80×24 where nobody has given it a size.
fn size_of(tty: &File) -> Rect {
    match tcgetwinsize(tty) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Rect::new(0, 0, size.ws_col, size.ws_row),
        _ => Rect::new(0, 0, 80, 24),
    }
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
