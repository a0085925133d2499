//! The inbox on a real terminal: drawn, list and dialogs on one screen without going back to the main
//! one in between, or by plain lines.

use std::io;
use std::time::Instant;

use super::editing::Editing;
use super::input::Input;
use super::lines::{Lines, columns_of};
use super::screen::Screen;
use super::{Session, is_gone, turn};
use crate::event::Event;
use crate::inbox::{Inbox, InboxEffect, InboxEvent, PlainInbox};

/// Whoever carries out what an inbox wants done at the host. Each call returns at once; what comes
/// of it arrives as an event.
pub trait Desk {
    /// Carries an effect out; never [`InboxEffect::Ring`] or [`InboxEffect::Leave`].
    fn carry_out(&mut self, effect: InboxEffect);
}

impl Session<InboxEvent> {
    /// Shows the inbox until the person leaves it, drawn or by plain lines. `effects` are to be
    /// carried out first.
    ///
    /// While what it returns is held, SIGTERM, SIGHUP and SIGINT do nothing, so that the last draft
    /// can be kept.
    ///
    /// # Errors
    /// Where the terminal can't be set up or drawn on. The terminal is restored.
    pub fn run_inbox(
        mut self,
        inbox: &mut Inbox,
        effects: Vec<InboxEffect>,
        desk: &mut dyn Desk,
    ) -> io::Result<Self> {
        let mut editing = Editing::default();
        let start = Instant::now();
        let ended = if inbox.options().plain {
            let plain = PlainInbox::new(inbox, columns_of(&self.tty));
            let mut lines = Lines::begin(&self.tty, plain)?;
            let ended = attend(effects, desk, |wanted, effects| match wanted {
                Attend::Next => lines.step(&mut editing, &self, start, effects),
                Attend::Ring if editing.is_open() => Ok(()),
                Attend::Ring => lines.output().ring(),
                Attend::Gone(event) => {
                    effects.extend(lines.event(event, start.elapsed()));
                    Ok(())
                }
            });
            lines.end();
            ended
        } else {
            let mut screen = Screen::enter(&self.tty, inbox)?;
            let mut input = Input::new(&self.tty);
            attend(effects, desk, |wanted, effects| match wanted {
                Attend::Next => {
                    let terminal = (&mut screen, &mut input, &self);
                    turn::step(inbox, &mut editing, terminal, start, effects)
                }
                Attend::Ring if editing.is_open() => Ok(()),
                Attend::Ring => screen.output().ring(),
                Attend::Gone(event) => {
                    effects.extend(inbox.update(event.into(), start.elapsed()));
                    Ok(())
                }
            })
        };
        self.left = editing.left;
        ended.map(|()| self)
    }
}

/// What an inbox on a terminal is to do.
enum Attend {
    /// Go on until something happens.
    Next,
    /// Ring the bell; not while the person's own editor has the terminal, whose bytes it would be among.
    Ring,
    /// Hear that the terminal is gone.
    Gone(Event),
}

/// Has an inbox go on, and what it wants carried out, until it is left.
fn attend(
    mut effects: Vec<InboxEffect>,
    desk: &mut dyn Desk,
    mut take: impl FnMut(Attend, &mut Vec<InboxEffect>) -> io::Result<()>,
) -> io::Result<()> {
    loop {
        let (mut leaving, mut rings) = (false, false);
        for effect in effects.drain(..) {
            match effect {
                InboxEffect::Leave => leaving = true,
                InboxEffect::Ring => rings = true,
                effect => desk.carry_out(effect),
            }
        }
        if leaving {
            return Ok(());
        }
        let rung = if rings { take(Attend::Ring, &mut effects) } else { Ok(()) };
        if let Err(error) = rung.and_then(|()| take(Attend::Next, &mut effects)) {
            // What was entered is kept whatever happens to the terminal.
            let reason = "the terminal was closed".to_owned();
            take(Attend::Gone(Event::Aborted { reason }), &mut effects)?;
            if !is_gone(&error) {
                let ours = [InboxEffect::Leave, InboxEffect::Ring];
                for effect in effects.drain(..).filter(|it| !ours.contains(it)) {
                    desk.carry_out(effect);
                }
                return Err(error);
            }
        }
    }
}
