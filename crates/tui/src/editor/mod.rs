//! A text editor of several lines whose unit is what a person sees as one character.
//!
//! Owns a text, the caret in it, its history and how it falls into rows. Knows no keys, no terminal and no clock:
//! operations in, text and layout out.
//!
//! The unit of movement and deletion is the extended grapheme cluster, with one exception: in the scripts that are
//! typed mark by mark (Thai, Lao, Hebrew, Arabic, those of India and their kin) Backspace takes back the last mark
//! only, as a person expects who mistyped a tone. Three times Backspace after `ที่` takes just `ที่` away.
//!
//! Invariant: the caret is always on a cluster limit, and whatever an operation removes, [`Editor::undo`] brings back.

mod history;
mod layout;
mod motion;
mod paste;

use std::cell::RefCell;
use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use askwell_core::text::next_cluster;
use history::{Edit, History, Kind};
use layout::Rows;

pub use layout::{Layout, VisualLine};
pub use paste::PasteReport;
pub(crate) use paste::whole;

/// How many bytes a text may grow to by typing and pasting, unless [`Editor::with_limit`] says otherwise.
pub const DEFAULT_LIMIT: usize = 256 * 1024;

/// A text, and a caret in it.
///
/// ```
/// use askwell_tui::editor::Editor;
/// let mut editor = Editor::with_text("日本");
/// editor.left();
/// editor.insert_char('x');
/// assert_eq!(editor.text(), "日x本");
/// assert_eq!(editor.layout(10).caret, (0, 3));
/// ```
#[derive(Debug, Clone)]
pub struct Editor {
    text: String,
    caret: usize,
    /// The column that moves up and down aim at.
    goal: Option<usize>,
    limit: usize,
    revision: u64,
    killed: String,
    history: History,
    rows: RefCell<Option<Rows>>,
}

impl Default for Editor {
    fn default() -> Self {
        Editor {
            text: String::new(),
            caret: 0,
            goal: None,
            limit: DEFAULT_LIMIT,
            revision: 0,
            killed: String::new(),
            history: History::default(),
            rows: RefCell::new(None),
        }
    }
}

impl Editor {
    /// An empty editor.
    pub fn new() -> Self {
        Self::default()
    }

    /// An editor of `text`, with the caret at its end and nothing to undo.
    pub fn with_text(text: &str) -> Self {
        Editor { text: text.to_owned(), caret: text.len(), ..Self::default() }
    }

    /// Lets typing and pasting grow the text to at most `limit` bytes.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The caret: a byte offset in the text, always at a cluster limit.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// A number that grows with every change of the text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Replaces the whole text from outside, byte for byte and whatever its length. The caret stays where it was in
    /// what is the same before and after, and the person can undo it.
    pub fn set_text(&mut self, text: &str) {
        let (old, new) = (self.text.as_str(), text);
        let prefix = common_len(old.chars(), new.chars());
        let suffix = common_len(
            old.get(prefix..).unwrap_or_default().chars().rev(),
            new.get(prefix..).unwrap_or_default().chars().rev(),
        );
        let range = prefix..old.len() - suffix;
        let inserted = new.get(prefix..new.len() - suffix).unwrap_or_default();
        let caret = match self.caret {
            caret if caret <= range.start => caret,
            caret if caret >= range.end => caret - range.len() + inserted.len(),
            _ => range.start + inserted.len(),
        };
        self.edit(range, inserted, Kind::Whole);
        self.place_caret(caret);
    }

    /// Types one character; a carriage return counts as a newline. Returns whether it was taken: control characters
    /// and what would exceed the limit are not.
    pub fn insert_char(&mut self, c: char) -> bool {
        let c = if c == '\r' { '\n' } else { c };
        if paste::is_stripped(c) || self.text.len() + c.len_utf8() > self.limit {
            return false;
        }
        self.edit(self.caret..self.caret, c.encode_utf8(&mut [0; 4]), Kind::Typed);
        true
    }

    /// Breaks the line. Returns whether there was room.
    pub fn newline(&mut self) -> bool {
        self.insert_char('\n')
    }

    /// Puts `text` in at the caret, as [`paste`](Self::paste) does.
    pub fn insert_str(&mut self, text: &str) -> PasteReport {
        self.paste(text)
    }

    /// Puts pasted text in at the caret: line ends become newlines, control characters but tabs are left out, and
    /// what would exceed the limit is cut off between clusters. The report says what was not taken.
    pub fn paste(&mut self, text: &str) -> PasteReport {
        let (taken, report) = paste::prepare(text, self.limit.saturating_sub(self.text.len()));
        self.edit(self.caret..self.caret, &taken, Kind::Whole);
        report
    }

    /// Deletes the cluster before the caret, or its last mark in a script that is typed mark by mark.
    pub fn backspace(&mut self) -> bool {
        let start = motion::backspace_start(&self.text, self.caret);
        self.edit(start..self.caret, "", Kind::Backspace)
    }

    /// Deletes the cluster after the caret.
    pub fn delete(&mut self) -> bool {
        self.edit(self.caret..motion::next(&self.text, self.caret), "", Kind::Delete)
    }

    /// Cuts back to the start of the word before the caret, but not over a line end; at the start of a line, that
    /// line end. Returns whether there was anything to cut, as the other cuts do.
    pub fn delete_word_back(&mut self) -> bool {
        let line = motion::line(&self.text, self.caret);
        let word = motion::word_start(&self.text, self.caret).max(line.start);
        self.kill(self.before_line_or(line.start, word)..self.caret)
    }

    /// Cuts to the end of the word after the caret, but not over a line end; at the end of a line, that line end.
    pub fn delete_word_forward(&mut self) -> bool {
        let line = motion::line(&self.text, self.caret);
        let word = motion::word_end(&self.text, self.caret).min(line.end);
        self.kill(self.caret..self.after_line_or(line.end, word))
    }

    /// Cuts back to the start of the line; at its start, the line end before it.
    pub fn delete_to_line_start(&mut self) -> bool {
        let line = motion::line(&self.text, self.caret);
        self.kill(self.before_line_or(line.start, line.start)..self.caret)
    }

    /// Cuts to the end of the line; at its end, the line end.
    pub fn delete_to_line_end(&mut self) -> bool {
        let line = motion::line(&self.text, self.caret);
        self.kill(self.caret..self.after_line_or(line.end, line.end))
    }

    /// Puts back at the caret what the last cut took.
    pub fn yank(&mut self) -> PasteReport {
        let killed = std::mem::take(&mut self.killed);
        let report = self.paste(&killed);
        self.killed = killed;
        report
    }

    /// Takes the last change back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some((edit, caret)) = self.history.undo() else {
            return false;
        };
        self.splice(edit.at..edit.at + edit.inserted.len(), &edit.removed);
        self.place_caret(caret);
        true
    }

    /// Makes the last change again that was taken back. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some((edit, caret)) = self.history.redo() else {
            return false;
        };
        self.splice(edit.at..edit.at + edit.removed.len(), &edit.inserted);
        self.place_caret(caret);
        true
    }

    fn before_line_or(&self, line_start: usize, otherwise: usize) -> usize {
        if self.caret == line_start { motion::previous(&self.text, self.caret) } else { otherwise }
    }

    fn after_line_or(&self, line_end: usize, otherwise: usize) -> usize {
        if self.caret == line_end { motion::next(&self.text, self.caret) } else { otherwise }
    }

    fn kill(&mut self, range: Range<usize>) -> bool {
        let Some(killed) = self.text.get(range.clone()).filter(|killed| !killed.is_empty()) else {
            return false;
        };
        self.killed = killed.to_owned();
        self.edit(range, "", Kind::Whole)
    }

    /// Every change that a person can undo goes through here. Returns whether anything changed.
    fn edit(&mut self, range: Range<usize>, inserted: &str, kind: Kind) -> bool {
        let removed = self.text.get(range.clone()).unwrap_or_default().to_owned();
        if removed == inserted {
            return false;
        }
        let before = self.caret;
        self.splice(range.clone(), inserted);
        self.place_caret(range.start + inserted.len());
        let edit = Edit { at: range.start, removed, inserted: inserted.to_owned() };
        self.history.record(edit, kind, before, self.caret);
        true
    }

    fn splice(&mut self, range: Range<usize>, inserted: &str) {
        self.text.replace_range(range.clone(), inserted);
        self.revision += 1;
        if let Some(rows) = self.rows.get_mut() {
            rows.update(&self.text, range, inserted.len());
        }
    }

    /// Puts the caret at `at`, or after the cluster that a change has closed around that place.
    fn place_caret(&mut self, at: usize) {
        self.goal = None;
        self.caret = motion::limit_from(&self.text, at.min(self.text.len()));
    }

    /// Puts the caret at `at`, a cluster limit, because the person wants it there.
    fn move_to(&mut self, at: usize) -> bool {
        let moved = at != self.caret;
        self.history.seal();
        self.place_caret(at);
        moved
    }
}

fn common_len(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(c, _)| c.len_utf8()).sum()
}

/// Whether `at` is a cluster limit of `text`.
fn is_limit(text: &str, at: usize) -> bool {
    text.is_char_boundary(at)
        && GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

/// The byte length of the cluster at `at`, 0 at the end.
fn cluster_len(text: &str, at: usize) -> usize {
    next_cluster(text, at).map_or(0, str::len)
}

#[cfg(test)]
mod tests;
