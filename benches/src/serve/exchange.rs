//! One cycle: a request is asked, its event arrives, it is answered, and who waits has the outcome.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::http::{Connection, Events, get, id_after, post};
use super::program::Host;

/// What is asked.
pub fn question() -> String {
    let labels = ["Search", "Export", "Import", "Accounts", "Webhooks"];
    let options = labels.map(|label| json!({"label": label}));
    let question = "Which features should the first release have?";
    let question =
        json!({"id": "features", "question": question, "options": options, "multiSelect": true});
    json!({"questions": [question], "asker": {"name": "bench", "session": "one"}}).to_string()
}

/// What is answered.
pub fn answer() -> String {
    let answer = json!({"id": "features", "selected": ["Search", "Import"], "custom": "And speed"});
    json!({"answers": [answer], "provider": "api"}).to_string()
}

/// The calls of a cycle to one host.
#[derive(Clone)]
pub struct Calls {
    ask: Vec<u8>,
    asker: String,
    answerer: String,
    answer: String,
}

impl Calls {
    /// Those to this host.
    pub fn of(host: &Host) -> Self {
        let ask = post("/api/v1/requests?attach=true", &host.asker, &question());
        let (asker, answerer) = (host.asker.clone(), host.answerer.clone());
        Self { ask, asker, answerer, answer: answer() }
    }

    /// Asks and waits for the outcome.
    pub async fn ask(&self, connection: &mut Connection) -> Result<()> {
        let asked = connection.call(&self.ask).await.context("ask")?;
        let id = id_after(std::str::from_utf8(asked)?, "{")?;
        let wait = get(&format!("/api/v1/requests/{id}?wait=60"), &self.asker);
        let view = std::str::from_utf8(connection.call(&wait).await.context("wait")?)?;
        ensure!(view.contains(r#""state":"answered""#), "not answered: {view}");
        Ok(())
    }

    /// Answers a request.
    pub async fn answer(&self, connection: &mut Connection, id: &str) -> Result<()> {
        let call = post(&format!("/api/v1/requests/{id}/answer"), &self.answerer, &self.answer);
        connection.call(&call).await.context("answer")?;
        Ok(())
    }

    /// Opens the event stream of the answerer.
    pub async fn events(&self, host: &Host) -> Result<Events> {
        let call = get("/api/v1/events", &self.answerer);
        Connection::open(host.port).await?.subscribe(&call).await
    }
}

/// An asker and an answerer, one cycle at a time.
pub struct Pair {
    calls: Calls,
    asker: Connection,
    answerer: Connection,
    events: Events,
}

impl Pair {
    /// Connects both.
    pub async fn connect(host: &Host) -> Result<Self> {
        let calls = Calls::of(host);
        let events = calls.events(host).await?;
        let asker = Connection::open(host.port).await?;
        let answerer = Connection::open(host.port).await?;
        Ok(Self { calls, asker, answerer, events })
    }

    /// One cycle; the time until the asker has the outcome.
    pub async fn cycle(&mut self) -> Result<Duration> {
        let Self { calls, asker, answerer, events } = self;
        let start = Instant::now();
        let asking = async {
            calls.ask(asker).await?;
            anyhow::Ok(start.elapsed())
        };
        let answering = async {
            let id = events.requested().await?;
            calls.answer(answerer, &id).await
        };
        let (time, ()) = tokio::try_join!(asking, answering)?;
        Ok(time)
    }
}
