//! Stores of former versions, kept as they were written by the program of their time: whatever version
//! this is brings them up to date, and everything that was in them is there.
//!
//! `tests/stores` has the dump of one for each version that was released. The next one is made when the
//! schema changes: a host of the version before, a request of each end, a draft that lost against another
//! screen, a late answer, a key, a browser, a revoked token, somebody elsewhere; then `sqlite3 FILE .dump`.

use askwell_core::draft::DraftState;
use askwell_core::request;
use askwell_core::wire::{DraftEntry, ProviderName, RequestId};
use askwell_store::{HistoryRead, ListRead, LogKind, SqliteStore, Store};
use serde_json::{Value, json};

/// A store from its dump.
fn restored(dump: &str) -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askwell.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(dump).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    (folder, store)
}

/// The request with this question: the one that waits, where it was asked before.
fn id_of(store: &dyn Store, question: &str) -> RequestId {
    let pending = store.list(&ListRead { limit: 100, ..ListRead::default() }).unwrap();
    let ended = store.history(&HistoryRead { limit: 100, ..HistoryRead::default() }).unwrap();
    let mut all = pending.requests.into_iter().chain(ended.requests);
    all.find(|summary| summary.question == question).unwrap().id
}

/// State, outcome, by which provider, and whether it was picked up.
fn end_of(store: &dyn Store, question: &str) -> Value {
    let record = store.request(id_of(store, question)).unwrap().unwrap();
    let asked = request::from_json(std::str::from_utf8(&record.text).unwrap()).unwrap();
    assert_eq!(asked.questions[0].question, question);
    assert_eq!(record.credential_name, "local");
    let ended = record.ended.unwrap();
    assert_eq!(ended.state, record.head.state);
    let outcome: Value = serde_json::to_value(&ended.outcome).unwrap();
    json!([ended.state, outcome, ended.receipt.by, ended.receipt.picked_up_at.is_some()])
}

#[test]
fn what_version_3_has_written_is_all_there() {
    let (_folder, store) = restored(include_str!("../stores/3.sql"));

    // What was asked, and how it ended.
    let answers = |feature: &str, custom: &str, name: Value| {
        let mut second = json!({"id": "name", "selected": []});
        if !name.is_null() {
            second["custom"] = name;
        }
        json!({"answers": [{"id": "feat", "selected": [feature], "custom": custom}, second]})
    };
    let answered = end_of(&store, "Answered?");
    let expected = answers("Auth", "also SSO, 日本語", json!("one\0two"));
    assert_eq!(answered, json!(["answered", expected, "local", true]));
    let comment = end_of(&store, "Cancelled?");
    assert_eq!((&comment[0], &comment[1]["comment"]), (&json!("cancelled"), &json!("not now")));
    let reason = end_of(&store, "Aborted?");
    assert_eq!((&reason[0], &reason[1]["reason"]), (&json!("aborted"), &json!("no longer needed")));
    assert_eq!(end_of(&store, "Expired?")[0], json!("expired"));

    // What came too late.
    let late = store.late(id_of(&store, "Answered?")).unwrap();
    assert_eq!((late.len(), late[0].provider), (1, ProviderName::Api));
    assert_eq!(late[0].response, answers("Search", "too late", Value::Null));

    // A draft, with the text that lost against another screen; and one of an end, offered again.
    let pending = id_of(&store, "Pending, with a draft?");
    let draft = store.draft(pending, "local").unwrap();
    let entry = |id: &str| -> DraftEntry {
        draft.entries.iter().find(|entry| entry.state.id == id).unwrap().clone()
    };
    let feature = DraftState {
        id: "feat".to_owned(),
        chosen: vec!["Search".to_owned()],
        custom: "half a".to_owned(),
        custom_on: true,
        skipped: false,
    };
    assert_eq!((draft.revision, entry("feat").state), (2, feature));
    let kept = entry("feat").kept;
    assert_eq!(kept[0].text, "of another screen");
    assert_eq!(entry("name").state.custom, "kept, not sent");
    let offered = store.draft(id_of(&store, "Asked again?"), "local").unwrap().offered.unwrap();
    assert!(format!("{offered:?}").contains("offered when asked again"), "{offered:?}");

    // Who may ask and answer: with the browser and the revoked token.
    let credentials = store.credentials().unwrap().into_iter().map(|stored| {
        let it = stored.credential;
        (it.name, it.role.as_str(), it.revoked_at.is_some(), it.device.is_some())
    });
    assert_eq!(
        credentials.collect::<Vec<_>>(),
        [
            ("local".to_owned(), "asker", false, false),
            ("local".to_owned(), "answerer", false, false),
            ("local".to_owned(), "admin", false, false),
            ("revoked".to_owned(), "asker", true, false),
            ("Firefox on Linux".to_owned(), "answerer", false, true),
        ]
    );

    // The log, and how far it was told; who is elsewhere.
    let log = store.events(0, 100).unwrap();
    let resolved = log.events.iter().filter(|it| matches!(it.kind, LogKind::Resolved(..)));
    assert_eq!((log.events.len(), resolved.count(), log.cut), (12, 5, false));
    assert_eq!(store.bookmark("outcome.command").unwrap(), Some(11));
    assert_eq!(store.elsewhere().unwrap(), [("local".to_owned(), 1_796_082_289_408)]);

    // And it goes on.
    let mut waiting = Vec::new();
    store.pending(&mut |head| waiting.push(head.id)).unwrap();
    assert_eq!((waiting.len(), waiting[0]), (2, pending));
}
