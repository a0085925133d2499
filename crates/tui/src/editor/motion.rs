//! Where the caret can go: cluster by cluster, word by word, and over the rows of a layout.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::layout::{column_of, offset_at, row_of};
use super::{Editor, cluster_len, is_limit};

/// The cluster limit before `at`.
pub(super) fn previous(text: &str, at: usize) -> usize {
    let chars = text.get(..at).unwrap_or_default().char_indices().rev();
    chars.map(|(index, _)| index).find(|&index| is_limit(text, index)).unwrap_or(0)
}

/// The cluster limit after `at`, itself one.
pub(super) fn next(text: &str, at: usize) -> usize {
    at + cluster_len(text, at)
}

/// The first cluster limit from `at` on.
pub(super) fn limit_from(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| is_limit(text, at)).unwrap_or(text.len())
}

/// Where what Backspace deletes before `at` starts.
pub(super) fn backspace_start(text: &str, at: usize) -> usize {
    let cluster = previous(text, at);
    let mut chars = text.get(cluster..at).unwrap_or_default().char_indices();
    match (chars.next(), chars.next_back()) {
        (Some((_, first)), Some((mark, _))) if has_typed_marks(first) => cluster + mark,
        _ => cluster,
    }
}

/// Letters of scripts in which every mark has a key: Hebrew, Arabic and those of South and South-East Asia.
fn has_typed_marks(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1900}'..='\u{1cff}')
}

/// The line around `at`, without its line end.
pub(super) fn line(text: &str, at: usize) -> Range<usize> {
    let start =
        text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let end = text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |len| at + len);
    // A carriage return that came in from outside shares a cluster with its newline.
    start..if is_limit(text, end) { end } else { previous(text, end) }
}

/// Where the word before `at` starts.
pub(super) fn word_start(text: &str, at: usize) -> usize {
    let words = text.get(..at).unwrap_or_default().split_word_bound_indices();
    let start = words.rev().find(|(_, word)| is_word(word)).map_or(0, |(start, _)| start);
    if is_limit(text, start) { start } else { previous(text, start) }
}

/// Where the word after `at` ends.
pub(super) fn word_end(text: &str, at: usize) -> usize {
    let mut words = text.get(at..).unwrap_or_default().split_word_bound_indices();
    let end = words.find(|(_, word)| is_word(word)).map(|(start, word)| at + start + word.len());
    limit_from(text, end.unwrap_or(text.len()))
}

fn is_word(segment: &str) -> bool {
    segment.contains(char::is_alphanumeric)
}

/// Moves return whether the caret has moved. `width` is that of the layout, in columns.
impl Editor {
    /// One cluster to the left.
    pub fn left(&mut self) -> bool {
        self.move_to(previous(&self.text, self.caret))
    }

    /// One cluster to the right.
    pub fn right(&mut self) -> bool {
        self.move_to(next(&self.text, self.caret))
    }

    /// To the start of the word before the caret.
    pub fn word_left(&mut self) -> bool {
        self.move_to(word_start(&self.text, self.caret))
    }

    /// To the end of the word after the caret.
    pub fn word_right(&mut self) -> bool {
        self.move_to(word_end(&self.text, self.caret))
    }

    /// To the start of the row; from there, to the start of the line.
    pub fn home(&mut self, width: usize) -> bool {
        let rows = self.rows(width);
        let start = rows.get(row_of(&rows, self.caret)).map_or(0, |row| row.range.start);
        let line = line(&self.text, self.caret).start;
        self.move_to(if start == self.caret { line } else { start })
    }

    /// To the end of the row, before its last character where the text goes on in the next row; from there, to the
    /// end of the line.
    pub fn end(&mut self, width: usize) -> bool {
        let rows = self.rows(width);
        let end = offset_at(&self.text, &rows, row_of(&rows, self.caret), usize::MAX, width);
        let line = line(&self.text, self.caret).end;
        self.move_to(if end == self.caret { line } else { end })
    }

    /// To the start of the text.
    pub fn to_start(&mut self) -> bool {
        self.move_to(0)
    }

    /// To the end of the text.
    pub fn to_end(&mut self) -> bool {
        self.move_to(self.text.len())
    }

    /// One row up, near the column that the move began in. `false` in the first row, so that the caller can leave.
    pub fn up(&mut self, width: usize) -> bool {
        self.page_up(width, 1)
    }

    /// One row down, near the column that the move began in. `false` in the last row.
    pub fn down(&mut self, width: usize) -> bool {
        self.page_down(width, 1)
    }

    /// As many rows up, or as there are.
    pub fn page_up(&mut self, width: usize, rows: usize) -> bool {
        self.move_rows(width, |row, _| row.saturating_sub(rows))
    }

    /// As many rows down, or as there are.
    pub fn page_down(&mut self, width: usize, rows: usize) -> bool {
        self.move_rows(width, |row, last| row.saturating_add(rows).min(last))
    }

    /// To the character at a row and column of the layout, or the nearest one to its left.
    pub fn place(&mut self, width: usize, row: usize, column: usize) -> bool {
        let rows = self.rows(width);
        let row = row.min(rows.len().saturating_sub(1));
        self.move_to(offset_at(&self.text, &rows, row, column, width))
    }

    fn move_rows(&mut self, width: usize, target: impl Fn(usize, usize) -> usize) -> bool {
        let rows = self.rows(width);
        let row = row_of(&rows, self.caret);
        let target = target(row, rows.len().saturating_sub(1));
        if target == row {
            return false;
        }
        let goal =
            self.goal.unwrap_or_else(|| column_of(&self.text, &rows, row, self.caret, width));
        let moved = self.move_to(offset_at(&self.text, &rows, target, goal, width));
        self.goal = Some(goal);
        moved
    }
}
