//! What other sites' pages send: nothing of it is carried out, nothing is told.

use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;

use crate::support::{TestHost, chosen, r1};

#[rstest]
#[case("https://evil.example")]
#[case("http://localhost:8000")]
#[case("http://evil.localhost:2759")]
#[case("null")]
#[case("")]
#[tokio::test]
async fn b122_a_foreign_page_changes_and_reads_nothing(#[case] origin: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (method, place) in [
        (Method::POST, format!("{path}/answer")),
        (Method::POST, format!("{path}/cancel")),
        (Method::GET, path.clone()),
        (Method::GET, "/api/v1/requests".to_owned()),
        (Method::GET, "/api/v1/events".to_owned()),
        (Method::GET, "/healthz".to_owned()),
        (Method::GET, "/".to_owned()),
    ] {
        let request = host.answerer.request(method, &place).header("origin", origin);
        let request = request.header("content-type", "application/json");
        let request = request.header("connection", "upgrade").header("upgrade", "websocket");
        let reply = host
            .answerer
            .send(request.body(chosen("db", "SQLite").to_string().into()).unwrap())
            .await;

        match place.as_str() {
            // What a person sees.
            "/" => assert_eq!(reply.status, 403),
            _ => assert_eq!(reply.problem(), (403, "FORBIDDEN".to_owned()), "{place}"),
        }
        assert!(!reply.text.contains("database"));
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[rstest]
#[case("http://localhost:2759")]
#[case("https://ask.example.com")]
#[tokio::test]
async fn b122_its_own_page_is_let_in(#[case] origin: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let request = host.answerer.request(Method::POST, &format!("{path}/answer"));
    let request = request.header("origin", origin).header("content-type", "application/json");
    let reply =
        host.answerer.send(request.body(chosen("db", "SQLite").to_string().into()).unwrap());

    reply.await.ok();
    assert_eq!(host.asker.state(&path).await, "answered");
}

#[rstest]
#[case("evil.example")]
#[case("localhost.evil.example:2759")]
#[case("192.0.2.1")]
#[tokio::test]
async fn a_name_that_was_made_to_point_here_is_refused(#[case] name: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (method, place) in [(Method::GET, path.clone()), (Method::POST, format!("{path}/abort"))] {
        let mut request =
            host.asker.request(method, &place).header("content-type", "application/json");
        request.headers_mut().unwrap().insert("host", name.parse().unwrap());
        let reply = host.asker.send(request.body(Body::empty()).unwrap()).await;

        assert_eq!(reply.problem(), (403, "FORBIDDEN".to_owned()), "{place}");
        assert!(!reply.text.contains("database"));
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}
