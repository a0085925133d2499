//! What is told outside: once, only what waits unwatched, and every end.

use std::time::{Duration, Instant};

use askwell_core::State;
use askwell_core::wire::RequestId;
use askwell_host::{Ends, Unwatched, Waits};
use pretty_assertions::assert_eq;
use tokio::time::timeout;

use crate::story::{NOTICES_APART, Story, db, expiring, of, r1};

/// Long enough for what is posted within one test to be one notice.
const DELAY: Duration = Duration::from_millis(300);

impl Story {
    fn unwatched(&self, delay: Duration) -> Unwatched {
        self.host.unwatched("a channel", delay).unwrap()
    }

    fn ends(&self) -> Ends {
        self.host.ends("another channel").unwrap()
    }
}

async fn next(unwatched: &mut Unwatched) -> Waits {
    timeout(Duration::from_secs(20), unwatched.next()).await.unwrap().unwrap()
}

async fn next_ids(unwatched: &mut Unwatched) -> Vec<RequestId> {
    next(unwatched).await.listed.iter().map(|request| request.id).collect()
}

#[tokio::test]
async fn b074_what_comes_at_once_is_one_notice_without_what_has_ended_by_then() {
    let story = Story::begin().await;
    let mut unwatched = story.unwatched(DELAY);

    let ids = [story.post(&r1()).await, story.post(&r1()).await, story.post(&r1()).await];
    story.answer(ids[1], db("SQLite")).await.unwrap();

    assert_eq!(next_ids(&mut unwatched).await, [ids[0], ids[2]]);
}

#[tokio::test]
async fn b074_what_somebody_watches_is_never_told() {
    let story = Story::begin().await;
    let mut unwatched = story.unwatched(Duration::ZERO);
    let watching = story.host.subscribe(&story.ann, None).unwrap();
    story.post(&r1()).await;
    // An agent that follows its own requests watches nothing for a person.
    let agents = story.host.subscribe(&story.agent, None).unwrap();
    assert!(timeout(DELAY, unwatched.next()).await.is_err());

    drop(watching);
    let second = story.post(&r1()).await;

    assert_eq!(next_ids(&mut unwatched).await, [second]);
    drop(agents);
}

#[tokio::test]
async fn b074_who_comes_to_watch_before_it_is_told_has_seen_it() {
    let story = Story::begin().await;
    let mut unwatched = story.unwatched(DELAY);
    story.post(&r1()).await;
    let watching = story.host.subscribe(&story.ann, None).unwrap();
    assert!(timeout(DELAY * 2, unwatched.next()).await.is_err());

    drop(watching);
    let second = story.post(&r1()).await;

    assert_eq!(next_ids(&mut unwatched).await, [second]);
}

#[tokio::test]
async fn b074_notices_keep_their_distance_and_the_next_holds_what_came_meanwhile() {
    let story = Story::begin().await;
    let mut unwatched = story.unwatched(Duration::ZERO);
    let first = story.post(&r1()).await;
    assert_eq!(next_ids(&mut unwatched).await, [first]);
    let told = Instant::now();

    let ids = [story.post(&r1()).await, story.post(&r1()).await];

    assert_eq!(next_ids(&mut unwatched).await, ids);
    assert!(told.elapsed() >= NOTICES_APART - Duration::from_millis(20));
}

#[tokio::test]
async fn b074_of_very_many_the_oldest_are_listed_and_the_others_counted() {
    let story = Story::begin().await;
    let mut unwatched = story.unwatched(DELAY);
    let mut ids = Vec::new();
    for _ in 0..Waits::LISTED + 5 {
        ids.push(story.post(&r1()).await);
    }
    story.answer(ids[0], db("SQLite")).await.unwrap();
    story.answer(ids[Waits::LISTED], db("SQLite")).await.unwrap();

    let waits = next(&mut unwatched).await;

    let listed: Vec<_> = waits.listed.iter().map(|request| request.id).collect();
    ids.remove(Waits::LISTED);
    ids.remove(0);
    assert_eq!(listed, ids[..Waits::LISTED]);
    assert_eq!(waits.others, ids[Waits::LISTED..].iter().copied().collect());
}

#[tokio::test]
async fn b074_a_restart_tells_nothing_twice_and_forgets_nothing() {
    let mut story = Story::begin().await;
    let mut unwatched = story.unwatched(Duration::ZERO);
    let told = story.post(&r1()).await;
    assert_eq!(next_ids(&mut unwatched).await, [told]);
    // In the window of what is gathered when the host is gone.
    let (untold, ended) = (story.post(&r1()).await, story.post(&r1()).await);
    story.answer(ended, db("SQLite")).await.unwrap();

    story.crash().await;

    let mut unwatched = story.unwatched(DELAY);
    let new = story.post(&r1()).await;
    assert_eq!(next_ids(&mut unwatched).await, [untold, new]);
}

#[tokio::test]
async fn what_was_asked_before_anybody_was_to_be_told_is_not_told() {
    let mut story = Story::begin().await;
    story.post(&r1()).await;
    let mut unwatched = story.unwatched(DELAY);
    let first = story.post(&r1()).await;
    assert_eq!(next_ids(&mut unwatched).await, [first]);
    // The channel is switched off for a while, and on again.
    story.host.forget_reader("a channel").await;
    story.post(&r1()).await;
    story.restart_after(Duration::from_secs(1)).await;

    let mut unwatched = story.unwatched(DELAY);
    let last = story.post(&r1()).await;

    assert_eq!(next_ids(&mut unwatched).await, [last]);
}

#[tokio::test]
async fn every_end_is_told_once_and_also_after_a_restart() {
    let mut story = Story::begin().await;
    let mut ends = story.ends();
    let (answered, cancelled) =
        (story.post(&of(r1(), "s1", "/work")).await, story.post(&r1()).await);
    let expired = story.post(&expiring(r1(), 5)).await;
    story.answer(answered, db("SQLite")).await.unwrap();
    let first = ends.next().await.unwrap();
    story.cancel(cancelled, "no").await.unwrap();

    story.crash().await;
    story.pass(6).await;

    let mut ends = story.ends();
    let (second, third) = (ends.next().await.unwrap(), ends.next().await.unwrap());
    let told = [&first, &second, &third].map(|it| (it.request.id, it.state, it.attended));
    let expected = [
        (answered, State::Answered, false),
        (cancelled, State::Cancelled, false),
        (expired, State::Expired, false),
    ];
    assert_eq!(told, expected);
    let session = first.request.asker.unwrap().session;
    assert_eq!(session.as_deref(), Some("s1"));
}

#[tokio::test]
async fn an_end_says_whether_its_asker_was_there_to_hear_of_it() {
    let story = Story::begin().await;
    let mut ends = story.ends();
    let (attached, detached) = (story.attach(&r1()).await, story.post(&r1()).await);
    for id in [attached, detached] {
        story.answer(id, db("SQLite")).await.unwrap();
    }

    assert!(ends.next().await.unwrap().attended);
    assert!(!ends.next().await.unwrap().attended);
}

#[tokio::test]
async fn whoever_tells_is_told_that_the_host_stops() {
    let story = Story::begin().await;
    let (mut unwatched, mut ends) = (story.unwatched(DELAY), story.ends());

    story.host.begin_shutdown();

    assert_eq!(unwatched.next().await, None);
    assert_eq!(ends.next().await, None);
}
