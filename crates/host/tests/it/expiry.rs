//! Expiry is absolute: it survives restarts and clocks that are set, and a person can put it off.

use std::sync::Arc;
use std::time::{Duration, Instant};

use askwell_core::State;
use askwell_core::wire::{NewCredential, Posting, Role};
use askwell_host::{Caller, Config, Host, SystemClock};
use askwell_store::SqliteStore;
use pretty_assertions::assert_eq;

use crate::story::{START, Story, code, db, expiring, r1, valid};

#[tokio::test]
async fn it_fires_at_its_time_and_not_before() {
    let story = Story::begin().await;
    let id = story.post(&expiring(r1(), 60)).await;
    assert_eq!(story.get(id).await.deadline_at, Some(START + 60_000));

    story.pass(59).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(1).await;

    assert_eq!(story.state(id).await, State::Expired);
}

#[tokio::test]
async fn a_clock_that_is_set_moves_nothing_while_the_host_runs() {
    let story = Story::begin().await;
    let id = story.post(&expiring(r1(), 60)).await;

    for jump in [10 * 86_400_000, -20 * 86_400_000] {
        story.clock.jump(jump);
        story.pass(20).await;
        assert_eq!(story.state(id).await, State::Pending);
    }
    story.pass(20).await;

    assert_eq!(story.state(id).await, State::Expired);
}

#[tokio::test]
async fn the_time_of_a_pause_counts() {
    let mut story = Story::begin().await;
    let (short, long) =
        (story.post(&expiring(r1(), 60)).await, story.post(&expiring(r1(), 600)).await);

    story.restart_after(Duration::from_secs(120)).await;
    assert_eq!(story.pending().await, [short, long]);
    story.host.run_due().await;

    assert_eq!(story.state(short).await, State::Expired);
    story.pass(479).await;
    assert_eq!(story.state(long).await, State::Pending);
    story.pass(1).await;
    assert_eq!(story.state(long).await, State::Expired);
}

#[tokio::test]
async fn a_person_puts_it_off_from_the_present_deadline() {
    let mut story = Story::begin().await;
    let id = story.post(&expiring(r1(), 60)).await;
    story.pass(59).await;

    let view = story.host.extend(&story.ann, id).await.unwrap();
    assert_eq!(view.deadline_at, Some(START + 660_000));
    let view = story.host.extend(&story.ann, id).await.unwrap();
    assert_eq!(view.deadline_at, Some(START + 1_260_000));

    story.pass(1_200).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.restart_after(Duration::ZERO).await;
    story.host.run_due().await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(1).await;
    assert_eq!(story.state(id).await, State::Expired);
    let outcome = story.get(id).await.outcome.unwrap();
    assert!(outcome["message"].as_str().unwrap().contains("within 21 min."), "{outcome}");
    assert_eq!(code(story.host.extend(&story.ann, id).await), "NOT_PENDING");
}

#[tokio::test]
async fn what_never_expires_can_be_put_off_and_still_never_does() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;

    assert_eq!(story.host.extend(&story.ann, id).await.unwrap().deadline_at, None);
    story.pass(1_000_000).await;

    assert_eq!(story.state(id).await, State::Pending);
}

/// A disk that refuses an end by time gets it again.
#[tokio::test]
async fn an_expiry_that_could_not_be_written_is_written_later() {
    let story = Story::begin().await;
    let id = story.post(&expiring(r1(), 60)).await;
    let away = story.store_folder().with_file_name("away");
    std::fs::rename(story.store_folder(), &away).unwrap();
    story.pass(60).await;
    std::fs::rename(&away, story.store_folder()).unwrap();
    assert_eq!(story.state(id).await, State::Pending);

    story.pass(1).await;

    assert_eq!(story.state(id).await, State::Expired);
}

/// The real clocks and the host's own timer.
#[tokio::test]
async fn it_fires_within_a_second_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
    let host = Host::start(Arc::new(store), Arc::new(SystemClock), Config::default()).unwrap();
    let new = NewCredential { role: Role::Asker, name: "agent".to_owned(), person: None };
    let (credential, _) = host.create_credential(&Caller::owner(), new).await.unwrap();
    let agent = Caller::of(&credential);
    let begun = Instant::now();
    let request = valid(&expiring(r1(), 1));
    let id = host.ask(&agent, &request, &Posting::attached()).await.unwrap().id;

    let view = host.wait(&agent, id, Duration::from_secs(10)).await.unwrap();

    let took = begun.elapsed();
    assert_eq!(view.state, State::Expired);
    assert!(took >= Duration::from_secs(1) && took < Duration::from_secs(2), "{took:?}");
    host.shutdown().await;
}

#[tokio::test]
async fn an_answer_before_the_deadline_stays_the_answer() {
    let story = Story::begin().await;
    let id = story.post(&expiring(r1(), 60)).await;
    story.answer(id, db("SQLite")).await.unwrap();

    story.pass(120).await;

    assert_eq!(story.state(id).await, State::Answered);
}
