//! What of a pasted text goes into the editor.

use askwell_core::text::clusters;

/// What became of a pasted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PasteReport {
    /// How many bytes went in.
    pub inserted: usize,
    /// How many control characters were left out.
    pub stripped: usize,
    /// How many bytes did not fit any more.
    pub cut: usize,
}

/// Control characters that neither break a line nor set a column.
pub(super) fn is_stripped(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\n' | '\t')
}

/// A whole text as it would be pasted; nothing where it is longer than `limit` bytes.
pub(crate) fn whole(text: &str, limit: usize) -> Option<String> {
    let (taken, report) = prepare(text, limit);
    (report.cut == 0).then_some(taken)
}

/// The part of `text` that is taken when `room` bytes are left.
pub(super) fn prepare(text: &str, room: usize) -> (String, PasteReport) {
    let mut taken = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut stripped = 0;
    taken.retain(|c| {
        stripped += usize::from(is_stripped(c));
        !is_stripped(c)
    });
    let whole = taken.len();
    if whole > room {
        let fits = |end: &usize| *end <= room;
        let ends = clusters(&taken).scan(0, |end, cluster| {
            *end += cluster.len();
            Some(*end)
        });
        let end = ends.take_while(fits).last().unwrap_or(0);
        taken.truncate(end);
    }
    let report = PasteReport { inserted: taken.len(), stripped, cut: whole - taken.len() };
    (taken, report)
}
