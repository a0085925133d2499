//! One turn of the loop: draw, wait, take in; or wait beside the person's own editor, which has the
//! terminal then.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use rustix::process::{Signal, getpid, kill_process};

use super::Session;
use super::external::{External, Look};
use super::input::{Came, Input};
use super::screen::Screen;
use super::shown::Shown;
use crate::event::{EditorFault, EditorFaultKind, Event};

/// What is between two turns.
#[derive(Default)]
pub(super) struct Turns {
    external: Option<External>,
    /// The text that the editor is to be opened on, and the most bytes that it may come back with.
    wanted: Option<(String, usize)>,
    /// What a signal said while the editor was open: it is closed first.
    held: Vec<Event>,
    /// Files with what the editor wrote and the dialog could not take.
    pub(super) left: Vec<PathBuf>,
}

impl Turns {
    /// Draws, waits for something to happen, and takes it in.
    pub(super) fn step<S: Shown>(
        &mut self,
        shown: &mut S,
        terminal: (&mut Screen, &mut Input<'_>, &Session<S::Event>),
        start: Instant,
        effects: &mut Vec<S::Effect>,
    ) -> io::Result<()> {
        let before = effects.len();
        match self.wanted.take() {
            Some((text, limit)) => self.open(shown, terminal, (&text, limit), start, effects)?,
            None if self.external.is_some() => self.beside(shown, terminal, start, effects)?,
            None => step(shown, terminal, start, effects)?,
        }
        self.wanted = S::editor_wanted(&effects[before..]);
        if let (true, Some(open)) = (S::ends_editor(&effects[before..]), &mut self.external) {
            open.close();
        }
        Ok(())
    }

    fn open<S: Shown>(
        &mut self,
        shown: &mut S,
        (screen, _, session): (&mut Screen, &mut Input<'_>, &Session<S::Event>),
        (text, limit): (&str, usize),
        start: Instant,
        effects: &mut Vec<S::Effect>,
    ) -> io::Result<()> {
        screen.lend();
        let opened = match shown.editor() {
            Some(editor) => External::open(editor, text, limit, session.control.waker()),
            None => Err(EditorFault { kind: EditorFaultKind::Unset, kept: None }),
        };
        match opened {
            Ok(open) => {
                self.external = Some(open);
                Ok(())
            }
            Err(fault) => {
                let event = Event::EditorClosed(Err(fault));
                effects.extend(shown.update(event.into(), start.elapsed()));
                screen.resume()
            }
        }
    }

    /// Waits beside the editor. Keys are the editor's, those that the terminal makes signals of too.
    fn beside<S: Shown>(
        &mut self,
        shown: &mut S,
        (screen, _, session): (&mut Screen, &mut Input<'_>, &Session<S::Event>),
        start: Instant,
        effects: &mut Vec<S::Effect>,
    ) -> io::Result<()> {
        let Some(external) = &mut self.external else { return Ok(()) };
        let tick = shown.next_tick().map(|at| at.saturating_sub(start.elapsed()));
        session.wakeups.wait([tick, external.patience()].into_iter().flatten().min())?;
        let caught = &session.signals;
        let stopped = caught.stopped();
        if caught.continued() {
            external.go_on();
        }
        for event in caught.take() {
            if let Event::Aborted { .. } = event {
                external.close();
                self.held.push(event);
            }
        }
        for event in session.wakeups.take() {
            effects.extend(shown.update(event, start.elapsed()));
        }
        effects.extend(shown.update(Event::Tick.into(), start.elapsed()));
        match external.look() {
            Look::Open if stopped => Ok(kill_process(getpid(), Signal::STOP)?),
            Look::Open => Ok(()),
            Look::Stopped => Ok(kill_process(getpid(), Signal::STOP)?),
            Look::Closed(result) => {
                self.external = None;
                self.left.extend(result.as_ref().err().and_then(|it| it.kept.clone()));
                screen.resume()?;
                let closed = [Event::EditorClosed(result)].into_iter();
                for event in closed.chain(self.held.drain(..)) {
                    effects.extend(shown.update(event.into(), start.elapsed()));
                }
                Ok(())
            }
        }
    }
}

/// Draws, waits for something to happen, and takes it in.
fn step<S: Shown>(
    shown: &mut S,
    (screen, input, session): (&mut Screen, &mut Input<'_>, &Session<S::Event>),
    start: Instant,
    effects: &mut Vec<S::Effect>,
) -> io::Result<()> {
    screen.draw(shown, start.elapsed())?;
    let wait = shown.next_tick().map(|at| at.saturating_sub(start.elapsed()));
    let ready = input.wait(&session.wakeups, wait, screen.is_writing())?;
    if ready.events {
        let caught = &session.signals;
        if caught.stopped() {
            screen.suspend()?;
        }
        if caught.continued() {
            screen.resume()?;
        }
        for event in session.wakeups.take() {
            effects.extend(shown.update(event, start.elapsed()));
        }
        for event in caught.take() {
            if event == Event::Resize {
                screen.resize()?;
            }
            effects.extend(shown.update(event.into(), start.elapsed()));
        }
    }
    let keys = if ready.keys { input.read()? } else { input.overdue() };
    for came in keys {
        let event = match came {
            Came::Event(event) => event,
            Came::Mouse(pointer, column, row) => {
                Event::Pointed(screen.target(column, row), pointer)
            }
        };
        effects.extend(shown.update(event.into(), start.elapsed()));
    }
    shown.end_of_read();
    effects.extend(shown.update(Event::Tick.into(), start.elapsed()));
    Ok(())
}
