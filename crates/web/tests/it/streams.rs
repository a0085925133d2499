//! Event streams on a socket: order, resuming, resync, who hears what, and how they end.

use std::time::Duration;

use askwell_web::Limits;
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::{Raw, Served, chosen, eventually, r1};

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

#[tokio::test]
async fn events_come_once_and_in_order_and_resume_where_a_stream_broke() {
    let served = Served::new().await;
    let (host, token) = (&served.host, served.host.answerer.secret());
    let mut live = Raw::events(served.address, token, "", "").await;
    let mut expected = Vec::new();
    let mut marks = Vec::new();
    for _ in 0..5 {
        let path = host.asker.ask(&r1()).await;
        host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();
        for kind in ["requested", "resolved"] {
            let (got, mark, data) = live.logged().await.unwrap();
            let request =
                if kind == "requested" { &data["request"]["id"] } else { &data["request"] };
            assert_eq!((&*got, request.as_str().unwrap()), (kind, id(&path)));
            assert_eq!(data["kind"], kind);
            assert_eq!(data["id"], mark.clone().unwrap());
            marks.push(mark.unwrap());
            expected.push(data);
        }
    }
    for (place, mark) in marks.iter().enumerate() {
        for (headers, query) in [
            (format!("last-event-id: {mark}\r\n"), String::new()),
            (String::new(), format!("?after={mark}")),
            // The header is of the page that comes back, the query of the page that was opened.
            (format!("last-event-id: {mark}\r\n"), format!("?after={}", marks[0])),
        ] {
            let mut again = Raw::events(served.address, token, &headers, &query).await;
            for event in &expected[place + 1..] {
                assert_eq!(again.logged().await.unwrap().2["id"], event["id"]);
            }
            if place == 4 {
                assert!(again.is_quiet(Duration::from_millis(50)).await);
            }
        }
    }
}

#[tokio::test]
async fn a_page_and_the_events_after_it_miss_nothing() {
    let served = Served::new().await;
    let host = &served.host;
    let first = host.asker.ask(&r1()).await;
    let page = host.answerer.get("/api/v1/requests").await.ok();
    let second = host.asker.ask(&r1()).await;

    let after = format!("?after={}", page["eventId"].as_str().unwrap());
    let mut events = Raw::events(served.address, host.answerer.secret(), "", &after).await;

    assert_eq!(page["requests"][0]["id"], id(&first));
    let (kind, _, data) = events.logged().await.unwrap();
    assert_eq!((&*kind, &data["request"]["id"]), ("requested", &json!(id(&second))));
}

#[tokio::test]
async fn the_head_lets_nothing_on_the_way_hold_events_back() {
    let served = Served::new().await;

    let mut events = Raw::events(served.address, served.host.answerer.secret(), "", "").await;

    assert!(events.head.contains("content-type: text/event-stream\r\n"), "{}", events.head);
    assert!(events.head.contains("x-accel-buffering: no\r\n"));
    assert!(events.head.contains("cache-control: no-store\r\n"));
    assert_eq!(events.frame().await.unwrap(), "retry: 1000\n: connected");
}

#[tokio::test]
async fn a_stream_without_events_says_that_it_is_alive() {
    let limits = Limits { keep_alive: Duration::from_millis(50), ..Limits::default() };
    let served = Served::with(limits).await;
    let mut events = Raw::events(served.address, served.host.asker.secret(), "", "").await;
    events.frame().await.unwrap();

    for _ in 0..3 {
        assert_eq!(events.frame().await.unwrap(), ": keep-alive");
    }
    let path = served.host.asker.ask(&r1()).await;
    assert_eq!(events.logged().await.unwrap().2["request"]["id"], id(&path));

    // A page hears of no comment.
    let secret = served.host.answerer.secret();
    let mut events = Raw::events(served.address, secret, "", "?alive=true").await;
    let mut frame = String::new();
    while frame.is_empty() || frame.starts_with("retry:") || frame.starts_with("event: changed") {
        frame = events.frame().await.unwrap();
    }
    assert_eq!(frame, "event: alive\ndata: {}");
}

#[tokio::test]
async fn b130_nobody_hears_of_anothers_requests_by_whatever_id() {
    let served = Served::new().await;
    let host = &served.host;
    let mut own = Raw::events(served.address, host.asker.secret(), "", "").await;
    host.asker.ask(&r1()).await;
    let mark = own.logged().await.unwrap().1.unwrap();
    let (epoch, number) = mark.split_once('-').unwrap();
    let number: u64 = number.parse().unwrap();

    let mut theirs = Vec::new();
    for guess in [mark.clone(), format!("{epoch}-0"), format!("{epoch}-{}", number - 1)] {
        let headers = format!("last-event-id: {guess}\r\n");
        let mut foreign = Raw::events(served.address, host.other.secret(), &headers, "").await;
        theirs.push(host.other.ask(&r1()).await);
        for path in &theirs {
            let (kind, _, data) = foreign.logged().await.unwrap();
            assert_eq!(
                (&*kind, &data["request"]["id"]),
                ("requested", &json!(id(path))),
                "{guess}"
            );
        }
        assert!(foreign.is_quiet(Duration::from_millis(50)).await, "{guess}");
    }
    let foreign_epoch = format!("{:016x}-1", u64::from_str_radix(epoch, 16).unwrap() ^ 1);
    for guess in [format!("{epoch}-999999"), foreign_epoch, "7".to_owned(), "💥".to_owned()] {
        let headers = format!("last-event-id: {guess}\r\n");
        let mut fresh = Raw::events(served.address, host.other.secret(), &headers, "").await;
        let (kind, mark, data) = fresh.next().await.unwrap();
        assert_eq!((&*kind, data), ("resync", json!({"id": mark.unwrap()})), "{guess}");
        let path = host.other.ask(&r1()).await;
        assert_eq!(fresh.logged().await.unwrap().2["request"]["id"], id(&path));
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_credential_is_revoked() {
    let served = Served::new().await;
    let host = &served.host;
    let mut revoked = Raw::events(served.address, host.answerer.secret(), "", "").await;
    let mut kept = Raw::events(served.address, host.asker.secret(), "", "").await;
    let all = host.admin.get("/api/v1/credentials").await.ok();
    let all = all.as_array().unwrap();
    let answerer = all.iter().find(|it| it["name"] == "answerer").unwrap();
    let revoke = format!("/api/v1/credentials/{}/revoke", answerer["id"].as_str().unwrap());

    host.admin.post(&revoke, &json!({})).await.ok();

    while let Some(event) = revoked.next().await {
        assert_eq!(event.0, "changed", "{event:?}");
    }
    let path = host.asker.ask(&r1()).await;
    assert_eq!(kept.logged().await.unwrap().2["request"]["id"], id(&path));
}

#[tokio::test]
async fn who_watches_is_counted_until_the_stream_is_closed() {
    let served = Served::new().await;
    let host = &served.host;
    let watching = || async { host.admin.get("/api/v1/status").await.ok()["watching"].take() };
    let events = Raw::events(served.address, host.answerer.secret(), "", "").await;
    let _asker = Raw::events(served.address, host.asker.secret(), "", "").await;

    let asked = host.asker.post("/api/v1/requests", &r1()).await.ok();
    assert_eq!((&asked["watching"], watching().await), (&json!(1), json!(1)));
    drop(events);

    eventually("nobody watches", || async { watching().await == 0 }).await;
}

#[tokio::test]
async fn a_reader_that_stands_still_holds_nobody_up_and_loses_its_place_in_nothing() {
    let served = Served::new().await;
    let host = &served.host;
    let still = Raw::hard_of_hearing(served.address).await;
    let mut still = still.listen(host.answerer.secret(), "", "").await;
    let mut reading = Raw::events(served.address, host.answerer.secret(), "", "").await;
    let mut asked = Vec::new();
    for _ in 0..700 {
        asked.push(host.asker.ask(&long()).await);
    }

    for stream in [&mut reading, &mut still] {
        for path in &asked {
            let (kind, _, data) = stream.logged().await.unwrap();
            assert_eq!((&*kind, &data["request"]["id"]), ("requested", &json!(id(path))));
        }
    }
}

/// A request whose summary is as large as one may be: no buffer holds many of them.
fn long() -> serde_json::Value {
    let name = "n".repeat(1_000);
    let mut request = r1();
    request["asker"] = json!({"name": name, "cwd": name, "session": name, "chain": vec![name; 8]});
    request
}

#[tokio::test]
async fn a_reader_that_takes_nothing_is_given_up_and_can_come_back() {
    let limits = Limits { write_pause: Duration::from_millis(300), ..Limits::default() };
    let served = Served::with(limits).await;
    let host = &served.host;
    let deaf = Raw::hard_of_hearing(served.address).await;
    let deaf = deaf.listen(host.answerer.secret(), "", "").await;
    let mut last = String::new();
    for _ in 0..200 {
        last = host.asker.ask(&long()).await;
    }

    eventually("it is given up", || async { served.connections().await == 0 }).await;

    drop(deaf);
    let page = host.answerer.get("/api/v1/requests?limit=1").await.ok();
    let event = page["eventId"].as_str().unwrap();
    let (epoch, number) = event.split_once('-').unwrap();
    let mark = format!("?after={epoch}-{}", number.parse::<u64>().unwrap() - 1);
    let mut back = Raw::events(served.address, host.answerer.secret(), "", &mark).await;
    assert_eq!(back.logged().await.unwrap().2["request"]["id"], id(&last));
}
