//! Whatever is wrong with a call: a problem document with a stable code, never a page or bare words.

use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{TestHost, chosen, r1};

#[rstest]
#[case::cut_short("{\"questions\":")]
#[case::nothing("")]
#[case::two("{} {}")]
#[case::words("please answer")]
#[case::deep(&"[".repeat(100_000))]
#[tokio::test]
async fn what_is_not_json_is_400(#[case] text: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (agent, place) in [
        (&host.asker, "/api/v1/requests".to_owned()),
        (&host.answerer, format!("{path}/answer")),
        (&host.admin, "/api/v1/credentials".to_owned()),
    ] {
        let reply = agent.post_text(&place, text.to_owned()).await;

        assert_eq!(reply.problem(), (400, "BAD_REQUEST".to_owned()), "{place} {text:.20}");
        let rule = reply.json()["faults"][0]["rule"].take();
        assert!(rule.as_str().unwrap().starts_with("is not valid JSON: "), "{rule}");
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[rstest]
#[case("[]")]
#[case("[\"later\",\"web\"]")]
#[case("7")]
#[case("null")]
#[tokio::test]
async fn a_body_that_is_no_object_is_422(#[case] text: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (agent, what) in [
        (&host.answerer, "cancel"),
        (&host.answerer, "extend"),
        (&host.asker, "detach"),
        (&host.asker, "abort"),
    ] {
        let reply = agent.post_text(&format!("{path}/{what}"), text.to_owned()).await;

        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{what}");
        assert_eq!(reply.json()["faults"][0]["path"], "$");
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_400() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (agent, place) in
        [(&host.asker, "/api/v1/requests".to_owned()), (&host.answerer, format!("{path}/answer"))]
    {
        let bytes =
            b"{\"questions\":[{\"id\":\"\xff\",\"question\":\"?\"}],\"answers\":[\"\xff\"]}";
        let reply = agent.post_text(&place, bytes.to_vec()).await;

        assert_eq!(reply.problem(), (400, "BAD_REQUEST".to_owned()), "{place}");
    }
}

#[rstest]
#[case("application/x-www-form-urlencoded")]
#[case("text/plain")]
#[case("multipart/form-data; boundary=x")]
#[case("application/json-patch+json")]
#[case("")]
#[tokio::test]
async fn b123_a_change_that_is_not_json_changes_nothing(#[case] media_type: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (agent, what) in [
        (&host.answerer, "answer"),
        (&host.answerer, "cancel"),
        (&host.answerer, "extend"),
        (&host.asker, "detach"),
        (&host.asker, "abort"),
    ] {
        let request = agent.request(Method::POST, &format!("{path}/{what}"));
        let request = request.header("content-type", media_type);
        let reply =
            agent.send(request.body(chosen("db", "SQLite").to_string().into()).unwrap()).await;

        assert_eq!(reply.problem(), (415, "BAD_REQUEST".to_owned()), "{what}");
    }
    for (agent, what) in [(&host.answerer, "cancel"), (&host.asker, "abort")] {
        let request = agent.request(Method::POST, &format!("{path}/{what}"));
        let reply = agent.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(reply.problem().0, 415, "{what} without a body");
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn b123_reading_never_changes_anything() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    let before = host.answerer.get(&path).await.ok();
    for what in ["answer", "cancel", "extend", "abort", "detach"] {
        for agent in host.everybody() {
            let query = "?answers=%5B%5D&comment=x";
            let reply = agent.get(&format!("{path}/{what}{query}")).await;
            assert_eq!(reply.problem(), (405, "BAD_REQUEST".to_owned()), "{what}");
            assert_eq!(reply.header("allow"), "POST");
        }
    }
    for place in ["/api/v1/stop", "/api/v1/purge"] {
        assert_eq!(host.admin.get(place).await.problem().0, 405);
    }
    assert_eq!(host.answerer.get(&path).await.ok(), before);
}

#[tokio::test]
async fn an_address_where_nothing_is_is_told_in_json() {
    let host = TestHost::new().await;
    for path in
        ["/api/v1/nothing", "/api/v1", "/api", "/api/v2/requests", "/x", "/api/v1/requests/"]
    {
        for agent in host.everybody() {
            assert_eq!(agent.get(path).await.problem(), (404, "NOT_FOUND".to_owned()), "{path}");
            let reply = agent.post(path, &json!({})).await;
            assert_eq!(reply.problem(), (404, "NOT_FOUND".to_owned()), "{path}");
        }
    }
}

#[rstest]
#[case("/api/v1/requests?limit=many")]
#[case("/api/v1/requests?limit=-1")]
#[case("/api/v1/requests?limit=1&limit=2")]
#[case("/api/v1/requests?state=answered")]
#[case("/api/v1/history?limit=1.5")]
#[case("/api/v1/events?after=7")]
#[tokio::test]
async fn a_query_that_can_not_be_read_is_422(#[case] path: &str) {
    let host = TestHost::new().await;

    let reply = host.answerer.get(path).await;

    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{path}");
    assert_eq!(reply.json()["faults"][0]["path"], "query");
}

#[tokio::test]
async fn b128_what_was_sent_does_not_come_back_as_markup() {
    let host = TestHost::new().await;
    let markup = "<img src=x onerror=alert(1)>";
    let request = json!({"questions": [{"id": markup, "question": 7}], "context": {markup: 1}});
    let path = host.asker.ask(&r1()).await;
    let replies = [
        host.asker.post("/api/v1/requests", &request).await,
        host.answerer.post(&format!("{path}/answer"), &chosen(markup, markup)).await,
        host.answerer.get("/api/v1/requests?state=%3Cimg%20src=x%20onerror=alert(1)%3E").await,
        host.answerer.get("/%3Cimg%20src=x%20onerror=alert(1)%3E").await,
    ];
    for reply in replies {
        reply.problem();
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
}

#[tokio::test]
async fn every_response_carries_the_headers_that_keep_it_where_it_is() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for reply in [
        host.asker.get(&path).await,
        host.nobody.get(&path).await,
        host.nobody.get("/healthz").await,
        host.nobody.get("/").await,
        host.nobody.get("/nothing").await,
    ] {
        let of = |name: &str| reply.header(name).to_owned();
        assert_eq!(of("x-content-type-options"), "nosniff");
        assert_eq!(of("x-frame-options"), "DENY");
        // A page tells its address to its own host, so that what it posts has an origin.
        let is_page = of("content-type").starts_with("text/html");
        assert_eq!(of("referrer-policy"), if is_page { "same-origin" } else { "no-referrer" });
        assert_eq!(of("cache-control"), "no-store");
        assert!(of("content-security-policy").contains("default-src 'none'"));
        assert!(of("content-security-policy").contains("frame-ancestors 'none'"));
        assert_eq!(reply.headers.get("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn a_host_says_to_everybody_that_it_runs_and_nothing_else() {
    let host = TestHost::new().await;

    let health = host.nobody.get("/healthz").await.ok();

    let expected: Value = json!({"service": "askwell", "status": "ok",
        "version": env!("CARGO_PKG_VERSION"), "instance": "test"});
    assert_eq!(health, expected);
}
