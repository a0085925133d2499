//! Who may do what: credentials, roles, and what belongs to another asker.

use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use crate::document::{calls, roles, with_some_id};
use crate::support::{TestHost, chosen, r1};

#[tokio::test]
async fn b123_every_call_but_healthz_needs_a_credential() {
    let host = TestHost::new().await;
    let pending = host.asker.ask(&r1()).await;
    for (method, path) in calls() {
        let path = path.replace("/api/v1/requests/{id}", &pending).replace("{id}", "x");
        for method in [method, Method::POST] {
            let request = host.nobody.request(method.clone(), &path);
            let request = request.header("content-type", "application/json");
            let reply = host
                .nobody
                .send(request.body(chosen("db", "SQLite").to_string().into()).unwrap())
                .await;

            assert!(!reply.text.contains("database"), "{method} {path}");
            match path.as_str() {
                "/healthz" if method == Method::GET => assert_eq!(reply.status, 200),
                _ if reply.status == 405 => {}
                _ => {
                    assert_eq!(
                        reply.problem(),
                        (401, "UNAUTHORIZED".to_owned()),
                        "{method} {path}"
                    );
                    assert_eq!(reply.header("www-authenticate"), "Bearer realm=\"askwell\"");
                }
            }
        }
    }
    assert_eq!(host.asker.state(&pending).await, "pending");
}

#[tokio::test]
async fn every_call_is_open_to_the_roles_of_the_document_and_to_no_other() {
    let host = TestHost::new().await;
    for (method, path) in calls().into_iter().filter(|(_, path)| path != "/healthz") {
        let allowed = roles(&method, &path);
        assert!(!allowed.is_empty());
        for (role, agent) in
            [("asker", &host.asker), ("answerer", &host.answerer), ("admin", &host.admin)]
        {
            // Not JSON, so that a change that is let in stops before it changes anything.
            let request = agent.request(method.clone(), &with_some_id(&path)).body(Body::empty());
            // A stream that is let in has no end to wait for.
            let reply = match path.as_str() {
                "/api/v1/events" => agent.head_of(request.unwrap()).await,
                _ => agent.send(request.unwrap()).await,
            };

            let forbidden = reply.status == 403;
            let expected = !allowed.iter().any(|it| it == role);
            assert_eq!(forbidden, expected, "{role}: {method} {path}: {}", reply.text);
            if forbidden {
                assert_eq!(reply.header("content-type"), "application/problem+json");
            }
        }
    }
}

#[rstest]
#[case("")]
#[case("Bearer")]
#[case("Bearer ")]
#[case("Basic YXNrZXI6YXNrZXI=")]
#[case("Bearer wrong")]
#[case("Bearer asker x")]
#[tokio::test]
async fn what_is_no_known_token_is_401(#[case] value: &str) {
    let host = TestHost::new().await;
    let request = host.nobody.request(Method::GET, "/api/v1/requests");
    let reply =
        host.nobody.send(request.header("authorization", value).body(Body::empty()).unwrap()).await;

    assert_eq!(reply.problem(), (401, "UNAUTHORIZED".to_owned()));
}

#[tokio::test]
async fn two_tokens_are_none() {
    let host = TestHost::new().await;
    let request = host.asker.request(Method::GET, "/api/v1/requests");
    let twice = request.header("authorization", format!("Bearer {}", host.asker.secret()));

    let reply = host.asker.send(twice.body(Body::empty()).unwrap()).await;

    assert_eq!(reply.problem(), (401, "UNAUTHORIZED".to_owned()));
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case() {
    let host = TestHost::new().await;
    let request = host.nobody.request(Method::GET, "/api/v1/requests");
    let value = format!("bearer  {}", host.asker.secret());

    let reply =
        host.nobody.send(request.header("authorization", value).body(Body::empty()).unwrap());

    reply.await.ok();
}

#[tokio::test]
async fn a_foreign_request_is_not_there_and_neither_is_an_unknown_one() {
    let host = TestHost::new().await;
    let foreign = host.asker.ask(&r1()).await;
    let unknown = "/api/v1/requests/01a0c450-6c00-7bab-abab-abababababab".to_owned();
    let no_id = "/api/v1/requests/%3Cimg%20src=x%3E".to_owned();
    for path in [&foreign, &unknown, &no_id] {
        let mut replies = vec![
            host.other.get(path).await,
            host.other.get(&format!("{path}?wait=1")).await,
            host.other.post(&format!("{path}/detach"), &json!({})).await,
            host.other.post(&format!("{path}/pick-up"), &json!({})).await,
            host.other.post(&format!("{path}/abort"), &json!({})).await,
        ];
        if path != &foreign {
            let answer = chosen("db", "SQLite");
            replies.push(host.answerer.post(&format!("{path}/answer"), &answer).await);
            replies.push(host.answerer.get(&format!("{path}/draft")).await);
            replies.push(host.answerer.post(&format!("{path}/cancel"), &json!({})).await);
            replies.push(host.answerer.post(&format!("{path}/extend"), &json!({})).await);
        }
        for reply in replies {
            assert_eq!(reply.problem(), (404, "NOT_FOUND".to_owned()), "{path}");
            assert!(
                !reply.text.contains("database") && !reply.text.contains("img"),
                "{}",
                reply.text
            );
        }
    }
    assert_eq!(host.asker.state(&foreign).await, "pending");
    let listed = host.other.get("/api/v1/requests").await.ok();
    assert_eq!(listed["requests"], json!([]));
}

#[tokio::test]
async fn a_credential_is_made_used_and_revoked() {
    let host = TestHost::new().await;
    let new = json!({"role": "asker", "name": "ci"});
    let reply = host.admin.post("/api/v1/credentials", &new).await;
    assert_eq!(reply.status, 201);
    let made = reply.ok();
    let mut agent = host.nobody.clone();
    agent.token = Some(made["token"].as_str().unwrap().to_owned());
    agent.ask(&r1()).await;

    let listed = host.admin.get("/api/v1/credentials").await;
    assert!(listed.ok().as_array().unwrap().contains(&made["credential"]));
    assert!(!listed.text.contains(agent.secret()));
    let id = made["credential"]["id"].as_str().unwrap();
    let revoked =
        host.admin.post(&format!("/api/v1/credentials/{id}/revoke"), &json!({})).await.ok();

    assert!(revoked["revokedAt"].is_i64());
    assert_eq!(agent.get("/api/v1/requests").await.problem(), (401, "UNAUTHORIZED".to_owned()));
    for id in ["01a0c450-6c00-7bab-abab-abababababab", "x"] {
        let reply = host.admin.post(&format!("/api/v1/credentials/{id}/revoke"), &json!({})).await;
        assert_eq!(reply.problem(), (404, "NOT_FOUND".to_owned()));
    }
    let reply = host.admin.post("/api/v1/credentials", &json!({"role": "god", "name": "x"})).await;
    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
    assert_eq!(reply.json()["faults"][0]["path"], "role");
}
