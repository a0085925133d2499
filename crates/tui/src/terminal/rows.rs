//! Rows below the prompt: moves to them and from them, all relative, since nobody knows where on the
//! window they are.
//!
//! Invariant: what stands above the first of them is never erased.

use ratatui::buffer::Buffer;

const ERASE_BELOW: &str = "\x1b[J";

/// From so far below the first row to it, with what is there and below erased.
pub(super) fn to_first_row(row: u16) -> String {
    match row {
        0 => format!("\r{ERASE_BELOW}"),
        row => format!("\r\x1b[{row}A{ERASE_BELOW}"),
    }
}

/// Room for so many rows below the cursor, which goes to the first of them; it stands at the start
/// of a line. The terminal scrolls as far as it takes.
pub(super) fn reserve(rows: u16) -> String {
    let below = rows.saturating_sub(1);
    let lines = "\r\n".repeat(below.into());
    match below {
        0 => ERASE_BELOW.to_owned(),
        below => format!("{lines}\x1b[{below}A{ERASE_BELOW}"),
    }
}

/// To the start of a line, wherever the cursor is: blanks reach the next line only from a line
/// that is begun.
pub(super) fn fresh_line(columns: u16) -> String {
    format!("\x1b[m{}\r\x1b[K", " ".repeat(columns.into()))
}

/// How many columns of each row hold something.
pub(super) fn columns_used(buffer: &Buffer) -> Vec<u16> {
    let width = usize::from(buffer.area.width.max(1));
    let rows = buffer.content.chunks(width);
    let used = |row: &[ratatui::buffer::Cell]| row.iter().rposition(|cell| cell.symbol() != " ");
    rows.map(|row| used(row).map_or(0, |last| last as u16 + 1)).collect()
}

/// How far below the first row the cursor is once a window of fewer columns has wrapped what is
/// longer. `at`: its row and column before. Never more than that, or it would erase what is not ours.
pub(super) fn row_when_wrapped(used: &[u16], at: (u16, u16), columns: u16) -> u16 {
    let columns = columns.max(1);
    let (row, column) = at;
    let above = used.iter().take(row.into()).map(|used| used.div_ceil(columns).max(1));
    above.sum::<u16>() + column / columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_wrapped_counts_as_often_as_it_is_there() {
        // A strip over the whole width, a short row, a blank one, one that fits exactly.
        let used = [80, 20, 0, 40, 80];

        assert_eq!(row_when_wrapped(&used, (4, 10), 80), 4);
        assert_eq!(row_when_wrapped(&used, (4, 10), 40), 5);
        assert_eq!(row_when_wrapped(&used, (4, 45), 40), 6);
        assert_eq!(row_when_wrapped(&used, (0, 0), 40), 0);
        assert_eq!(row_when_wrapped(&used, (3, 0), 30), 5);
    }

    #[test]
    fn the_last_thing_on_a_row_is_where_it_ends() {
        let buffer = Buffer::with_lines(["  ab  ", "      ", "abcdef"]);

        assert_eq!(columns_used(&buffer), [4, 0, 6]);
    }
}
