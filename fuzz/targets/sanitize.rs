//! Text of strangers made safe to draw, cut and wrapped. Nothing of it controls a terminal, and
//! cleaning it again changes nothing.

#![no_main]

use std::borrow::Cow;

use askwell_core::text::{clusters, sanitize, sanitize_line, truncate, width, wrap};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for (clean, newline) in [(sanitize(text), '\n'), (sanitize_line(text), '␤')] {
        for character in clean.chars() {
            assert!(!is_dirty(character) || character == newline, "{character:?} in {clean:?}");
        }
    }
    let once = sanitize(text);
    assert!(matches!(sanitize(&once), Cow::Borrowed(_)), "{once:?}");
    let line = sanitize_line(text);
    assert!(matches!(sanitize_line(&line), Cow::Borrowed(_)), "{line:?}");
    for columns in [0, 1, 2, 7, 30] {
        assert!(width(&truncate(&line, columns)) <= columns, "{line:?} in {columns}");
        for row in wrap(&once, columns) {
            let shown = row.text(&once);
            let alone = clusters(shown).count() <= 1;
            assert!(width(shown) <= columns || alone, "{shown:?} in {columns}");
        }
    }
});

fn is_dirty(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'
            | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}
