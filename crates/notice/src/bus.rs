//! As much of D-Bus as a call and its answer take: a connection over a Unix socket, signing in as this
//! user, and the few types that are wanted.
//!
//! Invariant: everything has a time limit, and what comes in is bounded.

pub(crate) mod wire;

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::geteuid;

pub(crate) use wire::{Reply, Value};

/// How long a call may take.
const LIMIT: Duration = Duration::from_secs(5);
/// The longest line of the sign-in, in bytes.
const LINE: usize = 1024;

const BUS: &str = "org.freedesktop.DBus";

/// Where a session bus is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bus {
    socket: Socket,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Socket {
    File(PathBuf),
    /// A name of Linux without a file.
    Abstract(String),
}

impl Bus {
    /// The one of these two variables, `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR`: where the
    /// first names none, the socket that systemd has in the second.
    pub fn of(address: Option<&str>, runtime: Option<&Path>) -> Option<Self> {
        let named = address.and_then(|address| address.split(';').find_map(socket));
        let usual = || Some(Socket::File(runtime?.join("bus")));
        Some(Self { socket: named.or_else(usual)? })
    }

    /// Whether it is there, as far as can be seen.
    pub fn is_there(&self) -> bool {
        match &self.socket {
            Socket::File(path) => path.exists(),
            Socket::Abstract(_) => true,
        }
    }

    /// Signs in.
    pub(crate) fn connect(&self) -> io::Result<Connection> {
        let stream = match &self.socket {
            Socket::File(path) => UnixStream::connect(path)?,
            Socket::Abstract(name) => connect_abstract(name)?,
        };
        let until = Instant::now() + LIMIT;
        let mut connection = Connection { stream, until, serial: 0 };
        // Who we are in hexadecimal digits of the decimal number.
        let user: String =
            geteuid().as_raw().to_string().bytes().map(|it| format!("{it:02x}")).collect();
        connection.write(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes())?;
        if !connection.line()?.starts_with("OK ") {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it does not let us in"));
        }
        connection.write(b"BEGIN\r\n")?;
        connection.call(BUS, "/org/freedesktop/DBus", "Hello", &[])?;
        Ok(connection)
    }
}

impl fmt::Display for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.socket {
            Socket::File(path) => path.display().fmt(f),
            Socket::Abstract(name) => write!(f, "@{name}"),
        }
    }
}

/// The socket of one address such as `unix:path=/run/user/1000/bus,guid=…`.
fn socket(address: &str) -> Option<Socket> {
    let fields = address.strip_prefix("unix:")?.split(',').filter_map(|it| it.split_once('='));
    fields.into_iter().find_map(|(key, value)| match key {
        "path" => Some(Socket::File(PathBuf::from(unescaped(value)?))),
        "abstract" => Some(Socket::Abstract(unescaped(value)?)),
        _ => None,
    })
}

/// A value in which `%2f` stands for a slash.
fn unescaped(value: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                u8::try_from(value).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(target_os = "linux")]
fn connect_abstract(name: &str) -> io::Result<UnixStream> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::SocketAddr;
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)
}

#[cfg(not(target_os = "linux"))]
fn connect_abstract(_: &str) -> io::Result<UnixStream> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A connection that is signed in.
pub(crate) struct Connection {
    stream: UnixStream,
    until: Instant,
    serial: u32,
}

impl Connection {
    /// Calls a method of an object, whose interface has the name of its service.
    pub(crate) fn call(
        &mut self,
        name: &str,
        path: &str,
        member: &str,
        arguments: &[Value],
    ) -> io::Result<Reply> {
        self.serial += 1;
        let call = wire::call(self.serial, (name, path, member), arguments);
        self.write(&call)?;
        loop {
            let mut head = [0; wire::HEAD];
            self.read(&mut head)?;
            let rest = wire::length(&head)?;
            let mut message = head.to_vec();
            message.resize(wire::HEAD + rest, 0);
            self.read(&mut message[wire::HEAD..])?;
            // Signals, and what others are told, come in between.
            if let Some(reply) = wire::reply(&message, self.serial)? {
                return Ok(reply);
            }
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        // Byte by byte: what follows the line is not for us.
        while !line.ends_with(b"\r\n") {
            if line.len() > LINE {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let mut byte = [0];
            self.read(&mut byte)?;
            line.push(byte[0]);
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            self.stream.set_read_timeout(Some(self.time_left()?))?;
            match self.stream.read(&mut bytes[done..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => done += count,
                Err(error) => again(error)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            self.stream.set_write_timeout(Some(self.time_left()?))?;
            match self.stream.write(&bytes[done..]) {
                Ok(count) => done += count,
                Err(error) => again(error)?,
            }
        }
        Ok(())
    }

    fn time_left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::Error::new(io::ErrorKind::TimedOut, "no answer came in time")),
            false => Ok(left),
        }
    }
}

/// What was only interrupted, or found nothing yet, is tried again for as long as there is time.
fn again(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Some("unix:path=/run/user/7/bus,guid=a1"), "/run/user/7/bus")]
    #[case(Some("unix:path=/tmp/a%20b"), "/tmp/a b")]
    #[case(Some("tcp:host=there;unix:abstract=/tmp/dbus-x"), "@/tmp/dbus-x")]
    fn a_bus_is_found_by_its_address(#[case] address: Option<&str>, #[case] expected: &str) {
        assert_eq!(Bus::of(address, None).unwrap().to_string(), expected);
    }

    #[test]
    fn without_an_address_it_is_the_socket_of_the_session_if_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let bus = Bus::of(Some("tcp:host=there"), Some(folder.path())).unwrap();
        assert!(!bus.is_there());
        std::fs::write(folder.path().join("bus"), "").unwrap();
        assert!(bus.is_there());
        assert_eq!(Bus::of(None, None), None);
    }
}
