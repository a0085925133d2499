//! A host in a test: its store, its clock and the people around it.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::wire::{
    Delivery, DraftSaved, DraftWrite, EntryWrite, Event, InboxError, NewCredential, Posting,
    ProviderName, RequestId, RequestView, Response, Role,
};
use askwell_core::{State, ValidRequest, request};
use askwell_host::{Caller, Config, Host, ManualClock, Subscription, Timers};
use askwell_store::SqliteStore;
use serde_json::{Value, json};
use tempfile::TempDir;

/// When the tests take place.
pub const START: i64 = 1_790_000_000_000;

/// The least time between two notices.
pub const NOTICES_APART: Duration = Duration::from_millis(300);

/// A host and who talks to it.
pub struct Story {
    pub host: Host,
    pub clock: Arc<ManualClock>,
    folder: TempDir,
    /// An agent, and another program.
    pub agent: Caller,
    pub other: Caller,
    /// Ann in her terminal and in her browser, and Ben.
    pub ann: Caller,
    pub ann_web: Caller,
    pub ben: Caller,
}

impl Story {
    pub async fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(START));
        let host = start(&folder, &clock);
        let agent = caller(&host, Role::Asker, "agent", None).await;
        let other = caller(&host, Role::Asker, "other", None).await;
        let ann = caller(&host, Role::Answerer, "ann's terminal", Some("ann")).await;
        let ann_web = caller(&host, Role::Answerer, "ann's browser", Some("ann")).await;
        let ben = caller(&host, Role::Answerer, "ben", None).await;
        Self { host, clock, folder, agent, other, ann, ann_web, ben }
    }

    /// The host stops as it should, time passes, and it starts again.
    pub async fn restart_after(&mut self, pause: Duration) {
        self.host.shutdown().await;
        self.clock.advance(pause);
        self.host = start(&self.folder, &self.clock);
    }

    /// The host is gone from one moment to the next: what is on disk now is what it starts with.
    pub async fn crash(&mut self) {
        let copy = tempfile::tempdir().unwrap();
        let state = copy.path().join("state");
        std::fs::create_dir(&state).unwrap();
        for name in ["askwell.db", "askwell.db-wal"] {
            let from = self.store_folder().join(name);
            if from.exists() {
                std::fs::copy(from, state.join(name)).unwrap();
            }
        }
        self.host.begin_shutdown();
        self.folder = copy;
        self.host = start(&self.folder, &self.clock);
    }

    /// Time passes, and what it brings happens.
    pub async fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
        self.host.run_due().await;
    }

    pub fn store_folder(&self) -> std::path::PathBuf {
        self.folder.path().join("state")
    }

    /// The agent posts this and leaves.
    pub async fn post(&self, request: &Value) -> RequestId {
        self.ask_as(&self.agent, request, &Posting::detached()).await
    }

    /// The agent posts this and stays.
    pub async fn attach(&self, request: &Value) -> RequestId {
        self.ask_as(&self.agent, request, &Posting::attached()).await
    }

    pub async fn ask_as(&self, who: &Caller, request: &Value, posting: &Posting) -> RequestId {
        self.host.ask(who, &valid(request), posting).await.unwrap().id
    }

    pub async fn answer(&self, id: RequestId, answers: Value) -> Result<RequestView, InboxError> {
        self.answer_as(&self.ann, id, answers).await
    }

    pub async fn answer_as(
        &self,
        who: &Caller,
        id: RequestId,
        answers: Value,
    ) -> Result<RequestView, InboxError> {
        let response = Response { answers, provider: ProviderName::Terminal };
        self.host.answer(who, id, response).await
    }

    pub async fn cancel(&self, id: RequestId, comment: &str) -> Result<RequestView, InboxError> {
        self.host.cancel(&self.ann, id, Some(comment), ProviderName::Web).await
    }

    pub async fn get(&self, id: RequestId) -> RequestView {
        self.host.get(&self.ann, id).await.unwrap()
    }

    pub async fn state(&self, id: RequestId) -> State {
        self.get(id).await.state
    }

    /// Ann types into question `db`.
    pub async fn type_text(
        &self,
        who: &Caller,
        id: RequestId,
        base: u64,
        text: &str,
    ) -> Result<DraftSaved, InboxError> {
        let write = DraftWrite { questions: vec![typed("db", base, text)] };
        self.host.save_draft(who, id, &write).await
    }

    /// The ids that wait, in order.
    pub async fn pending(&self) -> Vec<RequestId> {
        let page = self.host.list(&self.ann, &Default::default()).await.unwrap();
        page.requests.iter().map(|request| request.id).collect()
    }
}

fn start(folder: &TempDir, clock: &Arc<ManualClock>) -> Host {
    let store = SqliteStore::open(&folder.path().join("state/askwell.db")).unwrap();
    let config =
        Config { timers: Timers::Manual, notices_apart: NOTICES_APART, ..Config::default() };
    Host::start(Arc::new(store), Arc::clone(clock) as _, config).unwrap()
}

async fn caller(host: &Host, role: Role, name: &str, person: Option<&str>) -> Caller {
    let new = NewCredential { role, name: name.to_owned(), person: person.map(str::to_owned) };
    let (_, token) = host.create_credential(&Caller::owner(), new).await.unwrap();
    host.authenticate(&token).unwrap()
}

/// Which database: one of three.
pub fn r1() -> Value {
    json!({"questions": [{"id": "db", "header": "DB", "question": "Which database?", "options": [
        {"label": "Postgres", "description": "server"}, {"label": "SQLite", "description": "file"},
        {"label": "DuckDB", "description": "analytics"}]}]})
}

/// A single choice, a multiple one and a free text.
pub fn r3() -> Value {
    json!({"questions": [
        {"id": "db", "question": "Which database?",
         "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"id": "feat", "question": "Which features?", "multiSelect": true,
         "options": [{"label": "Auth"}, {"label": "Search"}, {"label": "Export"}]},
        {"id": "name", "question": "Project name?"}]})
}

pub fn r3_answers() -> Value {
    json!([{"id": "db", "selected": ["SQLite"]},
           {"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"},
           {"id": "name", "selected": []}])
}

/// The same request with a time to live.
pub fn expiring(mut request: Value, seconds: u64) -> Value {
    request["expiresInSeconds"] = json!(seconds);
    request
}

/// The same request of an asker that says this of itself.
pub fn of(mut request: Value, session: &str, cwd: &str) -> Value {
    request["asker"] = json!({"name": "claude", "session": session, "cwd": cwd});
    request
}

pub fn db(label: &str) -> Value {
    json!([{"id": "db", "selected": [label]}])
}

pub fn valid(request: &Value) -> ValidRequest {
    request::from_value(request.clone()).unwrap()
}

pub fn typed(question: &str, base: u64, text: &str) -> EntryWrite {
    let state = DraftState {
        id: question.to_owned(),
        custom: text.to_owned(),
        custom_on: true,
        ..DraftState::default()
    };
    EntryWrite { state, base }
}

/// The code of a failed call.
pub fn code<T: std::fmt::Debug>(result: Result<T, InboxError>) -> &'static str {
    result.unwrap_err().code.as_str()
}

/// Everything that a stream brings before it is silent for as long as a busy machine may be, in
/// short.
pub async fn drain(events: &mut Subscription) -> Vec<String> {
    let mut told = Vec::new();
    while let Ok(next) = tokio::time::timeout(Duration::from_millis(300), events.next()).await {
        told.push(in_short(&next.unwrap()));
    }
    told
}

fn in_short(delivery: &Delivery<Arc<askwell_host::Told>>) -> String {
    match delivery {
        Delivery::Resync(id) => format!("resync {}", id.number),
        Delivery::Event(told) => match told.event() {
            Event::Requested { id, request } => format!("{} requested {}", id.number, request.id),
            Event::Resolved { id, request, state } => {
                format!("{} {} {request}", id.number, state.as_str())
            }
            Event::Draft { request, revision } => format!("draft {revision} {request}"),
            Event::Changed { request: None, watching, .. } => format!("{watching} watching"),
            Event::Changed { request: Some(request), answering: Some(answering), .. } => {
                let does = if answering.left { "left" } else { "answering" };
                format!("{} {does} {request}", answering.person)
            }
            Event::Changed { request: Some(request), away_since, deadline_at, .. } => {
                let after = |at: &Option<i64>| at.map(|at| (at - START) / 1_000);
                format!(
                    "changed away {:?} until {:?} {request}",
                    after(away_since),
                    after(deadline_at)
                )
            }
        },
    }
}
