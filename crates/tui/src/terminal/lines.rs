//! Plain lines on a real terminal: it stays as the person has it, cooked and echoing, and what is
//! written to it is text and line ends.

use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};

use super::Session;
use super::by_line::ByLine;
use super::control::timespec;
use super::controlling::{can_be_drawn_on, size_of};
use super::editing::Editing;
use super::output::{self, Output};
use super::taken::{EDITOR_DIED, EDITOR_OFF};
use crate::event::Event;

/// What a terminal does not read within this time at the end it will not get.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The terminal, what is on it by lines, and the line that is being read.
pub(super) struct Lines<'a, P> {
    tty: &'a File,
    plain: P,
    output: Output,
    /// How it is when lines are read.
    modes: Option<Termios>,
    line: Vec<u8>,
    buffer: Vec<u8>,
}

/// What was typed.
enum Typed {
    Line(Vec<u8>),
    /// The end of what is typed: Ctrl-D.
    End,
    Nothing,
}

impl<'a, P: ByLine> Lines<'a, P> {
    pub(super) fn begin(tty: &'a File, plain: P) -> io::Result<Self> {
        let output = Output::new(tty.try_clone()?);
        let (modes, line, buffer) = (tcgetattr(tty).ok(), Vec::new(), vec![0; 8 * 1024]);
        Ok(Self { tty, plain, output, modes, line, buffer })
    }

    /// Writes what there is to write, waits for something to happen, and takes it in; or waits beside
    /// the person's own editor, and writes nothing then.
    pub(super) fn step(
        &mut self,
        editing: &mut Editing,
        session: &Session<P::Event>,
        start: Instant,
        effects: &mut Vec<P::Effect>,
    ) -> io::Result<()> {
        let before = effects.len();
        if editing.is_wanted() {
            self.write()?;
            self.output.send_within(LAST_WORDS);
            let fault = editing.open(self.plain.editor(), session).err();
            let events = fault.map(|fault| Event::EditorClosed(Err(fault)));
            self.tell(events, start, effects);
        } else if editing.is_open() {
            let tick = self.plain.next_tick().map(|at| at.saturating_sub(start.elapsed()));
            let beside = editing.wait(session, tick)?;
            self.tell(beside.events, start, effects);
            self.tell([Event::Tick], start, effects);
            if let Some(closed) = beside.closed {
                self.take_back(closed.died);
                self.tell(closed.events, start, effects);
            }
        } else {
            self.read_on(session, start, effects)?;
        }
        editing.heed(&effects[before..]);
        Ok(())
    }

    fn tell<E: Into<P::Event>>(
        &mut self,
        events: impl IntoIterator<Item = E>,
        start: Instant,
        effects: &mut Vec<P::Effect>,
    ) {
        for event in events {
            let (event, now) = (event.into(), start.elapsed());
            if self.plain.is_ended_by(&event, now) {
                let half = self.half_line();
                effects.extend(self.plain.half_line(&half));
            }
            effects.extend(self.plain.event(event, now));
        }
    }

    /// What was typed of a line that has no end yet. The terminal keeps it to itself as long as it
    /// reads by lines.
    fn half_line(&mut self) -> Vec<u8> {
        let mut half = std::mem::take(&mut self.line);
        let Ok(by_lines) = tcgetattr(self.tty) else { return half };
        // In the background the change alone would stop us.
        if !tcgetpgrp(self.tty).is_ok_and(|foreground| foreground == getpgrp()) {
            return half;
        }
        let mut by_keys = by_lines.clone();
        by_keys.local_modes.remove(LocalModes::ICANON);
        if tcsetattr(self.tty, OptionalActions::Now, &by_keys).is_ok() {
            while let Ok(count @ 1..) = rustix::io::read(self.tty, &mut *self.buffer) {
                half.extend_from_slice(&self.buffer[..count]);
            }
            let _ = tcsetattr(self.tty, OptionalActions::Now, &by_lines);
        }
        half
    }

    fn read_on(
        &mut self,
        session: &Session<P::Event>,
        start: Instant,
        effects: &mut Vec<P::Effect>,
    ) -> io::Result<()> {
        self.write()?;
        let now = start.elapsed();
        let wait = self.plain.next_tick().map(|at| at.saturating_sub(now));
        let (typed, events) = self.wait(session, wait)?;
        self.plain.set_columns(columns_of(self.tty));
        if events {
            let caught = &session.signals;
            if caught.stopped() {
                use rustix::process::{Signal, getpid, kill_process};
                kill_process(getpid(), Signal::STOP)?;
            }
            if caught.continued() {
                self.plain.resumed();
            }
            self.tell(session.wakeups.take(), start, effects);
            self.tell(caught.take(), start, effects);
        }
        if typed {
            match self.read()? {
                Typed::Line(line) => effects.extend(self.plain.line(&line, start.elapsed())),
                Typed::End => effects.extend(self.plain.end_of_input(start.elapsed())),
                Typed::Nothing => {}
            }
        }
        self.tell([Event::Tick], start, effects);
        Ok(())
    }

    /// Takes the terminal back from the editor. One that died may have left anything there.
    fn take_back(&self, died: bool) {
        if died {
            let _ = self
                .modes
                .iter()
                .try_for_each(|modes| tcsetattr(self.tty, OptionalActions::Now, modes));
            if can_be_drawn_on() {
                self.output.queue(format!("{EDITOR_OFF}{EDITOR_DIED}").as_bytes());
            }
        }
    }

    /// What is written to the terminal.
    pub(super) fn output(&self) -> &Output {
        &self.output
    }

    /// An event in the face of a terminal that is gone.
    pub(super) fn event(&mut self, event: Event, now: Duration) -> Vec<P::Effect> {
        self.plain.event(event.into(), now)
    }

    /// The last words, and what said them.
    pub(super) fn end(mut self) -> P {
        if self.write().is_ok() {
            let rest = self.output.take();
            output::write_within(self.tty, &rest, LAST_WORDS);
        }
        self.plain
    }

    fn write(&mut self) -> io::Result<()> {
        let typed_ahead = self.plain.flushes() && self.flush();
        self.output.queue(self.plain.take_output(typed_ahead).as_bytes());
        self.output.send()
    }

    /// Throws away what was typed so far; whether there was a line.
    fn flush(&mut self) -> bool {
        let waiting = rustix::io::ioctl_fionread(self.tty).unwrap_or(0);
        let _ = tcflush(self.tty, QueueSelector::IFlush);
        waiting > 0
    }

    /// Whether there is something typed, and something from elsewhere.
    fn wait(
        &self,
        session: &Session<P::Event>,
        timeout: Option<Duration>,
    ) -> io::Result<(bool, bool)> {
        let mut wanted = PollFlags::empty();
        wanted.set(PollFlags::IN, self.plain.takes_lines());
        wanted.set(PollFlags::OUT, self.output.is_waiting());
        let wake = session.wakeups.fd();
        let mut fds = [PollFd::new(self.tty, wanted), PollFd::new(&wake, PollFlags::IN)];
        match poll(&mut fds, timeout.map(timespec).as_ref()) {
            Ok(_) => {
                let typed = !fds[0].revents().difference(PollFlags::OUT).is_empty();
                Ok((typed, !fds[1].revents().is_empty()))
            }
            Err(Errno::INTR) => Ok((false, false)),
            Err(error) => Err(error.into()),
        }
    }

    /// What one read gives: a terminal of lines never gives more than one line at once.
    fn read(&mut self) -> io::Result<Typed> {
        let count = match rustix::io::read(self.tty, &mut *self.buffer) {
            Ok(0) if self.line.is_empty() => return Ok(Typed::End),
            Ok(0) => return Ok(Typed::Line(std::mem::take(&mut self.line))),
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(Typed::Nothing),
            Err(error) => return Err(error.into()),
        };
        self.line.extend_from_slice(&self.buffer[..count]);
        match self.line.pop_if(|last| *last == b'\n') {
            Some(_) => Ok(Typed::Line(std::mem::take(&mut self.line))),
            None => Ok(Typed::Nothing),
        }
    }
}

pub(super) fn columns_of(tty: &File) -> usize {
    usize::from(size_of(tty).width)
}
