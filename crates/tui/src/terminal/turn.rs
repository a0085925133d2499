//! One turn of the loop: draw, wait, take in; or wait beside the person's own editor, which has the
//! terminal then.

use std::io;
use std::time::Instant;

use super::Session;
use super::editing::Editing;
use super::input::{Came, Input};
use super::screen::Screen;
use super::shown::Shown;
use crate::event::Event;
use crate::keymap;

/// Draws, waits for something to happen, and takes it in.
pub(super) fn step<S: Shown>(
    shown: &mut S,
    editing: &mut Editing,
    terminal: (&mut Screen, &mut Input<'_>, &Session<S::Event>),
    start: Instant,
    effects: &mut Vec<S::Effect>,
) -> io::Result<()> {
    let before = effects.len();
    if editing.is_wanted() {
        open(shown, editing, terminal, start, effects)?;
    } else if editing.is_open() {
        beside(shown, editing, terminal, start, effects)?;
    } else {
        drawn(shown, terminal, start, effects)?;
    }
    editing.heed(&effects[before..]);
    Ok(())
}

fn open<S: Shown>(
    shown: &mut S,
    editing: &mut Editing,
    (screen, _, session): (&mut Screen, &mut Input<'_>, &Session<S::Event>),
    start: Instant,
    effects: &mut Vec<S::Effect>,
) -> io::Result<()> {
    screen.lend();
    if let Err(fault) = editing.open(shown.editor(), session) {
        let event = Event::EditorClosed(Err(fault));
        effects.extend(shown.update(event.into(), start.elapsed()));
        screen.resume()?;
    }
    Ok(())
}

fn beside<S: Shown>(
    shown: &mut S,
    editing: &mut Editing,
    (screen, _, session): (&mut Screen, &mut Input<'_>, &Session<S::Event>),
    start: Instant,
    effects: &mut Vec<S::Effect>,
) -> io::Result<()> {
    let tick = shown.next_tick().map(|at| at.saturating_sub(start.elapsed()));
    let beside = editing.wait(session, tick)?;
    for event in beside.events {
        effects.extend(shown.update(event, start.elapsed()));
    }
    effects.extend(shown.update(Event::Tick.into(), start.elapsed()));
    if let Some(closed) = beside.closed {
        screen.take_back(closed.died)?;
        for event in closed.events {
            effects.extend(shown.update(event.into(), start.elapsed()));
        }
    }
    Ok(())
}

fn drawn<S: Shown>(
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
            // It changes nothing but the picture, so that it is always taken.
            Came::Event(Event::Key(key)) if keymap::is_redraw(&key) => {
                screen.repaint()?;
                continue;
            }
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
