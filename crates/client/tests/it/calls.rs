//! Single calls: what goes over the wire, what comes back, what is tried again.

use std::time::Duration;

use askwell_client::{Access, Client};
use askwell_core::ErrorCode;
use askwell_core::wire::{
    DraftWrite, IdempotencyKey, Inbox, ListQuery, Posting, ProviderName, Response,
};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::server::{Reply, Server};
use crate::{access, asked, client, id, postgres, problem, request, view};

#[test]
fn a_call_carries_the_credential_and_the_request() {
    let server = Server::start(|_, _| Reply::Json(201, asked(false)));

    let got = client(&server).ask(&request(), &Posting::attached()).unwrap();

    assert_eq!(serde_json::to_value(got).unwrap(), asked(false));
    let call = &server.asked()[0];
    assert_eq!(call.line, "POST /api/v1/requests?attach=true");
    assert_eq!(call.header("authorization"), Some("Bearer secret"));
    assert_eq!(call.json(), json!(*request()));
}

#[test]
fn b120_a_post_that_broke_is_found_again_by_a_key_of_its_own() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Cut,
        _ => Reply::Json(200, asked(true)),
    });

    let got = client(&server).ask(&request(), &Posting::detached()).unwrap();

    let calls = server.asked();
    let keys: Vec<_> = calls.iter().map(|call| call.header("idempotency-key")).collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0].is_some() && keys[0] == keys[1], "{keys:?}");
    // To the caller it is the first one.
    assert!(!got.joined);
}

#[test]
fn a_post_with_a_derived_key_is_not_sent_twice() {
    // Its first waiter would be live: a second one would be asked as another request.
    let server = Server::start(|_, _| Reply::Cut);
    let key = IdempotencyKey::derived("session-questions").unwrap();

    let error = client(&server).ask(&request(), &Posting::attached().with_key(key)).unwrap_err();

    assert_eq!(error.code, ErrorCode::HostUnreachable);
    assert_eq!(server.asked().len(), 1);
    assert_eq!(server.asked()[0].header("askwell-derived-key"), Some("session-questions"));
    assert_eq!(server.asked()[0].header("idempotency-key"), None);
}

#[test]
fn a_stale_write_is_told_question_by_question() {
    let saved = json!({"revision": 3, "questions": [{"result": "STALE_DRAFT", "id": "db",
        "chosen": [], "custom": "theirs", "customOn": true, "skipped": false, "revision": 2,
        "kept": [{"text": "mine", "at": 1}]}]});
    let told = saved.clone();
    let server = Server::start(move |_, _| {
        let mut stale = problem("STALE_DRAFT", 409);
        stale["draft"] = told.clone();
        Reply::Json(409, stale)
    });

    let got = client(&server).save_draft(id(), &DraftWrite::default()).unwrap();

    assert_eq!(serde_json::to_value(got).unwrap(), saved);
}

#[test]
fn an_own_key_is_passed_on_and_its_join_told() {
    let server = Server::start(|_, _| Reply::Json(200, asked(true)));
    let key = IdempotencyKey::explicit("release 7, ünïcode").unwrap();

    let got = client(&server).ask(&request(), &Posting::detached().with_key(key)).unwrap();

    assert!(got.joined);
    assert_eq!(server.asked()[0].header("idempotency-key"), Some("release 7, ünïcode"));
}

#[test]
fn a_problem_is_the_error_that_the_host_had() {
    let server = Server::start(|_, _| {
        let mut problem = problem("NOT_PENDING", 409);
        problem["ended"] = json!({"state": "answered", "receipt": {"at": 5, "provider": "web"},
            "outcome": postgres()});
        Reply::Json(409, problem)
    });

    let response = Response { answers: json!([]), provider: ProviderName::Terminal };
    let error = client(&server).answer(id(), &response).unwrap_err();

    assert_eq!(error.code, ErrorCode::NotPending);
    assert_eq!(error.message, "as the host says it");
    assert_eq!(error.details.ended.unwrap().outcome, postgres());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn what_is_no_host_is_told_as_such() {
    for (status, body) in [(404, "not here"), (200, "<html>")] {
        let server = Server::start(move |_, _| Reply::Text(status, body));

        let error = client(&server).list(&ListQuery::default()).unwrap_err();

        assert_eq!(error.code, ErrorCode::HostVersion, "{error}");
    }
}

#[test]
fn a_host_that_is_not_there_is_told_at_once_with_a_hint() {
    let port = Server::start(|_, _| Reply::Cut).port();
    let access = Access { url: format!("http://127.0.0.1:{port}"), token: None };
    let client = Client::with_patience(access, Duration::ZERO);

    let error = client.get(id()).unwrap_err();

    assert_eq!(error.code, ErrorCode::HostUnreachable);
    assert!(error.hint.unwrap().contains("askwell status"));
}

#[test]
fn a_wrong_credential_is_told_with_what_to_do() {
    let server = Server::start(|_, _| Reply::Json(401, problem("UNAUTHORIZED", 401)));
    let access = Access { token: None, ..access(&server) };

    let error = Client::new(access).get(id()).unwrap_err();

    assert_eq!(error.code, ErrorCode::Unauthorized);
    assert!(error.hint.unwrap().contains("ASKWELL_TOKEN"));
}

#[test]
fn b117_an_answer_whose_receipt_was_lost_is_not_sent_twice() {
    let server = Server::start(|_, call| match call.line.starts_with("POST") {
        true => Reply::Cut,
        false => Reply::Json(200, view("answered", Some(postgres()))),
    });

    let answers = postgres()["answers"].clone();
    let response = Response { answers, provider: ProviderName::Terminal };
    let got = client(&server).answer(id(), &response).unwrap();

    assert_eq!(serde_json::to_value(got).unwrap(), view("answered", Some(postgres())));
    let posts = server.lines().iter().filter(|line| line.starts_with("POST")).count();
    assert_eq!(posts, 1);
}

#[test]
fn b117_an_answer_that_never_arrived_is_sent_again() {
    let server = Server::start(|number, call| match (number, call.line.starts_with("POST")) {
        (0, _) => Reply::Cut,
        (_, true) => Reply::Json(200, view("answered", Some(postgres()))),
        (_, false) => Reply::Json(200, view("pending", None)),
    });

    let answers = postgres()["answers"].clone();
    let response = Response { answers, provider: ProviderName::Terminal };
    client(&server).answer(id(), &response).unwrap();

    let posts = server.lines().iter().filter(|line| line.starts_with("POST")).count();
    assert_eq!(posts, 2);
}

#[test]
fn too_much_at_once_is_tried_again() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Json(429, problem("RATE_LIMITED", 429)),
        _ => Reply::Json(200, view("pending", None)),
    });

    client(&server).get(id()).unwrap();

    assert_eq!(server.asked().len(), 2);
}
