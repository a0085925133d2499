//! A host with one credential of each role, and one asker more.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{NewCredential, Role};
use askwell_host::{Caller, Clock, Config, Host, SystemClock};
use askwell_store::SqliteStore;
use askwell_testkit::deadline;
use askwell_web::{Limits, Listen, ServeOptions};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Agent, Browser, Raw};

/// A host in this process.
pub struct TestHost {
    pub host: Host,
    pub store: Arc<SqliteStore>,
    clock: Arc<dyn Clock>,
    /// The store's folder goes with the host.
    folder: TempDir,
    pub asker: Agent,
    /// An asker with another credential.
    pub other: Agent,
    pub answerer: Agent,
    pub admin: Agent,
    pub nobody: Agent,
}

impl TestHost {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        Self::by(Arc::new(SystemClock), limits).await
    }

    /// One that takes its time from this clock.
    pub async fn by(clock: Arc<dyn Clock>, limits: Limits) -> Self {
        let folder = TempDir::new().unwrap();
        let (store, host) = start(&folder, &clock);
        let router = askwell_web::router(host.clone(), &options(limits));
        let nobody = Agent { token: None, router };
        Self {
            asker: nobody.holding(&host, Role::Asker, "asker").await,
            other: nobody.holding(&host, Role::Asker, "other").await,
            answerer: nobody.holding(&host, Role::Answerer, "answerer").await,
            admin: nobody.holding(&host, Role::Admin, "admin").await,
            nobody,
            folder,
            clock,
            store,
            host,
        }
    }

    /// It stops, and another one starts on its store. Everybody keeps their credentials.
    pub async fn restarted(self) -> Self {
        self.host.shutdown().await;
        let (store, host) = start(&self.folder, &self.clock);
        let router = askwell_web::router(host.clone(), &options(Limits::default()));
        let [asker, other, answerer, admin, nobody] = self
            .everybody()
            .map(|agent| Agent { token: agent.token.clone(), router: router.clone() });
        Self { host, store, asker, other, answerer, admin, nobody, ..self }
    }

    /// A browser that calls the host by its own name.
    pub fn browser(&self) -> Browser {
        Browser::new(&self.nobody.router, &format!("{}.localhost:2759", self.host.label()))
    }

    /// One that is signed in as the answerer.
    pub async fn signed_in(&self) -> Browser {
        let mut browser = self.browser();
        let link = self.link(&json!({})).await;
        let reply = browser.post(&link.path, &[("code", &link.code)]).await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        browser
    }

    /// A link for the answerer's person.
    pub async fn link(&self, of: &Value) -> Link {
        let made = self.answerer.post("/api/v1/sign-in", of).await.ok();
        let (_, code) = made["url"].as_str().unwrap().split_once("/sign-in?code=").unwrap();
        Link { path: format!("/sign-in?code={code}"), code: code.to_owned(), made }
    }

    /// The same host on a socket of its own.
    pub async fn serve(self, limits: Limits) -> Served {
        self.serve_as(options(limits)).await
    }

    async fn serve_as(self, options: ServeOptions) -> Served {
        let listeners = askwell_web::bind(&options).unwrap();
        let address = listeners.address();
        let shutdown = CancellationToken::new();
        let serving =
            askwell_web::serve_on(listeners, self.host.clone(), options, shutdown.clone());
        let running = tokio::spawn(async move { serving.await.unwrap() });
        Served { host: self, address, shutdown, running }
    }

    pub fn everybody(&self) -> [&Agent; 5] {
        [&self.asker, &self.other, &self.answerer, &self.admin, &self.nobody]
    }
}

/// A link that signs in.
pub struct Link {
    pub path: String,
    pub code: String,
    /// What the host said.
    pub made: Value,
}

fn start(folder: &TempDir, clock: &Arc<dyn Clock>) -> (Arc<SqliteStore>, Host) {
    let store = Arc::new(SqliteStore::open(&folder.path().join("askwell.db")).unwrap());
    let host = Host::start(Arc::clone(&store) as _, Arc::clone(clock), Config::default()).unwrap();
    (store, host)
}

fn options(limits: Limits) -> ServeOptions {
    let public_url = Some("https://ask.example.com".parse().unwrap());
    let listen = Listen::Loopback(0);
    let clients = "patient=1h, impatient=0".parse().unwrap();
    let mcp = askwell_mcp::Options { clients, ..askwell_mcp::Options::default() };
    ServeOptions { listen, public_url, instance: "test".to_owned(), limits, mcp }
}

/// A host on a loopback socket. Its agents call it in process.
pub struct Served {
    pub host: TestHost,
    pub address: SocketAddr,
    pub shutdown: CancellationToken,
    pub running: JoinHandle<()>,
}

impl Served {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        TestHost::with(limits.clone()).await.serve(limits).await
    }

    /// One that others reach by this address, or not at all.
    pub async fn reached_by(public_url: Option<&str>) -> Self {
        let public_url = public_url.map(|url| url.parse().unwrap());
        let options = ServeOptions { public_url, ..options(Limits::default()) };
        TestHost::new().await.serve_as(options).await
    }

    /// The served status, told over a connection of its own, which is not counted.
    pub async fn connections(&self) -> u64 {
        let mut raw = Raw::connect(self.address).await;
        let status = raw.call("GET /api/v1/status", self.host.admin.secret(), "", "").await;
        status.json()["connections"].as_u64().unwrap() - 1
    }

    /// Waits until nothing of it runs any more.
    pub async fn ended(self, within: Duration) {
        let ended = timeout(within, self.running).await;
        ended.expect("the host has stopped in time").unwrap();
    }
}

impl Agent {
    /// The same with a new credential.
    pub async fn holding(&self, host: &Host, role: Role, name: &str) -> Self {
        let new = NewCredential { role, name: name.to_owned(), person: None };
        let (_, token) = host.create_credential(&Caller::owner(), new).await.unwrap();
        Self { token: Some(token), router: self.router.clone() }
    }

    /// The secret.
    pub fn secret(&self) -> &str {
        self.token.as_deref().unwrap_or_default()
    }
}

/// Waits until this holds.
pub async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let until = tokio::time::Instant::now() + deadline();
    while !holds().await {
        assert!(tokio::time::Instant::now() < until, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
