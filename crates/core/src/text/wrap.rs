//! Breaks a text into the rows that it takes in a given number of columns.
//!
//! Rows are byte ranges of the text, so that nothing is copied and nothing can get lost.
//! Invariant: the ranges are in order and cover the text ([`wrap`]: all but the newlines); a row is wider than the
//! columns only where one single cluster is.

use std::ops::Range;

use super::width::{cluster_width, clusters};

/// Why a row ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    /// The columns are used up.
    Wrap,
    /// A newline stands in the text.
    Newline,
    /// The text ends.
    Text,
}

/// One row of a wrapped text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The bytes that belong to the row, with spaces that hang over its end.
    pub range: Range<usize>,
    /// Where the part that is drawn ends; it starts with the range.
    pub shown: usize,
    /// The columns of the part that is drawn.
    pub width: usize,
    /// Why the row ends.
    pub end: LineEnd,
}

impl Line {
    /// The part of `text`, the text that was wrapped, that is drawn on this row.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.range.start..self.shown).unwrap_or_default()
    }
}

/// Wraps text to read: at spaces, which hang over the end of the row, and beside wide characters; a longer word is
/// broken between clusters. An empty text has one empty row, and so has what follows a last newline.
pub fn wrap(text: &str, columns: usize) -> Vec<Line> {
    collect(text, |start| next_prose_line(text, start, columns.max(1)))
}

/// Wraps text in which every character has its place, an editor's or a program's: spaces take columns too, and a
/// newline belongs to the row that it ends. Every byte is in exactly one row.
pub fn wrap_editable(text: &str, columns: usize) -> Vec<Line> {
    collect(text, |start| {
        let line = next_editable_line(text, start, columns, cluster_width);
        let next = line.range.end;
        (line, next)
    })
}

fn collect(text: &str, mut next_line: impl FnMut(usize) -> (Line, usize)) -> Vec<Line> {
    let mut lines = Vec::with_capacity(1 + text.len() / 64);
    let mut start = 0;
    loop {
        let (line, next) = next_line(start);
        let end = line.end;
        lines.push(line);
        if end == LineEnd::Text {
            return lines;
        }
        start = next;
    }
}

/// A place where the row may end, and what is drawn of it then.
#[derive(Clone, Copy)]
struct Break {
    at: usize,
    shown: usize,
    width: usize,
}

/// The row that starts at `start`, and where the next one does.
fn next_prose_line(text: &str, start: usize, columns: usize) -> (Line, usize) {
    // The drawn part so far; the spaces after it count only once something follows them.
    let (mut at, mut used) = (start, 0);
    let mut here = Break { at, shown: start, width: 0 };
    let mut possible: Option<Break> = None;
    let mut previous: Option<Class> = None;
    let row =
        |cut: Break, end| Line { range: start..cut.at, shown: cut.shown, width: cut.width, end };
    for cluster in clusters(text.get(start..).unwrap_or_default()) {
        here.at = at;
        if cluster.ends_with('\n') {
            return (row(here, LineEnd::Newline), at + cluster.len());
        }
        let width = cluster_width(cluster);
        let class = Class::of(cluster, width);
        if !class.space {
            if previous.is_some_and(|before| before.space || before.parts_from(class)) {
                possible = Some(here);
            }
            if used + width > columns && previous.is_some() {
                let cut = possible.unwrap_or(here);
                return (row(cut, LineEnd::Wrap), cut.at);
            }
            here = Break { at, shown: at + cluster.len(), width: used + width };
        }
        used += width;
        at += cluster.len();
        previous = Some(class);
    }
    here.at = at;
    (row(here, LineEnd::Text), at)
}

/// The row of an editable text that starts at byte `start`, with `measure` for the columns of a cluster. A row depends
/// on nothing before its start, so that an editor need not wrap again what stands before a change.
pub fn next_editable_line(
    text: &str,
    start: usize,
    columns: usize,
    measure: impl Fn(&str) -> usize,
) -> Line {
    let columns = columns.max(1);
    let mut here = Break { at: start, shown: start, width: 0 };
    let mut possible: Option<Break> = None;
    let mut previous: Option<Class> = None;
    let row =
        |cut: Break, end| Line { range: start..cut.at, shown: cut.shown, width: cut.width, end };
    for cluster in clusters(text.get(start..).unwrap_or_default()) {
        if cluster.ends_with('\n') {
            here.at += cluster.len();
            return row(here, LineEnd::Newline);
        }
        let width = measure(cluster);
        let class = Class::of(cluster, width);
        if previous.is_some_and(|before| before.space || before.parts_from(class)) {
            possible = Some(here);
        }
        if here.width + width > columns && previous.is_some() {
            return row(possible.unwrap_or(here), LineEnd::Wrap);
        }
        let at = here.at + cluster.len();
        here = Break { at, shown: at, width: here.width + width };
        previous = Some(class);
    }
    row(here, LineEnd::Text)
}

/// What decides whether a row may end before or after a cluster.
#[derive(Clone, Copy)]
struct Class {
    space: bool,
    wide: bool,
    opening: bool,
    closing: bool,
}

impl Class {
    fn of(cluster: &str, width: usize) -> Self {
        if let [byte] = cluster.as_bytes()
            && byte.is_ascii_alphanumeric()
        {
            return Class { space: false, wide: width > 1, opening: false, closing: false };
        }
        let mut chars = cluster.chars();
        let c = chars.next().unwrap_or_default();
        Class {
            // A space with a mark on it is something to see.
            space: is_space(c) && chars.as_str().is_empty(),
            wide: width > 1,
            opening: is_opening(c),
            closing: is_closing(c),
        }
    }

    /// Whether a row may end between this and what follows with no space: beside a wide character, but with no
    /// closing mark at the start of a row and no opening one at its end.
    fn parts_from(self, after: Class) -> bool {
        (self.wide || after.wide) && !after.space && !after.closing && !self.opening
    }
}

/// Spaces between words; those that are made to hold words together are none.
fn is_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\u{a0}' | '\u{2007}' | '\u{202f}')
}

fn is_opening(c: char) -> bool {
    matches!(
        c,
        '(' | '[' | '{' | '“' | '‘' | '（' | '【' | '「' | '『' | '〈' | '《' | '〔' | '［' | '｛'
    )
}

/// Marks that end what they follow, and the small kana that belong to the one before.
#[rustfmt::skip]
fn is_closing(c: char) -> bool {
    matches!(c, ',' | '.' | '!' | '?' | ':' | ';' | ')' | ']' | '}' | '”' | '’' | '…'
        | '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；' | '）' | '】' | '」' | '』' | '〉' | '》' | '〕' | '］' | '｝'
        | '·' | '・' | 'ー' | '々' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ッ' | 'ャ' | 'ュ' | 'ョ'
        | 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'っ' | 'ゃ' | 'ゅ' | 'ょ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;
    use proptest::prelude::*;
    use rstest::rstest;

    fn drawn(text: &str, columns: usize) -> Vec<&str> {
        wrap(text, columns).iter().map(|line| line.text(text)).collect()
    }

    fn drawn_editable(text: &str, columns: usize) -> Vec<&str> {
        wrap_editable(text, columns).iter().map(|line| line.text(text)).collect()
    }

    #[rstest]
    #[case("", 10, &[""])]
    #[case("one two three", 7, &["one two", "three"])]
    #[case("one two three", 3, &["one", "two", "thr", "ee"])]
    #[case("one  two", 4, &["one", "two"])]
    #[case("a\n\nb\n", 9, &["a", "", "b", ""])]
    #[case("  indented text", 10, &["  indented", "text"])]
    #[case("      x", 3, &["", "x"])]
    #[case("見出しは、ここ", 6, &["見出し", "は、こ", "こ"])]
    #[case("abc「一」", 6, &["abc", "「一」"])]
    #[case("ab一二", 3, &["ab", "一", "二"])]
    #[case("keep\u{a0}me here", 8, &["keep\u{a0}me", "here"])]
    #[case("一", 1, &["一"])]
    #[case("ab", 0, &["a", "b"])]
    fn prose_rows(#[case] text: &str, #[case] columns: usize, #[case] rows: &[&str]) {
        assert_eq!(drawn(text, columns), rows);
    }

    #[rstest]
    #[case("", 10, &[""])]
    #[case("one two", 4, &["one ", "two"])]
    #[case("one  two", 4, &["one ", " two"])]
    #[case("abcdef\n", 4, &["abcd", "ef", ""])]
    #[case("日本語", 5, &["日本", "語"])]
    fn editable_rows(#[case] text: &str, #[case] columns: usize, #[case] rows: &[&str]) {
        assert_eq!(drawn_editable(text, columns), rows);
    }

    #[test]
    fn hanging_spaces_belong_to_the_row_but_are_not_counted() {
        let lines = wrap("one   two", 4);
        let first = Line { range: 0..6, shown: 3, width: 3, end: LineEnd::Wrap };
        let second = Line { range: 6..9, shown: 9, width: 3, end: LineEnd::Text };
        assert_eq!(lines, [first, second]);
    }

    #[test]
    fn b102_wide_character_starts_the_next_row() {
        let text = format!("{}一二三", "x".repeat(79));
        assert_eq!(drawn(&text, 80), [&text[..79], "一二三"]);
        assert_eq!(drawn_editable(&text, 80), [&text[..79], "一二三"]);
    }

    #[rstest]
    fn b102_only_wide_characters_at_odd_widths(#[values(21, 33)] columns: usize) {
        let text = "漢".repeat(100);
        for rows in [drawn(&text, columns), drawn_editable(&text, columns)] {
            assert_eq!(rows.concat(), text);
            let (_, full) = rows.split_last().unwrap();
            assert!(full.iter().all(|row| width(row) == columns - 1));
        }
    }

    fn check(text: &str, columns: usize, lines: &[Line]) -> Result<(), TestCaseError> {
        for line in lines {
            let row = line.text(text);
            prop_assert_eq!(width(row), line.width);
            prop_assert!(line.width <= columns.max(1) || clusters(row).count() == 1, "{:?}", row);
            prop_assert!(line.shown <= line.range.end && line.range.start <= line.shown);
            let hanging = text[line.shown..line.range.end].trim_end_matches('\n');
            prop_assert!(hanging.chars().all(is_space), "{:?}", hanging);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn rows_cover_the_text(text in "[ab \n一二。「é\u{301}👩\u{200d}💻🇯🇵ที่\u{a0}]{0,40}", columns in 0usize..12) {
            let lines = wrap(&text, columns);
            check(&text, columns, &lines)?;
            let ranges: Vec<_> = lines.iter().map(|line| &text[line.range.clone()]).collect();
            prop_assert_eq!(ranges.concat(), text.replace('\n', ""));

            let lines = wrap_editable(&text, columns);
            check(&text, columns, &lines)?;
            let ranges: Vec<_> = lines.iter().map(|line| &text[line.range.clone()]).collect();
            prop_assert_eq!(ranges.concat(), text);
        }
    }
}
