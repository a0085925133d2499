//! Connections: many of them, idle ones, silent ones, and one too many.

use std::time::Duration;

use askwell_web::{Limits, Listen, ServeOptions};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::{Raw, Served, chosen, eventually, head, r1};

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

#[tokio::test]
async fn two_thousand_connections_are_open_and_everything_works() {
    let served = Served::new().await;
    let host = &served.host;
    let mut open = Vec::new();
    for index in 0..2_000 {
        // Some idle, some with half a head, some with a stream.
        let mut raw = Raw::connect(served.address).await;
        match index % 4 {
            0 => raw.send("GET /healthz HT").await,
            1 => raw.send(head("GET /api/v1/events", host.answerer.secret(), "", 0)).await,
            _ => {}
        }
        open.push(raw);
    }
    let path = host.asker.ask(&r1()).await;
    let mut raw = Raw::connect(served.address).await;
    let line = format!("POST {path}/answer");
    let answer = chosen("db", "SQLite").to_string();
    let taken = raw.call(&line, host.answerer.secret(), "", &answer).await;
    assert_eq!(taken.status, 200);
    assert_eq!(served.connections().await, 2_001);

    drop(open);
    drop(raw);
    eventually("all are closed", || async { served.connections().await == 0 }).await;
}

#[tokio::test]
async fn one_too_many_is_told_so_and_let_in_once_there_is_room() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let served = Served::with(limits).await;
    let mut first = Raw::connect(served.address).await;
    first.send(HEALTH).await;
    assert_eq!(first.response().await.status, 200);
    let second = Raw::connect(served.address).await;

    let mut third = Raw::connect(served.address).await;
    third.send(HEALTH).await;
    let refused = third.response().await;

    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RATE_LIMITED")));
    assert!(
        refused.head.contains("application/problem+json")
            && refused.head.contains("retry-after: 1")
    );
    third.closed().await;
    drop(second);
    let let_in = || async {
        let mut raw = Raw::connect(served.address).await;
        raw.send(HEALTH).await;
        raw.response().await.status == 200
    };
    eventually("there is room again", let_in).await;
    let mut raw = Raw::connect(served.address).await;
    let metrics = raw.call("GET /metrics", served.host.admin.secret(), "", "").await;
    assert!(metrics.body.contains("\naskwell_connections_refused_total "), "{}", metrics.body);
    assert!(!metrics.body.contains("\naskwell_connections_refused_total 0\n"));
}

#[tokio::test]
async fn a_head_that_never_ends_is_given_up() {
    let limits = Limits { head: Duration::from_millis(150), ..Limits::default() };
    let served = Served::with(limits).await;
    for text in ["", "GET /healthz HTTP/1.1\r\nhost: local"] {
        let mut raw = Raw::connect(served.address).await;
        raw.send(text).await;
        // Dripping does not help.
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            raw.send(if text.is_empty() { "" } else { "x" }).await;
        }

        let said = raw.closed().await;
        assert!(!said.contains("200"), "{said}");
    }
}

#[tokio::test]
async fn those_who_send_no_head_make_room_once_they_are_many() {
    let limits =
        Limits { connections: 8, crowded_head: Duration::from_millis(100), ..Limits::default() };
    let served = Served::with(limits).await;
    let path = served.host.asker.ask(&r1()).await;
    // Half of the places, and one with a stream: nobody is hurried.
    let mut silent = Vec::new();
    for _ in 0..4 {
        let mut raw = Raw::connect(served.address).await;
        raw.send("GET /healthz HT").await;
        silent.push(raw);
    }
    let mut stream = Raw::events(served.address, served.host.answerer.secret(), "", "").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    silent[0].send("TP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert_eq!(silent[0].response().await.status, 200);

    for _ in 0..3 {
        let mut raw = Raw::connect(served.address).await;
        raw.send("GET /healthz HT").await;
        silent.push(raw);
    }

    let line = format!("POST {path}/answer");
    let answer = chosen("db", "SQLite").to_string();
    let served_at_last = || async {
        let mut raw = Raw::connect(served.address).await;
        raw.call(&line, served.host.answerer.secret(), "", &answer).await.status == 200
    };
    eventually("a person is served", served_at_last).await;
    // A stream is no silence.
    assert_eq!(stream.logged().await.unwrap().0, "resolved");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let served = Served::new().await;
    let mut raw = Raw::connect(served.address).await;
    let line = format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: {}", "x".repeat(50_000));
    raw.send(line).await;
    raw.send("y".repeat(50_000)).await;

    assert_eq!(raw.response().await.status, 431);
}

#[tokio::test]
async fn one_connection_carries_call_after_call() {
    let served = Served::new().await;
    let mut raw = Raw::connect(served.address).await;
    for _ in 0..3 {
        raw.send(HEALTH).await;
        assert_eq!(raw.response().await.status, 200);
    }
    // A refused one does not break it.
    assert_eq!(raw.call("GET /api/v1/requests", "unknown", "", "").await.status, 401);
    raw.send(HEALTH).await;
    assert_eq!(raw.response().await.status, 200);
}

#[tokio::test]
async fn a_port_is_known_before_anything_is_served_and_nobody_else_has_it() {
    let options = |port| ServeOptions { listen: Listen::Loopback(port), ..ServeOptions::default() };
    let bound = askwell_web::bind(&options(0)).unwrap();
    let port = bound.address().port();
    assert_eq!(bound.base_url(), format!("http://127.0.0.1:{port}"));
    assert_eq!(bound.page_url("abc"), format!("http://abc.localhost:{port}"));

    let taken = askwell_web::bind(&options(port)).unwrap_err();

    assert!(taken.is_taken(), "{taken}");
    assert_eq!(askwell_web::DEFAULT_PORT, 2759);
}

#[tokio::test]
async fn where_there_is_ipv6_its_loopback_is_ours_too() {
    let served = Served::new().await;
    let six = std::net::SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, served.address.port()));
    if std::net::TcpListener::bind((std::net::Ipv6Addr::LOCALHOST, 0)).is_err() {
        return;
    }
    let mut raw = Raw::connect(six).await;
    raw.send(HEALTH).await;

    assert_eq!(raw.response().await.status, 200);
}
