//! Makes a text that somebody else wrote safe and honest to draw.
//!
//! Control characters, direction controls and characters that draw nothing become visible marks; nothing is dropped.
//! Invariant: the result holds no control character (but line feeds, where they are wanted) and no direction control,
//! and cleaning it again changes nothing.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

use super::width::simple_width;

/// Tabs are drawn as spaces up to the next multiple of this many columns.
pub const TAB_STOP: usize = 4;

/// What a mark that combines with the character before it stands on when there is none.
const DOTTED_CIRCLE: char = '◌';

/// The most characters without a width of their own that one is followed by: no language needs more (Unicode's
/// stream-safe text format has the same bound), and a terminal must not be sent a cluster of any length.
const COMBINED: usize = 30;

/// The flags of England, Scotland and Wales, the only emoji that are written with tag characters.
const TAG_FLAGS: [&str; 3] = [
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Cleans a text of several lines: line ends become `\n`, tabs become spaces, and what cannot be seen becomes a mark
/// such as `␛` or `<U+202E>`. Borrowed when there is nothing to clean.
///
/// ```
/// use askwell_core::text::sanitize;
/// assert_eq!(sanitize("one\r\ntwo\u{1b}[2J"), "one\ntwo␛[2J");
/// ```
pub fn sanitize(text: &str) -> Cow<'_, str> {
    Cleaner::new(text, '\n').clean()
}

/// Cleans a text for a place of one line: as [`sanitize`], with `␤` for every line end.
pub fn sanitize_line(text: &str) -> Cow<'_, str> {
    Cleaner::new(text, '␤').clean()
}

struct Cleaner<'a> {
    text: &'a str,
    newline: char,
    /// Nothing while the text is unchanged so far.
    out: Option<String>,
    /// The last character written on this line.
    previous: Option<char>,
    /// The last one of them that is drawn in its own right, whatever combines with it.
    base: Option<char>,
    /// How many characters combine with it so far.
    combined: usize,
    column: usize,
}

impl<'a> Cleaner<'a> {
    fn new(text: &'a str, newline: char) -> Self {
        Cleaner { text, newline, out: None, previous: None, base: None, combined: 0, column: 0 }
    }

    fn clean(mut self) -> Cow<'a, str> {
        if self.text.chars().all(|c| c == self.newline || simple_width(c).is_some()) {
            return Cow::Borrowed(self.text);
        }
        let mut at = 0;
        while let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            at += self.step(at, c);
        }
        self.out.map_or(Cow::Borrowed(self.text), Cow::Owned)
    }

    /// Writes what stands for `c` at byte `at`; returns how many bytes of the source that covers.
    fn step(&mut self, at: usize, c: char) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        match c {
            '\r' if rest.starts_with("\r\n") => {
                self.replace(at, self.newline);
                return 2;
            }
            '\n' if self.newline == '\n' => self.keep(c),
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => self.replace(at, self.newline),
            '\t' => {
                for _ in self.column % TAB_STOP..TAB_STOP {
                    self.replace(at, ' ');
                }
            }
            '\u{0}'..='\u{1f}' => self.replace(at, picture(c)),
            '\u{7f}' => self.replace(at, '␡'),
            ' '..='~' => self.keep(c),
            '🏴' => {
                let flag = TAG_FLAGS.into_iter().find(|flag| rest.starts_with(flag));
                let kept = flag.unwrap_or("🏴");
                kept.chars().for_each(|c| self.keep(c));
                return kept.len();
            }
            _ if is_invisible(c) => {
                let next = rest.chars().nth(1);
                if self.is_at_home(c, next) { self.keep(c) } else { self.mark(at, c) }
            }
            _ => self.visible(at, c),
        }
        c.len_utf8()
    }

    fn visible(&mut self, at: usize, c: char) {
        let draws_nothing = c.width() == Some(0);
        match self.previous {
            None if joined(&['a', c]) => {
                self.replace(at, DOTTED_CIRCLE);
                self.replace(at, c);
            }
            None if draws_nothing => self.mark(at, c),
            Some(_) if draws_nothing && self.combined >= COMBINED => self.mark(at, c),
            Some(previous) if draws_nothing && !joined(&[previous, c]) => self.mark(at, c),
            _ => self.keep(c),
        }
    }

    /// Whether a joiner or a variation selector does its work here: right after a character that it can act on.
    fn is_at_home(&self, c: char, next: Option<char>) -> bool {
        let (Some(previous), Some(base)) = (self.previous, self.base) else {
            return false;
        };
        match c {
            '\u{200c}' | '\u{200d}' if matches!(previous, '\u{200c}' | '\u{200d}') => false,
            '\u{200c}' => is_shaped(previous),
            '\u{200d}' => {
                is_shaped(previous)
                    || next.is_some_and(|next| !is_invisible(next) && joined(&[base, c, next]))
            }
            _ if previous != base || previous.is_whitespace() => false,
            '\u{fe00}'..='\u{fe0d}' => base >= '\u{1000}',
            '\u{fe0e}' | '\u{fe0f}' => {
                base >= '\u{1000}' || matches!(base, '0'..='9' | '#' | '*' | '©' | '®')
            }
            '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(base, '\u{1800}'..='\u{18af}'),
            '\u{e0100}'..='\u{e01ef}' => base >= '\u{3400}' && base.is_alphabetic(),
            _ => false,
        }
    }

    fn keep(&mut self, c: char) {
        if let Some(out) = &mut self.out {
            out.push(c);
        }
        self.wrote(c);
    }

    fn replace(&mut self, at: usize, c: char) {
        self.changed(at).push(c);
        self.wrote(c);
    }

    fn mark(&mut self, at: usize, c: char) {
        // Writing to a String cannot fail.
        let _ = write!(self.changed(at), "<U+{:04X}>", u32::from(c));
        self.column += if u32::from(c) > 0xffff { 9 } else { 8 };
        (self.previous, self.base, self.combined) = (Some('>'), Some('>'), 0);
    }

    fn changed(&mut self, at: usize) -> &mut String {
        let text = self.text;
        self.out.get_or_insert_with(|| text.get(..at).unwrap_or_default().to_owned())
    }

    fn wrote(&mut self, c: char) {
        if c == '\n' {
            (self.previous, self.base, self.column) = (None, None, 0);
            return;
        }
        let columns = c.width().unwrap_or(0);
        self.combined = if columns > 0 { 0 } else { self.combined + 1 };
        if columns > 0 && !is_emoji_modifier(c) {
            self.base = Some(c);
        }
        self.previous = Some(c);
        self.column += columns;
    }
}

/// Whether these characters form one grapheme cluster.
fn joined(chars: &[char]) -> bool {
    // The common combining marks join anything.
    if matches!(chars, [_, '\u{300}'..='\u{36f}']) {
        return true;
    }
    chars.iter().collect::<String>().graphemes(true).count() == 1
}

fn picture(control: char) -> char {
    char::from_u32(0x2400 + u32::from(control)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_emoji_modifier(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Letters and marks of the scripts whose shapes a joiner changes: Arabic, Syriac, those of India and their kin.
fn is_shaped(c: char) -> bool {
    let script = matches!(c, '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}');
    script && (c.is_alphabetic() || (c.width() == Some(0) && !is_invisible(c)))
}

/// C1 controls and everything that by the Unicode standard draws nothing of its own.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("a\tb", "a   b")]
    #[case("abcd\te\n\tf", "abcd    e\n    f")]
    #[case("one\r\ntwo\rthree\u{2028}four\u{2029}", "one\ntwo\nthree\nfour\n")]
    #[case("a\u{202e}b\u{2066}c\u{200f}\u{61c}", "a<U+202E>b<U+2066>c<U+200F><U+061C>")]
    #[case("zero\u{200b}\u{2060}\u{feff}\u{ad}", "zero<U+200B><U+2060><U+FEFF><U+00AD>")]
    #[case("\u{180e}\u{3164}\u{115f}\u{ffa0}\u{34f}", "<U+180E><U+3164><U+115F><U+FFA0><U+034F>")]
    #[case("hidden\u{e0041}\u{fff9}", "hidden<U+E0041><U+FFF9>")]
    #[case("\u{301}x\n\u{e31}", "◌\u{301}x\n◌\u{e31}")]
    #[case("\u{1161}", "<U+1161>")]
    #[case("a\u{200d}b\u{200c}", "a<U+200D>b<U+200C>")]
    #[case("👩\u{200d}\u{200d}💻", "👩<U+200D><U+200D>💻")]
    #[case("👩\u{200d} x", "👩<U+200D> x")]
    #[case("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}<U+FE0F>")]
    #[case("a\u{fe0f} \u{fe0f}", "a<U+FE0F> <U+FE0F>")]
    #[case("中\u{e0100}\u{e0101}", "中\u{e0100}<U+E0101>")]
    fn hidden_characters_are_shown(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(sanitize(text), shown);
    }

    #[test]
    fn a_character_carries_no_more_marks_than_any_language_needs() {
        let marks = |count| "\u{301}".repeat(count);
        let text = format!("e{}", marks(COMBINED));
        assert_eq!(sanitize(&text), text);

        let shown = sanitize(&format!("e{}", marks(100_000))).into_owned();

        assert!(shown.starts_with(&format!("e{}<U+0301>{}<", marks(COMBINED), marks(COMBINED))));
        assert!(shown.graphemes(true).all(|cluster| cluster.chars().count() <= COMBINED + 1));
        assert_eq!(sanitize(&shown), shown);
    }

    #[rstest]
    #[case("")]
    #[case("plain text, “quoted”, –, …\nnext line")]
    #[case("👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️ 1️⃣ 🇯🇵 🏴󠁧󠁢󠁥󠁮󠁧󠁿")]
    #[case("می‌خواهم")]
    #[case("क्‍ष ක්‍ර")]
    #[case("ที่ re\u{301}sume\u{301} 각 \u{1100}\u{1161}\u{11a8}")]
    fn honest_text_is_borrowed(#[case] text: &str) {
        assert!(matches!(sanitize(text), Cow::Borrowed(same) if same == text));
    }

    #[rstest]
    #[case("\u{1b}[2J\u{1b}[H", "␛[2J␛[H")]
    #[case("\u{1b}]52;c;aGk=\u{7}", "␛]52;c;aGk=␇")]
    #[case("\u{1b}]8;;http://x\u{1b}\\y", "␛]8;;http://x␛\\y")]
    #[case("\u{1b}]0;title\u{7}", "␛]0;title␇")]
    #[case("\u{9b}31m", "<U+009B>31m")]
    #[case("a\u{8}\u{0}\u{7f}", "a␈␀␡")]
    #[case("a\rb\r\nc\nd\u{2028}e", "a␤b␤c␤d␤e")]
    fn b126_controls_become_marks(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(sanitize_line(text), shown);
        assert!(!sanitize(text).contains(|c: char| c.is_control() && c != '\n'));
    }

    #[test]
    fn marks_take_one_column_for_each_character() {
        for c in ('\u{0}'..='\u{9f}').filter(|c| c.is_control()) {
            let mark = sanitize_line(c.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(width(&mark), mark.chars().count(), "{mark}");
        }
    }

    fn nasty() -> impl Strategy<Value = String> {
        let hostile = "[a9 \u{0}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{34f}\u{61c}\u{1160}\u{1161}\u{180b}-\u{180e}\u{200b}-\u{200f}\
            \u{2028}-\u{202e}\u{2060}-\u{2069}\u{fe00}\u{fe0f}\u{feff}\u{e0067}\u{e0100}👩💻🏴\u{1f3fb}🇯❤ี่ทम्क\u{301}中ﾞ]";
        prop_oneof![
            proptest::collection::vec(hostile, 0..24).prop_map(|parts| parts.concat()),
            any::<String>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn clean_text_is_clean(text in nasty()) {
            for (clean, newline) in [(sanitize(&text), '\n'), (sanitize_line(&text), '␤')] {
                let dirty = |c: char| (c.is_control() && c != newline)
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{200e}'
                        | '\u{200f}' | '\u{61c}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
                prop_assert!(!clean.contains(dirty), "{clean:?}");
                for line in clean.split('\n') {
                    for cluster in crate::text::clusters(line) {
                        prop_assert!(crate::text::cluster_width(cluster) > 0, "{cluster:?} of {clean:?}");
                    }
                }
            }
            let once = sanitize(&text).into_owned();
            prop_assert!(matches!(sanitize(&once), Cow::Borrowed(_)), "{once:?}");
            let once = sanitize_line(&text).into_owned();
            prop_assert!(matches!(sanitize_line(&once), Cow::Borrowed(_)), "{once:?}");
        }
    }
}
