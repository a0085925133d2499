//! Lists, the log, and forgetting.

use askwell_core::State;
use askwell_core::wire::{Credential, Device, ListFilter, RequestSummary, Role};
use serde_json::json;

use super::Open;
use super::fixture::{Fixture, answer, credential, id, keyed, new};
use crate::{
    Filed, HistoryRead, KeyClaim, ListPage, ListRead, LogKind, NewRequest, Store, StoredCredential,
    wait_for,
};

fn numbers(page: &ListPage) -> Vec<u8> {
    let number = |request: &RequestSummary| (1..=20).find(|n| id(*n) == request.id).unwrap();
    page.requests.iter().map(number).collect()
}

pub(super) fn pages(open: Open<'_>) {
    let story = Fixture::new(open, "pages");
    for n in 1..=5 {
        story.ask(n);
    }
    story.write(2, 0, "draft");
    let read = ListRead { limit: 2, person: Some("ann".to_owned()), ..ListRead::default() };

    let first = story.store.list(&read).unwrap();
    story.ask(6);
    story.settle(4, State::Answered, answer("gone"));
    let after = Some((first.event, first.next.unwrap()));
    let second = story.store.list(&ListRead { after, ..read.clone() }).unwrap();
    let after = Some((second.event, second.next.unwrap()));
    let third = story.store.list(&ListRead { after, ..read.clone() }).unwrap();

    assert_eq!(numbers(&first), [1, 2]);
    assert_eq!(first.requests[1].draft_edited_at, Some(100));
    assert_eq!(first.requests[0].question, "Question 1 with a \0?");
    assert_eq!(first.requests[0].credential, "asker 1");
    // What ended since is left out; what came since is left to the events.
    assert_eq!(numbers(&second), [3, 5]);
    assert_eq!((numbers(&third), third.next), (vec![], None));
    assert_eq!([first.event, second.event, third.event], [5, 5, 5]);
    let whole = story.store.list(&ListRead { limit: 20, ..read }).unwrap();
    assert_eq!((numbers(&whole), whole.event, whole.next), (vec![1, 2, 3, 5, 6], 7, None));
}

pub(super) fn open_ones(open: Open<'_>) {
    let story = Fixture::new(open, "open");
    for n in 1..=6 {
        let session = Some(format!("session {}", n % 2));
        story.file(NewRequest { session, ..new(n) });
    }
    story.file(NewRequest { credential: credential(2), ..new(7) });
    story.settle(1, State::Answered, answer("not picked up"));
    story.settle(2, State::Answered, answer("picked up"));
    story.store.pick_up(id(2), 1);
    story.settle(3, State::Expired, json!({}));
    story.settle(4, State::Cancelled, json!({"comment": "not picked up"}));

    let read = |filter, session: Option<&str>| {
        let (credential, session) = (Some(credential(1)), session.map(str::to_owned));
        let read = ListRead { filter, credential, session, limit: 20, ..ListRead::default() };
        numbers(&story.store.list(&read).unwrap())
    };
    // A write that is reported carries the receipt with it.
    story.ask(8);
    assert_eq!(read(ListFilter::Open, None), [1, 4, 5, 6, 8]);
    assert_eq!(read(ListFilter::Open, Some("session 1")), [1, 5]);
    assert_eq!(read(ListFilter::Pending, None), [5, 6, 8]);
}

pub(super) fn history(open: Open<'_>) {
    let story = Fixture::new(open, "history");
    for n in 1..=4 {
        story.ask(n);
    }
    for n in [3, 1, 2] {
        story.settle(n, State::Answered, answer(&format!("Antwort {n} Ünter")));
    }
    story.settle(1, State::Answered, answer("zu SPÄT"));
    let read = |search: Option<&str>, before, limit| {
        let search = search.map(str::to_owned);
        story.store.history(&HistoryRead { search, before, limit }).unwrap()
    };

    let first = read(None, None, 2);
    assert_eq!(numbers(&first), [2, 1]);
    let receipt = first.requests[0].receipt.as_ref().unwrap();
    assert_eq!((receipt.at, receipt.by.as_deref()), (500, Some("ann")));
    assert_eq!(numbers(&read(None, first.next, 2)), [3]);
    assert_eq!(numbers(&read(Some("antwort 1 ünt"), None, 9)), [1]);
    assert_eq!(numbers(&read(Some("question 3"), None, 9)), [3]);
    assert_eq!(numbers(&read(Some("zu spät"), None, 9)), [1]);
    // The names of the fields are no text.
    assert!(numbers(&read(Some("selected"), None, 9)).is_empty());
}

pub(super) fn log(open: Open<'_>) {
    let story = Fixture::new(open, "log");
    for n in 1..=2 {
        story.ask(n);
    }
    story.settle(1, State::Answered, answer("yes"));
    // A write that fails takes no number.
    let unknown = NewRequest { credential: credential(9), ..new(3) };
    assert!(wait_for(|done| story.store.file(unknown, done)).is_err());
    story.settle(2, State::Expired, json!({}));

    let log = story.store.events(0, 10).unwrap();

    let told = log.events.iter().map(|event| match &event.kind {
        LogKind::Requested(request) => (event.number, request.id, State::Pending),
        LogKind::Resolved(id, state) => (event.number, *id, *state),
    });
    let expected = [
        (1, id(1), State::Pending),
        (2, id(2), State::Pending),
        (3, id(1), State::Answered),
        (4, id(2), State::Expired),
    ];
    assert_eq!((told.collect::<Vec<_>>(), log.cut), (expected.to_vec(), false));
    assert_eq!(log.events[0].credential, credential(1));
    let rest = story.store.events(2, 1).unwrap();
    assert_eq!(rest.events, log.events[2..3]);
    assert_eq!(story.store.events(4, 10).unwrap().events, []);
}

pub(super) fn bookmarks(open: Open<'_>) {
    {
        let story = Fixture::new(open, "bookmarks");
        assert_eq!(story.store.bookmark("here").unwrap(), None);
        for (name, event) in [("here", Some(7)), ("there", Some(9)), ("gone", Some(1))] {
            wait_for(|done| story.store.set_bookmark(name, event, done)).unwrap();
        }
        // Not awaited: the next write carries it along.
        story.store.move_bookmark("here", 8);
        wait_for(|done| story.store.set_bookmark("gone", None, done)).unwrap();
        story.store.close();
    }
    let store = open("bookmarks");

    let kept = ["here", "there", "gone"].map(|name| store.bookmark(name).unwrap());
    assert_eq!(kept, [Some(8), Some(9), None]);
}

pub(super) fn purging(open: Open<'_>) {
    let story = Fixture::new(open, "purging");
    story.file(keyed(1, KeyClaim::Explicit("key".to_owned())));
    story.file(keyed(2, KeyClaim::Derived { key: "key".to_owned(), join: None }));
    story.ask(3);
    for n in 1..=3 {
        story.write(n, 0, "draft");
        story.write(n, 0, "kept beside");
    }
    for n in 1..=2 {
        story.settle(n, State::Cancelled, json!({"comment": "no"}));
        story.settle(n, State::Answered, answer("late"));
    }
    assert_eq!(story.store.ended_before(500, 9).unwrap(), []);
    let ended = story.store.ended_before(501, 9).unwrap();
    assert_eq!(ended, [id(1), id(2)]);

    // What is pending stays, whoever says otherwise.
    let forgotten = wait_for(|done| story.store.purge(vec![id(1), id(2), id(3), id(9)], done));

    assert_eq!(forgotten.unwrap(), 2);
    assert_eq!(story.store.request(id(1)).unwrap(), None);
    assert_eq!(story.store.late(id(1)).unwrap(), []);
    assert!(story.store.request(id(3)).unwrap().is_some());
    assert_eq!(story.store.draft(id(3), "ann").unwrap().entries.len(), 1);
    // Nothing of them is offered, and their keys are free.
    assert_eq!(story.store.draft(id(3), "ben").unwrap().offered, None);
    assert_eq!(story.store.derived(credential(1), "key").unwrap(), []);
    let again = story.file(keyed(4, KeyClaim::Explicit("key".to_owned())));
    // Numbers go on, and who stands before the gap is told.
    assert_eq!(again, Filed::New { event: 6 });
    let log = story.store.events(2, 10).unwrap();
    assert!(log.cut);
    assert!(!story.store.events(5, 10).unwrap().cut);
}

pub(super) fn credentials(open: Open<'_>) {
    let story = Fixture::new(open, "credentials");
    let credential = Credential {
        id: credential(3),
        role: Role::Answerer,
        name: "phone".to_owned(),
        person: Some("ann".to_owned()),
        created_at: 5,
        revoked_at: None,
        device: None,
    };
    let stored = StoredCredential { credential: credential.clone(), token: [3; 32] };

    wait_for(|done| story.store.add_credential(stored.clone(), done)).unwrap();

    assert_eq!(story.store.credential(&[3; 32]).unwrap(), Some(credential.clone()));
    assert_eq!(story.store.credential(&[4; 32]).unwrap(), None);
    assert_eq!(story.store.credentials().unwrap()[2], stored);
    let revoke = || wait_for(|done| story.store.revoke_credential(credential.id, 8, done)).unwrap();
    assert!(revoke());
    assert!(!revoke());
    let revoked = story.store.credential(&[3; 32]).unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(8));
}

pub(super) fn devices(open: Open<'_>) {
    let label = {
        let story = Fixture::new(open, "devices");
        let device = |n: u8, used_at: Option<i64>| StoredCredential {
            credential: Credential {
                id: credential(n),
                role: Role::Answerer,
                name: "Firefox on Linux".to_owned(),
                person: Some("ann".to_owned()),
                created_at: 5,
                revoked_at: None,
                device: used_at.map(|used_at| Device { used_at }),
            },
            token: [n; 32],
        };
        for stored in [device(3, Some(5)), device(4, Some(5)), device(5, None)] {
            wait_for(|done| story.store.add_credential(stored, done)).unwrap();
        }
        // Not awaited: the next write carries them along. Time never goes back.
        for (n, at) in [(3, 9), (4, 9), (4, 7), (5, 9)] {
            story.store.use_credential(credential(n), at);
        }
        wait_for(|done| story.store.revoke_credential(credential(3), 10, done)).unwrap();
        story.store.close();
        story.store.label().to_owned()
    };
    let store = open("devices");
    let used_at = |n| store.credential(&[n; 32]).unwrap().unwrap().device.map(|it| it.used_at);

    assert_eq!([3, 4, 5].map(used_at), [Some(9), Some(9), None]);
    // The name is kept, another store has another one, and both can be a part of a host name.
    let other = open("other devices").label().to_owned();
    assert_eq!(store.label(), label);
    assert_ne!(label, other);
    for label in [&label, &other] {
        let fits = label.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
        assert!(fits && (8..=32).contains(&label.len()), "{label}");
    }
}

pub(super) fn elsewhere(open: Open<'_>) {
    let set = |store: &dyn Store, person: &str, since| {
        wait_for(|done| store.set_elsewhere(person.to_owned(), since, done)).unwrap();
    };
    {
        let story = Fixture::new(open, "elsewhere");
        assert_eq!(story.store.elsewhere().unwrap(), []);
        for (person, since) in [("ann", Some(5)), ("ben", Some(6)), ("ann", Some(7)), ("cid", None)]
        {
            set(&*story.store, person, since);
        }
        set(&*story.store, "ben", None);
        story.store.close();
    }
    let store = open("elsewhere");

    assert_eq!(store.elsewhere().unwrap(), [("ann".to_owned(), 7)]);
}
