//! Bytes of a keyboard and of replies that nobody asked for, in reads of any length. A Ctrl-C comes out
//! whatever came before it, text without escapes comes out whole, and what is held waits for a time
//! that ends.

#![no_main]

use askwell_tui::Event;
use askwell_tui::keyboard::{Came, Unit, Units, events_of};
use libfuzzer_sys::fuzz_target;

/// Ends a read.
const READ: u8 = 0xff;
/// Ends a read, and the patience after it.
const SILENCE: u8 = 0xfe;

fuzz_target!(|bytes: &[u8]| {
    let mut units = Units::default();
    for read in bytes.split_inclusive(|byte| matches!(*byte, READ | SILENCE)) {
        let (read, is_silent) = match read.split_last() {
            Some((&READ, read)) => (read, false),
            Some((&SILENCE, read)) => (read, true),
            _ => (read, false),
        };
        check(units.take(read));
        if is_silent {
            // Of what is held and was typed all the same, a part may be held once more: less each time.
            for _ in 0..=bytes.len() {
                check(units.give_up());
            }
            assert_eq!(units.patience(), None, "{read:?}");
        }
    }
    let last = units.take(b"\x03").pop();
    assert_eq!(last, Some(Unit::Char('\u{3}')), "Ctrl-C is swallowed");

    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\u{1b}')
    {
        let units = Units::default().take(bytes);
        let said: String = units.iter().filter_map(character).collect();
        assert_eq!(said, text);
    }
});

fn check(units: Vec<Unit>) {
    for unit in units {
        if let Unit::Sequence(bytes) = &unit {
            assert_eq!(bytes.first(), Some(&0x1b));
            assert!(bytes.len() > 1, "an Esc alone is a key");
        }
        let is_text = matches!(unit, Unit::Char(character) if !character.is_control());
        let came = events_of(unit);
        assert!(!is_text || matches!(&came[..], [Came::Event(Event::Key(_))]), "{came:?}");
    }
}

fn character(unit: &Unit) -> Option<char> {
    match unit {
        Unit::Char(character) => Some(*character),
        _ => None,
    }
}
