//! Posting, reading, waiting: what an asker does.

use std::time::{Duration, Instant};

use askwell_core::limits;
use askwell_testkit::vectors::{Kind, cases};
use askwell_web::Limits;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Agent, TestHost, chosen, r1, r3};

#[tokio::test]
async fn every_request_vector_is_posted_with_its_code() {
    let host = TestHost::new().await;
    for case in cases(Kind::Request) {
        let reply = host.asker.post("/api/v1/requests", &case.value["request"]).await;

        if case.value["expect"] == "accept" {
            assert_eq!(reply.status, 201, "{}: {}", case.place(), reply.text);
        } else {
            let code = case.value["expect"]["code"].as_str().unwrap().to_owned();
            assert_eq!(reply.problem(), (422, code), "{}", case.place());
        }
    }
}

#[rstest]
#[case("questions", limits::QUESTIONS, "/questions/maxItems")]
#[case("questions[0].id", limits::ID, "/questions/items/properties/id/maxLength")]
#[case("questions[0].header", limits::HEADER, "/questions/items/properties/header/maxLength")]
#[case("questions[0].question", limits::QUESTION, "/questions/items/properties/question/maxLength")]
#[case("questions[0].detail", limits::DETAIL, "/questions/items/properties/detail/maxLength")]
#[case("questions[0].options", limits::OPTIONS, "/questions/items/properties/options/maxItems")]
#[case("questions[0].options[0].label", limits::LABEL, "/label/maxLength")]
#[case("questions[0].options[0].description", limits::DESCRIPTION, "/description/maxLength")]
#[case("questions[0].options[0].preview", limits::PREVIEW, "/preview/maxLength")]
#[case("context", limits::CONTEXT, "/context/maxLength")]
#[case("asker.name", limits::ASKER, "/asker/properties/name/maxLength")]
#[case("expiresInSeconds", limits::EXPIRY_MAX as usize, "/expiresInSeconds/maximum")]
#[tokio::test]
async fn b106_a_bound_is_told_with_its_place_and_is_the_one_of_the_document(
    #[case] path: &str,
    #[case] bound: usize,
    #[case] place: &str,
) {
    let host = TestHost::new().await;
    let document = host.asker.get("/api/v1/openapi.json").await.ok();
    let options = "/questions/items/properties/options/items/properties";
    let place = if path.contains("options[") { format!("{options}{place}") } else { place.into() };
    let schema = &document["components"]["schemas"]["Request"]["properties"];
    assert_eq!(schema.pointer(&place), Some(&json!(bound)), "{schema:#}");

    let reply = host.asker.post("/api/v1/requests", &one_over(path, bound)).await;

    assert_eq!(reply.problem(), (422, "LIMIT_EXCEEDED".to_owned()));
    let problem = reply.json();
    let fault = &problem["faults"][0];
    assert_eq!((&fault["path"], &fault["bound"]), (&json!(path), &json!(bound)));
    assert!(problem["detail"].as_str().unwrap().contains(&bound.to_string()));
    assert_eq!(host.asker.get("/api/v1/requests").await.ok()["requests"], json!([]));
}

/// A request that is over its bound by one at this place.
fn one_over(path: &str, bound: usize) -> Value {
    let mut request = r1();
    let many = |item: fn(usize) -> Value| (0..=bound).map(item).collect::<Value>();
    let over = match path {
        "questions" => many(|index| json!({"id": format!("{index}"), "question": "?"})),
        "questions[0].options" => many(|index| json!({"label": format!("{index}")})),
        "expiresInSeconds" => json!(bound + 1),
        _ => json!("x".repeat(bound + 1)),
    };
    let pointer = path.replace("[0]", "/0").replace('.', "/");
    let (parent, name) = pointer.rsplit_once('/').unwrap_or(("", &pointer));
    if path.starts_with("asker") {
        request["asker"] = json!({});
    }
    let parent = if parent.is_empty() { String::new() } else { format!("/{parent}") };
    request.pointer_mut(&parent).unwrap()[name] = over;
    request
}

#[tokio::test]
async fn b106_all_faults_are_told_at_once_and_null_options_are_none() {
    let host = TestHost::new().await;
    let request = json!({"questions": [
        {"id": "a", "question": " "},
        {"id": "a", "question": "?", "options": [{"label": "x"}, {"label": "x"}, {"label": ""}]},
    ]});
    let reply = host.asker.post("/api/v1/requests", &request).await;

    assert_eq!(reply.problem(), (422, "BAD_QUESTION".to_owned()));
    let problem = reply.json();
    let mut paths: Vec<&str> = problem["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["path"].as_str().unwrap())
        .collect();
    paths.sort_unstable();
    let expected = [
        "questions[0].question",
        "questions[1].id",
        "questions[1].options[1].label",
        "questions[1].options[2].label",
    ];
    assert_eq!(paths, expected);

    let request = json!({"questions": [{"id": "a", "question": "?", "options": null}]});
    host.asker.post("/api/v1/requests", &request).await.ok();
}

#[tokio::test]
async fn the_reader_is_strict() {
    let host = TestHost::new().await;
    let bare = json!({"questions": [{"id": "a", "question": "?", "options": ["A", "B"]}]});
    let wrapped = json!({"questions": bare["questions"].to_string()});
    let single = json!({"questions": bare["questions"][0]});
    for request in [bare, wrapped, single] {
        let reply = host.asker.post("/api/v1/requests", &request).await;
        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{request}");
    }
}

#[tokio::test]
async fn a_posted_request_is_new_or_joined_by_its_key() {
    let host = TestHost::new().await;
    let post = |agent: &Agent, key: &str, request: Value| {
        let built = agent
            .request(Method::POST, "/api/v1/requests")
            .header("content-type", "application/json; charset=utf-8")
            .header("idempotency-key", key);
        let (agent, body) = (agent.clone(), request.to_string());
        async move { agent.send(built.body(body.into()).unwrap()).await }
    };
    let first = post(&host.asker, "k", r1()).await;
    assert_eq!(first.status, 201);
    let id = first.json()["id"].take();
    assert_eq!(first.header("location"), format!("/api/v1/requests/{}", id.as_str().unwrap()));

    let again = post(&host.asker, "k", r1()).await;
    assert_eq!((again.status.as_u16(), &again.json()["id"]), (200, &id));
    assert_eq!(again.json()["joined"], true);
    let other = post(&host.other, "k", r1()).await;
    assert_eq!((other.status.as_u16(), other.json()["id"] == id), (201, false));
    let conflict = post(&host.asker, "k", r3()).await;
    assert_eq!(conflict.problem(), (409, "KEY_CONFLICT".to_owned()));

    let long = post(&host.asker, &"k".repeat(1025), r1()).await;
    assert_eq!(long.problem(), (422, "LIMIT_EXCEEDED".to_owned()));
    assert_eq!(long.json()["faults"][0]["path"], "Idempotency-Key");
}

#[tokio::test]
async fn a_key_is_of_one_kind() {
    let host = TestHost::new().await;
    for (headers, path) in [
        ([("idempotency-key", "a"), ("askwell-derived-key", "b")], "Askwell-Derived-Key"),
        ([("idempotency-key", "a"), ("idempotency-key", "b")], "Idempotency-Key"),
    ] {
        let mut request = host
            .asker
            .request(Method::POST, "/api/v1/requests")
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let reply = host.asker.send(request.body(r1().to_string().into()).unwrap()).await;

        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
        assert_eq!(reply.json()["faults"][0]["path"], path);
    }
}

#[tokio::test]
async fn a_wait_ends_with_the_request_or_with_its_time() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let began = Instant::now();
    let view = host.asker.get(&format!("{path}?wait=0.2")).await.ok();
    assert_eq!(view["state"], "pending");
    assert!(began.elapsed() >= Duration::from_millis(200));

    let (asker, waited) = (host.asker.clone(), format!("{path}?wait=30"));
    let waiting = tokio::spawn(async move { asker.get(&waited).await.ok() });
    host.answerer.post(&format!("{path}/answer"), &chosen("db", "DuckDB")).await.ok();

    let view = waiting.await.unwrap();
    assert_eq!(view["outcome"], chosen("db", "DuckDB"));
    assert!(began.elapsed() < Duration::from_secs(20));
    for bad in ["-1", "NaN", "inf", "x", "1e400"] {
        let reply = host.asker.get(&format!("{path}?wait={bad}")).await;
        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{bad}");
    }
}

#[tokio::test]
async fn a_wait_longer_than_the_bound_is_cut_to_it() {
    let limits = askwell_web::Limits {
        longest_wait: Duration::from_millis(100),
        ..askwell_web::Limits::default()
    };
    let host = TestHost::with(limits).await;
    let path = host.asker.ask(&r1()).await;

    let began = Instant::now();
    let view = host.asker.get(&format!("{path}?wait=1e12")).await.ok();

    assert_eq!(view["state"], "pending");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn an_outcome_that_is_yet_to_be_handed_on_is_picked_up_when_that_is_said() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();

    let first = host.asker.get(&format!("{path}?wait=1&pickUp=false")).await.ok();
    assert_eq!(first["state"], "answered");
    let again = host.asker.get(&format!("{path}?wait=0&pickUp=false")).await.ok();
    assert_eq!(again["receipt"]["pickedUpAt"], Value::Null);

    host.asker.post_text(&format!("{path}/pick-up"), "").await.ok();
    host.asker.post(&format!("{path}/pick-up"), &json!({})).await.ok();
    // A receipt is written with the next write.
    host.asker.ask(&r1()).await;
    let receipt = host.answerer.get(&path).await.ok()["receipt"].clone();
    assert!(receipt["pickedUpAt"].is_number(), "{receipt}");
}

#[tokio::test]
async fn a_request_is_detached_and_withdrawn_by_its_asker() {
    let host = TestHost::new().await;
    let asked = host.asker.post("/api/v1/requests?attach=true", &r1()).await.ok();
    let path = format!("/api/v1/requests/{}", asked["id"].as_str().unwrap());
    assert_eq!(host.asker.get(&path).await.ok()["attached"], true);

    let view = host.asker.post(&format!("{path}/detach"), &json!({"leaving": "told"})).await.ok();
    assert_eq!((&view["attached"], &view["state"]), (&json!(false), &json!("pending")));
    // A change without anything to say needs no body.
    host.asker.post_text(&format!("{path}/detach"), "").await.ok();

    let view = host.asker.post(&format!("{path}/abort"), &json!({"reason": "a test"})).await.ok();
    assert_eq!((&view["state"], &view["outcome"]["reason"]), (&json!("aborted"), &json!("a test")));
    let reply = host.asker.post(&format!("{path}/detach"), &json!({"leaving": "slowly"})).await;
    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
    assert_eq!(reply.json()["faults"][0]["path"], "leaving");
}

#[tokio::test]
async fn a_list_is_read_page_by_page() {
    let host = TestHost::new().await;
    let mut asked = Vec::new();
    for _ in 0..5 {
        asked.push(host.asker.ask(&r1()).await);
    }
    let (mut read, mut after) = (Vec::new(), String::new());
    loop {
        let page = host.answerer.get(&format!("/api/v1/requests?limit=2{after}")).await.ok();
        for request in page["requests"].as_array().unwrap() {
            read.push(format!("/api/v1/requests/{}", request["id"].as_str().unwrap()));
        }
        assert!(page["eventId"].is_string());
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(read, asked);
    let reply = host.answerer.get("/api/v1/requests?after=nonsense").await;
    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
}

#[tokio::test]
async fn reading_a_head_reads_no_more() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let request = host.asker.request(Method::HEAD, &path).body(axum::body::Body::empty());
    let response =
        tower::ServiceExt::oneshot(host.asker.router.clone(), request.unwrap()).await.unwrap();

    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn an_outcome_is_picked_up_once_it_was_taken_and_not_by_a_head() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();
    let picked_up = || async {
        // A receipt is written with the next write.
        host.asker.ask(&r1()).await;
        !host.answerer.get(&path).await.ok()["receipt"]["pickedUpAt"].is_null()
    };

    for query in ["", "?wait=0"] {
        let uri = format!("{path}{query}");
        let head = host.asker.request(Method::HEAD, &uri).body(axum::body::Body::empty());
        let head = tower::ServiceExt::oneshot(host.asker.router.clone(), head.unwrap()).await;
        assert_eq!(axum::body::to_bytes(head.unwrap().into_body(), 1).await.unwrap(), "");
        // One whose client went away before it could be written.
        let get = host.asker.request(Method::GET, &uri).body(axum::body::Body::empty());
        assert_eq!(host.asker.head_of(get.unwrap()).await.status, 200);
        assert!(!picked_up().await);
    }

    host.asker.get(&path).await.ok();
    assert!(picked_up().await);
}

#[rstest]
#[case("1e20")]
#[case("99999999999999999999")]
#[tokio::test]
async fn a_wait_beyond_the_longest_is_cut_to_it(#[case] seconds: &str) {
    let limits = Limits { longest_wait: Duration::from_millis(1), ..Limits::default() };
    let host = TestHost::with(limits).await;
    let path = host.asker.ask(&r1()).await;

    let view = host.asker.get(&format!("{path}?wait={seconds}")).await.ok();

    assert_eq!(view["state"], "pending");
    for bad in ["-1", "NaN", "inf", "-1e20"] {
        let reply = host.asker.get(&format!("{path}?wait={bad}")).await;
        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{bad}");
    }
}

#[tokio::test]
async fn an_intent_is_carried_as_deep_as_readers_follow() {
    let host = TestHost::new().await;
    let nested = |levels: usize| {
        let value = (0..levels).fold(json!(1), |value, _| json!([value]));
        let mut request = r1();
        request["questions"][0]["intent"] = json!({"kind": "chart", "data": value});
        request
    };

    host.asker.ask(&nested(limits::NESTING)).await;
    let reply = host.asker.post("/api/v1/requests", &nested(limits::NESTING + 1)).await;

    assert_eq!(reply.problem(), (422, "LIMIT_EXCEEDED".to_owned()));
    let expected = json!([{
        "code": "LIMIT_EXCEEDED",
        "path": "questions[0].intent.data",
        "rule": "is nested too deeply (at most 32 levels)",
        "bound": limits::NESTING,
        "question": "db",
    }]);
    assert_eq!(reply.json()["faults"], expected);
}
