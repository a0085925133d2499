//! Agents that ask by MCP: the real program on every side, spoken to by raw JSON-RPC, in both eras of
//! the protocol and over both transports.

mod by_rule;
mod cutting;
mod delivery;
mod forms;
mod kept;
mod outcomes;
mod over_http;
mod process;
mod sdk;
pub mod stream;
mod transcript;
mod waiting;

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{TestEnvironment, deadline};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

pub use crate::host::Host;

/// The question of most tests.
pub fn r1() -> Value {
    json!({"questions": [{"id": "db", "question": "Which database?",
        "options": [{"label": "Postgres"}, {"label": "SQLite"}]}]})
}

/// The same with several choices.
pub fn r2() -> Value {
    json!({"questions": [{"id": "feat", "question": "Which features?", "multiSelect": true,
        "options": [{"label": "Auth"}, {"label": "Search"}, {"label": "Export"}]}]})
}

/// A client of the protocol, whatever carries its messages.
pub trait Wire {
    fn send(&mut self, message: &Value);
    /// The next message of the server; nothing where none comes within this time.
    fn receive(&mut self, within: Duration) -> Option<Value>;
}

/// `askwell mcp`, and what it writes. It is killed when the test is over.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(askwell: &TestEnvironment, arguments: &[&str]) -> Self {
        let mut command = Command::new(askwell.program());
        command.arg("mcp").args(arguments);
        Self::run(askwell, command)
    }

    /// The same, by a program that becomes it.
    pub fn run(askwell: &TestEnvironment, mut command: Command) -> Self {
        command.env_clear().envs(askwell.variables());
        command.current_dir(askwell.work());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    /// Writes these bytes as they are.
    pub fn write(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    /// The same of what need not be text.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// What it has written on standard error, once that has ended.
    pub fn complaints(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Closes its input, as a client that leaves does, and waits for its end: how long that took, its
    /// code, and what it has written by then.
    #[track_caller]
    pub fn close(mut self) -> (Duration, Option<i32>, Vec<String>) {
        let began = Instant::now();
        drop(self.input.take());
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            assert!(began.elapsed() < deadline(), "never ended");
            thread::sleep(Duration::from_millis(5));
        };
        (began.elapsed(), code, self.lines.iter().collect())
    }

    pub fn kill(&mut self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        self.child.wait().unwrap();
    }
}

impl Wire for Process {
    fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    fn receive(&mut self, within: Duration) -> Option<Value> {
        match self.lines.recv_timeout(within) {
            Ok(line) => Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The era of the protocol in which a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

pub const LEGACY: &str = "2025-11-25";
pub const MODERN: &str = "2026-07-28";

/// A client that calls tools.
pub struct Client<W> {
    pub wire: W,
    era: Era,
    capabilities: Value,
    next: i64,
    /// Messages that came while another one was waited for.
    kept: VecDeque<Value>,
}

impl Client<Process> {
    /// One of the process that it has started.
    pub fn start(host: &Host, era: Era, arguments: &[&str]) -> Self {
        // Never another host than the test's own.
        let askwell = host.askwell.clone().env("CI", "true");
        Self::connect(Process::start(&askwell, arguments), era, json!({}))
    }
}

impl<W: Wire> Client<W> {
    /// One that has these capabilities.
    pub fn connect(wire: W, era: Era, capabilities: Value) -> Self {
        let mut client = Self { wire, era, capabilities, next: 1, kept: VecDeque::new() };
        if era == Era::Legacy {
            let info = json!({"name": "test-agent", "version": "1.0"});
            let capabilities = client.capabilities.clone();
            let hello = json!({"protocolVersion": LEGACY, "capabilities": capabilities,
                "clientInfo": info});
            let id = client.request("initialize", hello);
            let welcome = client.response(id);
            assert_eq!(welcome["result"]["protocolVersion"], LEGACY, "{welcome}");
            client.notify("notifications/initialized", json!({}));
        }
        client
    }

    /// Sends a request; its id.
    pub fn request(&mut self, method: &str, mut params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        if self.era == Era::Modern {
            let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            meta["io.modelcontextprotocol/clientInfo"] =
                json!({"name": "test-agent", "version": "1.0"});
        }
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.wire.send(&message);
        id
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.wire.send(&message);
    }

    /// Begins a call of a tool; its id.
    pub fn begin(&mut self, tool: &str, arguments: Value) -> i64 {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub fn ask(&mut self, arguments: Value) -> i64 {
        self.begin("ask_user_question", arguments)
    }

    /// The response to a request, whole.
    #[track_caller]
    pub fn response(&mut self, id: i64) -> Value {
        self.until("a response", |message| message["id"] == id && message["method"].is_null())
    }

    /// The result of a call, without what an era adds to it.
    #[track_caller]
    pub fn result(&mut self, id: i64) -> Value {
        let mut response = self.response(id);
        let mut result = response["result"].take();
        assert!(result.is_object(), "{response}");
        match (self.era, result.as_object_mut().unwrap().remove("resultType")) {
            (Era::Modern, Some(kind)) if kind == "complete" => {}
            (Era::Legacy, None) => {}
            (era, kind) => panic!("{era:?}: {kind:?}"),
        }
        result
    }

    /// A whole call.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.begin(tool, arguments);
        self.result(id)
    }

    /// The next message that is like this, whether or not it came before.
    #[track_caller]
    pub fn until(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at).unwrap();
        }
        let end = Instant::now() + deadline();
        while let Some(message) = self.wire.receive(end.saturating_duration_since(Instant::now())) {
            if is_it(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
        panic!("never {what}; there was {:#?}", self.kept);
    }

    /// Everything that comes until nothing has come for so long.
    pub fn rest(&mut self, silence: Duration) -> Vec<Value> {
        let mut all: Vec<Value> = self.kept.drain(..).collect();
        while let Some(message) = self.wire.receive(silence) {
            all.push(message);
        }
        all
    }
}

/// The result that carries this document, and the same as text.
pub fn carries(document: &Value) -> Value {
    json!({
        "content": [{"type": "text", "text": document.to_string()}],
        "structuredContent": document,
    })
}

/// The result of a call that failed.
pub fn failed(code: &str, message: &str) -> Value {
    json!({
        "content": [{"type": "text", "text": message}],
        "structuredContent": {"error": code, "message": message},
        "isError": true,
    })
}

/// The result that says that a request is pending, for the first two times.
pub fn pending(id: &str) -> Value {
    let message = format!(
        "Not answered yet; neither yes nor no. Do only work that doesn't depend on it, then call \
         get_answers with request_id \"{id}\". Don't ask again, don't choose for them."
    );
    carries(&json!({"state": "pending", "request_id": id, "message": message}))
}
