//! A host of a few lines: answers by a script, and notes what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// `GET /path`.
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What is answered.
pub enum Reply {
    /// A document with this status.
    Json(u16, Value),
    /// Anything with this status.
    Text(u16, &'static str),
    /// The connection breaks in the place of an answer.
    Cut,
    /// An event stream with this beginning, which then breaks.
    Broken(String),
    /// An event stream with this beginning, which stays open.
    Open(String),
}

type Script = dyn Fn(usize, &Asked) -> Reply + Send + Sync;

/// The host. It is gone when it is dropped.
pub struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    stopped: Arc<AtomicBool>,
    hung_up: Receiver<()>,
}

impl Server {
    /// Answers by `script`, which gets the number of the call (from 0) and the call.
    pub fn start(script: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_on(0, script)
    }

    /// The same on the port of an earlier one.
    pub fn start_on(
        port: u16,
        script: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, stopped) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let script: Arc<Script> = Arc::new(script);
        let (told, hung_up) = channel();
        let server =
            Self { port, asked: Arc::clone(&asked), stopped: Arc::clone(&stopped), hung_up };
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (asked, script, told) = (Arc::clone(&asked), Arc::clone(&script), told.clone());
                thread::spawn(move || {
                    let _ = talk(stream.unwrap(), &asked, &*script);
                    let _ = told.send(());
                });
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Everything that was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    /// Waits until a client has closed a connection.
    pub fn wait_hung_up(&self) {
        self.hung_up.recv_timeout(Duration::from_secs(5)).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn talk(mut stream: TcpStream, asked: &Mutex<Vec<Asked>>, script: &Script) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(call) = read(&mut reader)? {
        let number = {
            let mut asked = asked.lock().unwrap();
            asked.push(call.clone());
            asked.len() - 1
        };
        let (status, kind, body) = match script(number, &call) {
            Reply::Cut => return stream.shutdown(Shutdown::Both),
            Reply::Json(status, value) => (status, "application/json", value.to_string()),
            Reply::Text(status, text) => (status, "text/plain", text.to_owned()),
            Reply::Broken(text) => {
                begin_stream(&mut stream, &text)?;
                return stream.shutdown(Shutdown::Both);
            }
            Reply::Open(text) => {
                begin_stream(&mut stream, &text)?;
                // Until the client leaves.
                let _ = reader.read(&mut [0])?;
                return Ok(());
            }
        };
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status} Status\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n\
             {body}"
        )?;
    }
    Ok(())
}

fn begin_stream(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: \
         chunked\r\n\r\n{length:x}\r\n{text}\r\n"
    )
}

fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Asked>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let line = line.rsplit_once(' ').unwrap().0.to_owned();
    let mut call = Asked { line, headers, body: String::new() };
    let length = call.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    call.body = String::from_utf8(body).unwrap();
    Ok(Some(call))
}
