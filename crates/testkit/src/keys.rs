//! Keys in a readable notation, and the bytes that a terminal sends for them (xterm's, with the
//! kitty protocol's form where xterm has none). Pure; knows nothing of what a program does with them.
//!
//! `<down>`, `<c-c>`, `<a-enter>`, `<s-tab>`; `<lt>` and `<gt>` for the brackets; anything else is
//! the character itself: `"<space>jjc"`.

use crate::notation::{self, Part};

/// The bytes of one key press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(pub Vec<u8>);

impl Key {
    /// A lone Esc: with more bytes right behind it, a program could not tell it from a sequence.
    pub fn is_escape(&self) -> bool {
        self.0 == b"\x1b"
    }
}

/// Reads the notation into keys, in order.
///
/// # Panics
/// When a name in brackets is no key, or a bracket is not closed.
#[track_caller]
pub fn parse(notation: &str) -> Vec<Key> {
    let keys = notation::parts(notation).into_iter().map(|part| match part {
        Part::Character(key) => Key(key.as_bytes().to_vec()),
        Part::Name(name) => {
            Key(named(name).unwrap_or_else(|| panic!("<{name}> is no key ({notation:?})")))
        }
    });
    keys.collect()
}

/// Text as a terminal pastes it in bracketed mode: every line end is a carriage return.
pub fn paste(text: &str) -> Vec<u8> {
    let text = text.replace("\r\n", "\r").replace('\n', "\r");
    format!("\x1b[200~{text}\x1b[201~").into_bytes()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifier {
    None,
    Shift,
    Alt,
    Control,
}

impl Modifier {
    /// The number in `CSI 1 ; n A` and `CSI code ; n u`.
    fn parameter(self) -> u8 {
        match self {
            Self::None => 1,
            Self::Shift => 2,
            Self::Alt => 3,
            Self::Control => 5,
        }
    }
}

fn named(name: &str) -> Option<Vec<u8>> {
    let (modifier, key) = match name.split_once('-') {
        Some(("s", key)) => (Modifier::Shift, key),
        Some(("a", key)) => (Modifier::Alt, key),
        Some(("c", key)) => (Modifier::Control, key),
        _ => (Modifier::None, name),
    };
    let n = modifier.parameter();
    let sequence = |text: String| Some(text.into_bytes());
    // The cursor keys' final letter, or the number before `~`.
    match key {
        "up" | "down" | "right" | "left" | "end" | "home" => {
            let letter = match key {
                "up" => 'A',
                "down" => 'B',
                "right" => 'C',
                "left" => 'D',
                "end" => 'F',
                _ => 'H',
            };
            return match modifier {
                Modifier::None => sequence(format!("\x1b[{letter}")),
                _ => sequence(format!("\x1b[1;{n}{letter}")),
            };
        }
        "insert" | "delete" | "pgup" | "pgdn" => {
            let number = match key {
                "insert" => 2,
                "delete" => 3,
                "pgup" => 5,
                _ => 6,
            };
            return match modifier {
                Modifier::None => sequence(format!("\x1b[{number}~")),
                _ => sequence(format!("\x1b[{number};{n}~")),
            };
        }
        _ => {}
    }
    let plain = match key {
        "esc" => "\x1b",
        "enter" => "\r",
        "tab" => "\t",
        "space" => " ",
        "backspace" => "\x7f",
        "lt" => "<",
        "gt" => ">",
        "minus" => "-",
        _ if key.chars().count() == 1 => key,
        _ => return None,
    };
    match (modifier, key) {
        (Modifier::None, _) if plain == key => None,
        (Modifier::None, _) => sequence(plain.to_owned()),
        (Modifier::Alt, _) => sequence(format!("\x1b{plain}")),
        (Modifier::Shift, "tab") => sequence("\x1b[Z".to_owned()),
        (Modifier::Shift, "enter") => sequence(format!("\x1b[13;{n}u")),
        (Modifier::Control, "enter") => sequence(format!("\x1b[13;{n}u")),
        (Modifier::Control, "space") => Some(vec![0]),
        (Modifier::Control, "backspace") => Some(vec![8]),
        (Modifier::Control, _) => match key.as_bytes() {
            [letter @ (b'a'..=b'z' | b'[' | b'\\' | b']' | b'^' | b'_')] => {
                Some(vec![letter & 0x1f])
            }
            _ => None,
        },
        (Modifier::Shift, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn notation_table() {
        let table: &[(&str, &[u8])] = &[
            ("j", b"j"),
            ("日", "日".as_bytes()),
            ("<esc>", b"\x1b"),
            ("<enter>", b"\r"),
            ("<tab>", b"\t"),
            ("<s-tab>", b"\x1b[Z"),
            ("<space>", b" "),
            ("<up>", b"\x1b[A"),
            ("<down>", b"\x1b[B"),
            ("<right>", b"\x1b[C"),
            ("<left>", b"\x1b[D"),
            ("<c-left>", b"\x1b[1;5D"),
            ("<a-right>", b"\x1b[1;3C"),
            ("<s-up>", b"\x1b[1;2A"),
            ("<home>", b"\x1b[H"),
            ("<end>", b"\x1b[F"),
            ("<pgup>", b"\x1b[5~"),
            ("<pgdn>", b"\x1b[6~"),
            ("<delete>", b"\x1b[3~"),
            ("<c-delete>", b"\x1b[3;5~"),
            ("<backspace>", b"\x7f"),
            ("<a-backspace>", b"\x1b\x7f"),
            ("<c-c>", b"\x03"),
            ("<c-j>", b"\n"),
            ("<c-g>", b"\x07"),
            ("<c-space>", b"\0"),
            ("<a-b>", b"\x1bb"),
            ("<a-enter>", b"\x1b\r"),
            ("<s-enter>", b"\x1b[13;2u"),
            ("<lt>", b"<"),
            ("<gt>", b">"),
            (">", b">"),
        ];
        for (notation, bytes) in table {
            assert_eq!(parse(notation), [Key(bytes.to_vec())], "{notation}");
        }
    }

    #[test]
    fn keys_stay_apart_and_in_order() {
        let keys = parse("<space><down>c1<esc><enter>");

        let bytes: Vec<&[u8]> = keys.iter().map(|key| &key.0[..]).collect();
        assert_eq!(bytes, [&b" "[..], b"\x1b[B", b"c", b"1", b"\x1b", b"\r"]);
        assert_eq!(keys.iter().filter(|key| key.is_escape()).count(), 1);
    }

    #[test]
    #[should_panic(expected = "<dwon> is no key")]
    fn a_misspelt_key_is_told() {
        parse("<dwon>");
    }

    #[test]
    fn a_paste_has_a_terminals_line_ends() {
        assert_eq!(paste("a\nb\r\nc"), b"\x1b[200~a\rb\rc\x1b[201~");
    }
}
