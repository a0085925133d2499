//! The mouse in the list and in what is read in its place. In a dialog it is the dialog's.

use super::{Inbox, InboxEffect, Place};
use crate::event::{Pointer, Target};

/// Lines of a text that one step of the wheel scrolls.
const WHEEL_LINES: isize = 3;

impl Inbox {
    /// A click highlights a row; one on the highlighted row opens it. The wheel moves the highlight.
    pub(super) fn list_pointed(
        &mut self,
        target: Target,
        how: Pointer,
        effects: &mut Vec<InboxEffect>,
    ) {
        if !self.takes_pointer() {
            return;
        }
        match (how, target) {
            (Pointer::WheelUp, _) => self.step(-1),
            (Pointer::WheelDown, _) => self.step(1),
            (Pointer::Click, _) if self.confirm.take().is_some() => {}
            // Rows that were drawn of something else are not those that the person saw.
            (Pointer::Click, Target::Question(row)) if self.rows_are_drawn() => {
                self.status = None;
                self.filtering = false;
                match self.at.is_some() && self.at_row == row {
                    true => self.open_highlighted(effects),
                    false => self.highlight(row),
                }
            }
            (Pointer::Click, _) => {}
        }
    }

    pub(super) fn reading_pointed(&mut self, how: Pointer) {
        let extent = self.viewport.reading;
        if !self.takes_pointer() {
            return;
        }
        let Place::Reading(reading) = &mut self.place else { return };
        reading.scroll = match how {
            Pointer::Click => return,
            Pointer::WheelUp => extent.moved(reading.scroll, -WHEEL_LINES),
            Pointer::WheelDown => extent.moved(reading.scroll, WHEEL_LINES),
        };
    }

    fn takes_pointer(&mut self) -> bool {
        self.guard.admits(self.now) && !self.moved_in_read
    }
}
