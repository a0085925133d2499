//! The MCP server as an agent meets it: its start and its list of tools, its memory, and how long a
//! question and its answer are on their way.

mod answers;
mod start;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use askwell_testkit::TestEnvironment;
use serde_json::{Value, json};

use crate::Setup;
use crate::page::now;
use crate::report::Report;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    start::measure(setup, report)?;
    answers::measure(setup, report)
}

/// No message takes this long.
const DEADLINE: Duration = Duration::from_secs(30);

/// `askwell mcp`, and who has started it.
struct Client {
    child: Child,
    input: ChildStdin,
    /// What came, and when.
    lines: Receiver<(Duration, String)>,
}

impl Client {
    /// Starts it, and says hello; nothing is waited for.
    fn start(environment: &TestEnvironment) -> Result<Self> {
        let mut command = Command::new(environment.program());
        command.arg("mcp").env_clear().envs(environment.variables()).env("CI", "true");
        command.current_dir(environment.work());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let Ok(at) = now() else { return };
                if tell.send((at, line)).is_err() {
                    return;
                }
            }
        });
        let mut client = Self { child, input, lines };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}});
        client.send(0, "initialize", &hello)?;
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(client.input, "{begun}")?;
        Ok(client)
    }

    fn send(&mut self, id: u64, method: &str, params: &Value) -> Result<()> {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        Ok(writeln!(self.input, "{message}")?)
    }

    /// The response to a request, as it was written, and when it came.
    fn response(&self, id: u64) -> Result<(Duration, String)> {
        loop {
            let (at, line) = self.lines.recv_timeout(DEADLINE).context("no response")?;
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == id {
                match message["result"].is_object() {
                    true => return Ok((at, line)),
                    false => bail!("refused: {message}"),
                }
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
