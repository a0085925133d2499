//! A host with one credential of each role, and one asker more.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{NewCredential, Role};
use askwell_host::{Caller, Config, Host, SystemClock};
use askwell_store::SqliteStore;
use askwell_testkit::deadline;
use askwell_web::{Limits, Listen, ServeOptions};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Agent, Raw};

/// A host in this process.
pub struct TestHost {
    pub host: Host,
    /// The store's folder goes with the host.
    _folder: TempDir,
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
        let folder = TempDir::new().unwrap();
        let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
        let host = Host::start(Arc::new(store), Arc::new(SystemClock), Config::default()).unwrap();
        let router = askwell_web::router(host.clone(), &options(limits));
        let nobody = Agent { token: None, router };
        Self {
            asker: nobody.holding(&host, Role::Asker, "asker").await,
            other: nobody.holding(&host, Role::Asker, "other").await,
            answerer: nobody.holding(&host, Role::Answerer, "answerer").await,
            admin: nobody.holding(&host, Role::Admin, "admin").await,
            nobody,
            _folder: folder,
            host,
        }
    }

    /// The same host on a socket of its own.
    pub async fn serve(self, limits: Limits) -> Served {
        let options = options(limits);
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

fn options(limits: Limits) -> ServeOptions {
    let public_url = Some("https://ask.example.com".parse().unwrap());
    let listen = Listen::Loopback(0);
    ServeOptions { listen, public_url, instance: "test".to_owned(), limits }
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
