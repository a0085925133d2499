//! A connection to a host, without anything of our own client: what is sent goes out once, and an
//! answer either came whole or did not come.

use std::io::{self, BufReader, Read, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use askwell_testkit::deadline;
use serde_json::Value;

/// What a host said.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

impl Reply {
    /// The stable code of an error.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

/// A connection with one credential.
#[derive(Debug)]
pub struct Http {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    head: String,
    last: Instant,
}

/// A host closes a connection that is idle for longer than 30 s.
const IDLE: Duration = Duration::from_secs(10);

fn open(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(deadline() * 2))?;
    Ok(BufReader::new(stream))
}

impl Http {
    pub fn connect(port: u16, token: &str) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let head = format!("host: {address}\r\nauthorization: Bearer {token}\r\n");
        Ok(Self { stream: open(address)?, address, head, last: Instant::now() })
    }

    pub fn get(&mut self, path: &str) -> io::Result<Reply> {
        self.call("GET", path, &[], None)
    }

    pub fn post(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.call("POST", path, &[], Some(body))
    }

    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> io::Result<Reply> {
        if self.last.elapsed() > IDLE {
            self.stream = open(self.address)?;
        }
        self.send(method, path, headers, body)?;
        let (status, length) = self.read_head()?;
        let mut bytes = vec![0; length.ok_or_else(|| io::Error::other("no content-length"))?];
        self.stream.read_exact(&mut bytes)?;
        let body = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
        self.last = Instant::now();
        Ok(Reply { status, body })
    }

    /// Turns the connection into an event stream.
    pub fn events(mut self, last_event_id: Option<&str>) -> io::Result<Frames> {
        let header = last_event_id.map(|id| ("last-event-id", id));
        self.send("GET", "/api/v1/events", header.as_slice(), None)?;
        match self.read_head()? {
            (200, None) => {
                let chunks = Chunks { stream: self.stream, left: 0 };
                Ok(Frames { lines: BufReader::new(chunks) })
            }
            (status, _) => Err(io::Error::other(format!("no event stream: {status}"))),
        }
    }

    fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> io::Result<()> {
        let mut text = format!("{method} {path} HTTP/1.1\r\n{}", self.head);
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        match body.map(Value::to_string) {
            None => text.push_str("\r\n"),
            Some(body) => {
                let length = body.len();
                text.push_str("content-type: application/json\r\n");
                text.push_str(&format!("content-length: {length}\r\n\r\n{body}"));
            }
        }
        self.stream.get_mut().write_all(text.as_bytes())
    }

    fn read_head(&mut self) -> io::Result<(u16, Option<usize>)> {
        let status = line(&mut self.stream)?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other("no status"))?;
        let mut length = None;
        loop {
            let header = line(&mut self.stream)?;
            if header.is_empty() {
                return Ok((status, length));
            }
            if let Some((name, value)) = header.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().ok();
            }
        }
    }
}

/// A line with its end, without it. One that was cut is an error.
fn line(stream: &mut impl io::BufRead) -> io::Result<String> {
    let mut text = String::new();
    stream.read_line(&mut text)?;
    let whole = text.strip_suffix('\n').ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(whole.strip_suffix('\r').unwrap_or(whole).to_owned())
}

/// A body in chunks.
#[derive(Debug)]
struct Chunks {
    stream: BufReader<TcpStream>,
    left: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let size = match line(&mut self.stream)? {
                // The end of the chunk before.
                text if text.is_empty() => line(&mut self.stream)?,
                text => text,
            };
            self.left = usize::from_str_radix(&size, 16).map_err(io::Error::other)?;
            if self.left == 0 {
                return Ok(0);
            }
        }
        let most = buffer.len().min(self.left);
        let read = self.stream.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}

/// A server-sent event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    pub event: String,
    pub id: Option<String>,
    pub data: Value,
}

/// The events of a stream.
#[derive(Debug)]
pub struct Frames {
    lines: BufReader<Chunks>,
}

impl Frames {
    /// The next event that came whole. An error where the stream has ended.
    pub fn next(&mut self) -> io::Result<Frame> {
        let mut frame = Frame::default();
        loop {
            let line = line(&mut self.lines)?;
            match line.split_once(": ") {
                Some(("event", event)) => event.clone_into(&mut frame.event),
                Some(("id", id)) => frame.id = Some(id.to_owned()),
                Some(("data", data)) => {
                    frame.data = serde_json::from_str(data).map_err(io::Error::other)?;
                }
                None if line.is_empty() && !frame.event.is_empty() => return Ok(frame),
                // A comment, `retry`, or the end of a block of them.
                _ => {}
            }
        }
    }
}
