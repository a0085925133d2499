//! A plan as one decision over one document. It is the same question, its draft and its answer are
//! the same: only the keys and the looks differ.

use askwell_core::PlanReview;

use super::{Dialog, Row, Screen};
use crate::keymap::PlanKey;

impl Dialog {
    /// The plan, where the request is one and is shown as such.
    pub(crate) fn plan(&self) -> Option<PlanReview<'_>> {
        let shown = !self.as_question && matches!(self.screen, Screen::Question(_));
        shown.then(|| self.request.plan_review()).flatten()
    }

    /// Chooses a decision and stays, as a digit does; or asks whether to dismiss it.
    pub(super) fn plan_key(
        &mut self,
        index: usize,
        (approve, decline): (usize, Option<usize>),
        key: PlanKey,
    ) {
        let option = match key {
            PlanKey::Approve => Some(approve),
            PlanKey::Decline => decline,
            PlanKey::Dismiss => return self.ask_to_leave(),
        };
        match option {
            Some(option) => {
                self.questions[index].row = Row::Option(option);
                self.change(index, |draft, question| draft.choose(question, option));
            }
            None => self.note("plan-no-decline"),
        }
    }

    /// Shows a plan as an ordinary question, or as a plan again.
    pub(super) fn change_view(&mut self) {
        if self.request.plan_review().is_some() {
            self.as_question = !self.as_question;
            self.moved_in_read = true;
        }
    }
}
