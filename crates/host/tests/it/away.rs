//! Promise 8: attached and detached askers, away and grace.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::Leaving;
use pretty_assertions::assert_eq;

use crate::story::{START, Story, db, r1};

const DAY: u64 = 24 * 3_600;

#[tokio::test]
async fn an_attached_asker_that_is_silent_for_a_lease_is_away_and_its_request_stays() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;

    story.pass(29).await;
    assert_eq!(story.get(id).await.away_since, None);
    story.pass(1).await;
    // A write that is reported comes after it.
    story.post(&r1()).await;

    let view = story.get(id).await;
    assert_eq!((view.state, view.away_since), (State::Pending, Some(START + 30_000)));
    assert_eq!(story.host.stats().away, 1);
    // The answer is an ordinary one.
    assert_eq!(story.answer(id, db("SQLite")).await.unwrap().state, State::Answered);
}

#[tokio::test]
async fn polling_within_the_lease_keeps_it_and_a_wait_holds_it() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    for _ in 0..5 {
        story.pass(25).await;
        story.host.wait(&story.agent, id, Duration::ZERO).await.unwrap();
    }
    let (host, agent) = (story.host.clone(), story.agent.clone());
    let wait = tokio::spawn(async move { host.wait(&agent, id, Duration::from_secs(60)).await });
    tokio::task::yield_now().await;
    story.pass(10 * DAY).await;
    wait.abort();
    let _ = wait.await;
    story.pass(29).await;
    assert_eq!(story.host.stats().away, 0);

    story.pass(1).await;

    assert_eq!(story.host.stats().away, 1);
    assert_eq!(story.state(id).await, State::Pending);
}

#[tokio::test]
async fn after_its_grace_a_request_without_an_asker_is_withdrawn_and_its_draft_kept() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.type_text(&story.ann, id, 0, "long thoughts").await.unwrap();
    story.pass(30).await;
    story.pass(DAY - 1).await;
    assert_eq!(story.state(id).await, State::Pending);

    story.pass(1).await;

    let view = story.get(id).await;
    assert_eq!(view.state, State::Aborted);
    let reason = "its asker stayed away for 24 h";
    assert_eq!(view.outcome.unwrap()["reason"], reason);
    let receipt = view.receipt.unwrap();
    assert_eq!((receipt.provider, receipt.by), (None, None));
    let draft = story.host.draft(&story.ann, id).await.unwrap();
    assert_eq!(draft.questions[0].state.custom, "long thoughts");
}

#[tokio::test]
async fn never_while_a_draft_was_edited_within_ten_minutes() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.pass(30).await;
    story.pass(DAY - 60).await;
    story.type_text(&story.ann, id, 0, "I am on it").await.unwrap();

    story.pass(599).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(1).await;

    assert_eq!(story.state(id).await, State::Aborted);
}

#[tokio::test]
async fn an_asker_that_comes_back_finds_its_request_and_the_grace_begins_anew() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.pass(30).await;
    story.pass(DAY - 1).await;

    story.host.wait(&story.agent, id, Duration::ZERO).await.unwrap();
    story.post(&r1()).await;
    assert_eq!(story.get(id).await.away_since, None);
    story.pass(DAY).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(DAY).await;

    assert_eq!(story.state(id).await, State::Aborted);
}

#[tokio::test]
async fn a_call_that_is_cut_is_away_at_once_and_one_that_was_told_waits_for_ever() {
    let story = Story::begin().await;
    let (cut, told) = (story.attach(&r1()).await, story.attach(&r1()).await);

    let view = story.host.detach(&story.agent, cut, Leaving::Cut).await.unwrap();
    assert_eq!((view.attached, view.away_since), (true, Some(START)));
    let view = story.host.detach(&story.agent, told, Leaving::Told).await.unwrap();
    assert_eq!((view.attached, view.away_since), (false, None));
    // Cut after it was told: it is no less told.
    story.host.detach(&story.agent, told, Leaving::Cut).await.unwrap();

    story.pass(DAY).await;
    assert_eq!(story.state(cut).await, State::Aborted);
    story.pass(400 * DAY).await;
    assert_eq!(story.state(told).await, State::Pending);
}

#[tokio::test]
async fn a_posted_request_waits_for_ever() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;

    story.host.wait(&story.agent, id, Duration::ZERO).await.unwrap();
    story.pass(400 * DAY).await;

    let view = story.get(id).await;
    assert_eq!((view.state, view.attached, view.away_since), (State::Pending, false, None));
}

#[tokio::test]
async fn leaving_what_has_ended_is_no_failure() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.answer(id, db("SQLite")).await.unwrap();

    for leaving in [Leaving::Cut, Leaving::Told] {
        let view = story.host.detach(&story.agent, id, leaving).await.unwrap();
        assert_eq!(view.state, State::Answered);
    }
}

#[tokio::test]
async fn nothing_is_withdrawn_while_its_asker_holds_a_wait() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let (host, agent) = (story.host.clone(), story.agent.clone());
    let wait = tokio::spawn(async move { host.wait(&agent, id, Duration::from_secs(60)).await });
    tokio::task::yield_now().await;
    // Another call of the same asker was cut.
    story.host.detach(&story.agent, id, Leaving::Cut).await.unwrap();

    story.pass(2 * DAY).await;
    assert_eq!(story.state(id).await, State::Pending);

    story.answer(id, db("SQLite")).await.unwrap();
    assert_eq!(wait.await.unwrap().unwrap().state, State::Answered);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_was_told_stays_detached_whatever_polls_were_under_way() {
    let story = Story::begin().await;
    for _ in 0..100 {
        let id = story.attach(&r1()).await;
        let polls: Vec<_> = (0..8)
            .map(|_| {
                let (host, agent) = (story.host.clone(), story.agent.clone());
                tokio::spawn(async move { host.get(&agent, id).await.map(|_| ()) })
            })
            .collect();
        story.host.detach(&story.agent, id, Leaving::Told).await.unwrap();
        for poll in polls {
            poll.await.unwrap().unwrap();
        }

        assert!(!story.get(id).await.attached);
    }
}
