//! What is told beside the questions: what other screens change, whether the draft is kept, the time
//! that is left, the end.

use askwell_core::Outcome;
use askwell_core::draft::DraftState;

use super::{Place, Plain};
use crate::dialog::{PromptKind, SOON, SaveState};
use crate::view::prompt::ended_elsewhere;
use crate::view::strip::time;

impl Plain {
    /// The time until the request expires, in these words.
    pub(super) fn time_left(&self, id: &str) -> Option<String> {
        let messages = &self.dialog.messages;
        let left = time(self.dialog.time_left()?, messages);
        Some(messages.with(id, [("time", left.into())]))
    }

    pub(super) fn is_soon(&self) -> bool {
        self.dialog.time_left().is_some_and(|left| left <= SOON)
    }

    /// A question was changed elsewhere.
    pub(super) fn tell_elsewhere(&mut self, state: DraftState) {
        let found = self.dialog.request().questions.iter().position(|it| it.id == state.id);
        let (Some(index), Some(_)) = (found, self.dialog.take_status()) else { return };
        // What stood there before is no longer what an undo would bring back.
        self.undo[index].clear();
        let id = match self.dialog.differs_elsewhere(index) {
            true => "plain-elsewhere",
            false => {
                self.unread[index] = Some(state);
                "plain-taken"
            }
        };
        let notice = self.dialog.messages.with(id, [("at", (index + 1).into())]);
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// A draft that could not be saved is told, and so is that it could be after all.
    pub(super) fn tell_saving(&mut self) {
        let state = self.dialog.save_state();
        let notice = match (state, &self.told) {
            (SaveState::Failed(_), told) if state != told => self.dialog.not_saved(),
            (SaveState::Saved, SaveState::Failed(_)) => {
                Some(self.dialog.messages.get("draft-saved"))
            }
            _ => return,
        };
        self.told = state.clone();
        self.notices.extend(notice);
    }

    pub(super) fn tell_end(&mut self, outcome: &Outcome) {
        self.begin_row();
        self.flush = true;
        let closed = Place::Prompt(std::mem::discriminant(&PromptKind::Resolved(Outcome::Expired)));
        let messages = &self.dialog.messages;
        let words = match outcome {
            // How it ended elsewhere was told.
            _ if self.shown == Some(closed) => return,
            Outcome::Answered(_) => messages.get("plain-sent"),
            Outcome::Cancelled { .. } => messages.get("plain-cancelled"),
            // Whether it is kept is not known yet.
            Outcome::Expired => ended_elsewhere(messages, outcome.state(), String::new()),
            Outcome::Aborted { .. } => return,
        };
        self.page.own(&words);
    }
}
