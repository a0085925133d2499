//! Drafts through the API: state with a revision, stale questions refused one by one.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::support::{TestHost, r3};

fn write(id: &str, custom: &str, base: u64) -> Value {
    json!({"id": id, "chosen": [], "custom": custom, "customOn": true, "skipped": false, "base": base})
}

#[tokio::test]
async fn a_stale_question_is_told_as_it_stands_and_the_others_are_saved() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r3()).await;
    let draft = format!("{path}/draft");
    let first = json!({"questions": [write("db", "mine", 0)]});
    host.answerer.put(&draft, &first).await.ok();

    let second = json!({"questions": [write("db", "late", 0), write("name", "askwell", 0)]});
    let reply = host.answerer.put(&draft, &second).await;

    assert_eq!(reply.problem(), (409, "STALE_DRAFT".to_owned()));
    let questions = reply.json()["draft"]["questions"].take();
    assert_eq!(
        (&questions[0]["result"], &questions[0]["custom"]),
        (&json!("STALE_DRAFT"), &json!("mine"))
    );
    assert_eq!(questions[0]["kept"][0]["text"], "late");
    assert_eq!(
        (&questions[1]["result"], &questions[1]["custom"]),
        (&json!("saved"), &json!("askwell"))
    );
    let stored = host.answerer.get(&draft).await.ok()["questions"].take();
    let texts: Vec<&str> =
        stored.as_array().unwrap().iter().map(|it| it["custom"].as_str().unwrap()).collect();
    assert_eq!(texts, ["mine", "", "askwell"]);
    assert_eq!(stored[0]["kept"][0]["text"], "late");

    let base = stored[0]["revision"].as_u64().unwrap();
    let again = json!({"questions": [write("db", "late", base)]});
    assert_eq!(host.answerer.put(&draft, &again).await.ok()["questions"][0]["custom"], "late");
}

#[tokio::test]
async fn askers_see_no_draft() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r3()).await;
    let sent = json!({"questions": [write("db", "secret thoughts", 0)]});
    host.answerer.put(&format!("{path}/draft"), &sent).await.ok();

    assert_eq!(host.asker.get(&format!("{path}/draft")).await.problem().0, 403);
    assert_eq!(host.asker.put(&format!("{path}/draft"), &sent).await.problem().0, 403);
    for place in [&path, "/api/v1/requests"] {
        assert!(!host.asker.get(place).await.text.contains("secret thoughts"), "{place}");
    }
}

#[tokio::test]
async fn a_write_of_another_shape_is_told_where() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r3()).await;
    for (sent, place) in [
        (json!({}), "$"),
        (json!([]), "$"),
        (json!({"questions": [{"id": "db"}, {"id": 7}]}), "questions[1]"),
        (json!({"questions": [{"id": "db", "base": -1}]}), "questions[0].base"),
    ] {
        let reply = host.answerer.put(&format!("{path}/draft"), &sent).await;

        assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()), "{sent}");
        assert_eq!(reply.json()["faults"][0]["path"], place, "{sent} {}", reply.text);
    }
    let unknown = json!({"questions": [write("nothing", "x", 0)]});
    let reply = host.answerer.put(&format!("{path}/draft"), &unknown).await;
    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
}
