//! How long a call waits, and what it says meanwhile.

use std::time::Duration;

use askwell_core::wire::Leaving;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::client::Client;
use crate::host::FakeHost;

const LONG: Duration = Duration::from_secs(100_000);

fn ask(meta: &Value) -> Value {
    let request = json!({"questions": [{"id": "q", "question": "Which?", "options": ["A", "B"]}]});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ask_user_question", "arguments": request, "_meta": meta}})
}

#[tokio::test(start_paused = true)]
async fn a_call_of_an_unknown_client_is_pending_after_45_seconds_of_signs_of_life() {
    let host = FakeHost::default();
    let mut client = Client::start(&host, "unheard-of").await;
    let began = Instant::now();
    client.send(&ask(&json!({"progressToken": 7})));

    let mut signs = Vec::new();
    let result = loop {
        let message = client.next(LONG).await.unwrap();
        match message["method"].as_str() {
            Some("notifications/progress") => {
                assert_eq!(message["params"]["progressToken"], 7);
                let progress = message["params"]["progress"].as_f64().unwrap();
                signs.push((began.elapsed().as_secs(), progress));
            }
            _ => break message,
        }
    };

    assert_eq!(signs, [(0, 1.0), (10, 2.0), (20, 3.0), (30, 4.0), (40, 5.0)]);
    assert_eq!(began.elapsed().as_secs(), 45);
    assert_eq!(result["result"]["structuredContent"]["state"], "pending");
    assert_eq!(host.left(), [Leaving::Told]);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_known_to_wait_gets_the_answer_of_three_hours_later_in_the_same_call() {
    let host = FakeHost::default();
    let mut client = Client::start(&host, "claude-code").await;
    client.send(&ask(&json!({"progressToken": "t"})));
    let person = host.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(3 * 3_600)).await;
        person.answer(&json!({"answers": [{"id": "q", "selected": ["B"]}]}));
    });

    let mut signs = 0;
    let result = loop {
        let message = client.next(LONG).await.unwrap();
        match message["method"].is_null() {
            true => break message,
            false => signs += 1,
        }
    };

    assert!(signs > 1_000, "{signs}");
    let answers = json!({"answers": [{"id": "q", "selected": ["B"]}]});
    assert_eq!(result["result"]["structuredContent"], answers);
    assert_eq!(host.left(), []);
}

#[tokio::test(start_paused = true)]
async fn a_person_who_answers_at_once_is_heard_at_once_and_once() {
    let answers = json!({"answers": [{"id": "q", "selected": ["A"]}]});
    let host = FakeHost::answering(answers.clone());
    let mut client = Client::start(&host, "unheard-of").await;
    let began = Instant::now();
    client.send(&ask(&json!({})));

    let result = client.next(LONG).await.unwrap();

    assert_eq!(result["result"]["structuredContent"], answers);
    assert_eq!((began.elapsed().as_secs(), host.left()), (0, vec![]));
    assert_eq!(client.next(LONG).await, None);
}

#[tokio::test(start_paused = true)]
async fn who_gave_no_token_is_told_nothing_meanwhile() {
    let host = FakeHost::default();
    let mut client = Client::start(&host, "unheard-of").await;
    client.send(&ask(&json!({})));

    let first = client.next(LONG).await.unwrap();

    assert_eq!(first["result"]["structuredContent"]["state"], "pending");
}
