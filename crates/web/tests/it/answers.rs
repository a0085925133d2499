//! Answers through `POST …/answer`: every language-neutral case, and what hostile clients send.

use askwell_core::limits;
use askwell_testkit::vectors::{Kind, cases};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{TestHost, chosen, r1, r3};

#[tokio::test]
async fn every_answer_vector_is_accepted_or_refused_with_the_request_still_pending() {
    let host = TestHost::new().await;
    let (mut accepted, mut refused) = (0, 0);
    for case in cases(Kind::Answer) {
        let path = host.asker.ask(&json!({"questions": case.value["questions"]})).await;

        let reply = host.answerer.post(&format!("{path}/answer"), &case.value["answer"]).await;

        let expect = &case.value["expect"];
        if let Some(canonical) = expect.get("accept") {
            assert_eq!(reply.ok()["outcome"], *canonical, "{}", case.place());
            let view = host.asker.get(&format!("{path}?wait=0")).await.ok();
            assert_eq!((&view["state"], &view["outcome"]), (&json!("answered"), canonical));
            accepted += 1;
        } else {
            assert_eq!(reply.problem(), (422, "BAD_RESPONSE".to_owned()), "{}", case.place());
            assert_eq!(
                issues(&reply.json()["issues"]),
                issues(&expect["reject"]),
                "{}",
                case.place()
            );
            assert_eq!(host.asker.state(&path).await, "pending", "{}", case.place());
            refused += 1;
        }
    }
    assert!(accepted > 15 && refused > 15, "{accepted} {refused}");
}

/// Issues as question and code, in one order.
fn issues(issues: &Value) -> Vec<(Option<String>, String)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let issues = issues.as_array().unwrap().iter();
    let mut issues: Vec<_> =
        issues.map(|issue| (text(&issue["question"]), text(&issue["code"]).unwrap())).collect();
    issues.sort();
    issues
}

#[tokio::test]
async fn b013_a_crafted_answer_of_two_labels_to_a_single_select_leaves_it_pending() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let crafted = json!({"answers": [{"id": "db", "selected": ["Postgres", "SQLite"]}]});
    let reply = host.answerer.post(&format!("{path}/answer"), &crafted).await;

    assert_eq!(reply.problem(), (422, "BAD_RESPONSE".to_owned()));
    assert_eq!(reply.json()["issues"][0]["code"], "too-many-selected");
    assert_eq!(host.answerer.state(&path).await, "pending");

    host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();
    assert_eq!(host.asker.state(&path).await, "answered");
}

#[tokio::test]
async fn b059_what_is_read_again_stands_as_it_ended_or_as_it_waits() {
    let host = TestHost::new().await;
    let (answered, pending) = (host.asker.ask(&r3()).await, host.asker.ask(&r1()).await);
    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth"], "custom": "SSO"},
        {"id": "name", "selected": []},
    ]});
    host.answerer.post(&format!("{answered}/answer"), &answers).await.ok();

    for agent in [&host.asker, &host.answerer] {
        let view = agent.get(&answered).await.ok();
        assert_eq!((&view["state"], &view["outcome"]), (&json!("answered"), &answers));
        assert_eq!(view["receipt"]["provider"], "api");
        let view = agent.get(&pending).await.ok();
        assert_eq!((&view["state"], view.get("outcome")), (&json!("pending"), None));
    }
    let waiting = host.answerer.get("/api/v1/requests").await.ok();
    let ids: Vec<&Value> =
        waiting["requests"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [pending.rsplit('/').next().unwrap()]);
}

#[rstest]
#[case::unknown_label(json!({"answers": [{"id": "db", "selected": ["MySQL"]}]}), "unknown-label")]
#[case::a_number(json!({"answers": [{"id": "db", "selected": [7]}]}), "malformed")]
#[case::no_list(json!({"answers": [{"id": "db", "selected": "Postgres"}]}), "malformed")]
#[case::missing(json!({"answers": []}), "missing-answer")]
#[case::null(json!({"answers": null}), "malformed")]
#[case::nothing(json!({}), "malformed")]
#[case::no_object(json!([]), "malformed")]
#[case::an_object(json!({"answers": {"db": "Postgres"}}), "malformed")]
#[case::huge(json!({"answers": [{"id": "db", "selected": [], "custom": "x".repeat(1 << 20)}]}), "custom-too-long")]
#[case::another_question(
    json!({"answers": [{"id": "db", "selected": []}, {"id": "x", "selected": []}]}),
    "unknown-question"
)]
#[tokio::test]
async fn b139_nothing_unchecked_is_handed_on(#[case] sent: Value, #[case] issue: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let reply = host.answerer.post(&format!("{path}/answer"), &sent).await;

    assert_eq!(reply.problem(), (422, "BAD_RESPONSE".to_owned()));
    assert_eq!(reply.json()["issues"][0]["code"], issue);
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn b139_what_is_not_asked_for_is_ignored_and_not_kept() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;

    let sent = json!({
        "answers": [{"id": "db", "selected": ["SQLite"], "custom": null, "extra": 1}],
        "provider": "rule", "state": "cancelled",
    });
    let view = host.answerer.post(&format!("{path}/answer"), &sent).await.ok();

    assert_eq!(view["outcome"], chosen("db", "SQLite"));
    assert_eq!(view["receipt"]["provider"], "rule");
}

#[tokio::test]
async fn a_provider_that_is_none_is_refused() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for (provider, rule) in [(json!("pager"), "is not known"), (json!(7), "is a number")] {
        let mut sent = chosen("db", "SQLite");
        sent["provider"] = provider;

        let reply = host.answerer.post(&format!("{path}/answer"), &sent).await;

        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
        let fault = &reply.json()["faults"][0];
        assert_eq!(fault["path"], "provider");
        assert!(fault["rule"].as_str().unwrap().starts_with(rule), "{fault}");
        assert_eq!(host.asker.state(&path).await, "pending");
    }
}

#[tokio::test]
async fn the_second_of_two_submits_is_told_how_it_ended() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();

    for (what, body) in [
        ("answer", chosen("db", "Postgres")),
        ("cancel", json!({"comment": "later"})),
        ("extend", json!({})),
    ] {
        let reply = host.answerer.post(&format!("{path}/{what}"), &body).await;

        assert_eq!(reply.problem(), (409, "NOT_PENDING".to_owned()), "{what}");
        let ended = reply.json()["ended"].take();
        assert_eq!(ended["state"], "answered");
        assert_eq!(ended["outcome"], chosen("db", "SQLite"));
        assert!(ended["receipt"]["at"].is_i64());
    }
    let reply = host.asker.post(&format!("{path}/abort"), &json!({})).await;
    assert_eq!(reply.problem(), (409, "NOT_PENDING".to_owned()));
    assert_eq!(host.asker.get(&path).await.ok()["outcome"], chosen("db", "SQLite"));
}

#[tokio::test]
async fn of_many_answers_at_once_one_is_taken() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    let labels = ["Postgres", "SQLite", "DuckDB"];
    let tries = (0..30).map(|index| {
        let (agent, path) = (host.answerer.clone(), format!("{path}/answer"));
        let answer = chosen("db", labels[index % 3]);
        tokio::spawn(async move { (agent.post(&path, &answer).await, answer) })
    });
    let tries: Vec<_> = tries.collect();

    let mut taken = Vec::new();
    for attempt in tries {
        let (reply, answer) = attempt.await.unwrap();
        match reply.status.as_u16() {
            200 => taken.push(answer),
            _ => assert_eq!(reply.problem(), (409, "NOT_PENDING".to_owned())),
        }
    }

    assert_eq!(taken.len(), 1);
    assert_eq!(host.asker.get(&path).await.ok()["outcome"], taken[0]);
}

#[tokio::test]
async fn a_cancel_is_told_with_its_comment_and_is_no_answer() {
    let host = TestHost::new().await;
    for (sent, comment) in [
        (
            json!({"comment": "explain DuckDB first", "provider": "terminal"}),
            Some("explain DuckDB first"),
        ),
        (json!({}), None),
        (json!({"comment": null, "provider": null}), None),
    ] {
        let path = host.asker.ask(&r1()).await;
        host.answerer.post(&format!("{path}/cancel"), &sent).await.ok();

        let outcome = host.asker.get(&path).await.ok()["outcome"].take();
        assert_eq!(outcome["state"], "cancelled");
        assert_eq!(outcome.get("comment").and_then(Value::as_str), comment);
        assert_eq!(outcome.get("answers"), None);
    }
}

#[tokio::test]
async fn a_name_that_stands_twice_in_an_answer_is_refused_as_in_a_request() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    for twice in [
        r#"{"answers": [], "answers": [{"id": "db", "selected": ["SQLite"]}]}"#,
        r#"{"answers": [{"id": "db", "selected": ["Postgres"], "selected": ["SQLite"]}]}"#,
        r#"{"answers": [{"id": "db", "selected": ["SQLite"]}], "provider": "web", "provider": "api"}"#,
    ] {
        let reply = host.answerer.post_text(&format!("{path}/answer"), twice).await;

        assert_eq!(reply.problem(), (400, "BAD_REQUEST".to_owned()), "{twice}");
        assert!(reply.text.contains("stands twice in one object"), "{}", reply.text);
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn a_late_answer_is_kept_as_deep_as_readers_follow() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    host.answerer.post(&format!("{path}/answer"), &chosen("db", "SQLite")).await.ok();
    let late =
        |levels: usize| json!({"answers": (0..levels).fold(json!(1), |value, _| json!([value]))});

    let kept = host.answerer.post(&format!("{path}/answer"), &late(limits::NESTING)).await;
    let refused = host.answerer.post(&format!("{path}/answer"), &late(limits::NESTING + 1)).await;

    assert_eq!(kept.problem(), (409, "NOT_PENDING".to_owned()));
    assert_eq!(refused.problem(), (422, "LIMIT_EXCEEDED".to_owned()));
    assert_eq!(refused.json()["faults"][0]["path"], "answers");
    let view = host.answerer.get(&path).await.ok();
    assert_eq!(view["late"].as_array().unwrap().len(), 1);
}
