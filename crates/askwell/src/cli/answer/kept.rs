//! What the host does not have of a draft, in a file of this user, until it has it; and the earlier
//! draft that is offered.

use std::time::Duration;

use askwell::draft::Entered;
use askwell::drafts::{DraftFolder, DraftRun, DraftSaver};
use askwell::inbox::wire::{DraftView, RequestId};
use askwell_tui::OfferedDraft;

use super::Left;
use super::follow::HostClock;

/// The file of one request that is being answered.
pub struct Kept(Option<DraftRun>);

impl Kept {
    /// The file of this request, whose draft at the host is this.
    pub fn open(id: RequestId, draft: &DraftView) -> Self {
        let folder = DraftFolder::of_this_user();
        let begin = || folder.as_ref().map(|folder| folder.begin_for(&id.to_string()));
        let mut run = begin();
        let there = draft.states();
        let is_there = |run: &DraftRun| run.offered().is_some_and(|it| it.entered.states == there);
        if run.as_ref().is_some_and(is_there) {
            // The host has it by now.
            run.take().into_iter().for_each(|run| run.discard(true));
            run = begin();
        }
        Self(run)
    }

    /// What is offered: the file of an earlier run, or what was entered when the same was asked
    /// before, which is only while nothing is entered now.
    pub fn offered(&self, draft: &DraftView, clock: &HostClock) -> Option<OfferedDraft> {
        let kept = self.0.as_ref().and_then(DraftRun::offered);
        if let Some(kept) = kept {
            return Some(OfferedDraft { entered: kept.entered.clone(), age: kept.age });
        }
        let offered = draft.offered.as_ref()?;
        let age = u64::try_from(clock.now() - offered.edited_at).unwrap_or(0);
        let entered = offered.questions.clone().into();
        Some(OfferedDraft { entered, age: Duration::from_millis(age) })
    }

    /// What saves to the file.
    pub fn saver(&self) -> Option<DraftSaver> {
        self.0.as_ref().map(DraftRun::saver)
    }

    /// Keeps what the host does not have, and says where.
    pub fn settle(&mut self, entered: &Entered, restored: bool, unsaved: bool) -> Left {
        let Some(mut run) = self.0.take() else {
            return Left { unsaved, ..Left::default() };
        };
        if !unsaved {
            run.discard(restored);
            return Left::default();
        }
        let saved = run.saver().save(entered);
        if restored {
            run.supersede();
        }
        // Where that fails there is no path to tell.
        let kept = saved.ok().and_then(|()| run.path());
        Left { unsaved: true, kept, view: None }
    }
}

/// The texts that lost against another screen's, and the questions they are of.
pub fn texts_kept(draft: &DraftView) -> Vec<(String, String)> {
    let kept = draft.questions.iter().flat_map(|entry| {
        entry.kept.iter().map(|kept| (entry.state.id.clone(), kept.text.clone()))
    });
    kept.collect()
}
