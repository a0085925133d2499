//! The dialog on a real terminal: its own handle of the controlling terminal, raw mode and the
//! alternate screen, keys, signals and the clock. A thin loop that feeds [`Dialog::update`] and
//! carries its effects out.
//!
//! Never touches stdin or stdout. Invariant: however it ends, the terminal is as it was.

mod by_line;
mod control;
mod controlling;
mod editing;
mod external;
mod inbox;
mod input;
mod kind;
mod lines;
mod output;
mod painter;
mod rows;
mod screen;
mod shown;
mod signals;
mod taken;
mod text_file;
mod turn;
mod units;
mod worker;

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use askwell_core::draft::Entered;
use askwell_core::{Outcome, RequestDraft};

use crate::dialog::Dialog;
use crate::event::{Effect, Event};
use crate::plain::Plain;
use crate::view;

pub use control::Control;
pub use controlling::{Unavailable, can_be_drawn_on, check_terminal, terminal_session};
pub use inbox::Desk;
pub(crate) use text_file::name as file_name;
pub use text_file::{LeftText, texts_left};
pub use worker::{DraftSink, Worker};

use control::Wakeups;
use editing::Editing;
use input::Input;
use lines::{Lines, columns_of};
use screen::Screen;
use signals::Signals;

/// The bytes of a keyboard, for who sends what nobody would type.
#[doc(hidden)]
pub mod keyboard {
    pub use super::input::{Came, events_of};
    pub use super::units::{Unit, Units};
}

/// How long the last save may take before the dialog leaves without it.
const LAST_SAVE: Duration = Duration::from_millis(1_200);

/// How a dialog ended. While it is held SIGTERM, SIGHUP and SIGINT do nothing, so that the outcome
/// can be passed on whole.
#[derive(Debug)]
pub struct Ended {
    /// The outcome. Ctrl-C cancels; SIGTERM, SIGHUP and a terminal that goes away abort.
    pub outcome: Outcome,
    /// What was entered.
    pub draft: RequestDraft,
    /// The same with the comment, as it is kept.
    pub entered: Entered,
    /// Whether the offered draft was taken up.
    pub restored: bool,
    /// Whether something that was entered is not known to be saved.
    pub unsaved: bool,
    /// How much the person has put the deadline off, without a host.
    pub put_off: Duration,
    /// Files with what the person's own editor wrote and the dialog could not take.
    pub left: Vec<PathBuf>,
    _signals: Signals,
}

/// An opened terminal, before or while something is on it that takes such events.
pub struct Session<E = Event> {
    tty: File,
    signals: Signals,
    wakeups: Wakeups<E>,
    control: Control<E>,
    left: Vec<PathBuf>,
}

impl<E: Send + 'static> Session<E> {
    /// Opens the controlling terminal. Nothing is drawn yet.
    ///
    /// # Errors
    /// [`Unavailable`] where nobody could see a dialog.
    pub fn open() -> Result<Self, Unavailable> {
        let tty = controlling::open_terminal()?;
        let (wakeups, control) = control::channel().map_err(|error| Unavailable::failed(&error))?;
        let signals = Signals::catch(&control).map_err(|error| Unavailable::failed(&error))?;
        Ok(Self { tty, signals, wakeups, control, left: Vec::new() })
    }

    /// Files with what the person's own editor wrote in the inbox and no dialog could take.
    pub fn left(&self) -> &[PathBuf] {
        &self.left
    }

    /// A handle to send events in from elsewhere.
    pub fn control(&self) -> Control<E> {
        self.control.clone()
    }
}

impl Session {
    /// Shows the dialog until it ends, drawn or by plain lines. `sink` keeps the draft.
    ///
    /// # Errors
    /// Where the terminal can't be set up or drawn on. The terminal is restored.
    pub fn run(self, mut dialog: Dialog, sink: Box<dyn DraftSink>) -> io::Result<Ended> {
        if dialog.options().plain || !can_be_drawn_on() {
            return self.run_lines(dialog, sink);
        }
        let mut worker = Worker::new(sink, self.control.clone());
        let mut screen = Screen::enter(&self.tty, &dialog)?;
        let mut input = Input::new(&self.tty);
        let mut editing = Editing::default();
        let start = Instant::now();
        let outcome = loop {
            let mut effects = Vec::new();
            let terminal = (&mut screen, &mut input, &self);
            let step = turn::step(&mut dialog, &mut editing, terminal, start, &mut effects);
            let mut gone = false;
            let failed = step.err().and_then(|error| {
                // What was entered is kept whatever happens to the terminal.
                let reason = "the terminal was closed".to_owned();
                effects.extend(dialog.update(Event::Aborted { reason }, start.elapsed()));
                gone = is_gone(&error);
                (!gone).then_some(error)
            });
            match (carry_out(effects, &mut worker), failed) {
                (_, Some(error)) => break Err(error),
                (Some(outcome), None) => break Ok(outcome),
                (None, None) if gone => {
                    let reason = "the terminal was closed".to_owned();
                    break Ok(Outcome::Aborted { reason });
                }
                (None, None) => {}
            }
        };
        drop((screen, input));
        if let (true, Ok(outcome)) = (dialog.options().in_place, &outcome) {
            let columns = controlling::size_of(&self.tty).width;
            let lines = view::summary(&dialog, outcome, columns.into());
            let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
            // From the whole screen it comes back to a line that somebody may have begun.
            let text = rows::fresh_line(columns) + &lines;
            output::write_within(&self.tty, text.as_bytes(), Duration::from_secs(1));
        }
        let left = editing.left;
        self.ended(dialog, outcome, worker, start).map(|ended| Ended { left, ..ended })
    }

    fn run_lines(self, dialog: Dialog, sink: Box<dyn DraftSink>) -> io::Result<Ended> {
        let mut worker = Worker::new(sink, self.control.clone());
        let plain = Plain::new(dialog, columns_of(&self.tty));
        let mut lines = Lines::begin(&self.tty, plain)?;
        let mut editing = Editing::default();
        let start = Instant::now();
        let outcome = loop {
            let mut effects = Vec::new();
            let step = lines.step(&mut editing, &self, start, &mut effects);
            let failed = step.err();
            let reason = || "the terminal was closed".to_owned();
            if failed.is_some() {
                // What was entered is kept whatever happens to the terminal.
                let aborted = Event::Aborted { reason: reason() };
                effects.extend(lines.event(aborted, start.elapsed()));
            }
            match (carry_out(effects, &mut worker), failed) {
                (_, Some(error)) if !is_gone(&error) => break Err(error),
                (Some(outcome), _) => break Ok(outcome),
                (None, Some(_)) => break Ok(Outcome::Aborted { reason: reason() }),
                (None, None) => {}
            }
        };
        let dialog = lines.end().into_dialog();
        let left = editing.left;
        self.ended(dialog, outcome, worker, start).map(|ended| Ended { left, ..ended })
    }

    /// What is left to do when the dialog is off the terminal.
    fn ended(
        self,
        mut dialog: Dialog,
        outcome: io::Result<Outcome>,
        worker: Worker,
        start: Instant,
    ) -> io::Result<Ended> {
        worker.finish(LAST_SAVE);
        for event in self.wakeups.take() {
            if let Event::DraftSaved(_) = event {
                dialog.update(event, start.elapsed());
            }
        }
        let (draft, entered) = (dialog.draft().clone(), dialog.entered());
        let (restored, unsaved) = (dialog.restored(), !dialog.is_saved());
        let put_off = dialog.put_off();
        outcome.map(|outcome| Ended {
            outcome,
            draft,
            entered,
            restored,
            unsaved,
            put_off,
            left: Vec::new(),
            _signals: self.signals,
        })
    }
}

/// Whether the terminal went away, with or without a signal that tells.
fn is_gone(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::IO, Errno::NXIO].iter().any(|gone| error.raw_os_error() == Some(gone.raw_os_error()))
}

/// Carries effects out; the outcome where one of them ends the dialog.
fn carry_out(effects: Vec<Effect>, worker: &mut Worker) -> Option<Outcome> {
    let mut ended = None;
    for effect in effects {
        match effect {
            Effect::SaveDraft(entered) => worker.save(entered),
            Effect::Merged(merged) => worker.merged(merged),
            Effect::Submit(answers) => worker.submit(answers),
            Effect::Extend => worker.extend(),
            Effect::End(outcome) => ended = Some(outcome),
            // Those are the terminal's, which has done them.
            Effect::OpenEditor { .. } | Effect::CloseEditor => {}
        }
    }
    ended
}
