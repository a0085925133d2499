//! Bodies that are too large, too slow or never complete, and clients that do not read theirs.

use std::time::{Duration, Instant};

use askwell_web::Limits;
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::{Raw, Served, chosen, eventually, head, large, r1};

const ASK: &str = "POST /api/v1/requests";

#[tokio::test]
async fn five_mebibytes_are_refused_to_a_client_that_sends_them_all() {
    let served = Served::new().await;
    let body = format!("{{\"questions\":[],\"context\":\"{}\"}}", "x".repeat(5 << 20));
    for token in [served.host.asker.secret(), "unknown"] {
        let mut raw = Raw::connect(served.address).await;

        let refused = raw.call(ASK, token, "", &body).await;

        let expected =
            if token == "unknown" { (401, "UNAUTHORIZED") } else { (413, "LIMIT_EXCEEDED") };
        assert_eq!((refused.status, refused.json()["code"].as_str().unwrap()), expected);
        assert!(refused.head.contains("content-type: application/problem+json"));
    }
    served.host.asker.ask(&r1()).await;
}

#[tokio::test]
async fn five_mebibytes_in_pieces_of_unknown_number_are_refused_too() {
    let served = Served::new().await;
    let mut raw = Raw::connect(served.address).await;
    let piece = "x".repeat(1 << 16);
    let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
    raw.send(
        head(ASK, served.host.asker.secret(), "transfer-encoding: chunked\r\n", 0)
            .replace("content-length: 0\r\n", ""),
    )
    .await;
    for _ in 0..80 {
        raw.send(&chunk).await;
    }
    raw.send("0\r\n\r\n").await;

    let refused = raw.response().await;

    assert_eq!((refused.status, &refused.json()["code"]), (413, &json!("LIMIT_EXCEEDED")));
    assert_eq!(refused.json()["faults"][0]["bound"], (4 << 20) + (64 << 10));
}

#[tokio::test]
async fn five_mebibytes_as_an_answer_are_told_as_what_they_are() {
    let served = Served::new().await;
    let path = served.host.asker.ask(&r1()).await;
    let answer = json!({"answers": [{"id": "db", "selected": [], "custom": "x".repeat(5 << 20)}]})
        .to_string();
    let mut raw = Raw::connect(served.address).await;

    let line = format!("POST {path}/answer");
    let refused = raw.call(&line, served.host.answerer.secret(), "", &answer).await;

    assert_eq!((refused.status, &refused.json()["code"]), (422, &json!("BAD_RESPONSE")));
    assert_eq!(refused.json()["issues"][0]["code"], "custom-too-long");
    assert_eq!(served.host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn a_request_of_four_mebibytes_is_taken_and_comes_back_whole() {
    let served = Served::new().await;
    let request = large(16);
    assert!(request.to_string().len() > 4_000_000);
    let mut raw = Raw::connect(served.address).await;

    let asked = raw.call(ASK, served.host.asker.secret(), "", &request.to_string()).await;

    assert_eq!(asked.status, 201, "{asked:?}");
    let line = format!("GET /api/v1/requests/{}", asked.json()["id"].as_str().unwrap());
    let read = raw.call(&line, served.host.asker.secret(), "", "").await;
    assert_eq!(read.json()["request"], request);
}

#[tokio::test]
async fn a_body_that_never_comes_is_given_up_and_changes_nothing() {
    let limits = Limits { body_pause: Duration::from_millis(100), ..Limits::default() };
    let served = Served::with(limits).await;
    let path = served.host.asker.ask(&r1()).await;
    let answer = chosen("db", "SQLite").to_string();
    let line = format!("POST {path}/answer");
    let half = head(&line, served.host.answerer.secret(), "", answer.len()) + &answer[..20];
    let mut slow = Raw::connect(served.address).await;
    slow.send(&half).await;

    let refused = slow.response().await;

    assert_eq!((refused.status, &refused.json()["code"]), (408, &json!("BAD_REQUEST")));
    slow.closed().await;
    assert_eq!(served.host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn a_body_that_drips_is_given_up_at_the_end_of_its_time() {
    let limits = Limits { body: Duration::from_millis(300), ..Limits::default() };
    let served = Served::with(limits).await;
    let mut slow = Raw::connect(served.address).await;
    slow.send(head(ASK, served.host.asker.secret(), "", 10_000)).await;
    let began = Instant::now();
    for _ in 0..10 {
        slow.send(" ").await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    assert_eq!(slow.response().await.status, 408);
    assert!(began.elapsed() >= Duration::from_millis(290));
}

#[tokio::test]
async fn half_sent_bodies_of_clients_that_left_change_nothing() {
    let served = Served::new().await;
    let path = served.host.asker.ask(&r1()).await;
    let answer = chosen("db", "SQLite").to_string();
    let line = format!("POST {path}/answer");
    for sent in [0, 1, answer.len() - 1] {
        let mut raw = Raw::connect(served.address).await;
        let head = head(&line, served.host.answerer.secret(), "", answer.len());
        raw.send(head + &answer[..sent]).await;
    }

    eventually("all are closed", || async { served.connections().await == 0 }).await;
    assert_eq!(served.host.asker.state(&path).await, "pending");
    let mut raw = Raw::connect(served.address).await;
    let taken = raw.call(&line, served.host.answerer.secret(), "", &answer).await;
    assert_eq!(taken.status, 200);
}

#[tokio::test]
async fn large_bodies_at_once_are_bounded_on_their_way_in() {
    let limits = Limits { held: 4 << 20, ..Limits::default() };
    let served = Served::with(limits).await;
    let mut half_sent = Vec::new();
    for _ in 0..6 {
        let mut raw = Raw::connect(served.address).await;
        raw.send(head(ASK, served.host.asker.secret(), "", 3 << 20)).await;
        raw.send(vec![b' '; 900 << 10]).await;
        half_sent.push(raw);
    }

    let mut refused = 0;
    for raw in &mut half_sent {
        let response = tokio::time::timeout(Duration::from_secs(1), raw.response()).await;
        if let Ok(response) = response {
            assert_eq!((response.status, &response.json()["code"]), (429, &json!("RATE_LIMITED")));
            assert!(response.head.contains("retry-after: 1"));
            refused += 1;
        }
    }
    assert!((1..6).contains(&refused), "{refused}");
    served.host.asker.ask(&r1()).await;
    drop(half_sent);
    let body = format!("{{\"questions\":[],\"context\":\"{}\"}}", "x".repeat(900 << 10));
    let again = || async {
        let mut raw = Raw::connect(served.address).await;
        raw.call(ASK, served.host.asker.secret(), "", &body).await.status == 422
    };
    eventually("large bodies are taken again", again).await;
}

#[tokio::test]
async fn responses_that_nobody_reads_are_bounded_and_given_up() {
    let limits = Limits {
        held: 2 << 20,
        write_pause: Duration::from_secs(2),
        // Those who were told that they are too many, and are idle since.
        head: Duration::from_secs(2),
        ..Limits::default()
    };
    let served = Served::with(limits).await;
    let path = served.host.asker.ask(&large(3)).await;
    let get = head(&format!("GET {path}"), served.host.asker.secret(), "", 0);
    let mut deaf = Vec::new();
    for _ in 0..6 {
        let mut raw = Raw::hard_of_hearing(served.address).await;
        raw.send(&get).await;
        deaf.push(raw);
    }

    let read = || async {
        let mut raw = Raw::connect(served.address).await;
        raw.send(&get).await;
        raw.response().await.status
    };
    eventually("one more is one too many", || async { read().await == 429 }).await;
    // That is the asker's share: it keeps nobody else out.
    let mut raw = Raw::connect(served.address).await;
    let line = format!("GET {path}");
    assert_eq!(raw.call(&line, served.host.answerer.secret(), "", "").await.status, 200);
    served.host.asker.ask(&r1()).await;
    // Those who never read are given up, which makes room for those who do.
    eventually("the next one is served", || async { read().await == 200 }).await;
    eventually("those who never read are gone", || async { served.connections().await == 0 }).await;
}

#[tokio::test]
async fn a_client_that_asks_first_is_told_before_it_sends() {
    let served = Served::new().await;
    let mut raw = Raw::connect(served.address).await;
    raw.send(head(ASK, "unknown", "expect: 100-continue\r\n", 3 << 20)).await;

    let refused = raw.response().await;

    assert_eq!(refused.status, 401);
    let mut raw = Raw::connect(served.address).await;
    let body = r1().to_string();
    raw.send(head(ASK, served.host.asker.secret(), "expect: 100-continue\r\n", body.len())).await;
    assert_eq!(raw.response().await.status, 100);
    raw.send(&body).await;
    assert_eq!(raw.response().await.status, 201);
}

#[tokio::test]
async fn half_sent_bodies_of_an_asker_keep_nobody_from_answering() {
    let limits = Limits { held: 4 << 20, ..Limits::default() };
    let served = Served::with(limits).await;
    let path = served.host.asker.ask(&large(3)).await;
    let mut half_sent = Vec::new();
    for _ in 0..8 {
        let mut raw = Raw::connect(served.address).await;
        raw.send(head(ASK, served.host.asker.secret(), "", 3 << 20)).await;
        raw.send(vec![b' '; 500 << 10]).await;
        half_sent.push(raw);
    }
    // They have all that they may have once one of them is refused.
    let refused = half_sent.iter_mut().map(|raw| Box::pin(raw.response()));
    let (refused, ..) = futures_util::future::select_all(refused).await;
    assert_eq!(refused.status, 429);

    let mut raw = Raw::connect(served.address).await;
    for token in [served.host.answerer.secret(), served.host.asker.secret()] {
        assert_eq!(raw.call(&format!("GET {path}"), token, "", "").await.status, 200);
    }
    let text = "x".repeat(200 << 10);
    let answers: Vec<_> = ["0", "1", "2"]
        .map(|id| json!({"id": id, "selected": [], "custom": text}))
        .into_iter()
        .collect();
    let answer = json!({"answers": answers}).to_string();
    let line = format!("POST {path}/answer");
    let taken = raw.call(&line, served.host.answerer.secret(), "", &answer).await;

    assert_eq!((taken.status, &taken.json()["state"]), (200, &json!("answered")));
}

#[tokio::test]
async fn what_is_refused_for_want_of_room_was_not_done_and_what_was_done_is_told() {
    let limits = Limits { held: 1 << 20, ..Limits::default() };
    let served = Served::with(limits).await;
    let path = served.host.asker.ask(&large(3)).await;
    let token = served.host.answerer.secret();
    let line = format!("POST {path}/answer");
    let answers: Vec<_> =
        ["0", "1", "2"].map(|id| json!({"id": id, "selected": []})).into_iter().collect();
    let answer = json!({"answers": answers}).to_string();
    // The person leaves unread what is more than may be held.
    let mut deaf = Raw::hard_of_hearing(served.address).await;
    deaf.send(head(&format!("GET {path}"), token, "", 0)).await;
    let mut begun = [0; 12];
    deaf.stream.peek(&mut begun).await.unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");
    let mut raw = Raw::connect(served.address).await;
    assert_eq!(raw.call(&format!("GET {path}"), token, "", "").await.status, 429);

    let refused = raw.call(&line, token, "", &answer).await;
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RATE_LIMITED")));
    assert_eq!(served.host.asker.state(&path).await, "pending");

    drop(deaf);
    let told = || async {
        let mut raw = Raw::connect(served.address).await;
        raw.call(&line, token, "", &answer).await.status == 200
    };
    eventually("there is room again", told).await;
    assert_eq!(served.host.asker.state(&path).await, "answered");
}

#[tokio::test]
async fn nothing_is_done_for_a_credential_that_was_revoked_while_the_body_came() {
    let served = Served::new().await;
    let host = &served.host;
    let path = host.asker.ask(&r1()).await;
    let answer = chosen("db", "SQLite").to_string();
    let question = r1().to_string();
    let calls = [
        (format!("POST {path}/answer"), &host.answerer, &answer),
        (ASK.to_owned(), &host.other, &question),
    ];
    let mut half_sent = Vec::new();
    for (line, agent, body) in calls {
        let mut raw = Raw::connect(served.address).await;
        raw.send(head(&line, agent.secret(), "expect: 100-continue\r\n", body.len())).await;
        // It was let in, and waits for the body.
        assert_eq!(raw.response().await.status, 100);
        half_sent.push((raw, body));
    }
    let all = host.admin.get("/api/v1/credentials").await.ok();
    for credential in all.as_array().unwrap() {
        if ["answerer", "other"].contains(&credential["name"].as_str().unwrap()) {
            let id = credential["id"].as_str().unwrap();
            let revoke = format!("/api/v1/credentials/{id}/revoke");
            host.admin.post(&revoke, &json!({})).await.ok();
        }
    }

    for (mut raw, body) in half_sent {
        raw.send(body).await;
        let refused = raw.response().await;
        assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("UNAUTHORIZED")));
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}
