//! A request ends once, when it may, and everything of it survives.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{Ended, LateText, ProviderName};
use serde_json::json;

use super::Open;
use super::fixture::{Fixture, answer, credential, id, new, request, settlement};
use crate::{Condition, Extended, Filed, Head, Presence, Settled, Settlement, wait_for};

pub(super) fn one_end(open: Open<'_>) {
    let story = Fixture::new(open, "one-end");
    story.ask(1);

    let won = story.settle(1, State::Answered, answer("first"));
    let late = story.settle(1, State::Cancelled, json!({"comment": "second"}));

    assert_eq!(won, Settled::Won { event: 2 });
    let Settled::Late(ended) = late else { panic!("{late:?}") };
    assert_eq!((ended.state, &ended.outcome), (State::Answered, &answer("first")));
    assert_eq!(story.store.ended(id(1)).unwrap(), Some(ended));
    assert_eq!(story.settle(9, State::Expired, json!({})), Settled::Missing);
    assert_eq!(story.store.ended(id(9)).unwrap(), None);
}

pub(super) fn conditions(open: Open<'_>) {
    let story = Fixture::new(open, "conditions");
    for n in 1..=2 {
        story.ask(n);
    }
    let expiry = |at| Settlement {
        condition: Condition::Deadline(at),
        late: None,
        ..settlement(State::Expired, json!({"state": "expired"}))
    };
    let away = |since, draft_writes| Settlement {
        id: id(2),
        condition: Condition::Away { since, draft_writes },
        late: None,
        ..settlement(State::Aborted, json!({"state": "aborted"}))
    };

    // A person puts the deadline off: the timer that was set before does nothing.
    let by = Duration::from_secs(600);
    let extended = wait_for(|done| story.store.extend(id(1), by, done)).unwrap();
    assert_eq!(extended, Extended::Until(601_000));
    assert_eq!(story.settle_as(expiry(1_000)), Settled::NotDue);
    assert_eq!(story.settle_as(expiry(601_000)), Settled::Won { event: 3 });
    let extended = wait_for(|done| story.store.extend(id(1), by, done)).unwrap();
    assert!(matches!(extended, Extended::Ended(Ended { state: State::Expired, .. })));

    // The asker came back, and was away again; then somebody began to write.
    for away_since in [Some(10), None, Some(20)] {
        let presence = Presence { attached: true, away_since };
        assert!(wait_for(|done| story.store.set_presence(id(2), presence, done)).unwrap());
    }
    assert_eq!(story.settle_as(away(10, 0)), Settled::NotDue);
    story.write(2, 0, "wait");
    assert_eq!(story.settle_as(away(20, 0)), Settled::NotDue);
    assert_eq!(story.settle_as(away(20, 1)), Settled::Won { event: 4 });

    // Nothing moves any more.
    let presence = Presence { attached: false, away_since: None };
    assert!(!wait_for(|done| story.store.set_presence(id(2), presence, done)).unwrap());
    let extended = wait_for(|done| story.store.extend(id(9), by, done)).unwrap();
    assert_eq!(extended, Extended::Missing);
    let mut never = new(3);
    never.summary.deadline_at = None;
    story.file(never);
    let extended = wait_for(|done| story.store.extend(id(3), by, done)).unwrap();
    assert_eq!(extended, Extended::Never);
}

pub(super) fn late_responses(open: Open<'_>) {
    let story = Fixture::new(open, "late");
    story.ask(1);
    story.settle(1, State::Answered, answer("first"));

    // The winner once more, since its client did not hear us; then two others, one of them twice.
    for text in ["first", "second", "third", "second"] {
        story.settle(1, State::Answered, answer(text));
    }

    let late = |text| LateText {
        at: 600,
        provider: ProviderName::Terminal,
        by: "ben".to_owned(),
        response: answer(text),
    };
    let expected = vec![late("second"), late("third")];
    assert_eq!(story.store.late(id(1)).unwrap(), expected);
    assert_eq!(story.store.request(id(1)).unwrap().unwrap().late, expected);
    assert_eq!(story.store.late(id(9)).unwrap(), []);
}

pub(super) fn everything_survives(open: Open<'_>) {
    let story = Fixture::new(open, "survives");
    let epoch = story.store.epoch();
    for n in 1..=3 {
        story.ask(n);
    }
    story.settle(2, State::Answered, answer("kept \0 whole"));
    story.store.pick_up(id(2), 700);
    story.write(3, 0, "half a sen");
    let presence = Presence { attached: true, away_since: Some(50) };
    wait_for(|done| story.store.set_presence(id(3), presence, done)).unwrap();
    story.store.close();
    assert!(wait_for(|done| story.store.file(new(9), done)).is_err());
    drop(story);

    let story = Fixture::new(open, "survives");

    let mut pending = Vec::new();
    story.store.pending(&mut |head| pending.push(head)).unwrap();
    let head = |n| Head {
        id: id(n),
        credential: credential(1),
        state: State::Pending,
        created_at: i64::from(n),
        deadline_at: Some(1_000),
        presence: Presence { attached: true, away_since: None },
        draft_writes: 0,
        draft_edited_at: None,
    };
    let edited = Head { presence, draft_writes: 1, draft_edited_at: Some(100), ..head(3) };
    assert_eq!(pending, [head(1), edited]);
    let record = story.store.request(id(2)).unwrap().unwrap();
    assert_eq!(record.text, serde_json::to_vec(&request(2)).unwrap());
    assert_eq!(record.credential_name, "asker 1");
    let ended = record.ended.unwrap();
    assert_eq!(ended.outcome, answer("kept \0 whole"));
    assert_eq!(ended.receipt.picked_up_at, Some(700));
    assert_eq!(story.store.draft(id(3), "ann").unwrap().entries[0].state.custom, "half a sen");
    assert_eq!((story.store.epoch(), story.store.last_event().unwrap()), (epoch, 4));
    assert!(matches!(story.file(new(9)), Filed::New { event: 5 }));
    assert_eq!(story.store.request(id(8)).unwrap(), None);
}
