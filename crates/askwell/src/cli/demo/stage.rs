//! The stage of the demo: a host of its own on a folder that is thrown away.
//!
//! Invariant: nothing of this user's host, store or settings is read or touched.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use askwell::ErrorCode;
use askwell::inbox::wire::{Inbox as _, InboxError, ListQuery, RequestId, Role};
use askwell::inbox::{Client, HostLock, Local, Locate as _, Place, Starter};
use tempfile::TempDir;

use crate::report::{Exit, Failure};

/// How long a question may be on its way from the agent to the host.
const SHOWN_WITHIN: Duration = Duration::from_secs(20);
/// How long the host may take to leave.
const GONE_WITHIN: Duration = Duration::from_secs(5);
/// A host whose demo was killed leaves by itself.
const IDLE: &str = "10m";
/// What of ours a person may have set for how the dialog looks.
const KEPT: [&str; 3] = ["ASKWELL_ASCII", "ASKWELL_NO_MOUSE", "ASKWELL_PLAIN"];

/// Dropped, it stops the host and removes the folder.
pub struct Stage {
    folder: TempDir,
    program: PathBuf,
    starter: Starter,
}

impl Stage {
    /// Starts the host, to be reached at this address where it is to be reached from elsewhere.
    pub fn open(bind: Option<IpAddr>) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new().prefix("askwell-demo-").tempdir();
        let folder = folder.map_err(|error| {
            Failure::new(Exit::Failure, format!("no folder can be made for it: {error}"))
                .hint("it is made in TMPDIR, or else in /tmp")
        })?;
        let program = std::env::current_exe().map_err(|error| {
            Failure::new(Exit::Failure, format!("this program's file can't be found: {error}"))
        })?;
        let local = Local::new(place(&folder), Role::Answerer);
        let mut arguments = vec!["serve", "--background", "--idle", IDLE, "--port", "0"];
        arguments.extend(["--notify-desktop", "false"]);
        let bind = bind.map(|address| address.to_string());
        arguments.extend(bind.iter().flat_map(|address| ["--bind", address]));
        let starter = Starter::new(local, &program)
            .arguments(arguments)
            .environment(environment(&folder))
            .no_start(None);
        // The folder goes, and with it the log that the hint names.
        starter.locate().map_err(|error| InboxError { hint: None, ..error })?;
        Ok(Self { folder, program, starter })
    }

    /// This program, with the host of the stage for its host.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().envs(environment(&self.folder));
        command
    }

    /// A client of the host in this role.
    pub fn client(&self, role: Role) -> Client {
        Client::new(self.starter.clone().role(role))
    }

    /// The request that waits, as soon as one does.
    pub fn waiting(&self) -> Result<RequestId, Failure> {
        let client = self.client(Role::Answerer);
        let until = Instant::now() + SHOWN_WITHIN;
        loop {
            let page = client.list(&ListQuery { limit: Some(1), ..ListQuery::default() })?;
            if let Some(request) = page.requests.first() {
                return Ok(request.id);
            }
            if Instant::now() >= until {
                let message = "the agent's question does not arrive at the host";
                return Err(Failure::from(InboxError::new(ErrorCode::Internal, message)));
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let place = place(&self.folder);
        if !HostLock::is_held(&place) {
            return;
        }
        // One that does not stop leaves by itself.
        let _ = self.client(Role::Admin).waiting_for(Duration::ZERO).stop();
        let until = Instant::now() + GONE_WITHIN;
        while HostLock::is_held(&place) && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn place(folder: &TempDir) -> Place {
    Place::new(folder.path().join("askwell"))
}

/// This process's surroundings, but for what is set there for askwell.
fn environment(folder: &TempDir) -> Vec<(OsString, OsString)> {
    let inherited = std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        !name.starts_with("ASKWELL_") || KEPT.contains(&&*name)
    });
    let own = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"]
        .map(|name| (name.into(), folder.path().into()));
    inherited.chain(own).collect()
}
