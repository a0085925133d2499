//! How the text falls into rows of a given width, and how each row is drawn.
//!
//! Invariant: every byte is in exactly one row, no row but one of a single cluster is wider than the width, and every
//! place for the caret has a cell inside it: where a line fills its last row, an empty row follows for the caret.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use askwell_core::text::{self, LineEnd, TAB_STOP, clusters, next_editable_line};

use super::Editor;

/// One row of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisualLine {
    /// The bytes that belong to the row, with the newline that ends it.
    pub range: Range<usize>,
    /// Where the part that is drawn ends; it starts with the range.
    pub shown: usize,
    /// The columns of the part that is drawn.
    pub width: usize,
    /// Whether the line goes on in the next row.
    pub wrapped: bool,
}

/// The rows of a text, and the caret in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The rows; there is at least one. Shared with the editor's cache, so that taking a layout copies no text.
    pub lines: Arc<Vec<VisualLine>>,
    /// The row and the column of the caret, from 0.
    pub caret: (usize, usize),
}

impl Editor {
    /// The rows of the text at `width` columns. Cheap when neither has changed, and after small changes.
    pub fn layout(&self, width: usize) -> Layout {
        let lines = self.rows(width);
        let row = row_of(&lines, self.caret);
        let column = column_of(&self.text, &lines, row, self.caret, width);
        Layout { lines, caret: (row, column) }
    }

    /// What is drawn of a row of the present layout: tabs as spaces, and a mark for what cannot be seen.
    pub fn display(&self, line: &VisualLine) -> String {
        let shown = self.text.get(line.range.start..line.shown).unwrap_or_default();
        let columns = self.rows.borrow().as_ref().map_or(TAB_STOP, |rows| rows.columns);
        clusters(shown).map(|cluster| drawn(cluster, columns)).collect()
    }

    pub(super) fn rows(&self, width: usize) -> Arc<Vec<VisualLine>> {
        let columns = width.max(1);
        let mut cache = self.rows.borrow_mut();
        match &*cache {
            Some(rows) if rows.columns == columns => Arc::clone(&rows.lines),
            _ => Arc::clone(&cache.insert(Rows::new(&self.text, columns)).lines),
        }
    }
}

/// How a cluster is drawn.
fn drawn(cluster: &str, columns: usize) -> Cow<'_, str> {
    match cluster {
        "\t" => Cow::Owned(" ".repeat(TAB_STOP.min(columns))),
        _ => text::sanitize_line(cluster),
    }
}

fn drawn_width(cluster: &str, columns: usize) -> usize {
    match cluster.as_bytes() {
        [b' '..=b'~'] => 1,
        b"\t" => TAB_STOP.min(columns),
        _ => text::width(&drawn(cluster, columns)),
    }
}

/// The row that the caret at `at` is in.
pub(super) fn row_of(rows: &[VisualLine], at: usize) -> usize {
    rows.partition_point(|row| row.range.start <= at).saturating_sub(1)
}

/// The column of the caret at `at` in its row.
pub(super) fn column_of(
    text: &str,
    rows: &[VisualLine],
    row: usize,
    at: usize,
    width: usize,
) -> usize {
    let start = rows.get(row).map_or(0, |row| row.range.start);
    let before = clusters(text.get(start..at).unwrap_or_default());
    let columns = width.max(1);
    before.map(|cluster| drawn_width(cluster, columns)).sum::<usize>().min(columns - 1)
}

/// The place for the caret at or left of a column of a row.
pub(super) fn offset_at(
    text: &str,
    rows: &[VisualLine],
    row: usize,
    column: usize,
    width: usize,
) -> usize {
    let Some(row) = rows.get(row) else {
        return text.len();
    };
    let (mut at, mut used) = (row.range.start, 0);
    for cluster in clusters(text.get(row.range.start..row.shown).unwrap_or_default()) {
        used += drawn_width(cluster, width.max(1));
        let after = at + cluster.len();
        // The end of a wrapped row is the start of the next one.
        if used > column || (row.wrapped && after == row.range.end) {
            break;
        }
        at = after;
    }
    at
}

/// The rows of a text, kept up to date.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub columns: usize,
    pub lines: Arc<Vec<VisualLine>>,
}

impl Rows {
    pub fn new(text: &str, columns: usize) -> Self {
        let mut lines = Vec::new();
        let mut start = Some(0);
        while let Some(at) = start {
            start = push_row(text, at, columns, &mut lines);
        }
        Rows { columns, lines: Arc::new(lines) }
    }

    /// Makes the rows those of `text`, in which `replaced` of the text before gave way to `inserted` bytes.
    ///
    /// A row depends on what follows its start only, so the rows are made anew from a little before the change to
    /// the first row after it that starts where an old one did.
    pub fn update(&mut self, text: &str, replaced: Range<usize>, inserted: usize) {
        let lines = Arc::make_mut(&mut self.lines);
        let mut first = row_of(lines, replaced.start);
        // How far the word at the end of a row reaches decides where the row ends, and that word may be in the next
        // row, or end with the row after that.
        for _ in 0..3 {
            first -= usize::from(first > 0 && lines.get(first - 1).is_some_and(|row| row.wrapped));
        }
        let old_place = |new: usize| new - inserted + replaced.len();
        let mut made = Vec::new();
        let mut kept = lines.len();
        let mut start = lines.get(first).map(|row| row.range.start);
        while let Some(at) = start {
            if at >= replaced.start + inserted {
                let same = lines.binary_search_by_key(&old_place(at), |row| row.range.start);
                if let Some(row) = same.ok().filter(|&row| row > first) {
                    kept = row;
                    break;
                }
            }
            start = push_row(text, at, self.columns, &mut made);
        }
        for row in lines.iter_mut().skip(kept) {
            for place in [&mut row.range.start, &mut row.range.end, &mut row.shown] {
                *place = *place + inserted - replaced.len();
            }
        }
        lines.splice(first..kept, made);
    }
}

/// Adds the row that starts at `start`, and one for the caret if it is the last of its line and full. Returns where
/// the next row starts.
fn push_row(text: &str, start: usize, columns: usize, rows: &mut Vec<VisualLine>) -> Option<usize> {
    let line = next_editable_line(text, start, columns, |cluster| drawn_width(cluster, columns));
    let (end, shown) = (line.range.end, line.shown);
    let wrapped = line.end == LineEnd::Wrap;
    let full = !wrapped && line.width >= columns;
    rows.push(VisualLine {
        range: start..if full { shown } else { end },
        shown,
        width: line.width,
        wrapped: wrapped || full,
    });
    if full {
        rows.push(VisualLine { range: shown..end, shown, width: 0, wrapped: false });
    }
    (line.end != LineEnd::Text).then_some(end)
}
