//! The inbox on a real terminal: list and dialogs on one screen, without going back to the main one
//! in between.

use std::io;
use std::time::Instant;

use super::input::Input;
use super::screen::Screen;
use super::turn::Turns;
use super::{Session, is_gone};
use crate::event::Event;
use crate::inbox::{Inbox, InboxEffect, InboxEvent};

/// Whoever carries out what an inbox wants done at the host. Each call returns at once; what comes
/// of it arrives as an event.
pub trait Desk {
    /// Carries an effect out; never [`InboxEffect::Leave`].
    fn carry_out(&mut self, effect: InboxEffect);
}

impl Session<InboxEvent> {
    /// Shows the inbox until the person leaves it. `effects` are to be carried out first.
    ///
    /// While what it returns is held, SIGTERM, SIGHUP and SIGINT do nothing, so that the last draft
    /// can be kept.
    ///
    /// # Errors
    /// Where the terminal can't be set up or drawn on. The terminal is restored.
    pub fn run_inbox(
        mut self,
        inbox: &mut Inbox,
        mut effects: Vec<InboxEffect>,
        desk: &mut dyn Desk,
    ) -> io::Result<Self> {
        let mut screen = Screen::enter(&self.tty, inbox)?;
        let mut input = Input::new(&self.tty);
        let mut turns = Turns::default();
        let start = Instant::now();
        let ended = loop {
            let mut leaving = false;
            for effect in effects.drain(..) {
                match effect {
                    InboxEffect::Leave => leaving = true,
                    effect => desk.carry_out(effect),
                }
            }
            if leaving {
                break Ok(());
            }
            let terminal = (&mut screen, &mut input, &self);
            if let Err(error) = turns.step(inbox, terminal, start, &mut effects) {
                // What was entered is kept whatever happens to the terminal.
                let reason = "a terminal that was closed".to_owned();
                let event = Event::Aborted { reason };
                effects.extend(inbox.update(event.into(), start.elapsed()));
                if !is_gone(&error) {
                    for effect in effects.drain(..).filter(|it| *it != InboxEffect::Leave) {
                        desk.carry_out(effect);
                    }
                    break Err(error);
                }
            }
        };
        drop((screen, input));
        self.left = turns.left;
        ended.map(|()| self)
    }
}
