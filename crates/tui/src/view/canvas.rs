//! What the parts of a picture draw on: rows of an area, and the one hardware cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::targets::Spot;
use crate::event::Target;

/// One drawing: where to draw, and where the hardware cursor goes.
pub(super) struct Canvas<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) cursor: Position,
    pub(super) spots: Vec<Spot>,
}

impl Canvas<'_> {
    /// Draws a text at a column of a row.
    pub(super) fn text(&mut self, row: Rect, column: usize, text: &str, style: Style) {
        self.line(row, column, &Line::styled(text.to_owned(), style));
    }

    /// Draws a line at a column of a row. What does not fit is not drawn.
    pub(super) fn line(&mut self, row: Rect, column: usize, content: &Line<'_>) {
        let column = columns(column);
        if row.height > 0 && column < row.width {
            self.buffer.set_line(row.x + column, row.y, content, row.width - column);
        }
    }

    /// Says what stands in an area, for the mouse.
    pub(super) fn spot(&mut self, area: Rect, target: Target) {
        self.spots.push(Spot { area, target, indent: 0 });
    }

    /// Says that a text stands in an area, from this row of it on and so many columns in.
    pub(super) fn field_spot(&mut self, area: Rect, row: usize, indent: usize) {
        self.spots.push(Spot { area, target: Target::Field { row, column: 0 }, indent });
    }

    /// Puts the hardware cursor at a column of a row.
    pub(super) fn place_cursor(&mut self, row: Rect, column: usize) {
        let column = columns(column).min(row.width.saturating_sub(1));
        self.cursor = Position::new(row.x + column, row.y);
    }
}

/// One row of an area; of no height where the area does not have it.
pub(super) fn row_of(area: Rect, row: usize) -> Rect {
    let row = columns(row).min(area.height);
    Rect { y: area.y + row, height: u16::from(row < area.height), ..area }
}

/// Some rows of an area, as many of them as it has.
pub(super) fn rows_of(area: Rect, row: usize, height: usize) -> Rect {
    let row = columns(row).min(area.height);
    Rect { y: area.y + row, height: columns(height).min(area.height - row), ..area }
}

/// A count as the terminal counts.
fn columns(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
