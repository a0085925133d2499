//! A terminal with something drawn on it: in which place, of which size, and how often.

use std::fs::File;
use std::io;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::layout::{Rect, Size};
use ratatui::{TerminalOptions, Viewport as Area};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::controlling::size_of;
use super::kind::{holds_esc_for_mouse, wraps};
use super::output::Output;
use super::painter::{Painter, Place, is_unsure};
use super::rows::{columns_used, fresh_line, reserve, row_when_wrapped, to_first_row};
use super::shown::Shown;
use super::taken::{
    EDITOR_DIED, EDITOR_OFF, Held, KEYS, KEYS_OFF, MOUSE, PATIENCE, SCREEN, give_back, hold, lend,
    take,
};
use crate::event::Target;
use crate::view::Renderer;

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
    /// How many columns of each row below the prompt hold something.
    used: Vec<u16>,
    mouse: bool,
    panic_on_draw: bool,
}

impl Screen {
    pub(super) fn enter(tty: &File, shown: &impl Shown) -> io::Result<Self> {
        take(tty)?;
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
            used: Vec::new(),
            mouse: !shown.leaves_mouse() && !holds_esc_for_mouse(),
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
        lend();
    }

    /// Takes the terminal over from a program of ours. One that died may have left anything there.
    pub(super) fn take_back(&mut self, died: bool) -> io::Result<()> {
        self.output.queue(EDITOR_OFF.as_bytes());
        if died {
            self.output.queue(EDITOR_DIED.as_bytes());
        }
        self.resume()
    }

    /// Takes the terminal over once more, after somebody else had it.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        self.take_over()?;
        self.redraw()
    }

    /// Takes the window's size as it is now, and draws everything anew.
    ///
    /// Rows that a narrower window has wrapped, or a lower one has pushed out, are nowhere that we
    /// know for sure: what is above them must not be erased, so the dialog goes over to the whole
    /// screen, and what is known to be ours is erased before.
    pub(super) fn resize(&mut self) -> io::Result<()> {
        let before = std::mem::replace(&mut self.window, size_of(&self.tty));
        if self.place == Place::Rows {
            let at = self.terminal.backend().at();
            let row = match self.window.width < before.width && wraps() {
                true => row_when_wrapped(&self.used, (at.y, at.x), self.window.width),
                false => at.y,
            };
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

    /// Draws everything anew, whatever somebody else has written there.
    pub(super) fn repaint(&mut self) -> io::Result<()> {
        self.output.queue(b"\x1b[m");
        self.resize()
    }

    /// Draws everything anew.
    fn redraw(&mut self) -> io::Result<()> {
        self.drawn = None;
        self.terminal.resize(self.area())
    }

    /// What is written to the terminal.
    pub(super) fn output(&self) -> &Output {
        &self.output
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
            self.used = columns_used(drawn.buffer);
            hold(Some(Held::Rows(self.terminal.backend().at().y)));
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
