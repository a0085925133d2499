//! A client that costs as little as one can: one keep-alive connection, requests put together
//! beforehand, nothing of a response read but its status, its length and its body.

use anyhow::{Context as _, Result, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The bytes of a POST with a JSON body.
pub fn post(path: &str, token: &str, body: &str) -> Vec<u8> {
    let head = head("POST", path, token);
    let length = body.len();
    format!("{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into()
}

/// The bytes of a GET.
pub fn get(path: &str, token: &str) -> Vec<u8> {
    format!("{}\r\n", head("GET", path, token)).into()
}

fn head(method: &str, path: &str, token: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n")
}

/// A connection to a server.
pub struct Connection {
    stream: TcpStream,
    /// What was read and not used up yet is from `start` on.
    buffer: Vec<u8>,
    start: usize,
}

impl Connection {
    /// Connects to this port of the loopback address.
    pub async fn open(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4 * 1024), start: 0 })
    }

    /// Sends a request and reads the body of a response that says yes.
    pub async fn call(&mut self, request: &[u8]) -> Result<&[u8]> {
        self.send(request).await?;
        self.receive().await
    }

    /// Sends a request. Its response is still to be received.
    pub async fn send(&mut self, request: &[u8]) -> Result<()> {
        Ok(self.stream.write_all(request).await?)
    }

    /// Reads the body of a response that says yes.
    pub async fn receive(&mut self) -> Result<&[u8]> {
        let head = self.head().await?;
        let length = head.length.context("a response without a length")?;
        while self.unused().len() < length {
            self.read().await?;
        }
        let body = self.start..self.start + length;
        self.start = body.end;
        let body = &self.buffer[body];
        ensure!(
            matches!(head.status, 200..=299),
            "{}: {}",
            head.status,
            String::from_utf8_lossy(body)
        );
        Ok(body)
    }

    /// Sends a request whose response is a stream of events.
    pub async fn subscribe(mut self, request: &[u8]) -> Result<Events> {
        self.send(request).await?;
        let head = self.head().await?;
        ensure!(head.status == 200 && head.length.is_none(), "no event stream: {}", head.status);
        let mut events = Events { connection: self, text: Vec::new(), start: 0 };
        // The greeting says that the stream is open.
        events.next().await?;
        Ok(events)
    }

    async fn head(&mut self) -> Result<Head> {
        let mut looked = 0;
        let end = loop {
            let from = looked;
            let found = self.unused()[from..].windows(4).position(|bytes| bytes == b"\r\n\r\n");
            if let Some(place) = found {
                break from + place + 4;
            }
            looked = self.unused().len().saturating_sub(3);
            self.read().await?;
        };
        let head = Head::read(&self.unused()[..end])?;
        self.start += end;
        Ok(head)
    }

    fn unused(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    async fn read(&mut self) -> Result<()> {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        } else if self.start > 64 * 1024 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server has closed the connection");
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq)]
struct Head {
    status: u16,
    length: Option<usize>,
}

impl Head {
    fn read(bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes)?;
        let mut lines = text.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let length = lines.find_map(|line| line.strip_prefix("content-length: "));
        Ok(Self {
            status: status.context("no status")?.parse()?,
            length: length.map(str::parse).transpose()?,
        })
    }
}

/// A stream of server-sent events, in chunks.
pub struct Events {
    connection: Connection,
    /// What the chunks held and was not told yet is from `start` on.
    text: Vec<u8>,
    start: usize,
}

impl Events {
    /// The next block: an event, or a sign of life.
    pub async fn next(&mut self) -> Result<&str> {
        loop {
            let rest = &self.text[self.start..];
            if let Some(length) = rest.windows(2).position(|bytes| bytes == b"\n\n") {
                let block = self.start..self.start + length;
                self.start = block.end + 2;
                return Ok(std::str::from_utf8(&self.text[block])?);
            }
            if self.start > 0 {
                self.text.drain(..self.start);
                self.start = 0;
            }
            self.chunk().await?;
        }
    }

    /// The id of the request that is asked next.
    pub async fn requested(&mut self) -> Result<String> {
        loop {
            let block = self.next().await?;
            if block.starts_with("event: requested") {
                return id_after(block, "\"request\":{");
            }
        }
    }

    async fn chunk(&mut self) -> Result<()> {
        let connection = &mut self.connection;
        loop {
            if let Some((text, used)) = chunk(connection.unused())? {
                ensure!(!text.is_empty(), "the stream of events has ended");
                self.text.extend_from_slice(text);
                connection.start += used;
                return Ok(());
            }
            connection.read().await?;
        }
    }
}

/// The first chunk, if all of it is there, and the bytes that it takes.
fn chunk(bytes: &[u8]) -> Result<Option<(&[u8], usize)>> {
    let Some(line) = bytes.windows(2).position(|bytes| bytes == b"\r\n") else { return Ok(None) };
    let size = std::str::from_utf8(&bytes[..line])?;
    let size = usize::from_str_radix(size, 16).with_context(|| format!("{size:?} is no size"))?;
    let (from, to) = (line + 2, line + 2 + size);
    Ok(bytes.get(from..to + 2).map(|_| (&bytes[from..to], to + 2)))
}

/// The id that follows this text.
pub fn id_after(text: &str, before: &str) -> Result<String> {
    let id = text.split_once(before).and_then(|(_, rest)| rest.strip_prefix("\"id\":\""));
    let id = id.and_then(|rest| rest.get(..36));
    Ok(id.with_context(|| format!("no id in {text}"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read() {
        let head =
            Head::read(b"HTTP/1.1 201 Created\r\na: b\r\ncontent-length: 17\r\n\r\n").unwrap();
        assert_eq!(head, Head { status: 201, length: Some(17) });
        let head = Head::read(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        assert_eq!(head, Head { status: 200, length: None });
    }

    #[test]
    fn a_chunk_is_read_once_all_of_it_is_there() {
        let bytes = b"a\r\n0123456789\r\n3\r\nabc\r\n";

        for end in 0..15 {
            assert_eq!(chunk(&bytes[..end]).unwrap(), None);
        }
        assert_eq!(chunk(bytes).unwrap(), Some((&b"0123456789"[..], 15)));
        assert_eq!(chunk(&bytes[15..]).unwrap(), Some((&b"abc"[..], 8)));
        assert!(chunk(b"xyz\r\n").is_err());
    }

    #[test]
    fn an_id_is_found() {
        let id = "01890000-0000-7000-8000-000000000000";
        let text =
            format!("{{\"kind\":\"requested\",\"id\":\"1-1\",\"request\":{{\"id\":\"{id}\"}}}}");

        assert_eq!(id_after(&text, "\"request\":{").unwrap(), id);
        assert!(id_after(&text, "nothing").is_err());
    }
}
