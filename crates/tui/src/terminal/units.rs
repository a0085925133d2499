//! Bytes from a terminal, cut into what each key, sequence or paste sent. Pure: bytes in, units out.
//!
//! Invariants: Ctrl-C comes out whatever came before it, but for one within a paste; an unfinished
//! sequence never holds up what follows it, it only waits for [`PATIENCE`]; no text is dropped.

use std::time::Duration;

/// A sequence that a slow line cut in pieces goes on within this; an Esc alone does not.
pub(super) const PATIENCE: Duration = Duration::from_millis(100);
/// The end of a paste that stays away longer than this is not coming any more.
pub(super) const PASTE_PATIENCE: Duration = Duration::from_secs(1);

const ESC: u8 = 0x1b;
const CTRL_C: u8 = 0x03;
const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// What one key, sequence or paste sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// A character, control characters among them.
    Char(char),
    /// An Esc that begins nothing.
    Esc,
    /// A whole escape sequence.
    Sequence(Vec<u8>),
    /// The text of a bracketed paste.
    Paste(String),
}

/// Holds what is not whole yet.
#[derive(Debug, Default)]
pub struct Units {
    held: Vec<u8>,
}

enum Cut {
    /// A unit, or nothing worth one, and the bytes that it takes.
    Whole(Option<Unit>, usize),
    /// The rest is yet to come.
    Partial,
}

impl Units {
    /// The units that these bytes complete.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Unit> {
        // A Ctrl-C by itself is a key, also where a paste never ended.
        if bytes == [CTRL_C] && self.is_pasting() {
            let mut units = self.give_up();
            units.push(Unit::Char(char::from(CTRL_C)));
            return units;
        }
        let mut units = Vec::new();
        if self.held == [ESC] && !matches!(bytes.first(), Some(b'[' | b'O') | None) {
            // An Esc and a key after it: the key with Alt comes in one piece.
            units = self.give_up();
        }
        self.held.extend_from_slice(bytes);
        units.extend(self.cut());
        units
    }

    /// What is held once nothing more has come for the time of [`Self::patience`].
    pub fn give_up(&mut self) -> Vec<Unit> {
        let held = std::mem::take(&mut self.held);
        if let Some(text) = held.strip_prefix(PASTE) {
            return vec![Unit::Paste(String::from_utf8_lossy(text).into_owned())];
        }
        match held.as_slice() {
            [] => Vec::new(),
            [ESC] => vec![Unit::Esc],
            // A reply that was cut off: its digits must not act as keys.
            [ESC, b'[' | b'O', ..] => Vec::new(),
            // Alt with a character that could have begun a string; what follows was typed.
            [ESC, _, typed @ ..] => {
                let typed = typed.to_vec();
                self.take(&typed)
            }
            // Half a character.
            _ => Vec::new(),
        }
    }

    /// How long to wait for the rest, where something is held.
    pub fn patience(&self) -> Option<Duration> {
        match self.held.is_empty() {
            true => None,
            false if self.is_pasting() => Some(PASTE_PATIENCE),
            false => Some(PATIENCE),
        }
    }

    fn is_pasting(&self) -> bool {
        self.held.starts_with(PASTE)
    }

    fn cut(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut at = 0;
        while at < self.held.len() {
            match cut(&self.held[at..]) {
                Cut::Whole(unit, length) => {
                    units.extend(unit);
                    at += length;
                }
                Cut::Partial => break,
            }
        }
        self.held.drain(..at);
        units
    }
}

fn cut(bytes: &[u8]) -> Cut {
    match bytes {
        [ESC] => Cut::Partial,
        [ESC, ESC, ..] => Cut::Whole(Some(Unit::Esc), 1),
        [ESC, b'[', ..] => control_sequence(bytes),
        [ESC, b'O'] => Cut::Partial,
        [ESC, b'O', end, ..] if end.is_ascii_graphic() => sequence(bytes, 3),
        [ESC, b'O', ..] => Cut::Whole(None, 2),
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', ..] => string(bytes),
        [ESC, rest @ ..] => match character(rest) {
            Some((Some(_), length)) => sequence(bytes, 1 + length),
            Some((None, length)) => Cut::Whole(None, 1 + length),
            None => Cut::Partial,
        },
        _ => match character(bytes) {
            Some((character, length)) => Cut::Whole(character.map(Unit::Char), length),
            None => Cut::Partial,
        },
    }
}

fn sequence(bytes: &[u8], length: usize) -> Cut {
    Cut::Whole(Some(Unit::Sequence(bytes[..length].to_vec())), length)
}

/// `ESC [`, parameters, one last byte; a paste; the mouse of old; the function keys of a console.
fn control_sequence(bytes: &[u8]) -> Cut {
    if bytes.starts_with(PASTE) {
        let text = &bytes[PASTE.len()..];
        let end = text.windows(PASTE_END.len()).position(|window| window == PASTE_END);
        return match end {
            Some(end) => {
                let text = String::from_utf8_lossy(&text[..end]).into_owned();
                Cut::Whole(Some(Unit::Paste(text)), PASTE.len() + end + PASTE_END.len())
            }
            None => Cut::Partial,
        };
    }
    match bytes.get(2) {
        Some(b'M') => return of_length(bytes, 6),
        Some(b'[') => return of_length(bytes, 4),
        _ => {}
    }
    let end = bytes[2..].iter().position(|byte| !matches!(byte, 0x20..=0x3f));
    match end.map(|end| (end + 2, bytes[end + 2])) {
        Some((end, 0x40..=0x7e)) => sequence(bytes, end + 1),
        // Not a sequence after all: the byte that breaks it off is read by itself.
        Some((end, _)) => Cut::Whole(None, end),
        None => Cut::Partial,
    }
}

/// A reply in a string, up to BEL or ST. Nobody asked for one.
fn string(bytes: &[u8]) -> Cut {
    for (at, byte) in bytes.iter().enumerate().skip(2) {
        match (byte, bytes.get(at + 1)) {
            (0x07, _) => return Cut::Whole(None, at + 1),
            (&ESC, Some(b'\\')) => return Cut::Whole(None, at + 2),
            (&CTRL_C, _) => return Cut::Whole(None, at),
            _ => {}
        }
    }
    Cut::Partial
}

/// `ESC [`, a letter, and so many bytes in all. A control character is none of them: it breaks it off,
/// and is read by itself.
fn of_length(bytes: &[u8], length: usize) -> Cut {
    match bytes.iter().take(length).skip(3).position(|byte| *byte < b' ') {
        Some(at) => Cut::Whole(None, 3 + at),
        None if bytes.len() < length => Cut::Partial,
        None => sequence(bytes, length),
    }
}

/// The first character, and its bytes; no character where they are none. Nothing: it is not whole.
fn character(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let most = &bytes[..bytes.len().min(4)];
    let whole = match std::str::from_utf8(most) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(&most[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(error) => return error.error_len().map(|length| (None, length)),
    };
    whole.chars().next().map(|character| (Some(character), character.len_utf8()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn chars(text: &str) -> Vec<Unit> {
        text.chars().map(Unit::Char).collect()
    }

    fn sequence(text: &str) -> Unit {
        Unit::Sequence(text.as_bytes().to_vec())
    }

    #[rstest]
    #[case("a日\u{3}", chars("a日\u{3}"))]
    #[case("\u{1b}[B\u{1b}OA1", vec![sequence("\u{1b}[B"), sequence("\u{1b}OA"), Unit::Char('1')])]
    #[case("\u{1b}[1;5Cx", vec![sequence("\u{1b}[1;5C"), Unit::Char('x')])]
    #[case("\u{1b}\rx", vec![sequence("\u{1b}\r"), Unit::Char('x')])]
    #[case("\u{1b}日", vec![sequence("\u{1b}日")])]
    #[case("\u{1b}]11;rgb:0/0/0\u{7}x", chars("x"))]
    #[case("\u{1b}P>|term\u{1b}\\x", chars("x"))]
    #[case("\u{1b}[200~1\r2\u{3}\u{1b}[201~x", vec![Unit::Paste("1\r2\u{3}".into()), Unit::Char('x')])]
    fn bytes_are_cut_into_units(#[case] bytes: &str, #[case] units: Vec<Unit>) {
        assert_eq!(Units::default().take(bytes.as_bytes()), units);
    }

    #[rstest]
    #[case("\u{1b}[1;5Cx", vec![sequence("\u{1b}[1;5C"), Unit::Char('x')])]
    #[case("\u{1b}OA日", vec![sequence("\u{1b}OA"), Unit::Char('日')])]
    #[case("\u{1b}2", vec![Unit::Esc, Unit::Char('2')])]
    #[case("\u{1b}[200~1\r2\u{1b}[201~x", vec![Unit::Paste("1\r2".into()), Unit::Char('x')])]
    fn bytes_may_come_one_by_one(#[case] bytes: &str, #[case] units: Vec<Unit>) {
        let mut slow = Units::default();
        let cut: Vec<Unit> = bytes.bytes().flat_map(|byte| slow.take(&[byte])).collect();
        assert_eq!(cut, units);
    }

    #[rstest]
    #[case("\u{1b}]")]
    #[case("\u{1b}P")]
    #[case("\u{1b}[")]
    #[case("\u{1b}[<")]
    #[case("\u{1b}[>0;276;0")]
    #[case("\u{1b}[M")]
    #[case("\u{1b}[M\u{1b}[")]
    #[case("\u{1b}[[")]
    #[case("\u{1b}O")]
    #[case("\u{1b}[200~hello")]
    fn ctrl_c_comes_out_whatever_came_before_it(#[case] bytes: &str) {
        let mut units = Units::default();
        units.take(bytes.as_bytes());
        let out = units.take(b"\x03");
        assert_eq!(out.last(), Some(&Unit::Char('\u{3}')), "after {bytes:?}: {out:?}");
    }

    #[test]
    fn what_was_typed_after_alt_bracket_is_typed() {
        let mut units = Units::default();
        assert_eq!(units.take("\u{1b}]héllo".as_bytes()), []);
        assert_eq!(units.patience(), Some(PATIENCE));
        assert_eq!(units.give_up(), chars("héllo"));
        assert_eq!(units.patience(), None);
    }

    #[test]
    fn a_paste_without_an_end_is_a_paste_all_the_same() {
        let mut units = Units::default();
        units.take(b"\x1b[200~one\rtwo");
        assert_eq!(units.patience(), Some(PASTE_PATIENCE));
        assert_eq!(units.give_up(), [Unit::Paste("one\rtwo".into())]);
    }

    #[test]
    fn a_sequence_in_pieces_is_one_and_an_esc_that_stays_alone_is_a_key() {
        let mut units = Units::default();
        assert_eq!(units.take(b"\x1b"), []);
        assert_eq!(units.take(b"[B"), [sequence("\u{1b}[B")]);
        units.take(b"\x1b");
        assert_eq!(units.give_up(), [Unit::Esc]);
        assert_eq!(units.take(b"\x1b\x1b"), [Unit::Esc]);
        assert_eq!(units.give_up(), [Unit::Esc]);
    }

    #[test]
    fn bytes_that_are_no_text_are_left_out() {
        assert_eq!(Units::default().take(b"a\xffb\xe6\x97"), chars("ab"));
    }
}
