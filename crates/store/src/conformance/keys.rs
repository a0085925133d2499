//! Keys: when a request is an earlier one.

use askwell_core::State;
use serde_json::json;

use super::Open;
use super::fixture::{Fixture, answer, credential, id, keyed, new};
use crate::{Filed, KeyClaim, NewRequest};

fn joined(filed: &Filed) -> Option<u8> {
    match filed {
        Filed::Joined(head) => (1..=20).find(|n| id(*n) == head.id),
        _ => None,
    }
}

pub(super) fn explicit(open: Open<'_>) {
    let story = Fixture::new(open, "explicit");
    let key = || KeyClaim::Explicit("deploy".to_owned());

    assert_eq!(story.file(keyed(1, key())), Filed::New { event: 1 });
    assert_eq!(joined(&story.file(keyed(2, key()))), Some(1));
    let other = NewRequest { questions: [8; 32], ..keyed(3, key()) };
    assert_eq!(story.file(other.clone()), Filed::Conflict);

    // It belongs to one credential.
    let foreign = NewRequest { credential: credential(2), ..keyed(4, key()) };
    assert_eq!(story.file(foreign), Filed::New { event: 2 });

    // Ended by a person: that outcome, for ever.
    story.settle(1, State::Cancelled, json!({"comment": "no"}));
    story.store.pick_up(id(1), 1);
    assert_eq!(joined(&story.file(keyed(5, key()))), Some(1));

    // Ended by nobody: a new one, and from now on that one.
    let key = || KeyClaim::Explicit("again".to_owned());
    story.file(keyed(6, key()));
    story.settle(6, State::Expired, json!({"state": "expired"}));
    assert_eq!(story.file(NewRequest { key: Some(key()), ..other }), Filed::Conflict);
    assert!(matches!(story.file(keyed(7, key())), Filed::New { .. }));
    assert_eq!(joined(&story.file(keyed(8, key()))), Some(7));
}

pub(super) fn derived(open: Open<'_>) {
    let story = Fixture::new(open, "derived");
    let key = |join| KeyClaim::Derived { key: "session".to_owned(), join };
    let candidates = || story.store.derived(credential(1), "session").unwrap();

    // Two identical calls at once are two requests.
    story.file(keyed(1, key(None)));
    story.file(keyed(2, key(None)));
    assert_eq!(candidates(), [id(1), id(2)]);
    assert_eq!(story.store.derived(credential(2), "session").unwrap(), []);

    assert_eq!(joined(&story.file(keyed(3, key(Some(id(1)))))), Some(1));
    let other = NewRequest { questions: [8; 32], ..keyed(3, key(Some(id(1)))) };
    assert_eq!(story.file(other), Filed::Conflict);

    // Answered and not picked up: joined; picked up: not any more.
    story.settle(1, State::Answered, answer("yes"));
    assert_eq!(joined(&story.file(keyed(4, key(Some(id(1)))))), Some(1));
    story.store.pick_up(id(1), 1);
    assert_eq!(story.file(keyed(5, key(Some(id(1))))), Filed::Moved);

    // Ended by nobody: not joined.
    story.settle(2, State::Expired, json!({"state": "expired"}));
    assert_eq!(story.file(keyed(6, key(Some(id(2))))), Filed::Moved);
    assert_eq!(candidates(), []);

    // Another key, or one that is the asker's own, is none of these.
    story.file(new(7));
    assert_eq!(story.file(keyed(8, key(Some(id(7))))), Filed::Moved);
    assert_eq!(story.file(keyed(8, key(Some(id(20))))), Filed::Moved);
}
