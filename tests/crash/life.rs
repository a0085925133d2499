//! A state folder and the hosts that live on it, one after another: each is the real program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestEnvironment, deadline};
use rustix::process::{Pid, kill_process};
use serde_json::Value;

use super::http::{Http, Reply};

/// The program that is tested.
pub fn program() -> PathBuf {
    let chosen = std::env::var_os("ASKWELL_SOAK_PROGRAM");
    chosen.map_or_else(|| env!("CARGO_BIN_EXE_askwell").into(), Into::into)
}

/// Where hosts live: a folder that is thrown away.
#[derive(Debug, Clone)]
pub struct Place {
    pub askwell: TestEnvironment,
}

impl Place {
    pub fn new() -> Self {
        Self { askwell: TestEnvironment::new(program()) }
    }

    pub fn folder(&self) -> PathBuf {
        self.askwell.state().join("askwell")
    }

    pub fn store(&self) -> PathBuf {
        self.folder().join("askwell.db")
    }

    /// What the hosts have said on standard error.
    pub fn log(&self) -> String {
        fs::read_to_string(self.askwell.work().join("hosts.log")).unwrap_or_default()
    }

    /// Starts a host and does not wait for it.
    pub fn spawn(&self) -> Child {
        self.spawn_as(&[], &self.askwell.work().join("hosts.log"))
    }

    /// The same by a program that becomes the host, with its log at this place.
    pub fn spawn_as(&self, through: &[&str], log: &Path) -> Child {
        let words: Vec<&str> = through.to_vec();
        let mut command = match words.split_first() {
            None => Command::new(self.askwell.program()),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(self.askwell.program());
                command
            }
        };
        let log = fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        command.arg("serve").env_clear().envs(self.askwell.variables()).env("ASKWELL_PORT", "0");
        command.current_dir(self.askwell.work());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// A host that answers.
    #[track_caller]
    pub fn start(&self) -> Life {
        self.awaited(self.spawn())
    }

    /// Waits until this host answers.
    #[track_caller]
    pub fn awaited(&self, child: Child) -> Life {
        let begun = Instant::now();
        let mut life = Life { place: self.clone(), child, port: 0, started_in: Duration::ZERO };
        while !life.is_found() {
            if let Some(status) = life.child.try_wait().unwrap() {
                panic!("the host ended at once ({status}): {}", self.log());
            }
            assert!(begun.elapsed() < deadline() * 2, "no host: {}", self.log());
            thread::sleep(Duration::from_millis(2));
        }
        life.started_in = begun.elapsed();
        life
    }

    /// The exit code of a host that can't start.
    #[track_caller]
    pub fn refused(&self, mut child: Child) -> Option<i32> {
        let code = ended(&mut child, "the host goes on where it can't");
        drop(child);
        code
    }

    /// The local credential of a role.
    pub fn token(&self, role: &str) -> String {
        let path = self.folder().join("credentials").join(role);
        fs::read_to_string(path).unwrap_or_default().trim().to_owned()
    }

    pub fn set_mode(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// A host, killed when this is dropped.
#[derive(Debug)]
pub struct Life {
    place: Place,
    child: Child,
    pub port: u16,
    pub started_in: Duration,
}

impl Life {
    fn is_found(&mut self) -> bool {
        let text = fs::read_to_string(self.place.folder().join("host.json")).unwrap_or_default();
        let Ok(told) = serde_json::from_str::<Value>(&text) else { return false };
        if told["pid"] != self.child.id() {
            return false;
        }
        self.port = told["port"].as_u64().unwrap() as u16;
        let health = Http::connect(self.port, "").and_then(|mut http| http.get("/healthz"));
        health.is_ok_and(|reply| reply.status == 200)
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap()
    }

    /// A connection in a role.
    #[track_caller]
    pub fn http(&self, role: &str) -> Http {
        Http::connect(self.port, &self.place.token(role)).unwrap()
    }

    #[track_caller]
    pub fn get(&self, role: &str, path: &str) -> Reply {
        self.http(role).get(path).unwrap()
    }

    #[track_caller]
    pub fn post(&self, role: &str, path: &str, body: &Value) -> Reply {
        self.http(role).post(path, body).unwrap()
    }

    /// SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM.
    #[track_caller]
    pub fn stop(mut self) {
        kill_process(self.pid(), Signal::TERM).unwrap();
        assert_eq!(ended(&mut self.child, "it never stopped"), Some(0), "{}", self.place.log());
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn ended(child: &mut Child, otherwise: &str) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begun.elapsed() > deadline() * 2 {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{otherwise}");
        }
        thread::sleep(Duration::from_millis(5));
    }
}
