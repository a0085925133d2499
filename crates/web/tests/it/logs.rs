//! What is logged at the usual level: which call, by which credential, how it ended. Never a text of a
//! request or an answer, and never a secret.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use pretty_assertions::assert_eq;
use serde_json::json;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::support::TestHost;

/// Where the log goes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_text_and_no_secret_is_logged() {
    let host = TestHost::new().await;
    let log = Log::default();
    let writer = Log(Arc::clone(&log.0));
    let logging = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _logging = tracing::subscriber::set_default(logging);

    let request = json!({"questions": [
        {"id": "q", "question": "hush question", "options": [{"label": "hush label"}]}]});
    let path = host.asker.ask(&request).await;
    let (draft, answer) = (format!("{path}/draft"), format!("{path}/answer"));
    let write = json!({"questions": [{"id": "q", "custom": "hush draft", "customOn": true}]});
    host.answerer.put(&draft, &write).await.ok();
    let stale = json!({"questions": [{"id": "q", "custom": "hush late", "customOn": true}]});
    host.answerer.put(&draft, &stale).await.problem();
    let wrong = json!({"answers": [{"id": "q", "selected": ["hush wrong"]}]});
    host.answerer.post(&answer, &wrong).await.problem();
    host.answerer.post_text(&answer, "{\"hush").await.problem();
    host.answerer.post(&answer, &json!({"answers": [], "provider": "hush"})).await.problem();
    let right = json!({"answers": [{"id": "q", "selected": ["hush label"]}]});
    host.answerer.post(&answer, &right).await.ok();
    host.answerer.get("/api/v1/history?search=hush").await.ok();
    host.answerer.get("/api/v1/history?limit=hush").await.problem();
    host.nobody.get("/hush").await.problem();

    let told = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(!told.contains("hush"), "{told}");
    for agent in host.everybody().iter().filter(|agent| agent.token.is_some()) {
        assert!(!told.contains(agent.secret()));
    }
    // Something is: each call, with its path, its credential and its end.
    assert_eq!(told.matches("call=\"answer\"").count(), 4, "{told}");
    assert_eq!(told.matches("status=422").count(), 3, "{told}");
    assert!(told.contains(&format!("path=\"{path}/answer\"")), "{told}");
    assert!(told.contains("credential="), "{told}");
}
