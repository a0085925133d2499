//! Drafts: revisions, and that nothing written is lost.

use askwell_core::wire::{Answering, EntryWrite, Saved};
use askwell_core::{State, limits};
use serde_json::json;

use super::Open;
use super::fixture::{Fixture, answer, id, new, written};
use crate::{DraftWritten, ListRead, NewRequest, StoreError, StoredDraft, wait_for};

fn result(written: &DraftWritten) -> (Saved, u64, &str) {
    let question = &written.saved.questions[0];
    (question.result, question.entry.revision, &question.entry.state.custom)
}

fn kept(story: &Fixture, n: u8) -> Vec<String> {
    let draft = story.store.draft(id(n), "ann").unwrap();
    draft.entries[0].kept.iter().map(|kept| kept.text.clone()).collect()
}

pub(super) fn revisions(open: Open<'_>) {
    let story = Fixture::new(open, "revisions");
    story.ask(1);
    assert_eq!(story.store.draft(id(1), "ann").unwrap(), StoredDraft::default());

    assert_eq!(result(&story.write(1, 0, "a")), (Saved::Saved, 1, "a"));
    assert_eq!(result(&story.write(1, 1, "ab")), (Saved::Saved, 2, "ab"));
    // Sent again, since the reply was lost: no conflict with itself.
    let again = story.write(1, 1, "ab");
    assert_eq!(result(&again), (Saved::Saved, 2, "ab"));
    assert_eq!((again.saved.revision, again.draft_writes, again.ended), (2, 2, None));

    // A draft is one person's.
    assert_eq!(result(&story.write_as("ben", 1, 0, "b")), (Saved::Saved, 1, "b"));
    assert_eq!(story.store.draft(id(1), "ann").unwrap().entries[0].state, written("ab"));

    // One stale question does not keep the others from being saved.
    let mut fresh = written("fresh");
    fresh.id = "r".to_owned();
    let entries =
        vec![EntryWrite { state: written("stale"), base: 1 }, EntryWrite { state: fresh, base: 0 }];
    let write = |done| story.store.save_draft(id(1), "ann".to_owned(), entries, 9, done);
    let saved = wait_for(write).unwrap().unwrap().saved;
    let results: Vec<_> = saved.questions.iter().map(|question| question.result).collect();
    assert_eq!(results, [Saved::Stale, Saved::Saved]);

    let nobody = |done| story.store.save_draft(id(9), "ann".to_owned(), Vec::new(), 9, done);
    assert_eq!(wait_for(nobody).unwrap(), None);
}

pub(super) fn nothing_written_is_lost(open: Open<'_>) {
    let story = Fixture::new(open, "kept");
    story.ask(1);
    story.write(1, 0, "from the terminal");

    // Another screen, on an old base: refused, kept, and shown how it stands.
    let stale = story.write(1, 0, "from the page");
    assert_eq!(result(&stale), (Saved::Stale, 1, "from the terminal"));
    assert_eq!(kept(&story, 1), ["from the page"]);
    // It goes on, before it has heard: one text that grew.
    story.write(1, 0, "from the page, longer");
    assert_eq!(kept(&story, 1), ["from the page, longer"]);

    // It sends again on the new base, and so replaces what the terminal wrote: kept as well.
    let saved = story.write(1, 1, "from the page, longer");
    assert_eq!(result(&saved), (Saved::Saved, 2, "from the page, longer"));
    // What the draft itself holds is not told twice.
    assert_eq!(kept(&story, 1), ["from the terminal"]);

    // Ordinary editing keeps nothing more.
    story.write(1, 2, "from the page, shorter");
    assert_eq!(kept(&story, 1), ["from the page, longer", "from the terminal"]);

    // On a base that never was.
    story.ask(2);
    assert_eq!(result(&story.write(2, 7, "from nowhere")), (Saved::Stale, 0, ""));
    assert_eq!(kept(&story, 2), ["from nowhere"]);
    assert_eq!(result(&story.write(2, 0, "from nowhere")), (Saved::Saved, 1, "from nowhere"));

    // Too late is kept as well, in the draft itself.
    story.settle(1, State::Answered, answer("elsewhere"));
    let late = story.write(1, 3, "the last second");
    assert_eq!(late.ended.as_ref().map(|ended| ended.state), Some(State::Answered));
    assert_eq!(result(&late), (Saved::Saved, 4, "the last second"));
}

pub(super) fn what_is_kept_is_bounded(open: Open<'_>) {
    let story = Fixture::new(open, "bounded");
    story.ask(1);
    let text = |n: usize| format!("text {n}.");
    let refused = |n: usize| {
        let entries = vec![EntryWrite { state: written(&text(n)), base: 7 }];
        let write = |done| story.store.save_draft(id(1), "ann".to_owned(), entries, 9, done);
        wait_for(write).unwrap_err()
    };
    story.write(1, 0, "the draft");
    for n in 0..limits::KEPT {
        story.write(1, 7, &text(n));
    }

    assert_eq!(refused(limits::KEPT), StoreError::Kept { entry: 0 });
    // Nor by what adds nothing itself, but is to be weighed against the draft.
    assert_eq!(refused(0), StoreError::Kept { entry: 0 });
    assert_eq!(kept(&story, 1).len(), limits::KEPT);
    // Nothing is lost by it, and on the present base the draft goes on.
    assert_eq!(result(&story.write(1, 1, "goes on")), (Saved::Saved, 2, "goes on"));
    assert_eq!(kept(&story, 1).last().unwrap(), "the draft");
    assert_eq!(refused(limits::KEPT), StoreError::Kept { entry: 0 });
}

pub(super) fn offered_again(open: Open<'_>) {
    let story = Fixture::new(open, "offered");
    story.ask(1);
    story.write(1, 0, "long thoughts");
    let offered = |n, person: &str| {
        let offered = story.store.draft(id(n), person).unwrap().offered;
        offered.map(|offered| (offered.from, offered.questions[0].custom.clone()))
    };
    story.ask(2);
    assert_eq!(offered(2, "ann"), None);

    story.settle(1, State::Aborted, json!({"state": "aborted"}));
    assert_eq!(offered(2, "ann"), Some((id(1), "long thoughts".to_owned())));
    assert_eq!(offered(2, "ben"), None);
    assert_eq!(offered(1, "ann"), None);
    story.file(NewRequest { matches: vec![[6; 32]], ..new(3) });
    assert_eq!(offered(3, "ann"), None);

    // What was typed in the last second, while the request ended, is offered too.
    story.write(1, 1, "long thoughts, and the end");
    assert_eq!(offered(2, "ann"), Some((id(1), "long thoughts, and the end".to_owned())));

    // A draft of its own: nothing is offered any more.
    story.write(2, 0, "short");
    assert_eq!(offered(2, "ann"), None);

    // Answered: nothing to offer.
    story.settle(2, State::Answered, answer("short"));
    story.ask(4);
    assert_eq!(offered(4, "ann"), Some((id(1), "long thoughts, and the end".to_owned())));
}

pub(super) fn who_else_is_at_it(open: Open<'_>) {
    let story = Fixture::new(open, "others");
    for n in 1..=3 {
        story.ask(n);
    }
    // At 100, and ben at 101 again.
    story.write_as("cat", 1, 0, "c");
    story.write_as("ben", 1, 0, "b");
    story.write_as("ann", 1, 0, "a");
    story.write_as("ben", 1, 1, "be");
    story.write_as("ann", 2, 0, "a");
    story.write_as("ben", 3, 0, "b");
    story.settle(3, State::Cancelled, json!({}));
    let at =
        |person: &str, edited_at| Answering { person: person.to_owned(), edited_at, left: false };

    let others = |n, beside: &str, since| story.store.answering(id(n), beside, since).unwrap();
    assert_eq!(others(1, "ann", 99), [at("ben", 101), at("cat", 100)]);
    assert_eq!(others(1, "ben", 99), [at("ann", 100), at("cat", 100)]);
    assert_eq!(others(1, "ann", 100), [at("ben", 101)]);
    assert_eq!(
        (others(1, "ann", 101), others(2, "ann", 0), others(9, "ann", 0)),
        Default::default()
    );

    let emptied = story.write_as("cat", 1, 1, "");
    assert!(emptied.is_emptied);
    assert_eq!(others(1, "ann", 99), [at("ben", 101)], "an emptied draft is nobody's answering");

    let listed = |person: Option<&str>, others_since| {
        let person = person.map(str::to_owned);
        let read = ListRead { person, others_since, limit: 9, ..ListRead::default() };
        let page = story.store.list(&read).unwrap();
        page.requests.into_iter().map(|request| request.answering).collect::<Vec<_>>()
    };
    assert_eq!(listed(Some("ann"), Some(100)), [vec![at("ben", 101)], vec![]]);
    assert_eq!(listed(Some("dan"), Some(99))[1], [at("ann", 100)]);
    assert_eq!(listed(None, None), [vec![], vec![]], "an asker's list names nobody");
}
