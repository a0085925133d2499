//! The endpoint of a host, as a client over HTTP speaks to it: a connection a message, answers read as
//! they come.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::{Host, MODERN, Wire};

/// A client over HTTP.
pub struct Http {
    port: u16,
    token: String,
    session: Option<String>,
    tell: Sender<Value>,
    messages: Receiver<Value>,
    /// The connection of each message that was sent, to be closed.
    pub sent: Vec<TcpStream>,
}

/// What came back.
pub struct Answered {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    body: BufReader<TcpStream>,
}

impl Http {
    /// One with the local credential.
    pub fn new(host: &Host) -> Self {
        let (tell, messages) = channel();
        let token = credential(host, "asker");
        Self { port: port(host), token, session: None, tell, messages, sent: Vec::new() }
    }
}

impl Wire for Http {
    fn send(&mut self, message: &Value) {
        let mut headers = vec![
            ("authorization".to_owned(), format!("Bearer {}", self.token)),
            ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ("content-type".to_owned(), "application/json".to_owned()),
        ];
        headers.extend(self.session.clone().map(|id| ("mcp-session-id".to_owned(), id)));
        let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        if *version == MODERN {
            headers.push(("mcp-protocol-version".to_owned(), MODERN.to_owned()));
            headers.push(("mcp-method".to_owned(), message["method"].as_str().unwrap().to_owned()));
            if let Some(name) = message["params"]["name"].as_str() {
                headers.push(("mcp-name".to_owned(), name.to_owned()));
            }
        }
        let stream = begin(self.port, "POST", &headers, &message.to_string());
        self.sent.push(stream.try_clone().unwrap());
        let tell = self.tell.clone();
        if message["method"] == "initialize" {
            let answered = head(stream);
            self.session = answered.header("mcp-session-id").map(str::to_owned);
            return answered.messages().for_each(|message| tell.send(message).unwrap());
        }
        // Of some calls not even the head comes before a person has answered.
        thread::spawn(move || {
            for message in head(stream).messages() {
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
    }

    fn receive(&mut self, within: Duration) -> Option<Value> {
        match self.messages.recv_timeout(within) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("a sender is held"),
        }
    }
}

/// The port of a host.
pub fn port(host: &Host) -> u16 {
    let told = host.askwell.state().join("askwell/port");
    std::fs::read_to_string(told).unwrap().trim().parse().unwrap()
}

/// The local credential of this role.
pub fn credential(host: &Host, role: &str) -> String {
    let file = host.askwell.state().join("askwell/credentials").join(role);
    std::fs::read_to_string(file).unwrap().trim().to_owned()
}

/// Sends a message to `/mcp`, and reads the head of the answer.
pub fn post(port: u16, headers: &[(String, String)], body: &str) -> Answered {
    exchange(port, "POST", headers, body)
}

/// The same by another method.
pub fn exchange(port: u16, method: &str, headers: &[(String, String)], body: &str) -> Answered {
    head(begin(port, method, headers, body))
}

fn begin(port: u16, method: &str, headers: &[(String, String)], body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut head = format!("{method} /mcp HTTP/1.1\r\nconnection: close\r\n");
    if !headers.iter().any(|(name, _)| name == "host") {
        head += &format!("host: 127.0.0.1:{port}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("content-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream
}

/// The head of an answer; of a connection that was cut it is empty.
fn head(stream: TcpStream) -> Answered {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    let _ = reader.read_line(&mut line);
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        let _ = reader.read_line(&mut line);
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    Answered { status, headers, body: reader }
}

/// Closes a connection at once, as a client does that has no more use for the answer.
pub fn hang_up(stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Both);
}

impl Answered {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(named, _)| named == name).map(|(_, value)| value.as_str())
    }

    /// The whole body.
    pub fn text(mut self) -> String {
        let mut text = String::new();
        match self.header("transfer-encoding") {
            Some(_) => {
                while let Some(chunk) = chunk(&mut self.body) {
                    text += &chunk;
                }
            }
            None => drop(self.body.read_to_string(&mut text)),
        }
        text
    }

    /// The messages of the body, as they come.
    fn messages(mut self) -> Box<dyn Iterator<Item = Value>> {
        if self.header("content-type") != Some("text/event-stream") {
            let text = self.text();
            return Box::new(serde_json::from_str(&text).ok().into_iter());
        }
        let mut rest = String::new();
        let mut chunks = std::iter::from_fn(move || chunk(&mut self.body));
        let mut lines = std::iter::from_fn(move || {
            loop {
                if let Some(end) = rest.find('\n') {
                    let line: String = rest.drain(..=end).collect();
                    return Some(line.trim_end().to_owned());
                }
                rest += &chunks.next()?;
            }
        });
        Box::new(std::iter::from_fn(move || {
            loop {
                let line = lines.next()?;
                let data = line.strip_prefix("data:").map(str::trim).unwrap_or_default();
                if let Ok(message) = serde_json::from_str(data) {
                    return Some(message);
                }
            }
        }))
    }
}

/// The next chunk of a body; nothing once it has ended or was cut.
fn chunk(body: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    body.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok()?;
    let mut bytes = vec![0; length + 2];
    body.read_exact(&mut bytes).ok()?;
    bytes.truncate(length);
    (length > 0).then(|| String::from_utf8(bytes).unwrap())
}
