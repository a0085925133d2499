//! A door before a host for clients that know no token: what comes through it is passed on with one, and is
//! otherwise as it was. One exchange a connection.

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// The bound of a request's head, in bytes.
const HEAD: u64 = 64 * 1024;

pub struct Door {
    pub url: String,
}

impl Door {
    /// Opens one to the host at this address. It is open for as long as this process lives.
    pub fn open(host: &str, token: String) -> std::io::Result<Self> {
        let inside = host.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let outside = listener.local_addr()?;
        thread::spawn(move || {
            for stream in listener.incoming().map_while(std::io::Result::ok) {
                let (inside, token) = (inside.clone(), token.clone());
                let ports = (outside.port().to_string(), port_of(&inside).to_owned());
                // What breaks off is for the two sides to see.
                thread::spawn(move || pass(stream, &inside, &ports, &token));
            }
        });
        Ok(Self { url: format!("http://{outside}") })
    }
}

fn port_of(address: &str) -> &str {
    address.rsplit_once(':').map_or("80", |(_, port)| port)
}

fn pass(
    outside: TcpStream,
    inside: &str,
    ports: &(String, String),
    token: &str,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(outside.try_clone()?);
    let mut head = String::new();
    let mut limited = reader.by_ref().take(HEAD);
    while limited.read_line(&mut head)? > 2 {}
    let mut inside = TcpStream::connect(inside)?;
    inside.write_all(with_token(&head, ports, token).as_bytes())?;

    let mut answers = inside.try_clone()?;
    let mut out = outside.try_clone()?;
    let back = thread::spawn(move || {
        let _ = copy(&mut answers, &mut out);
        let _ = out.shutdown(Shutdown::Both);
    });
    let _ = copy(&mut reader, &mut inside);
    // The client is gone: the host has to hear of it.
    let _ = inside.shutdown(Shutdown::Both);
    let _ = back.join();
    Ok(())
}

/// The head as the host is to see it: names that say the door's port say its own.
fn with_token(head: &str, (outside, inside): &(String, String), token: &str) -> String {
    let mut lines = head.split("\r\n").filter(|line| !line.is_empty());
    let mut passed = format!("{}\r\n", lines.next().unwrap_or_default());
    for line in lines {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            "connection" => {}
            "host" | "origin" => {
                let there = line.strip_suffix(&format!(":{outside}"));
                let there = there.map(|there| format!("{there}:{inside}"));
                passed.push_str(&format!("{}\r\n", there.as_deref().unwrap_or(line)));
            }
            _ => passed.push_str(&format!("{line}\r\n")),
        }
    }
    passed.push_str(&format!("Authorization: Bearer {token}\r\nConnection: close\r\n\r\n"));
    passed
}

/// Copies what comes as it comes.
fn copy(from: &mut impl std::io::Read, to: &mut impl Write) -> std::io::Result<()> {
    let mut buffer = [0; 16 * 1024];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..read])?;
    }
}
