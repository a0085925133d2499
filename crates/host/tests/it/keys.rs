//! Promise 9: keys explicit and derived.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{Asked, IdempotencyKey, InboxError, Leaving, Posting, RequestId};
use askwell_core::wire::{NewCredential, Role};
use askwell_host::{Caller, Config, Host, ManualClock, Timers};
use askwell_store::SqliteStore;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::story::{START, Story, code, db, expiring, r1, r3, valid};

fn explicit(key: &str) -> Posting {
    Posting::attached().with_key(IdempotencyKey::explicit(key).unwrap())
}

fn derived(key: &str) -> Posting {
    Posting::attached().with_key(IdempotencyKey::derived(key).unwrap())
}

async fn ask(
    story: &Story,
    who: &Caller,
    request: &Value,
    posting: Posting,
) -> Result<Asked, InboxError> {
    story.host.ask(who, &valid(request), &posting).await
}

async fn agent(story: &Story, posting: Posting) -> (RequestId, State, bool) {
    let asked = ask(story, &story.agent, &r1(), posting).await.unwrap();
    (asked.id, asked.state, asked.joined)
}

#[tokio::test]
async fn the_same_key_is_the_same_request_and_then_its_outcome() {
    let mut story = Story::begin().await;
    let (id, _, joined) = agent(&story, explicit("deploy")).await;
    assert!(!joined);

    assert_eq!(agent(&story, explicit("deploy")).await, (id, State::Pending, true));
    story.restart_after(Duration::from_secs(5)).await;
    assert_eq!(agent(&story, explicit("deploy")).await, (id, State::Pending, true));
    story.answer(id, db("SQLite")).await.unwrap();

    assert_eq!(agent(&story, explicit("deploy")).await, (id, State::Answered, true));
    let view = story.host.wait(&story.agent, id, Duration::ZERO).await.unwrap();
    assert_eq!(view.outcome, Some(json!({"answers": db("SQLite")})));
    assert_eq!(agent(&story, explicit("deploy")).await, (id, State::Answered, true));
}

#[tokio::test]
async fn a_cancel_is_an_outcome_for_ever() {
    let story = Story::begin().await;
    let (id, ..) = agent(&story, explicit("deploy")).await;
    story.cancel(id, "no").await.unwrap();

    assert_eq!(agent(&story, explicit("deploy")).await, (id, State::Cancelled, true));
}

#[tokio::test]
async fn other_questions_under_the_same_key_are_a_conflict() {
    let story = Story::begin().await;
    let (id, ..) = agent(&story, explicit("deploy")).await;

    let conflict = ask(&story, &story.agent, &r3(), explicit("deploy")).await;
    assert_eq!(code(conflict), "KEY_CONFLICT");

    // Another time to live, or other words about itself, are no other questions.
    let again = expiring(r1(), 60);
    let joined = ask(&story, &story.agent, &again, explicit("deploy")).await.unwrap();
    assert_eq!((joined.id, joined.joined), (id, true));
}

#[tokio::test]
async fn a_key_belongs_to_one_credential() {
    let story = Story::begin().await;
    let (id, ..) = agent(&story, explicit("deploy")).await;

    let other = ask(&story, &story.other, &r3(), explicit("deploy")).await.unwrap();

    assert!(!other.joined && other.id != id);
}

#[tokio::test]
async fn out_of_time_it_is_a_new_request_with_the_old_draft_offered() {
    let story = Story::begin().await;
    let request = expiring(r1(), 60);
    let old = ask(&story, &story.agent, &request, explicit("deploy")).await.unwrap().id;
    story.type_text(&story.ann, old, 0, "long thoughts").await.unwrap();
    story.pass(60).await;

    let new = ask(&story, &story.agent, &request, explicit("deploy")).await.unwrap();

    assert!(!new.joined && new.id != old);
    let draft = story.host.draft(&story.ann, new.id).await.unwrap();
    assert_eq!(draft.questions[0].state.custom, "");
    let offered = draft.offered.unwrap();
    assert_eq!((offered.from, offered.questions[0].custom.as_str()), (old, "long thoughts"));
    assert_eq!(agent(&story, explicit("deploy")).await.0, new.id);
}

#[tokio::test]
async fn derived_while_the_first_waiter_is_live_an_identical_call_is_a_new_request() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    let (second, _, joined) = agent(&story, derived("s")).await;

    assert!(!joined && first != second);
    // Each gets its own answer.
    story.answer(second, db("DuckDB")).await.unwrap();
    story.answer(first, db("SQLite")).await.unwrap();
    let view = story.host.wait(&story.agent, first, Duration::ZERO).await.unwrap();
    assert_eq!(view.outcome, Some(json!({"answers": db("SQLite")})));
}

#[tokio::test]
async fn derived_an_identical_call_joins_the_request_whose_waiter_is_gone() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    let (second, ..) = agent(&story, derived("s")).await;

    // Cut by a client's own time limit.
    story.host.detach(&story.agent, first, Leaving::Cut).await.unwrap();
    assert_eq!(agent(&story, derived("s")).await, (first, State::Pending, true));
    story.post(&r1()).await;
    let view = story.get(first).await;
    assert_eq!((view.attached, view.away_since), (true, None));

    // Silent for a lease; and told `pending`.
    story.pass(31).await;
    assert_eq!(agent(&story, derived("s")).await, (first, State::Pending, true));
    story.host.detach(&story.agent, second, Leaving::Told).await.unwrap();
    assert_eq!(agent(&story, derived("s")).await, (second, State::Pending, true));
    story.post(&r1()).await;
    assert!(story.get(second).await.attached);

    // Both have a waiter again.
    assert!(!agent(&story, derived("s")).await.2);
}

#[tokio::test]
async fn derived_two_that_come_at_once_do_not_both_join_one() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    story.host.detach(&story.agent, first, Leaving::Cut).await.unwrap();

    let (one, other) = tokio::join!(agent(&story, derived("s")), agent(&story, derived("s")));

    assert_ne!(one.0, other.0);
    assert_eq!([one.2, other.2].iter().filter(|joined| **joined).count(), 1);
}

#[tokio::test]
async fn derived_an_answer_that_was_never_picked_up_is_joined_and_one_that_was_is_not() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    story.host.detach(&story.agent, first, Leaving::Cut).await.unwrap();
    story.answer(first, db("SQLite")).await.unwrap();

    assert_eq!(agent(&story, derived("s")).await, (first, State::Answered, true));
    story.host.wait(&story.agent, first, Duration::ZERO).await.unwrap();
    // The next write carries the receipt.
    story.post(&r1()).await;

    let (second, state, joined) = agent(&story, derived("s")).await;
    assert!(second != first && state == State::Pending && !joined);
}

#[tokio::test]
async fn derived_what_nobody_answered_is_asked_anew() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    story.host.abort(&story.agent, first, "").await.unwrap();

    let (second, _, joined) = agent(&story, derived("s")).await;

    assert!(second != first && !joined);
    // Without a reason it is the asker by name.
    assert_eq!(story.get(first).await.outcome.unwrap()["reason"], "agent");
}

#[tokio::test]
async fn whoever_only_posts_by_a_key_leaves_a_live_waiter_alone() {
    let story = Story::begin().await;
    let key = IdempotencyKey::explicit("deploy").unwrap();
    let (id, ..) = agent(&story, explicit("deploy")).await;

    let posted = Posting::detached().with_key(key.clone());
    assert!(agent(&story, posted).await.2);
    assert!(story.get(id).await.attached);

    story.pass(31).await;
    assert!(agent(&story, Posting::detached().with_key(key)).await.2);
    story.post(&r1()).await;
    let view = story.get(id).await;
    assert_eq!((view.attached, view.away_since), (false, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn derived_a_request_that_the_disk_has_and_nobody_heard_of_yet_is_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
    let (gate, committed) = Gate::new(store);
    let config = Config { timers: Timers::Manual, ..Config::default() };
    let clock = Arc::new(ManualClock::new(START));
    let host = Host::start(Arc::new(gate), clock, config).unwrap();
    let new = NewCredential { role: Role::Asker, name: "agent".to_owned(), person: None };
    let (credential, _) = host.create_credential(&Caller::owner(), new).await.unwrap();
    let agent = Caller::of(&credential);
    let ask = || {
        let (host, agent) = (host.clone(), agent.clone());
        tokio::spawn(async move { host.ask(&agent, &valid(&r1()), &derived("s")).await.unwrap() })
    };

    let first = ask();
    tokio::task::spawn_blocking(move || committed.recv().unwrap()).await.unwrap();
    let second = ask().await.unwrap();
    let first = first.await.unwrap();

    assert!(!second.joined && second.id != first.id);
}

#[tokio::test]
async fn derived_answered_between_two_polls_of_a_live_asker_it_is_that_askers_alone() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    story.pass(20).await;
    story.answer(first, db("SQLite")).await.unwrap();

    let (second, state, joined) = agent(&story, derived("s")).await;
    assert!(second != first && state == State::Pending && !joined);
    // It never came to fetch it, and its lease is over.
    story.pass(10).await;
    assert_eq!(agent(&story, derived("s")).await, (first, State::Answered, true));
}

#[tokio::test]
async fn derived_of_many_that_come_at_once_one_gets_an_answer_that_was_not_picked_up() {
    let story = Story::begin().await;
    let (first, ..) = agent(&story, derived("s")).await;
    story.host.detach(&story.agent, first, Leaving::Cut).await.unwrap();
    story.answer(first, db("SQLite")).await.unwrap();

    let calls = (0..16).map(|_| {
        let (host, who) = (story.host.clone(), story.agent.clone());
        tokio::spawn(async move { host.ask(&who, &valid(&r1()), &derived("s")).await.unwrap() })
    });
    let mut joined = 0;
    for call in calls.collect::<Vec<_>>() {
        let asked = call.await.unwrap();
        assert_eq!(asked.joined, asked.id == first);
        joined += usize::from(asked.joined);
    }

    assert_eq!(joined, 1);
}

#[tokio::test]
async fn derived_a_conflict_changes_nothing_of_the_request_that_it_met() {
    let story = Story::begin().await;
    let key = IdempotencyKey::derived("s").unwrap();
    let posted = Posting::detached().with_key(key);
    let (id, ..) = agent(&story, posted).await;

    assert_eq!(code(ask(&story, &story.agent, &r3(), derived("s")).await), "KEY_CONFLICT");

    story.pass(31).await;
    story.pass(24 * 3_600).await;
    let view = story.get(id).await;
    assert_eq!((view.state, view.attached, view.away_since), (State::Pending, false, None));
    // It is free for the next one.
    assert_eq!(agent(&story, derived("s")).await, (id, State::Pending, true));
}
