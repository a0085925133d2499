//! Lines to be read one after the other: wrapped, with no control character but the line end.
//!
//! Invariant: our own lines begin at the first column; whatever somebody else wrote begins further
//! to the right, on every row of it, or stands after our own words.

use askwell_core::text::{sanitize, sanitize_line, wrap};

/// What is to be written.
#[derive(Debug)]
pub(crate) struct Page {
    columns: usize,
    out: String,
    /// Nothing stands above, or a blank row.
    at_gap: bool,
}

/// Narrower than this nothing can be read.
const NARROWEST: usize = 12;
/// How far the asker's words stand from the first column.
pub(crate) const INDENT: usize = 2;

impl Page {
    pub(crate) fn new(columns: usize) -> Self {
        let mut page = Self { columns, out: String::new(), at_gap: true };
        page.set_columns(columns);
        page
    }

    pub(crate) fn set_columns(&mut self, columns: usize) {
        self.columns = columns.max(NARROWEST);
    }

    /// The columns for a text that is indented.
    pub(crate) fn room(&self, indent: usize) -> usize {
        self.columns.saturating_sub(indent).max(1)
    }

    /// A line of ours.
    pub(crate) fn own(&mut self, text: &str) {
        self.after(text, INDENT, "");
    }

    /// A text of somebody else, on rows of its own.
    pub(crate) fn quoted(&mut self, indent: usize, text: &str) {
        let text = sanitize(text);
        for row in wrap(&text, self.room(indent)) {
            self.row(indent, row.text(&text));
        }
    }

    /// Words of ours, and after them a text on the same row and below.
    pub(crate) fn after(&mut self, own: &str, indent: usize, text: &str) {
        let both = format!("{own}{}", sanitize(text));
        let rows = wrap(&both, self.columns);
        let Some(first) = rows.first() else { return };
        // The rows below have fewer columns, so that they are wrapped anew.
        let rest = rows.get(1).map_or("", |row| &both[row.range.start..]);
        self.row(0, first.text(&both));
        if rows.len() > 1 {
            self.quoted(indent, rest);
        }
    }

    /// One row that fits.
    pub(crate) fn row(&mut self, indent: usize, text: &str) {
        let text = sanitize_line(text);
        let text = text.trim_end();
        if !text.is_empty() {
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.out.push_str(text);
        }
        self.out.push('\n');
        self.at_gap = text.is_empty();
    }

    /// A blank row, where there is none.
    pub(crate) fn blank(&mut self) {
        if !self.at_gap {
            self.row(0, "");
        }
    }

    /// Leaves the row on which a line is typed.
    pub(crate) fn leave_prompt(&mut self) {
        self.out.push('\n');
    }

    /// Words of ours that a line is typed after.
    pub(crate) fn prompt(&mut self, text: &str) {
        // What is typed begins on the same row.
        self.columns -= 2;
        self.own(text);
        self.columns += 2;
        self.out.pop();
        self.out.push(' ');
    }

    /// What was made into rows elsewhere, to its end.
    pub(crate) fn append(&mut self, rows: &str) {
        self.out.push_str(rows);
        self.at_gap = false;
    }

    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }
}
