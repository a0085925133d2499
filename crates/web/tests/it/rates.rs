//! Too many calls of one credential.

use askwell_web::Limits;
use pretty_assertions::assert_eq;

use crate::support::{TestHost, r1};

#[tokio::test]
async fn one_credential_in_a_hurry_is_slowed_and_no_other() {
    let limits = Limits { rate: 1, burst: 3, ..Limits::default() };
    let host = TestHost::with(limits).await;
    for _ in 0..3 {
        host.asker.ask(&r1()).await;
    }
    let reply = host.asker.post("/api/v1/requests", &r1()).await;

    assert_eq!(reply.problem(), (429, "RATE_LIMITED".to_owned()));
    assert_eq!(reply.header("retry-after"), "1");
    host.other.ask(&r1()).await;
    let waiting = host.answerer.get("/api/v1/requests").await.ok();
    assert_eq!(waiting["requests"].as_array().unwrap().len(), 4);
}
