//! What the host does not have of a draft, in a file of this user, until it has it; and the earlier
//! draft that is offered.

use std::time::Duration;

use askwell::ValidRequest;
use askwell::draft::Entered;
use askwell::drafts::{DraftFolder, DraftRun, DraftSaver};
use askwell::inbox::wire::{DraftView, RequestId};
use askwell::terminal::{EditedTexts, editor_of_this_user};
use askwell_tui::OfferedDraft;

use super::Left;
use super::follow::HostClock;
use crate::unsaved::{Lost, NO_FOLDER};

/// The files of one request that is being answered.
pub struct Kept {
    run: Option<DraftRun>,
    /// What an editor has left behind.
    edited: EditedTexts,
}

impl Kept {
    /// The files of this request, whose draft at the host is this.
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
        let edited = EditedTexts::find(editor_of_this_user().as_ref(), run.as_ref());
        Self { run, edited }
    }

    /// By which the files of the person's own editor are found again.
    pub fn edit_key(&self) -> String {
        self.edited.key()
    }

    /// The texts that are kept beside the draft: those that lost against another screen's, and those
    /// that an editor has left; with the id of the question each is of.
    pub fn texts(&self, request: &ValidRequest, draft: &DraftView) -> Vec<(String, String)> {
        let lost = draft.questions.iter().flat_map(|entry| {
            entry.kept.iter().map(|kept| (entry.state.id.clone(), kept.text.clone()))
        });
        let earlier = self.run.as_ref().and_then(DraftRun::offered);
        let left = self.edited.kept(request, earlier.map(|earlier| &earlier.entered));
        lost.chain(left).collect()
    }

    /// The request was answered: the texts that an editor had left are not asked for any more.
    pub fn answered(&mut self) {
        std::mem::take(&mut self.edited).remove();
    }

    /// What is offered: the file of an earlier run, or what was entered when the same was asked
    /// before, which is only while nothing is entered now.
    pub fn offered(&self, draft: &DraftView, clock: &HostClock) -> Option<OfferedDraft> {
        let kept = self.run.as_ref().and_then(DraftRun::offered);
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
        self.run.as_ref().map(DraftRun::saver)
    }

    /// Keeps what the host does not have, and says where, or what could not be kept.
    pub fn settle(
        &mut self,
        request: &ValidRequest,
        entered: &Entered,
        restored: bool,
        unsaved: bool,
    ) -> Left {
        let run = self.run.take();
        if !unsaved {
            run.into_iter().for_each(|run| run.discard(restored));
            return Left::default();
        }
        let lost = |why: String| {
            let (request, entered) = (request.clone(), entered.clone());
            let lost = (!entered.is_untouched()).then_some(Lost { request, entered, why });
            Left { unsaved, lost, ..Left::default() }
        };
        let Some(mut run) = run else { return lost(NO_FOLDER.to_owned()) };
        let saved = run.saver().save(entered);
        if restored {
            run.supersede();
        }
        match saved {
            Ok(()) => Left { unsaved, kept: run.path(), ..Left::default() },
            Err(error) => lost(error.to_string()),
        }
    }
}
