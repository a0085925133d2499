//! The controlling terminal: opening it, taking it over for a dialog, giving it back.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::layout::{Rect, Size};
use ratatui::{TerminalOptions, Viewport as Area};
use rustix::fs::OFlags;
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetsid, tcgetwinsize,
    tcsetattr,
};

use super::output::{self, Output};
use super::painter::{Painter, Place, is_unsure};
use super::shown::Shown;
use crate::event::Target;
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

// Bracketed paste, and keys told apart and by their place where the terminal can (kitty protocol,
// flags 1 and 4; each of the two screens has its own). A terminal that does not know one of them
// ignores it.
const KEYS: &str = "\x1b[?2004h\x1b[>5u";
const KEYS_OFF: &str = "\x1b[<u\x1b[?2004l\x1b[m\x1b[?25h";
const SCREEN: &str = "\x1b[?1049h";
const SCREEN_OFF: &str = "\x1b[?1049l";
// Presses and the wheel, without motion, in the form that knows no end of columns.
const MOUSE: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";
const ERASE_BELOW: &str = "\x1b[J";

/// What a terminal that does not read may hold up.
const PATIENCE: Duration = Duration::from_secs(1);

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
enum Held {
    /// The second screen.
    Screen,
    /// Rows below the prompt: the cursor is so far below the first of them.
    Rows(u16),
}

impl Held {
    /// The bytes that give it back. The rows are erased, and nothing above them.
    fn release(self) -> String {
        match self {
            Self::Screen => format!("{MOUSE_OFF}{KEYS_OFF}{SCREEN_OFF}"),
            Self::Rows(row) => format!("{KEYS_OFF}{}", to_first_row(row)),
        }
    }
}

fn taken() -> MutexGuard<'static, Option<Taken>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hold(held: Option<Held>) {
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

/// From the cursor to the first row, with what is there and below erased.
fn to_first_row(row: u16) -> String {
    match row {
        0 => format!("\r{ERASE_BELOW}"),
        row => format!("\r\x1b[{row}A{ERASE_BELOW}"),
    }
}

/// Room for so many rows below the cursor, which goes to the first of them; it stands at the start
/// of a line. The terminal scrolls as far as it takes.
fn reserve(rows: u16) -> String {
    let below = rows.saturating_sub(1);
    let lines = "\r\n".repeat(below.into());
    match below {
        0 => ERASE_BELOW.to_owned(),
        below => format!("{lines}\x1b[{below}A{ERASE_BELOW}"),
    }
}

/// To the start of a line, wherever the cursor is: blanks reach the next line only from a line
/// that is begun.
fn fresh_line(columns: u16) -> String {
    format!("\x1b[m{}\r\x1b[K", " ".repeat(columns.into()))
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
    terminal: Terminal<Painter>,
    renderer: Renderer,
    /// The rows that the dialog takes below the prompt, where they are enough for it.
    rows: Option<u16>,
    place: Place,
    window: Size,
    /// What was drawn last, and whether it had characters whose width terminals disagree about.
    drawn: Option<(u64, bool)>,
    mouse: bool,
    panic_on_draw: bool,
}

impl Screen {
    pub(super) fn enter(tty: &File, shown: &impl Shown) -> io::Result<Self> {
        give_back_before_panics();
        *taken() = Some(Taken { tty: tty.try_clone()?, modes: tcgetattr(tty)?, held: None });
        let screen = Self::build(tty, shown);
        if screen.is_err() {
            give_back();
        }
        screen
    }

    fn build(tty: &File, shown: &impl Shown) -> io::Result<Self> {
        let output = Output::new(tty.try_clone()?);
        let window = size_of(tty);
        let mut renderer = shown.renderer();
        let most = window.height.saturating_sub(1);
        let rows = shown.rows_wanted(&mut renderer, window.width, most);
        let place = place_of(rows, window);
        let painter = Painter::new(output.clone(), place, Size::default());
        let options = TerminalOptions { viewport: Area::Fixed(area(place, rows, window)) };
        let mut screen = Self {
            tty: tty.try_clone()?,
            output,
            terminal: Terminal::with_options(painter, options)?,
            renderer,
            rows,
            place,
            window,
            drawn: None,
            mouse: !shown.leaves_mouse(),
            panic_on_draw: shown.panics_on_draw(),
        };
        screen.take_over()?;
        Ok(screen)
    }

    /// Takes the terminal over, in the place that its window has room for.
    fn take_over(&mut self) -> io::Result<()> {
        let mut raw = tcgetattr(&self.tty)?;
        raw.make_raw();
        tcsetattr(&self.tty, OptionalActions::Now, &raw)?;
        self.window = size_of(&self.tty);
        self.place = place_of(self.rows, self.window);
        hold(Some(match self.place {
            Place::Screen => Held::Screen,
            Place::Rows => Held::Rows(0),
        }));
        match self.place {
            Place::Screen => self.open_screen(),
            Place::Rows => {
                let room = reserve(self.area().height);
                let line = fresh_line(self.window.width);
                self.output.queue(format!("{KEYS}{line}{room}").as_bytes());
            }
        }
        self.begin();
        Ok(())
    }

    fn open_screen(&self) {
        let mouse = if self.mouse { MOUSE } else { "" };
        self.output.queue(format!("{SCREEN}{KEYS}{mouse}\x1b[2J").as_bytes());
    }

    /// What stands at a cell of the window. Of rows below the prompt nobody knows that.
    pub(super) fn target(&self, column: u16, row: u16) -> Target {
        match self.place {
            Place::Screen => self.renderer.target(column, row),
            Place::Rows => Target::Nothing,
        }
    }

    fn area(&self) -> Rect {
        area(self.place, self.rows, self.window)
    }

    fn begin(&mut self) {
        let size = self.area().as_size();
        self.terminal.backend_mut().begin(self.place, size);
    }

    /// Gives the terminal to the shell until the process is let go on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        self.lend();
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP)?;
        self.resume()
    }

    /// Gives the terminal to another program of ours, until [`Self::resume`].
    pub(super) fn lend(&mut self) {
        self.output.send_within(PATIENCE);
        if let Some(taken) = &*taken() {
            taken.release();
        }
        hold(None);
    }

    /// Takes the terminal over once more, after somebody else had it.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        self.take_over()?;
        self.redraw()
    }

    /// Takes the window's size as it is now, and draws everything anew.
    ///
    /// Rows that a narrower window has wrapped, or a lower one has pushed out, are nowhere that we
    /// know: what is above them must not be erased, so the dialog goes over to the whole screen.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        let before = std::mem::replace(&mut self.window, size_of(&self.tty));
        if self.place == Place::Rows {
            let row = self.terminal.backend().row();
            let height = self.rows.unwrap_or_default();
            if self.window.width < before.width || self.window.height <= height {
                self.place = Place::Screen;
                // Erased while the terminal itself still knows where its cursor is.
                self.output.queue(format!("{}{KEYS_OFF}", to_first_row(row)).as_bytes());
                hold(Some(Held::Screen));
                self.open_screen();
            } else {
                let room = reserve(height);
                self.output.queue(format!("{}{room}", to_first_row(row)).as_bytes());
            }
        }
        self.begin();
        self.redraw()
    }

    /// Draws everything anew.
    fn redraw(&mut self) -> io::Result<()> {
        self.drawn = None;
        self.terminal.resize(self.area())
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
            // The library takes cells for blank that such a character may have reached into.
            self.redraw()?;
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
        if self.place == Place::Rows {
            hold(Some(Held::Rows(self.terminal.backend().row())));
        }
        self.output.send()?;
        if let Some(viewport) = viewport {
            shown.drawn(viewport, now);
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Where the rows are depends on what is still on its way.
        self.output.send_within(PATIENCE);
        give_back();
    }
}

/// Rows below the prompt, where the window has more than they take.
fn place_of(rows: Option<u16>, window: Size) -> Place {
    match rows {
        Some(rows) if rows < window.height => Place::Rows,
        _ => Place::Screen,
    }
}

fn area(place: Place, rows: Option<u16>, window: Size) -> Rect {
    match (place, rows) {
        (Place::Rows, Some(rows)) => Rect::new(0, 0, window.width, rows),
        _ => Rect::new(0, 0, window.width, window.height),
    }
}

/// The window; 80×24 where nobody has given it a size.
pub(super) fn size_of(tty: &File) -> Size {
    match tcgetwinsize(tty) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size::new(size.ws_col, size.ws_row),
        _ => Size::new(80, 24),
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
