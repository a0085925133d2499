//! chromedriver, and the WebDriver protocol to it. Owns the process and the session; both end with
//! it, however a test ends.

use std::fmt;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

use crate::deadline;

/// What the driver answers when it can't do something.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The protocol's name for it: `no such element`.
    pub kind: String,
    message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.kind, self.message)
    }
}

/// A driver with one session.
pub(super) struct Driver {
    agent: Agent,
    session: String,
    /// The window that commands go to.
    current: Mutex<String>,
    process: Process,
}

/// The running program; killed when dropped.
struct Process {
    child: Child,
    /// What it says, and the profile of its browser.
    folder: TempDir,
}

impl Driver {
    #[track_caller]
    pub fn start(capabilities: &dyn Fn(&Path) -> Value) -> Self {
        let process = Process::start();
        let server = format!("http://127.0.0.1:{}", process.port());
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(deadline() * 3))
            .build();
        let agent = Agent::from(config);
        let capabilities = capabilities(&process.folder.path().join("profile"));
        let body = json!({"capabilities": {"alwaysMatch": capabilities}});
        let session = exchange(&agent, &format!("{server}/session"), Method::Post(&body));
        let session = session.unwrap_or_else(|refusal| panic!("{refusal}\n{}", process.said()));
        let id = session["sessionId"].as_str().unwrap();
        let session = format!("{server}/session/{id}");
        Self { agent, session, current: Mutex::default(), process }
    }

    /// Does something in that window.
    pub fn in_window<T>(
        &self,
        handle: &str,
        act: impl FnOnce(&Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != handle {
            self.try_post("window", &json!({"handle": handle}))?;
            handle.clone_into(&mut current);
        }
        act(self)
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Value {
        self.try_get(path).unwrap_or_else(|refusal| panic!("{path}: {refusal}"))
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.try_post(path, body).unwrap_or_else(|refusal| panic!("{path}: {refusal}"))
    }

    pub fn try_get(&self, path: &str) -> Result<Value, Refusal> {
        exchange(&self.agent, &self.at(path), Method::Get)
    }

    pub fn try_post(&self, path: &str, body: &Value) -> Result<Value, Refusal> {
        exchange(&self.agent, &self.at(path), Method::Post(body))
    }

    pub fn delete(&self, path: &str) -> Result<Value, Refusal> {
        exchange(&self.agent, &self.at(path), Method::Delete)
    }

    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.session)
    }

    /// What has been logged since the last look.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.try_post("se/log", &json!({"type": kind}));
        log.ok().and_then(|log| log.as_array().cloned()).unwrap_or_default()
    }

    /// What pages have thrown, logged as errors or were kept from by their policy since the last look. An
    /// answer that is no success and a connection that failed are no faults of a page.
    pub fn faults(&self) -> Vec<String> {
        let entries = self.log("browser").into_iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE" && entry["source"] != "network")
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Its browser leaves with the session; killed with the driver alone it would stay.
        let _ = exchange(&self.agent, &self.session, Method::Delete);
        drop(self.process.child.kill());
    }
}

impl Process {
    #[track_caller]
    fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("askwell-browser-").tempdir().unwrap();
        // A file, not a pipe: the browser inherits it and outlives a reader.
        let output = File::create(folder.path().join("driver.log")).unwrap();
        let child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn();
        let child = child.unwrap_or_else(|error| {
            panic!("chromedriver: {error}; `cargo xtask test` installs what tests need")
        });
        Self { child, folder }
    }

    fn said(&self) -> String {
        fs::read_to_string(self.folder.path().join("driver.log")).unwrap_or_default()
    }

    /// The port it listens on, once it does. Its first line speaks of port 0.
    #[track_caller]
    fn port(&self) -> u16 {
        let until = Instant::now() + deadline();
        loop {
            let said = self.said();
            let mut ports = said.lines().filter_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            });
            match ports.next() {
                Some(port) if port != 0 => return port,
                _ => assert!(Instant::now() < until, "chromedriver never listened: {said}"),
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

enum Method<'a> {
    Get,
    Post(&'a Value),
    Delete,
}

/// One command and what came of it.
fn exchange(agent: &Agent, url: &str, method: Method<'_>) -> Result<Value, Refusal> {
    let response = match method {
        Method::Get => agent.get(url).call(),
        Method::Delete => agent.delete(url).call(),
        Method::Post(body) => {
            agent.post(url).header("content-type", "application/json").send(body.to_string())
        }
    };
    let lost = |error: ureq::Error| Refusal { kind: "driver".into(), message: error.to_string() };
    let mut response = response.map_err(lost)?;
    let text = response.body_mut().with_config().limit(1 << 28).read_to_string().map_err(lost)?;
    let mut document: Value = serde_json::from_str(&text)
        .map_err(|_| Refusal { kind: "driver".into(), message: text.clone() })?;
    let value = document["value"].take();
    match value["error"].as_str().filter(|_| !response.status().is_success()) {
        None => Ok(value),
        Some(kind) => {
            let message = value["message"].as_str().unwrap_or_default();
            // The rest is a stack of the driver's own.
            let message = message.split("\n  (Session info").next().unwrap_or_default();
            Err(Refusal { kind: kind.to_owned(), message: message.to_owned() })
        }
    }
}
