//! The host and the commands around it: the real program on every side, each test in a state folder
//! of its own.

mod answering;
mod asking;
mod away;
mod commands;
mod finding;
mod inbox;
mod inbox_lines;
mod library;
mod notices;
mod opening;
mod plain;
pub mod restarts;
mod sharing;
mod starting;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Run, Signal, TestEnvironment, TestTerminal, deadline};
use rustix::process::{Pid, kill_process};
use serde_json::Value;

pub use crate::cli::{R1, R2, R3, askwell};
pub use crate::terminal::takes_keys;

/// A host in the foreground, which is killed when the test is over.
pub struct Host {
    pub askwell: TestEnvironment,
    program: Program,
}

impl Host {
    /// A host with an empty store. No command of the test starts another one in its place, which
    /// would outlive the test.
    pub fn start() -> Self {
        Self::start_in(askwell().env("CI", "true"))
    }

    /// A host whose commands may start another one, where the environment lets them.
    pub fn start_in(askwell: TestEnvironment) -> Self {
        let program = serving(&askwell);
        Self { askwell, program }
    }

    /// Kills it, as kill -9 does.
    pub fn kills(&self) {
        self.program.signal(Signal::KILL);
    }

    /// What kill -9 leaves behind, with a new host on it.
    pub fn killed_and_started_again(mut self) -> Self {
        self.program.signal(Signal::KILL);
        self.program.wait();
        Self::start_in(self.askwell)
    }

    /// Stops it gracefully and starts another one.
    pub fn stopped_and_started_again(mut self) -> Self {
        self.program.signal(Signal::TERM);
        assert_eq!(self.program.wait(), Some(0));
        Self::start_in(self.askwell)
    }

    /// Posts a request and leaves; its id.
    #[track_caller]
    pub fn post(&self, request: &str) -> String {
        self.askwell.write("posted.json", request);
        let run = self.askwell.run(["ask", "posted.json", "--detach"]);
        assert_eq!(run.code(), 0, "{run}");
        run.stdout.trim().to_owned()
    }

    #[track_caller]
    pub fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Run {
        self.askwell.run(arguments)
    }

    /// A run that has to succeed, and its document.
    #[track_caller]
    pub fn json<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Value {
        let run = self.run(arguments);
        assert_eq!(run.code(), 0, "{run}");
        run.json()
    }

    /// The request as the host shows it to a person.
    #[track_caller]
    pub fn show(&self, id: &str) -> Value {
        self.json(["show", id, "--format", "json"])
    }

    /// Waits until the request stands as `condition` says.
    #[track_caller]
    pub fn wait_until(&self, what: &str, id: &str, condition: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + deadline();
        loop {
            let shown = self.show(id);
            if condition(&shown) {
                return shown;
            }
            assert!(Instant::now() < until, "never {what}: {shown:#}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The ids of what waits, in order.
    #[track_caller]
    pub fn waiting(&self) -> Vec<String> {
        let list = self.json(["list", "--format", "json"]);
        let requests = list["requests"].as_array().unwrap().iter();
        requests.map(|request| request["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until something waits; its id.
    #[track_caller]
    pub fn next_waiting(&self) -> String {
        let until = Instant::now() + deadline();
        loop {
            if let Some(id) = self.waiting().pop() {
                return id;
            }
            assert!(Instant::now() < until, "nothing was ever asked");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// `askwell ask --via inbox` that goes on waiting, and the id of its request.
    #[track_caller]
    pub fn asking(&self, request: &str, arguments: &[&str]) -> (Program, String) {
        let before = self.waiting();
        let name = format!("asking-{}.json", before.len());
        self.askwell.write(&name, request);
        let mut all = vec!["ask", name.as_str(), "--via", "inbox"];
        all.extend(arguments);
        let program = Program::start(&self.askwell, &all);
        let until = Instant::now() + deadline();
        loop {
            let new = self.waiting().into_iter().find(|id| !before.contains(id));
            if let Some(id) = new {
                return (program, id);
            }
            assert!(Instant::now() < until, "never asked");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Another person's machine, with a credential of their own for this host.
    #[track_caller]
    pub fn elsewhere_as(&self, person: &str) -> TestEnvironment {
        let make =
            ["token", "create", "--role", "answerer", "--name", "laptop", "--person", person];
        let made = self.run(make);
        assert_eq!(made.code(), 0, "{made}");
        let url = self.json(["status", "--format", "json"])["url"].as_str().unwrap().to_owned();
        askwell().env("ASKWELL_URL", url).env("ASKWELL_TOKEN", made.stdout.trim())
    }

    /// The dialog on a request, past the guard of early keys.
    #[track_caller]
    pub fn dialog(&self, id: &str) -> TestTerminal {
        let terminal = self.askwell.terminal(["answer", id]).spawn();
        terminal.wait_ready(takes_keys);
        terminal
    }

    /// The same by plain lines.
    #[track_caller]
    pub fn lines(&self, id: &str) -> TestTerminal {
        let terminal = self.askwell.terminal(["answer", "--plain", id]).spawn();
        terminal.wait_for("? helps:");
        terminal
    }
}

/// Starts `askwell serve` and waits until it is found.
#[track_caller]
fn serving(askwell: &TestEnvironment) -> Program {
    let mut program = Program::start(askwell, &["serve"]);
    let until = Instant::now() + deadline();
    let told = askwell.state().join("askwell/host.json");
    while !told.is_file() || askwell.run(["status"]).code() != 0 {
        assert!(program.child.try_wait().unwrap().is_none(), "{}", program.rest());
        assert!(Instant::now() < until, "the host never answered");
        thread::sleep(Duration::from_millis(5));
    }
    program
}

/// A program in the background, without a terminal.
pub struct Program {
    child: Child,
}

impl Program {
    pub fn start(askwell: &TestEnvironment, arguments: &[&str]) -> Self {
        let mut command = Command::new(askwell.program());
        command.args(arguments).env_clear().envs(askwell.variables());
        if arguments == ["serve"] {
            // Tests run beside each other; after a restart the last port is taken again.
            let port = askwell.state().join("askwell/port");
            let port = fs::read_to_string(port).unwrap_or_else(|_| "0".to_owned());
            command.env("ASKWELL_PORT", port);
        }
        Self::spawn(command, askwell)
    }

    /// Another program, with the environment and the folders of askwell's.
    pub fn beside(askwell: &TestEnvironment, program: &Path) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(askwell.variables());
        Self::spawn(command, askwell)
    }

    fn spawn(mut command: Command, askwell: &TestEnvironment) -> Self {
        command.current_dir(askwell.work());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { child: command.spawn().unwrap() }
    }

    /// The next line on standard output.
    #[track_caller]
    pub fn line(&mut self) -> String {
        let mut line = Vec::new();
        let mut byte = [0];
        let out = self.child.stdout.as_mut().unwrap();
        while out.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
            line.push(byte[0]);
        }
        String::from_utf8(line).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// The exit code; nothing where a signal ended it.
    #[track_caller]
    pub fn wait(&mut self) -> Option<i32> {
        let until = Instant::now() + deadline();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "never ended");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The exit code and the document on standard output.
    #[track_caller]
    pub fn outcome(mut self) -> (Option<i32>, Value) {
        let code = self.wait();
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let document = serde_json::from_str(&out);
        (code, document.unwrap_or_else(|error| panic!("{error}: {out:?}: {}", self.rest())))
    }

    /// What it has said on standard error, once it has ended.
    pub fn rest(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut text).unwrap();
        }
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
