//! The agent of the demo: it starts `askwell mcp` and speaks to it as any MCP client does.

use std::io::{self, BufRead as _, BufReader, Lines, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use askwell::tool::{ASK_USER_QUESTION, GET_ANSWERS};
use serde_json::{Value, json};

use crate::report::{Exit, Failure};

const PROTOCOL: &str = "2025-11-25";

/// A client with its server. Dropped, it closes the connection, upon which the server leaves.
pub struct Agent {
    server: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    requests: u64,
}

impl Agent {
    /// Starts the server and greets it.
    pub fn start(mut command: Command) -> Result<Self, Failure> {
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the person's own programs.
        command.process_group(0);
        let mut server = command.spawn().map_err(|error| broken(&error))?;
        let pipes = server.stdin.take().zip(server.stdout.take());
        let (input, output) = pipes.ok_or_else(|| broken(&"no pipes"))?;
        let output = BufReader::new(output).lines();
        let mut agent = Self { server, input: Some(input), output, requests: 0 };
        let client = json!({"name": "demo-agent", "version": env!("CARGO_PKG_VERSION")});
        agent.request(
            "initialize",
            &json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}),
        )?;
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// The names of the tools that it finds.
    pub fn tools(&mut self) -> Result<Vec<String>, Failure> {
        let found = self.request("tools/list", &json!({}))?;
        let tools = found["tools"].as_array().into_iter().flatten();
        Ok(tools.filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect())
    }

    /// Asks the person and waits, as long as it takes; what the model gets then.
    pub fn ask(&mut self, request: &Value) -> Result<Value, Failure> {
        let mut result = self.call(ASK_USER_QUESTION, request)?;
        while result["state"] == "pending" {
            result = self.call(GET_ANSWERS, &json!({"request_id": result["request_id"]}))?;
        }
        Ok(result)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        match result["isError"] == true {
            true => Err(broken(&result["content"][0]["text"])),
            false => Ok(result["structuredContent"].clone()),
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.output.next().ok_or_else(|| broken(&"it has ended"))?;
            let line = line.map_err(|error| broken(&error))?;
            let message: Value = serde_json::from_str(&line).map_err(|error| broken(&error))?;
            match (message["id"] == id, message.get("error")) {
                (true, Some(error)) => return Err(broken(&error["message"])),
                (true, None) => return Ok(message["result"].clone()),
                // A notification.
                (false, _) => {}
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        let sent = self.input.as_mut().ok_or_else(closed).and_then(|input| {
            writeln!(input, "{message}")?;
            input.flush()
        });
        sent.map_err(|error| broken(&error))
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.input = None;
        // It has nothing left to do; where it is gone already, all the better.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn broken(why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Exit::Failure, format!("askwell mcp: {why}"))
}
