//! The programs that serve: askwell's host as it is released, in folders of its own, and its peer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use askwell_client::{Place, Token};
use askwell_core::wire::Role;
use askwell_testkit::TestEnvironment;
use rustix::process::{Pid, Signal, kill_process};

use crate::memory;

/// No host takes this long to start or to stop.
const DEADLINE: Duration = Duration::from_secs(60);
/// How long to wait for a port between two looks at it.
const PAUSE: Duration = Duration::from_micros(200);

/// A state folder, and what runs in it.
pub struct Folder {
    environment: TestEnvironment,
    port: u16,
}

impl Folder {
    /// An empty one.
    pub fn new(askwell: &Path) -> Result<Self> {
        // Free now; nothing else looks for one meanwhile.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        Ok(Self { environment: TestEnvironment::new(askwell), port })
    }

    /// One that a host has run in, so that there are a store and credentials.
    pub fn with_store(askwell: &Path) -> Result<Self> {
        let folder = Self::new(askwell)?;
        folder.start()?.stop()?;
        Ok(folder)
    }

    /// The environment of those that find the host there.
    pub fn environment(&self) -> &TestEnvironment {
        &self.environment
    }

    /// The folder, as the host's clients know it.
    pub fn place(&self) -> Place {
        Place::new(self.environment.state().join("askwell"))
    }

    /// Starts the host; it has answered once when this returns.
    pub fn start(&self) -> Result<Host> {
        let mut command = Command::new(self.environment.program());
        command
            .args(["serve", "--log", "error", "--port", &self.port.to_string()])
            .env_clear()
            .envs(self.environment.variables())
            .current_dir(self.environment.work())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let started = Instant::now();
        let process = Process(command.spawn()?);
        let answered = first_answer(self.port, started)?;
        let token = |role| -> Result<String> {
            let token = Token::local(&self.place(), role)?.context("no local credential")?;
            Ok(token.secret().to_owned())
        };
        let (asker, answerer) = (token(Role::Asker)?, token(Role::Answerer)?);
        Ok(Host { process, answered, port: self.port, asker, answerer })
    }
}

/// A host that runs.
pub struct Host {
    process: Process,
    /// From its start to its first answer.
    pub answered: Duration,
    /// Where it listens.
    pub port: u16,
    /// The token of an asker.
    pub asker: String,
    /// The token of an answerer.
    pub answerer: String,
}

impl Host {
    /// Anonymous and total resident bytes.
    pub fn memory(&self) -> Result<[u64; 2]> {
        memory::of_process(self.process.0.id())
    }

    /// The time that it has spent on processors.
    pub fn processor_time(&self) -> Result<Duration> {
        processor_time(&self.process.0.id().to_string())
    }

    /// Lets it end by itself.
    pub fn stop(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.process.0), Signal::TERM)?;
        let start = Instant::now();
        while start.elapsed() < DEADLINE {
            if let Some(status) = self.process.0.try_wait()? {
                ensure!(status.success(), "the host ended with {status}");
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        bail!("the host does not stop")
    }
}

/// Asks until there is an answer; the time since the start.
fn first_answer(port: u16, started: Instant) -> Result<Duration> {
    let mut stream = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => break stream,
            Err(_) if started.elapsed() < DEADLINE => std::thread::sleep(PAUSE),
            Err(error) => return Err(error).context("the host does not answer"),
        }
    };
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")?;
    let mut status = [0; 12];
    stream.read_exact(&mut status)?;
    let answered = started.elapsed();
    ensure!(&status == b"HTTP/1.1 200", "the host answers {}", String::from_utf8_lossy(&status));
    Ok(answered)
}

/// The empty handler that the host is measured against.
pub struct Peer {
    process: Process,
    /// Where it listens.
    pub port: u16,
}

impl Peer {
    /// Starts it.
    pub fn start(program: &Path) -> Result<Self> {
        let mut process = Process(Command::new(program).stdout(Stdio::piped()).spawn()?);
        let mut line = String::new();
        let output = process.0.stdout.take().context("no output")?;
        BufReader::new(output).read_line(&mut line)?;
        let port = line.trim().parse().context("the peer tells no port")?;
        Ok(Self { process, port })
    }

    /// The time that it has spent on processors.
    pub fn processor_time(&self) -> Result<Duration> {
        processor_time(&self.process.0.id().to_string())
    }
}

/// The time that a process has spent on processors; `self` is this one.
pub fn processor_time(process: &str) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    ticks(&stat).map(|ticks| {
        Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    })
}

/// Those of user and system together.
fn ticks(stat: &str) -> Result<u64> {
    // The name of the program, in brackets, may hold anything.
    let (_, rest) = stat.rsplit_once(") ").context("no name")?;
    let mut fields = rest.split(' ').skip(11);
    let mut field = || -> Result<u64> { Ok(fields.next().context("too few fields")?.parse()?) };
    Ok(field()? + field()?)
}

/// Ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_user_and_system() {
        let stat = "7 (a ) b) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 1 0";

        assert_eq!(ticks(stat).unwrap(), 281);
        assert!(ticks("7 (a) S 1 2").is_err());
    }
}
