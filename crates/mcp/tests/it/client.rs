//! A client that writes lines and reads lines.

use std::sync::Arc;
use std::time::Duration;

use askwell_mcp::{Options, Seat};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, duplex};
use tokio::time::timeout;

use crate::host::FakeHost;

/// A client of the server, which has introduced itself.
pub struct Client {
    input: DuplexStream,
    lines: Lines<BufReader<DuplexStream>>,
}

impl Client {
    /// A legacy client of this name.
    pub async fn start(host: &FakeHost, name: &str) -> Self {
        let (input, server_input) = duplex(64 * 1024);
        let (server_output, output) = duplex(64 * 1024);
        let desk = Arc::new(host.clone());
        let seat =
            Seat { desk, person: None, rule: None, session: "session".to_owned(), cwd: None };
        let serving = askwell_mcp::serve(Options::default(), seat, server_input, server_output);
        tokio::spawn(serving);
        let mut client = Self { input, lines: BufReader::new(output).lines() };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": name, "version": "1"}});
        client.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}));
        assert_eq!(client.next(Duration::from_secs(1)).await.unwrap()["id"], 0);
        client
    }

    /// Sends a message; it is in the pipe when this returns.
    pub fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        futures_util::FutureExt::now_or_never(self.input.write_all(line.as_bytes()))
            .unwrap()
            .unwrap();
    }

    /// The next message; nothing where none comes within this time.
    pub async fn next(&mut self, within: Duration) -> Option<Value> {
        let line = timeout(within, self.lines.next_line()).await.ok()?;
        Some(serde_json::from_str(&line.unwrap().unwrap()).unwrap())
    }
}
