//! What stands where on the last picture, for the mouse.

use ratatui::layout::{Position, Rect};

use super::Renderer;
use crate::event::Target;

/// An area of the picture, and what is there.
pub(super) struct Spot {
    pub(super) area: Rect,
    /// Of a field: what its first cell is; the column counts from the start of the text.
    pub(super) target: Target,
    /// The columns before the text of a field.
    pub(super) indent: usize,
}

impl Renderer {
    /// What stands at a cell of the last picture.
    pub fn target(&self, column: u16, row: u16) -> Target {
        let at = Position::new(column, row);
        let spot = self.spots.iter().rev().find(|spot| spot.area.contains(at));
        match spot.map(|spot| (spot, &spot.target)) {
            Some((spot, Target::Field { row: first, .. })) => Target::Field {
                row: first + usize::from(row - spot.area.y),
                column: usize::from(column - spot.area.x).saturating_sub(spot.indent),
            },
            Some((_, target)) => *target,
            None => Target::Nothing,
        }
    }
}
