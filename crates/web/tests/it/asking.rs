//! Posting, reading, waiting: what an asker does.

use std::time::{Duration, Instant};

use askwell_testkit::vectors::{Kind, cases};
use axum::http::Method;
use pretty_assertions::assert_eq;
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

#[tokio::test]
async fn b106_every_bound_is_told_with_its_place_and_is_the_one_of_the_document() {
    use askwell_core::limits;
    let host = TestHost::new().await;
    let document = host.asker.get("/api/v1/openapi.json").await.ok();
    let schema = &document["components"]["schemas"]["Request"];
    let question = &schema["properties"]["questions"]["items"]["properties"];
    let option = &question["options"]["items"]["properties"];
    let asker = |name: &str| schema.pointer(&format!("/properties/asker/anyOf/0/properties/{name}"));
    let long = |bytes: usize| "x".repeat(bytes + 1);
    let with = |name: &str, value: Value| {
        let mut request = r1();
        request["questions"][0][name] = value;
        request
    };
    let in_option = |name: &str, value: Value| {
        let mut request = r1();
        request["questions"][0]["options"][0][name] = value;
        request
    };
    let labels = |count: usize| (0..count).map(|index| json!({"label": format!("{index}")})).collect();
    let questions = |count: usize| -> Vec<Value> {
        (0..count).map(|index| json!({"id": format!("{index}"), "question": "?"})).collect()
    };
    for (request, path, bound, shown) in [
        (json!({"questions": questions(51)}), "questions", limits::QUESTIONS, &schema["properties"]["questions"]["maxItems"]),
        (with("id", json!(long(limits::ID))), "questions[0].id", limits::ID, &question["id"]["maxLength"]),
        (with("header", json!(long(limits::HEADER))), "questions[0].header", limits::HEADER, &question["header"]["maxLength"]),
        (with("question", json!(long(limits::QUESTION))), "questions[0].question", limits::QUESTION, &question["question"]["maxLength"]),
        (with("detail", json!(long(limits::DETAIL))), "questions[0].detail", limits::DETAIL, &question["detail"]["maxLength"]),
        (with("options", labels(501)), "questions[0].options", limits::OPTIONS, &question["options"]["maxItems"]),
        (in_option("label", json!(long(limits::LABEL))), "questions[0].options[0].label", limits::LABEL, &option["label"]["maxLength"]),
        (in_option("description", json!(long(limits::DESCRIPTION))), "questions[0].options[0].description", limits::DESCRIPTION, &option["description"]["maxLength"]),
        (in_option("preview", json!(long(limits::PREVIEW))), "questions[0].options[0].preview", limits::PREVIEW, &option["preview"]["maxLength"]),
        (json!({"questions": questions(1), "context": long(limits::CONTEXT)}), "context", limits::CONTEXT, &schema["properties"]["context"]["maxLength"]),
        (json!({"questions": questions(1), "asker": {"name": long(limits::ASKER)}}), "asker.name", limits::ASKER, asker("name/maxLength").unwrap()),
        (json!({"questions": questions(1), "expiresInSeconds": limits::EXPIRY_MAX + 1}), "expiresInSeconds", limits::EXPIRY_MAX as usize, &schema["properties"]["expiresInSeconds"]["maximum"]),
    ] {
        let reply = host.asker.post("/api/v1/requests", &request).await;

        assert_eq!(reply.problem(), (422, "LIMIT_EXCEEDED".to_owned()), "{path}");
        let fault = &reply.json()["faults"][0];
        assert_eq!((&fault["path"], &fault["bound"]), (&json!(path), &json!(bound)));
        assert_eq!(*shown, json!(bound), "{path}");
        assert!(reply.json()["detail"].as_str().unwrap().contains(&bound.to_string()), "{path}");
    }
    assert_eq!(host.asker.get("/api/v1/requests").await.ok()["requests"], json!([]));
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
    let response = tower::ServiceExt::oneshot(host.asker.router.clone(), request.unwrap()).await.unwrap();

    assert_eq!(response.status(), 200);
}
