//! The controlling terminal: opening it, taking it over for a dialog, giving it back.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport as Area};
use rustix::fs::OFlags;
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetsid, tcgetwinsize,
    tcsetattr,
};

use super::output::{self, Output};
use super::shown::Shown;
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
/// foreground.
///
/// # Errors
/// [`Unavailable`] with the reason.
pub fn check_terminal() -> Result<(), Unavailable> {
    open_terminal().map(|_| ())
}

/// The session whose terminal it is: other processes of the same terminal have the same.
pub fn terminal_session() -> Option<i32> {
    let tty = File::open("/dev/tty").ok()?;
    tcgetsid(tty).ok().map(|session| session.as_raw_nonzero().get())
}

pub(super) fn open_terminal() -> Result<File, Unavailable> {
    let tty = OpenOptions::new()
        .read(true)
        .write(true)
        // Ours alone, so that nobody else meets the flag: a terminal that does not read must not
        // keep the dialog from its signals, its clock and its draft.
        .custom_flags(i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0))
        .open("/dev/tty")
        .map_err(|_| Unavailable::because("no terminal is attached"))?;
    let foreground =
        tcgetpgrp(&tty).map_err(|_| Unavailable::because("no terminal is attached"))?;
    if foreground != rustix::process::getpgrp() {
        return Err(Unavailable::because("this process runs in the background of its terminal"));
    }
    Ok(tty)
}

/// Whether the terminal can be drawn on, by what it says of itself. Lines can be written to any.
pub fn can_be_drawn_on() -> bool {
    std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

// Alternate screen, bracketed paste, and keys told apart and by their place where the terminal can
// (kitty protocol, flags 1 and 4). A terminal that does not know one of them ignores it.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[>5u\x1b[2J";
const LEAVE: &[u8] = b"\x1b[<u\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";

/// What it takes to give the terminal back, in reach of the panic hook.
static TAKEN: Mutex<Option<Taken>> = Mutex::new(None);

struct Taken {
    tty: File,
    modes: Termios,
}

fn taken() -> MutexGuard<'static, Option<Taken>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Taken {
    /// The terminal as it was. What it does not read within a second it will not get.
    fn release(&self) {
        output::write_within(&self.tty, LEAVE, Duration::from_secs(1));
        let _ = tcflush(&self.tty, QueueSelector::IFlush);
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &self.modes);
    }
}

fn give_back() {
    if let Some(taken) = taken().take() {
        taken.release();
    }
}

/// A terminal with a dialog on it. Given back on drop, and before a panic is told.
pub(super) struct Screen {
    tty: File,
    output: Output,
    terminal: Terminal<CrosstermBackend<Output>>,
    renderer: Renderer,
    /// What was drawn last, and whether it had characters whose width terminals disagree about.
    drawn: Option<(u64, bool)>,
    panic_on_draw: bool,
}

impl Screen {
    pub(super) fn enter(tty: &File, shown: &impl Shown) -> io::Result<Self> {
        give_back_before_panics();
        *taken() = Some(Taken { tty: tty.try_clone()?, modes: tcgetattr(tty)? });
        let screen = Self::build(tty, shown);
        if screen.is_err() {
            give_back();
        }
        screen
    }

    fn build(tty: &File, shown: &impl Shown) -> io::Result<Self> {
        let output = Output::new(tty.try_clone()?);
        let options = TerminalOptions { viewport: Area::Fixed(size_of(tty)) };
        let terminal = Terminal::with_options(CrosstermBackend::new(output.clone()), options)?;
        let screen = Self {
            tty: tty.try_clone()?,
            output,
            terminal,
            renderer: shown.renderer(),
            drawn: None,
            panic_on_draw: shown.panics_on_draw(),
        };
        screen.take_over()?;
        Ok(screen)
    }

    fn take_over(&self) -> io::Result<()> {
        let mut raw = tcgetattr(&self.tty)?;
        raw.make_raw();
        tcsetattr(&self.tty, OptionalActions::Now, &raw)?;
        self.output.queue(ENTER);
        Ok(())
    }

    /// Gives the terminal to the shell until the process is let go on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        if let Some(taken) = &*taken() {
            taken.release();
        }
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP)?;
        self.resume()
    }

    /// Takes the terminal over once more, after somebody else had it.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        self.take_over()?;
        self.resize()
    }

    /// Takes the window's size as it is now, and draws everything anew.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        self.drawn = None;
        self.terminal.resize(size_of(&self.tty))
    }

    /// Whether the terminal has yet to read what was drawn.
    pub(super) fn is_writing(&self) -> bool {
        self.output.is_waiting()
    }

    /// Draws, unless the terminal has yet to read what was drawn before.
    pub(super) fn draw(&mut self, shown: &mut impl Shown, now: Duration) -> io::Result<()> {
        self.output.send()?;
        if self.output.is_waiting() {
            return Ok(());
        }
        shown.prepare();
        let scene = shown.scene();
        if self.drawn.as_ref().is_some_and(|(drawn, unsure)| *unsure && *drawn != scene) {
            // The library takes cells for blank that such a character may have reached into. (Its
            // `clear` would ask the terminal where the cursor is.)
            self.resize()?;
        }
        let mut viewport = None;
        let drawn = self.terminal.draw(|frame| {
            #[expect(clippy::panic, reason = "a test's way to prove that the terminal is restored")]
            if self.panic_on_draw {
                panic!("asked for by a test");
            }
            viewport = Some(shown.draw(&mut self.renderer, frame));
        })?;
        let unsure = drawn.buffer.content.iter().any(|cell| is_unsure(cell.symbol()));
        self.drawn = Some((scene, unsure));
        self.output.send()?;
        if let Some(viewport) = viewport {
            shown.drawn(viewport, now);
        }
        Ok(())
    }
}

/// Whether terminals may disagree with us, and with each other, about the columns of this cluster.
fn is_unsure(symbol: &str) -> bool {
    !symbol.is_ascii() && symbol.chars().nth(1).is_some()
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// The window; 80×24 where nobody has given it a size.
pub(super) fn size_of(tty: &File) -> Rect {
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
