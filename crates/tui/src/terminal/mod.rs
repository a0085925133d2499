//! The dialog on a real terminal: its own handle of the controlling terminal, raw mode and the
//! alternate screen, keys, signals and the clock. A thin loop that feeds [`Dialog::update`] and
//! carries its effects out.
//!
//! Never touches stdin or stdout. Invariant: however it ends, the terminal is as it was.

mod control;
mod input;
mod screen;
mod signals;
mod worker;

use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use askwell_core::{Outcome, RequestDraft};

use crate::dialog::Dialog;
use crate::event::{Effect, Event};

pub use control::Control;
pub use screen::{Unavailable, check_terminal};
pub use worker::DraftSink;

use control::Wakeups;
use input::Input;
use screen::Screen;
use signals::Signals;
use worker::Worker;

/// How long the last save may take before the dialog leaves without it.
const LAST_SAVE: Duration = Duration::from_secs(5);

/// How a dialog ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The outcome. Ctrl-C cancels; SIGTERM, SIGHUP and a terminal that goes away abort.
    pub outcome: Outcome,
    /// What was entered.
    pub draft: RequestDraft,
    /// Whether the offered draft was taken up.
    pub restored: bool,
}

/// An opened terminal, before or while a dialog is on it.
pub struct Session {
    tty: File,
    wakeups: Wakeups,
    control: Control,
}

impl Session {
    /// Opens the controlling terminal. Nothing is drawn yet.
    ///
    /// # Errors
    /// [`Unavailable`] where nobody could see a dialog.
    pub fn open() -> Result<Self, Unavailable> {
        let tty = screen::open_terminal()?;
        let (wakeups, control) = control::channel().map_err(|error| Unavailable::failed(&error))?;
        Ok(Self { tty, wakeups, control })
    }

    /// A handle to send events in from elsewhere.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Shows the dialog until it ends. `sink` keeps the draft.
    ///
    /// # Errors
    /// Where the terminal can't be set up or drawn on. The terminal is restored.
    pub fn run(self, mut dialog: Dialog, sink: Box<dyn DraftSink>) -> io::Result<Ended> {
        let _signals = Signals::catch(&self.control)?;
        let worker = Worker::start(sink, self.control.clone())?;
        let mut screen = Screen::enter(&self.tty, &dialog)?;
        let mut input = Input::new(&self.tty);
        let start = Instant::now();
        let outcome = loop {
            screen.draw(&mut dialog, start.elapsed())?;
            let wait = dialog.next_tick().map(|at| at.saturating_sub(start.elapsed()));
            let ready = input.wait(&self.wakeups, wait)?;
            let mut effects = Vec::new();
            let mut feed = |event, dialog: &mut Dialog| {
                effects.extend(dialog.update(event, start.elapsed()));
            };
            if ready.events {
                for event in self.wakeups.take() {
                    if event == Event::Resize {
                        screen.resize()?;
                    }
                    feed(event, &mut dialog);
                }
            }
            if ready.keys {
                for event in input.read()? {
                    feed(event, &mut dialog);
                }
                dialog.end_of_read();
            }
            feed(Event::Tick, &mut dialog);
            if let Some(outcome) = carry_out(effects, &worker) {
                break outcome;
            }
        };
        drop(screen);
        worker.finish(LAST_SAVE);
        Ok(Ended { outcome, draft: dialog.draft().clone(), restored: dialog.restored() })
    }
}

/// Carries effects out; the outcome where one of them ends the dialog.
fn carry_out(effects: Vec<Effect>, worker: &Worker) -> Option<Outcome> {
    let mut ended = None;
    for effect in effects {
        match effect {
            Effect::SaveDraft(states) => worker.save(states),
            Effect::Submit(answers) => worker.submit(answers),
            Effect::End(outcome) => ended = Some(outcome),
        }
    }
    ended
}
