//! What came in since the list was read out: told where it disturbs nobody.

use askwell_core::wire::RequestId;

use super::{Due, Part, PlainInbox};
use crate::inbox::Target;

impl PlainInbox<'_> {
    /// Whether one that comes in is all that the person can be waiting for.
    pub(super) fn is_awaited(&mut self) -> bool {
        let nothing = self.numbered.is_empty() && self.inbox.filter.is_empty();
        let comes = nothing && self.part == Part::Waiting && !self.inbox.fresh.is_empty();
        if comes {
            self.due = Some(Due::Anew);
        }
        comes
    }

    /// The numbers go on with those that came in since the list was read out.
    pub(super) fn number_newcomers(&mut self) {
        let requests = self.inbox.requests.waiting().iter().map(|request| request.id);
        let fresh: Vec<RequestId> = requests.filter(|id| self.inbox.fresh.remove(id)).collect();
        for id in fresh {
            self.numbered.push(Target::Waiting(id));
            let Some(text) = self.inbox.arrival(id) else { continue };
            self.notices.push(format!("{}. {text}", self.numbered.len()));
        }
    }

    /// In a dialog a number is an option's; the list shows them as new.
    pub(super) fn tell_newcomers_in_dialog(&mut self) {
        let requests = self.inbox.requests.waiting().iter().map(|request| request.id);
        let fresh: Vec<RequestId> = requests
            .filter(|id| self.inbox.fresh.contains(id) && !self.told.contains(id))
            .collect();
        for id in fresh {
            self.told.insert(id);
            if let Some(text) = self.inbox.arrival(id) {
                self.hears(text);
            }
        }
    }
}
