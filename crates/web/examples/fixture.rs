//! A host with the fixture of a conformance suite at `/mcp`, in the place of our own tools: the sockets, the
//! checks, the credentials and the store are those of every host. `cargo xtask interop conformance` runs it.
//!
//! `fixture FOLDER` keeps its store in this folder, and says where it is and the token of an asker, each on a
//! line of standard output.

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use askwell_core::wire::{NewCredential, Role};
use askwell_host::{Caller, Config, Host, SystemClock};
use askwell_mcp::Endpoint;
use askwell_store::SqliteStore;
use askwell_web::{Listen, ServeOptions};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("fixture FOLDER")?.into();
    let store = Arc::new(SqliteStore::open(&folder.join("askwell.db"))?);
    let host = Host::start(store, Arc::new(SystemClock), Config::default())?;
    let asker = NewCredential { role: Role::Asker, name: "suite".to_owned(), person: None };
    let (_, token) = host.create_credential(&Caller::owner(), asker).await?;

    let options = ServeOptions { listen: Listen::Loopback(0), ..ServeOptions::default() };
    let listeners = askwell_web::bind(&options)?;
    writeln!(std::io::stdout(), "{}\n{token}", listeners.base_url())?;
    let shutdown = CancellationToken::new();
    let mcp = Endpoint::fixture(options.mcp.clone(), shutdown.child_token());
    askwell_web::serve_tools(mcp, listeners, host, options, shutdown).await?;
    Ok(())
}
