//! Promises 1, 5 and 6: ids and order survive, shutdown writes no outcome.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{Leaving, Posting};
use pretty_assertions::assert_eq;

use crate::story::{START, Story, code, db, r1, r3, r3_answers, valid};

const DAY: Duration = Duration::from_secs(24 * 3_600);

#[tokio::test]
async fn b077_after_a_restart_everything_pending_is_listed_in_its_order_and_answered() {
    let mut story = Story::begin().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(story.post(&r1()).await);
    }
    story.answer(ids[1], db("SQLite")).await.unwrap();

    story.restart_after(DAY * 400).await;
    story.host.run_due().await;

    assert_eq!(story.pending().await, [ids[0], ids[2]]);
    assert_eq!(story.get(ids[0]).await.created_at, START);
    story.answer(ids[0], db("DuckDB")).await.unwrap();
    assert_eq!(story.state(ids[1]).await, State::Answered);
}

#[tokio::test]
async fn b078_shutdown_writes_no_outcome_whatever_is_going_on() {
    let mut story = Story::begin().await;
    let (idle, drafted, submitted) =
        (story.attach(&r3()).await, story.attach(&r3()).await, story.attach(&r3()).await);
    story.type_text(&story.ann, drafted, 0, "half").await.unwrap();
    let (host, agent) = (story.host.clone(), story.agent.clone());
    let waiter =
        tokio::spawn(async move { host.wait(&agent, idle, Duration::from_secs(60)).await });
    tokio::task::yield_now().await;
    let answering = {
        let (host, ann) = (story.host.clone(), story.ann.clone());
        let response =
            askwell_core::wire::Response { answers: r3_answers(), provider: Default::default() };
        tokio::spawn(async move { host.answer(&ann, submitted, response).await })
    };
    tokio::task::yield_now().await;

    story.restart_after(Duration::ZERO).await;

    // The waiter was let go with the request as it stood, or told that the host stops.
    match waiter.await.unwrap() {
        Ok(view) => assert_eq!((view.state, view.outcome), (State::Pending, None)),
        Err(error) => assert_eq!(error.code.as_str(), "STORE_UNAVAILABLE"),
    }
    // Answered if and only if it was accepted.
    let expected = match answering.await.unwrap() {
        Ok(_) => State::Answered,
        Err(error) => {
            assert_eq!(error.code.as_str(), "STORE_UNAVAILABLE");
            State::Pending
        }
    };
    assert_eq!(story.state(submitted).await, expected);
    assert_eq!(
        (story.state(idle).await, story.state(drafted).await),
        (State::Pending, State::Pending)
    );
    let draft = story.host.draft(&story.ann, drafted).await.unwrap();
    assert_eq!(draft.questions[0].state.custom, "half");
}

#[tokio::test]
async fn a_host_that_has_stopped_refuses_clearly() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.host.shutdown().await;

    assert_eq!(code(story.answer(id, db("SQLite")).await), "STORE_UNAVAILABLE");
    let ask = story.host.ask(&story.agent, &valid(&r1()), &Posting::detached()).await;
    assert_eq!(code(ask), "STORE_UNAVAILABLE");
}

#[tokio::test]
async fn b076_a_waiting_asker_has_a_lease_to_come_back_and_is_away_otherwise() {
    let mut story = Story::begin().await;
    let (back, gone) = (story.attach(&r1()).await, story.attach(&r1()).await);
    story.type_text(&story.ann, gone, 0, "kept").await.unwrap();

    story.restart_after(Duration::from_secs(3_600)).await;
    story.pass(29).await;
    assert_eq!(story.host.stats().away, 0);
    story.host.wait(&story.agent, back, Duration::ZERO).await.unwrap();
    story.pass(1).await;

    assert_eq!(story.host.stats().away, 1);
    story.pass(24 * 3_600).await;
    assert_eq!(story.state(gone).await, State::Aborted);
    assert_eq!(story.host.draft(&story.ann, gone).await.unwrap().questions[0].state.custom, "kept");
}

#[tokio::test]
async fn the_grace_of_an_asker_that_is_away_goes_on_while_the_host_is_down() {
    let mut story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.host.detach(&story.agent, id, Leaving::Cut).await.unwrap();

    story.restart_after(DAY - Duration::from_secs(10)).await;
    story.pass(9).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(1).await;

    assert_eq!(story.state(id).await, State::Aborted);
}

/// Whoever writes when the host comes up again is left in peace.
#[tokio::test]
async fn a_draft_that_was_edited_just_before_the_restart_still_counts() {
    let mut story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.host.detach(&story.agent, id, Leaving::Cut).await.unwrap();
    story.pass(24 * 3_600 - 1).await;
    story.type_text(&story.ann, id, 0, "I am on it").await.unwrap();

    story.restart_after(Duration::from_secs(300)).await;
    story.host.run_due().await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(299).await;
    assert_eq!(story.state(id).await, State::Pending);
    story.pass(1).await;

    assert_eq!(story.state(id).await, State::Aborted);
}

#[tokio::test]
async fn credentials_and_revocations_survive() {
    let mut story = Story::begin().await;
    let owner = askwell_host::Caller::owner();
    story.host.revoke_credential(&owner, story.other.credential()).await.unwrap();

    story.restart_after(Duration::ZERO).await;

    let credentials = story.host.credentials(&owner).await.unwrap();
    let revoked: Vec<_> = credentials.iter().map(|it| (it.name.as_str(), it.revoked_at)).collect();
    let expected = [
        ("agent", None),
        ("other", Some(START)),
        ("ann's terminal", None),
        ("ann's browser", None),
        ("ben", None),
    ];
    assert_eq!(revoked, expected);
}
