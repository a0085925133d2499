//! What Prometheus reads.

use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::{TestHost, chosen, r1};

#[tokio::test]
async fn counts_and_times_are_in_the_text_format() {
    let host = TestHost::new().await;
    let answered = host.asker.ask(&r1()).await;
    host.asker.ask(&r1()).await;
    let cancelled = host.asker.ask(&r1()).await;
    host.answerer.post(&format!("{answered}/answer"), &chosen("db", "SQLite")).await.ok();
    host.answerer.post(&format!("{cancelled}/cancel"), &json!({})).await.ok();
    host.answerer.post(&format!("{cancelled}/cancel"), &json!({})).await.problem();

    let reply = host.admin.get("/metrics").await;

    assert_eq!(reply.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    for line in [
        "askwell_pending 1",
        "askwell_settled_total{outcome=\"answered\"} 1",
        "askwell_settled_total{outcome=\"cancelled\"} 1",
        "askwell_settled_total{outcome=\"expired\"} 0",
        "askwell_http_responses_total{call=\"ask\",status=\"2xx\"} 3",
        "askwell_http_responses_total{call=\"cancel\",status=\"4xx\"} 1",
        "askwell_http_seconds_bucket{call=\"ask\",le=\"+Inf\"} 3",
        "askwell_http_seconds_count{call=\"answer\"} 1",
    ] {
        assert!(reply.text.lines().any(|it| it == line), "{line} is not in\n{}", reply.text);
    }
    assert!(
        reply.text.contains("askwell_store_commit_seconds_bucket{le=\"0.001\"}"),
        "{}",
        reply.text
    );
    assert_eq!(host.nobody.get("/metrics").await.problem().0, 401);
    assert_eq!(host.answerer.get("/metrics").await.problem().0, 403);
}

#[tokio::test]
async fn every_family_is_described_once_and_every_bucket_holds_those_before_it() {
    let host = TestHost::new().await;
    host.asker.ask(&r1()).await;

    let text = host.admin.get("/metrics").await.text;

    let mut described = std::collections::BTreeSet::new();
    let mut last: Option<(String, u64)> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            assert!(described.insert(rest.split(' ').next().unwrap().to_owned()), "{line}");
        } else if !line.starts_with('#') {
            let (sample, value) = line.rsplit_once(' ').unwrap();
            let name = sample.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|end| name.strip_suffix(end))
                .filter(|family| described.contains(*family))
                .unwrap_or(name);
            assert!(described.contains(family), "{line}");
            if name.ends_with("_bucket") {
                let series = sample.split("le=").next().unwrap().to_owned();
                let value: u64 = value.parse().unwrap();
                if let Some((_, before)) = last.filter(|(before, _)| *before == series) {
                    assert!(value >= before, "{line}");
                }
                last = Some((series, value));
            }
        }
    }
    assert!(described.len() > 8);
}

#[tokio::test]
async fn the_status_is_for_admins() {
    let host = TestHost::new().await;
    host.asker.ask(&r1()).await;

    let status = host.admin.get("/api/v1/status").await.ok();

    assert_eq!((&status["pending"], &status["instance"]), (&json!(1), &json!("test")));
    assert_eq!(status["pid"], std::process::id());
    assert_eq!(host.asker.get("/api/v1/status").await.problem().0, 403);
}
