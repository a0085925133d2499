//! Stopping: at once, with whatever is open, and without any outcome.

use std::time::Duration;

use askwell_web::Limits;
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::{Raw, Served, chosen, eventually, head, large, r1};

const SOON: Duration = Duration::from_secs(1);

#[tokio::test]
async fn open_streams_waits_idle_connections_and_half_sent_bodies_end_within_a_second() {
    let served = Served::new().await;
    let (asker, answerer) = (served.host.asker.clone(), served.host.answerer.clone());
    let path = asker.ask(&r1()).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(Raw::events(served.address, answerer.secret(), "", "").await);
    }
    let mut waiting = Raw::connect(served.address).await;
    waiting.send(head(&format!("GET {path}?wait=50"), asker.secret(), "", 0)).await;
    let mut idle = Raw::connect(served.address).await;
    let mut half = Raw::connect(served.address).await;
    half.send(head(&format!("POST {path}/answer"), answerer.secret(), "", 100) + "{").await;
    let mut half_head = Raw::connect(served.address).await;
    half_head.send("GET /heal").await;
    // Each of them is under way.
    tokio::time::sleep(Duration::from_millis(100)).await;

    let address = served.address;
    served.shutdown.cancel();
    served.ended(SOON).await;

    for mut stream in streams {
        while let Some(event) = stream.next().await {
            assert_eq!(event.0, "changed", "{event:?}");
        }
    }
    let view = waiting.response().await;
    assert_eq!((view.status, &view.json()["state"]), (200, &json!("pending")));
    assert_eq!(half.response().await.status, 408);
    assert_eq!(idle.closed().await, "");
    half_head.closed().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
    // No outcome was invented.
    assert_eq!(asker.state(&path).await, "pending");
}

#[tokio::test]
async fn what_is_under_way_is_finished() {
    let served = Served::new().await;
    let (asker, answerer) = (served.host.asker.clone(), served.host.answerer.clone());
    let path = asker.ask(&r1()).await;
    let answer = chosen("db", "SQLite").to_string();
    let mut raw = Raw::connect(served.address).await;
    let head = head(&format!("POST {path}/answer"), answerer.secret(), "", answer.len());
    raw.send(head + &answer[..10]).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    served.shutdown.cancel();
    raw.send(&answer[10..]).await;

    assert_eq!(raw.response().await.status, 200);
    served.ended(SOON).await;
    assert_eq!(asker.state(&path).await, "answered");
}

#[tokio::test]
async fn what_does_not_end_is_cut_at_the_deadline() {
    let limits = Limits { shutdown: Duration::from_millis(300), ..Limits::default() };
    let served = Served::with(limits).await;
    let asker = served.host.asker.clone();
    let path = asker.ask(&large(15)).await;
    let mut deaf = Raw::hard_of_hearing(served.address).await;
    deaf.send(head(&format!("GET {path}"), asker.secret(), "", 0)).await;
    deaf.stream.readable().await.unwrap();

    served.shutdown.cancel();
    served.ended(SOON).await;
}

#[tokio::test]
async fn an_admin_stops_it_and_nobody_else() {
    let served = Served::new().await;
    for agent in [&served.host.asker, &served.host.answerer, &served.host.nobody] {
        let mut raw = Raw::connect(served.address).await;
        let refused = raw.call("POST /api/v1/stop", agent.secret(), "", "{}").await;
        assert!([401, 403].contains(&refused.status));
    }
    let mut raw = Raw::connect(served.address).await;

    let stopping = raw.call("POST /api/v1/stop", served.host.admin.secret(), "", "{}").await;

    assert_eq!((stopping.status, stopping.json()), (202, json!({})));
    served.ended(SOON).await;
}

#[tokio::test]
async fn nothing_goes_on_where_serving_is_dropped() {
    let served = Served::new().await;
    let mut events = Raw::events(served.address, served.host.answerer.secret(), "", "").await;

    served.running.abort();

    eventually("nobody listens", || async {
        tokio::net::TcpStream::connect(served.address).await.is_err()
    })
    .await;
    events.raw.closed().await;
}
