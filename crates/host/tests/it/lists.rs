//! What waits and what has ended, in pages; and that ten thousand are read at once.

use std::time::{Duration, Instant};

use askwell_core::State;
use askwell_core::wire::{HistoryQuery, ListFilter, ListQuery};
use askwell_host::Caller;
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::story::{START, Story, code, db, expiring, of, r1, r3};

#[tokio::test]
async fn an_entry_says_who_asks_what_and_for_how_long() {
    let story = Story::begin().await;
    let id = story.attach(&expiring(of(r3(), "s1", "/src"), 600)).await;
    story.clock.advance(Duration::from_secs(3));

    let page = story.host.list(&story.ann, &ListQuery::default()).await.unwrap();

    let entry = json!({"id": id, "state": "pending", "question": "Which database?",
        "questions": 3, "credential": "agent",
        "asker": {"name": "claude", "session": "s1", "cwd": "/src"},
        "createdAt": START, "deadlineAt": START + 600_000, "attached": true});
    assert_eq!(serde_json::to_value(&page.requests).unwrap(), json!([entry]));
    assert_eq!((page.now, page.next), (START + 3_000, None));
}

#[tokio::test]
async fn an_asker_lists_its_own_by_session_with_what_it_does_not_know_yet() {
    let story = Story::begin().await;
    let mine = story.post(&of(r1(), "s1", "/src")).await;
    let answered = story.post(&of(r1(), "s1", "/src")).await;
    story.post(&of(r1(), "s2", "/src")).await;
    story.ask_as(&story.other, &of(r1(), "s1", "/src"), &Default::default()).await;
    story.answer(answered, db("SQLite")).await.unwrap();
    let session = Some("s1".to_owned());

    let query = ListQuery { filter: ListFilter::Open, session, ..ListQuery::default() };
    let page = story.host.list(&story.agent, &query).await.unwrap();

    let listed: Vec<_> = page.requests.iter().map(|entry| (entry.id, entry.state)).collect();
    assert_eq!(listed, [(mine, State::Pending), (answered, State::Answered)]);
    assert_eq!(
        story.host.list(&story.agent, &ListQuery::default()).await.unwrap().requests.len(),
        2
    );
}

#[tokio::test]
async fn a_place_that_no_page_gave_is_refused() {
    let story = Story::begin().await;
    for after in
        ["", "x", "1", "1.", "1.x", "-1.2", "1.99999999999999999999", "9.9223372036854775808"]
    {
        let query = ListQuery { after: Some(after.to_owned()), ..ListQuery::default() };
        assert_eq!(code(story.host.list(&story.ann, &query).await), "BAD_REQUEST", "{after:?}");
    }
    let query = HistoryQuery { after: Some("x".to_owned()), ..HistoryQuery::default() };
    assert_eq!(code(story.host.history(&story.ann, &query).await), "BAD_REQUEST");
}

#[tokio::test]
async fn history_is_newest_first_searched_and_forgotten() {
    let story = Story::begin().await;
    let old = story.post(&r1()).await;
    story.cancel(old, "später, Ümit").await.unwrap();
    story.pass(100).await;
    let (new, pending) = (story.post(&r1()).await, story.post(&r1()).await);
    story.answer(new, db("DuckDB")).await.unwrap();
    let ids = |page: askwell_core::wire::Page| {
        page.requests.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    let search = |text: &str| HistoryQuery { search: Some(text.to_owned()), ..Default::default() };

    assert_eq!(ids(story.host.history(&story.ann, &Default::default()).await.unwrap()), [new, old]);
    assert_eq!(ids(story.host.history(&story.ann, &search("ÜMIT")).await.unwrap()), [old]);
    assert_eq!(ids(story.host.history(&story.ann, &search("nowhere")).await.unwrap()), []);

    let keep = Duration::from_secs(60);
    assert_eq!(code(story.host.purge(&story.ann, keep).await), "FORBIDDEN");
    assert_eq!(story.host.purge(&Caller::owner(), keep).await, Ok(1));
    assert_eq!(code(story.host.get(&story.ann, old).await), "NOT_FOUND");
    assert_eq!(story.host.purge(&Caller::owner(), Duration::MAX).await, Ok(0));
    assert_eq!(story.pending().await, [pending]);
    assert_eq!(story.state(new).await, State::Answered);
}

/// In a debug build, on a busy machine: ten times what is promised of a release build.
#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_are_listed_whole_in_order_and_at_once() {
    let story = Story::begin().await;
    let mut asked = Vec::new();
    for _ in 0..100 {
        let hundred: Vec<_> = (0..100)
            .map(|_| {
                let (host, agent) = (story.host.clone(), story.agent.clone());
                let request = crate::story::valid(&r1());
                tokio::spawn(async move {
                    host.ask(&agent, &request, &Default::default()).await.unwrap().id
                })
            })
            .collect();
        for task in hundred {
            asked.push(task.await.unwrap());
        }
    }

    let begun = Instant::now();
    let (mut query, mut listed) =
        (ListQuery { limit: Some(1_000), ..ListQuery::default() }, Vec::new());
    loop {
        let page = story.host.list(&story.ann, &query).await.unwrap();
        listed.extend(page.requests.iter().map(|entry| entry.id));
        match page.next {
            Some(next) => query.after = Some(next),
            None => break,
        }
    }
    let took = begun.elapsed();

    println!("10,000 listed in {took:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
    asked.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, asked);
}
