//! Promise 7: every `requested` and `resolved` once, in order, to everybody, at their own pace.

use std::time::Duration;

use askwell_core::wire::{Delivery, EventId, ListQuery};
use pretty_assertions::assert_eq;

use crate::story::{Story, db, drain, expiring, r1};

fn durable(told: Vec<String>) -> Vec<String> {
    told.into_iter()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|line| !line.ends_with("watching"))
        .collect()
}

#[tokio::test]
async fn everybody_hears_everything_once_and_in_order() {
    let story = Story::begin().await;
    let mut screens = [
        story.host.subscribe(&story.ann, None).unwrap(),
        story.host.subscribe(&story.ben, None).unwrap(),
    ];
    let (first, second) = (story.post(&r1()).await, story.post(&r1()).await);
    story.answer(second, db("SQLite")).await.unwrap();
    story.cancel(first, "no").await.unwrap();

    let expected = [
        format!("1 requested {first}"),
        format!("2 requested {second}"),
        format!("3 answered {second}"),
        format!("4 cancelled {first}"),
    ];
    for screen in &mut screens {
        assert_eq!(durable(drain(screen).await), expected);
        assert_eq!(drain(screen).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_stream_is_resumed_where_it_was_over_a_restart_too() {
    let mut story = Story::begin().await;
    let ids = [story.post(&r1()).await, story.post(&r1()).await, story.post(&r1()).await];
    story.answer(ids[1], db("SQLite")).await.unwrap();
    let page = story.host.list(&story.ann, &ListQuery::default()).await.unwrap();
    assert_eq!(page.event_id.number, 4);
    let after = EventId { number: 2, ..page.event_id };
    let expected = vec![format!("3 requested {}", ids[2]), format!("4 answered {}", ids[1])];

    let mut resumed = story.host.subscribe(&story.ann, Some(after)).unwrap();
    assert_eq!(durable(drain(&mut resumed).await), expected);
    drop(resumed);

    story.restart_after(Duration::from_secs(1)).await;
    let mut resumed = story.host.subscribe(&story.ann, Some(after)).unwrap();
    assert_eq!(durable(drain(&mut resumed).await), expected);
    story.answer(ids[0], db("SQLite")).await.unwrap();
    assert_eq!(durable(drain(&mut resumed).await), [format!("5 answered {}", ids[0])]);
}

#[tokio::test]
async fn a_place_that_is_not_ours_or_no_more_is_told_to_read_the_list() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    let here = story.host.list(&story.ann, &ListQuery::default()).await.unwrap().event_id;
    let foreign = EventId { epoch: here.epoch ^ 1, ..here };
    let future = EventId { number: 99, ..here };

    for place in [foreign, future] {
        let mut resumed = story.host.subscribe(&story.ann, Some(place)).unwrap();
        assert_eq!(drain(&mut resumed).await[0], "resync 1");
    }

    // What was purged can't be told any more.
    story.cancel(id, "no").await.unwrap();
    story.pass(10).await;
    let purged = story.host.purge(&askwell_host::Caller::owner(), Duration::from_secs(5)).await;
    assert_eq!(purged, Ok(1));
    let start = EventId { number: 0, ..here };
    let host = story.host.clone();
    // More than is kept in memory, so that the store is asked.
    for _ in 0..600 {
        story.post(&r1()).await;
    }
    let mut resumed = host.subscribe(&story.ann, Some(start)).unwrap();
    assert_eq!(drain(&mut resumed).await[0], "resync 602");
}

#[tokio::test]
async fn a_slow_reader_holds_nobody_up_and_misses_nothing() {
    let story = Story::begin().await;
    let mut slow = story.host.subscribe(&story.ann, None).unwrap();
    for _ in 0..800 {
        story.post(&r1()).await;
    }

    let told = durable(drain(&mut slow).await);

    let numbers: Vec<usize> =
        told.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(numbers.iter().copied().eq(1..=800), "{} events", numbers.len());
}

#[tokio::test]
async fn pages_and_events_together_miss_nothing_and_tell_nothing_twice() {
    let story = Story::begin().await;
    let mut seen = Vec::new();
    for _ in 0..5 {
        story.post(&r1()).await;
    }
    let query = ListQuery { limit: Some(2), ..ListQuery::default() };
    let first = story.host.list(&story.ann, &query).await.unwrap();
    let during = story.post(&r1()).await;
    let mut page = first.clone();
    loop {
        seen.extend(page.requests.iter().map(|request| request.id));
        let Some(after) = page.next.take() else { break };
        let query = ListQuery { after: Some(after), ..query.clone() };
        page = story.host.list(&story.ann, &query).await.unwrap();
        assert_eq!(page.event_id, first.event_id);
    }

    assert!(!seen.contains(&during));
    assert_eq!(seen.len(), 5);
    let mut events = story.host.subscribe(&story.ann, Some(first.event_id)).unwrap();
    assert_eq!(durable(drain(&mut events).await), [format!("6 requested {during}")]);
}

#[tokio::test]
async fn b130_a_stream_holds_only_what_its_credential_may_see() {
    let story = Story::begin().await;
    let mut theirs = story.host.subscribe(&story.other, None).unwrap();
    let id = story.attach(&expiring(r1(), 600)).await;
    story.type_text(&story.ann, id, 0, "draft").await.unwrap();
    story.host.extend(&story.ann, id).await.unwrap();
    story.answer(id, db("SQLite")).await.unwrap();
    let start = EventId {
        number: 0,
        ..story.host.list(&story.ann, &Default::default()).await.unwrap().event_id
    };

    assert_eq!(drain(&mut theirs).await, Vec::<String>::new());
    let mut resumed = story.host.subscribe(&story.other, Some(start)).unwrap();
    assert_eq!(drain(&mut resumed).await, Vec::<String>::new());
    // Its own asker hears of it, but never of a draft.
    let mut mine = story.host.subscribe(&story.agent, Some(start)).unwrap();
    let expected = vec![format!("1 requested {id}"), format!("2 answered {id}")];
    assert_eq!(drain(&mut mine).await, expected);
}

#[tokio::test]
async fn drafts_and_changes_are_coalesced_and_drafts_are_the_persons_own() {
    let story = Story::begin().await;
    let id = story.attach(&expiring(r1(), 600)).await;
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    let mut ben = story.host.subscribe(&story.ben, None).unwrap();
    drain(&mut ann).await;
    drain(&mut ben).await;

    for (base, text) in ["a", "ab", "abc"].into_iter().enumerate() {
        story.type_text(&story.ann_web, id, base as u64, text).await.unwrap();
    }
    story.host.extend(&story.ann, id).await.unwrap();
    story.pass(30).await;
    story.post(&r1()).await;

    let changed = format!("changed away Some(30) until Some(1200) {id}");
    let requested = drain(&mut ben).await;
    assert_eq!(requested[1..], [format!("ann answering {id}"), changed.clone()]);
    let told = drain(&mut ann).await;
    assert_eq!(told[1..], [format!("draft 3 {id}"), changed]);
}

#[tokio::test]
async fn who_watches_is_counted_and_told() {
    let story = Story::begin().await;
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    let ben = story.host.subscribe(&story.ben, None).unwrap();
    let _agent = story.host.subscribe(&story.agent, None).unwrap();
    assert_eq!(drain(&mut ann).await, ["2 watching"]);

    drop(ben);

    assert_eq!(drain(&mut ann).await, ["1 watching"]);
    assert_eq!(story.host.stats().watching, 1);
}

#[tokio::test]
async fn a_reader_that_missed_too_many_changes_is_told_to_read_the_list() {
    let story = Story::begin().await;
    let mut ids = Vec::new();
    for _ in 0..1_100 {
        ids.push(story.post(&r1()).await);
    }
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    for id in &ids {
        story.type_text(&story.ann_web, *id, 0, "x").await.unwrap();
    }

    assert_eq!(drain(&mut ann).await, ["resync 1100"]);
}

#[tokio::test]
async fn one_event_is_written_as_json_once_for_all() {
    let story = Story::begin().await;
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    let mut ben = story.host.subscribe(&story.ben, None).unwrap();
    story.post(&r1()).await;

    let (one, other) = (ann.next().await.unwrap(), ben.next().await.unwrap());

    let (Delivery::Event(one), Delivery::Event(other)) = (one, other) else { panic!() };
    assert!(std::ptr::eq(one.json().as_ptr(), other.json().as_ptr()));
    assert!(one.json().starts_with(r#"{"kind":"requested""#), "{}", one.json());
}

#[tokio::test]
async fn a_host_that_stops_ends_its_streams() {
    let story = Story::begin().await;
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    drain(&mut ann).await;

    story.host.begin_shutdown();

    assert_eq!(ann.next().await.err().map(|error| error.code.as_str()), Some("STORE_UNAVAILABLE"));
}
