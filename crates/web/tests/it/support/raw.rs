//! A client that writes its own bytes.

use std::net::SocketAddr;
use std::time::Duration;

use askwell_testkit::deadline;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// A connection.
pub struct Raw {
    pub stream: TcpStream,
    buffer: Vec<u8>,
}

/// Head and body of a response.
#[derive(Debug, PartialEq)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Response {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Raw {
    pub async fn connect(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), buffer: Vec::new() }
    }

    /// One for which the system keeps little of what it does not read.
    pub async fn hard_of_hearing(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(32 * 1024).unwrap();
        Self { stream: socket.connect(address).await.unwrap(), buffer: Vec::new() }
    }

    pub async fn send(&mut self, text: impl AsRef<[u8]>) {
        self.stream.write_all(text.as_ref()).await.unwrap();
    }

    /// Sends a call with these further header lines and reads its response.
    pub async fn call(&mut self, line: &str, token: &str, headers: &str, body: &str) -> Response {
        self.send(head(line, token, headers, body.len()) + body).await;
        self.response().await
    }

    /// Reads one response; that of a stream up to its head.
    pub async fn response(&mut self) -> Response {
        let head = self.until(b"\r\n\r\n").await;
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().unwrap());
        while self.buffer.len() < length {
            assert!(self.fill().await, "closed within a body: {head}");
        }
        let body = String::from_utf8(self.buffer.drain(..length).collect()).unwrap();
        Response { status, head, body }
    }

    /// Waits until the other side closes, and gives back what it still said.
    pub async fn closed(&mut self) -> String {
        while self.fill().await {}
        String::from_utf8_lossy(&self.buffer).into_owned()
    }

    async fn until(&mut self, end: &[u8]) -> String {
        loop {
            let found = self.buffer.windows(end.len()).position(|window| window == end);
            if let Some(place) = found {
                let taken = self.buffer.drain(..place + end.len()).collect();
                return String::from_utf8(taken).unwrap();
            }
            let so_far = String::from_utf8_lossy(&self.buffer).into_owned();
            assert!(self.fill().await, "closed while waiting for {end:?} after {so_far:?}");
        }
    }

    async fn fill(&mut self) -> bool {
        let read = timeout(deadline(), self.stream.read_buf(&mut self.buffer)).await;
        // A reset is an end too.
        read.expect("something comes, or the end").is_ok_and(|length| length > 0)
    }

    /// Opens an event stream on a connection of its own.
    pub async fn events(address: SocketAddr, token: &str, headers: &str, query: &str) -> Sse {
        Self::connect(address).await.listen(token, headers, query).await
    }

    /// Opens an event stream.
    pub async fn listen(mut self, token: &str, headers: &str, query: &str) -> Sse {
        self.send(head(&format!("GET /api/v1/events{query}"), token, headers, 0)).await;
        let response = self.response().await;
        assert_eq!(response.status, 200, "{response:?}");
        Sse { head: response.head, raw: self, text: String::new() }
    }
}

/// The head of a call: `GET /path`.
pub fn head(line: &str, token: &str, headers: &str, length: usize) -> String {
    format!(
        "{line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
    )
}

/// An event stream.
pub struct Sse {
    pub head: String,
    pub raw: Raw,
    text: String,
}

impl Sse {
    /// The next event with data: its kind, its id and its data. `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<(String, Option<String>, Value)> {
        loop {
            let frame = self.frame().await?;
            let field = |name: &str| {
                frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
            };
            if let Some(data) = field("data: ") {
                let data = serde_json::from_str(&data).unwrap();
                return Some((field("event: ").unwrap(), field("id: "), data));
            }
        }
    }

    /// The next event of the log: `draft` and `changed` come whenever they like.
    pub async fn logged(&mut self) -> Option<(String, Option<String>, Value)> {
        loop {
            let next = self.next().await?;
            if next.1.is_some() {
                return Some(next);
            }
        }
    }

    /// Whether nothing of the log comes for so long.
    pub async fn is_quiet(&mut self, time: Duration) -> bool {
        timeout(time, self.logged()).await.is_err()
    }

    /// The next block of lines, also one without data. `None` at the end of the stream.
    pub async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some(place) = self.text.find("\n\n") {
                let frame = self.text[..place].to_owned();
                self.text.drain(..place + 2);
                return Some(frame);
            }
            // One chunk: its length in hex, its bytes.
            let length = self.raw.until(b"\r\n").await;
            let length = usize::from_str_radix(length.trim(), 16).unwrap();
            while self.raw.buffer.len() < length + 2 {
                assert!(self.raw.fill().await, "closed within a chunk");
            }
            let chunk: Vec<u8> = self.raw.buffer.drain(..length + 2).collect();
            if length == 0 {
                return None;
            }
            self.text.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
        }
    }
}
