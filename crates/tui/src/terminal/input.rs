//! Keys from the terminal: bytes in, events out.

use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use termina::Parser;
use termina::event::{KeyCode, KeyEvent, Modifiers, MouseButton, MouseEvent, MouseEventKind};

use super::control::{Wakeups, timespec};
use super::units::{Unit, Units};
use crate::event::{Event, Pointer};

pub(super) struct Input<'a> {
    tty: &'a File,
    units: Units,
    buffer: Vec<u8>,
    /// When the last bytes came.
    last: Instant,
}

/// What there is to take in.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Ready {
    pub(super) keys: bool,
    pub(super) events: bool,
}

impl<'a> Input<'a> {
    pub(super) fn new(tty: &'a File) -> Self {
        Self { tty, units: Units::default(), buffer: vec![0; 16 * 1024], last: Instant::now() }
    }

    /// Waits for keys, events, room to write where that is wanted, or the end of `timeout`.
    pub(super) fn wait<E>(
        &self,
        wakeups: &Wakeups<E>,
        timeout: Option<Duration>,
        writing: bool,
    ) -> io::Result<Ready> {
        let rest = self.units.patience().map(|time| time.saturating_sub(self.last.elapsed()));
        let timeout = [timeout, rest].into_iter().flatten().min();
        let wanted = if writing { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
        let wake = wakeups.fd();
        let mut fds = [PollFd::new(self.tty, wanted), PollFd::new(&wake, PollFlags::IN)];
        match poll(&mut fds, timeout.map(timespec).as_ref()) {
            Ok(_) => Ok(Ready {
                keys: !fds[0].revents().difference(PollFlags::OUT).is_empty(),
                events: !fds[1].revents().is_empty(),
            }),
            Err(Errno::INTR) => Ok(Ready::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// What came in one read.
    pub(super) fn read(&mut self) -> io::Result<Vec<Came>> {
        let count = match rustix::io::read(self.tty, &mut *self.buffer) {
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        if count == 0 {
            return Err(Errno::IO.into());
        }
        self.last = Instant::now();
        let units = self.units.take(&self.buffer[..count]);
        Ok(units.into_iter().flat_map(events_of).collect())
    }

    /// What was held for a rest that has not come.
    pub(super) fn overdue(&mut self) -> Vec<Came> {
        match self.units.patience() {
            Some(patience) if self.last.elapsed() >= patience => {
                self.units.give_up().into_iter().flat_map(events_of).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What came from the terminal.
#[derive(Debug, PartialEq)]
pub enum Came {
    /// A key or a paste.
    Event(Event),
    /// The mouse, at a column and row of the window.
    Mouse(Pointer, u16, u16),
}

/// What a unit says.
pub fn events_of(unit: Unit) -> Vec<Came> {
    let key = |code, modifiers| vec![Came::Event(Event::Key(KeyEvent::new(code, modifiers)))];
    match unit {
        Unit::Esc => key(KeyCode::Escape, Modifiers::NONE),
        Unit::Paste(text) => vec![Came::Event(Event::Paste(text))],
        Unit::Char('\r') => key(KeyCode::Enter, Modifiers::NONE),
        Unit::Char('\t') => key(KeyCode::Tab, Modifiers::NONE),
        Unit::Char('\u{7f}') => key(KeyCode::Backspace, Modifiers::NONE),
        Unit::Char('\0') => key(KeyCode::Char(' '), Modifiers::CONTROL),
        Unit::Char(control @ '\u{1}'..='\u{1a}') => {
            let letter = char::from(b'a' - 1 + control as u8);
            key(KeyCode::Char(letter), Modifiers::CONTROL)
        }
        Unit::Char(control @ '\u{1c}'..='\u{1f}') => {
            let digit = char::from(b'4' - 0x1c + control as u8);
            key(KeyCode::Char(digit), Modifiers::CONTROL)
        }
        Unit::Char(character) => key(KeyCode::Char(character), Modifiers::NONE),
        Unit::Sequence(bytes) => {
            let mut parser = Parser::default();
            parser.parse(&by_base_key(&bytes).unwrap_or(bytes), false);
            let mut events = Vec::new();
            while let Some(event) = parser.pop() {
                match event {
                    termina::Event::Key(key) => events.push(Came::Event(Event::Key(key))),
                    termina::Event::Mouse(mouse) => events.extend(came_of(mouse)),
                    _ => {}
                }
            }
            events
        }
    }
}

fn came_of(mouse: MouseEvent) -> Option<Came> {
    let pointer = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Pointer::Click,
        MouseEventKind::ScrollUp => Pointer::WheelUp,
        MouseEventKind::ScrollDown => Pointer::WheelDown,
        _ => return None,
    };
    Some(Came::Mouse(pointer, mouse.column, mouse.row))
}

/// With Ctrl or Alt a key is meant by its place: `CSI code:shifted:base;modifiers u` with the base
/// key as the code, so that Ctrl-C is Ctrl-C on every layout. Also `CSI 27;modifiers;code~`.
fn by_base_key(sequence: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(sequence).ok()?.strip_prefix("\x1b[")?;
    if let Some(rest) = text.strip_prefix("27;") {
        let (modifiers, code) = rest.strip_suffix('~')?.split_once(';')?;
        return Some(format!("\x1b[{code};{modifiers}u").into_bytes());
    }
    let (code, modifiers) = text.strip_suffix('u')?.split_once(';')?;
    let base = code.split(':').nth(2).filter(|base| !base.is_empty())?;
    let bits: u32 = modifiers.split(':').next()?.parse().ok()?;
    let chord = bits.checked_sub(1)? & 0b110 != 0;
    chord.then(|| format!("\x1b[{base};{modifiers}u").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_is_ctrl_c_on_every_layout() {
        for sequence in ["\x1b[1089::99;5u", "\x1b[99;5u", "\x1b[67;5u", "\x1b[27;5;99~"] {
            let events = events_of(Unit::Sequence(sequence.as_bytes().to_vec()));
            let [Came::Event(Event::Key(key))] = &events[..] else {
                panic!("{sequence:?}: {events:?}")
            };
            assert!(crate::keymap::is_interrupt(key), "{sequence:?}: {key:?}");
        }
    }

    #[test]
    fn without_a_chord_a_key_is_its_character() {
        let events = events_of(Unit::Sequence(b"\x1b[1089::99;1u".to_vec()));
        assert!(
            matches!(&events[..], [Came::Event(Event::Key(key))] if key.code == KeyCode::Char('с'))
        );
    }

    #[test]
    fn presses_and_the_wheel_are_told_and_nothing_else_of_the_mouse() {
        let came = |bytes: &str| events_of(Unit::Sequence(bytes.as_bytes().to_vec()));
        assert_eq!(came("\x1b[<0;5;3M"), [Came::Mouse(Pointer::Click, 4, 2)]);
        assert_eq!(came("\x1b[<64;1;1M"), [Came::Mouse(Pointer::WheelUp, 0, 0)]);
        assert_eq!(came("\x1b[<65;300;200M"), [Came::Mouse(Pointer::WheelDown, 299, 199)]);
        for other in ["\x1b[<0;5;3m", "\x1b[<2;5;3M", "\x1b[<32;5;3M", "\x1b[<35;5;3M", "\x1b[<;;M"]
        {
            assert_eq!(came(other), [], "{other:?}");
        }
    }
}
