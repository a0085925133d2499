//! Posting, waiting and withdrawing.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{Inbox, Leaving, ListFilter, ListQuery, Posting, Response};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::story::{START, Story, code, db, expiring, r1, valid};

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_waiter_hears_of_the_answer_and_has_then_picked_it_up() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let (host, agent) = (story.host.clone(), story.agent.clone());
    let waiter = tokio::spawn(async move { host.wait(&agent, id, LONG).await });
    tokio::task::yield_now().await;
    story.clock.advance(Duration::from_secs(2));

    story.answer(id, db("SQLite")).await.unwrap();

    let view = waiter.await.unwrap().unwrap();
    assert_eq!(view.outcome, Some(json!({"answers": db("SQLite")})));
    // The next write carries the receipt to the disk.
    story.post(&r1()).await;
    let receipt = story.get(id).await.receipt.unwrap();
    assert_eq!(receipt.picked_up_at, Some(START + 2_000));
}

#[tokio::test]
async fn a_wait_that_runs_out_is_no_loss() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;

    let view = story.host.wait(&story.agent, id, Duration::from_millis(5)).await.unwrap();

    assert_eq!((view.state, view.outcome), (State::Pending, None));
    story.answer(id, db("SQLite")).await.unwrap();
    let view = story.host.wait(&story.agent, id, LONG).await.unwrap();
    assert_eq!(view.state, State::Answered);
}

#[tokio::test]
async fn b079_an_answer_whose_waiter_died_is_kept_as_not_picked_up() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let (host, agent) = (story.host.clone(), story.agent.clone());
    let waiter = tokio::spawn(async move { host.wait(&agent, id, LONG).await });
    tokio::task::yield_now().await;
    waiter.abort();
    let _ = waiter.await;

    story.answer(id, db("SQLite")).await.unwrap();
    story.post(&r1()).await;

    let view = story.get(id).await;
    assert_eq!(view.state, State::Answered);
    assert_eq!(view.receipt.unwrap().picked_up_at, None);
    let open = ListQuery { filter: ListFilter::Open, ..ListQuery::default() };
    let page = story.host.list(&story.agent, &open).await.unwrap();
    assert_eq!(page.requests[0].id, id);
    assert_eq!(page.requests[0].receipt.as_ref().unwrap().by.as_deref(), Some("ann"));
    // It can be had by its id, by a later process too.
    let view = story.host.get(&story.agent, id).await.unwrap();
    assert_eq!(view.outcome, Some(json!({"answers": db("SQLite")})));
}

#[tokio::test]
async fn an_answerer_that_waits_or_looks_picks_nothing_up() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    story.answer(id, db("SQLite")).await.unwrap();

    story.host.wait(&story.ann, id, LONG).await.unwrap();
    story.post(&r1()).await;

    assert_eq!(story.get(id).await.receipt.unwrap().picked_up_at, None);
}

#[tokio::test]
async fn b075_withdrawn_by_its_asker_says_by_whom_and_a_late_answer_is_kept() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;

    let view = story.host.abort(&story.agent, id, "the asking program (SIGTERM)").await.unwrap();

    assert_eq!(view.state, State::Aborted);
    assert_eq!(view.outcome.unwrap()["reason"], "the asking program (SIGTERM)");
    assert_eq!(view.receipt.unwrap().by.as_deref(), Some("agent"));
    assert_eq!(code(story.answer(id, db("SQLite")).await), "NOT_PENDING");
    assert_eq!(story.get(id).await.late.len(), 1);
    assert_eq!(code(story.host.abort(&story.agent, id, "again").await), "NOT_PENDING");
}

#[tokio::test]
async fn b075_out_of_time_says_so_and_a_late_answer_is_kept() {
    let story = Story::begin().await;
    let id = story.attach(&expiring(r1(), 3)).await;

    story.pass(5).await;

    let error = story.answer(id, db("SQLite")).await.unwrap_err();
    let ended = error.details.ended.unwrap();
    assert_eq!((ended.state, ended.receipt.at), (State::Expired, START + 5_000));
    assert!(ended.outcome["message"].as_str().unwrap().contains("within 3 s"), "{ended:?}");
    let page = story.host.history(&story.ann, &Default::default()).await.unwrap();
    assert_eq!(page.requests[0].state, State::Expired);
    assert_eq!(story.get(id).await.late.len(), 1);
}

#[tokio::test]
async fn the_first_word_to_an_asker_says_who_watches_and_where() {
    let story = Story::begin().await;
    story.host.set_page_base("http://127.0.0.1:8765/");
    let _screen = story.host.subscribe(&story.ann, None).unwrap();
    let _agent = story.host.subscribe(&story.agent, None).unwrap();

    let asked = story.host.ask(&story.agent, &valid(&r1()), &Posting::attached()).await.unwrap();

    let url = format!("http://127.0.0.1:8765/r/{}", asked.id);
    assert_eq!((asked.url.as_deref(), asked.watching), (Some(url.as_str()), 1));
    assert_eq!((asked.state, asked.joined), (State::Pending, false));
    assert_eq!(story.get(asked.id).await.url, Some(url));
}

/// A call is one write: whoever goes away half-way has asked or not.
#[tokio::test]
async fn a_caller_that_goes_away_half_way_leaves_nothing_half_done() {
    let story = Story::begin().await;
    for turn in 0..40 {
        let request = valid(&r1());
        let posting = Posting::attached();
        let ask = story.host.ask(&story.agent, &request, &posting);
        let _ = tokio::time::timeout(Duration::from_micros(turn * 20), ask).await;
    }
    // A write that is reported comes after all that were on their way.
    story.post(&r1()).await;

    let pending = story.pending().await;
    for id in &pending {
        assert!(story.host.is_pending(*id));
        story.answer(*id, db("SQLite")).await.unwrap();
    }
    assert_eq!(story.host.stats().pending, 0);
    assert_eq!(story.host.stats().settled[0], (State::Answered, pending.len() as u64));
}

#[tokio::test]
async fn b083_a_store_that_is_gone_refuses_clearly_and_the_second_submit_succeeds() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.type_text(&story.ann, id, 0, "half a").await.unwrap();
    let away = story.store_folder().with_file_name("away");
    std::fs::rename(story.store_folder(), &away).unwrap();

    assert_eq!(code(story.answer(id, db("SQLite")).await), "STORE_UNAVAILABLE");
    assert_eq!(code(story.type_text(&story.ann, id, 1, "half a sen").await), "STORE_UNAVAILABLE");
    let ask = story.host.ask(&story.agent, &valid(&r1()), &Posting::detached()).await;
    let error = ask.unwrap_err();
    assert!(error.hint.unwrap().contains("goes on by itself"));
    std::fs::rename(&away, story.store_folder()).unwrap();

    assert_eq!(story.pending().await, [id]);
    story.type_text(&story.ann, id, 1, "half a sentence").await.unwrap();
    story.answer(id, db("SQLite")).await.unwrap();
}

/// The same calls, blocking, for whoever has a host in its own process.
#[test]
fn a_host_in_process_is_an_inbox() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let story = runtime.block_on(Story::begin());
    let agent: Box<dyn Inbox> = Box::new(story.host.inbox(story.agent.clone()));
    let ann: Box<dyn Inbox> = Box::new(story.host.inbox(story.ann.clone()));

    let mut events = ann.events(None).unwrap();
    let id = agent.ask(&valid(&r1()), &Posting::attached()).unwrap().id;
    let told = events.next(LONG).unwrap();
    let watching = events.next(Duration::from_millis(20)).unwrap();
    let detached = agent.detach(id, Leaving::Told).unwrap();
    let response = Response { answers: db("SQLite"), provider: Default::default() };
    ann.answer(id, &response).unwrap();
    let view = agent.wait(id, LONG).unwrap();

    assert!(format!("{told:?}").contains(&id.to_string()), "{told:?}");
    assert!(watching.is_some() && !detached.attached);
    assert_eq!(view.state, State::Answered);
    assert_eq!(events.next(Duration::ZERO).map(|next| next.is_some()), Ok(true));
    runtime.block_on(story.host.shutdown());
    assert!(events.next(LONG).is_err());
}
