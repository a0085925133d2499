//! A program that is run: without a shell, told by variables and standard input, in a process group
//! of its own that is killed when its time is over.

use std::fmt;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askwell_core::text::sanitize_line;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::{Failed, Message};

/// What no program is to inherit from us.
const WITHHELD: [&str; 3] =
    ["ASKWELL_NOTIFY_NTFY_TOKEN", "ASKWELL_TOKEN", "ASKWELL_WEBHOOK_SECRET"];
/// How much of what it says is kept, in bytes.
const SAID: usize = 4 * 1024;
/// How long what it said is waited for after it has ended: a child of its own may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    words: Vec<String>,
    limit: Duration,
    outlives_host: bool,
    listens: bool,
}

/// What is no program with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadProgram;

impl Program {
    /// How long it may take where nothing else is said.
    pub const LIMIT: Duration = Duration::from_secs(30);

    /// With this time limit.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs on when the host stops.
    #[must_use]
    pub fn outliving_host(mut self) -> Self {
        self.outlives_host = true;
        self
    }

    /// What it says is told, and not only in a log at debug.
    #[must_use]
    pub fn listened_to(mut self) -> Self {
        self.listens = true;
        self
    }

    /// Runs it once.
    pub(crate) async fn run(&self, message: &Message) -> Result<String, Failed> {
        let [program, arguments @ ..] = self.words.as_slice() else {
            return Err(Failed::for_good("no program is named"));
        };
        let listens = self.listens || tracing::enabled!(tracing::Level::DEBUG);
        let output = || if listens { Stdio::piped() } else { Stdio::null() };
        let mut command = Command::new(program);
        command.args(arguments).envs(message.variables.iter().map(|(name, value)| (name, value)));
        for name in WITHHELD {
            command.env_remove(name);
        }
        command.process_group(0).stdin(Stdio::piped()).stdout(output()).stderr(output());
        let mut child = command.spawn().map_err(|error| {
            Failed::for_good(format!("it can't be started: {error}"))
                .hint("name a program on the PATH of the host, or its whole path")
        })?;
        let mut group = Group::of(&child, self.outlives_host);
        let said = [
            child.stdout.take().map(|pipe| Said::by(Box::new(pipe))),
            child.stderr.take().map(|pipe| Said::by(Box::new(pipe))),
        ];
        let (stdin, document) = (child.stdin.take(), format!("{}\n", message.document));
        let runs = async {
            if let Some(mut stdin) = stdin {
                // It need not read it.
                let _ = stdin.write_all(document.as_bytes()).await;
            }
            child.wait().await
        };
        let status = timeout(self.limit, runs).await;
        if status.is_err() {
            group.kill();
            let _ = child.wait().await;
        }
        group.is_over();
        let mut words = Vec::new();
        for said in said.into_iter().flatten() {
            words.push(said.words().await);
        }
        let words = words.join("");
        if listens {
            tracing::debug!(said = %sanitize_line(&words), "the program has ended");
        }
        let told = |what: String| match (self.listens, words.trim()) {
            (true, words) if !words.is_empty() => format!("{what}: {}", sanitize_line(words)),
            _ => what,
        };
        match status {
            Err(_) => {
                let limit = self.limit.as_secs();
                let why = format!("it did not end within {limit} s, and was killed");
                Err(Failed::for_good(told(why))
                    .hint("have it start what runs for long in the background, and end"))
            }
            Ok(Ok(status)) if status.success() => Ok(told("it ended well".to_owned())),
            Ok(Ok(status)) => Err(Failed::for_good(told(format!("it ended badly ({status})")))),
            Ok(Err(error)) => Err(Failed::for_good(format!("it can't be waited for: {error}"))),
        }
    }
}

/// A list of words in JSON, or words with spaces between them. No shell reads either.
impl FromStr for Program {
    type Err = BadProgram;

    fn from_str(text: &str) -> Result<Self, BadProgram> {
        let words: Vec<String> = match text.trim_start().starts_with('[') {
            true => serde_json::from_str(text).map_err(|_| BadProgram)?,
            false => text.split_whitespace().map(str::to_owned).collect(),
        };
        let is_named = words.first().is_some_and(|program| !program.trim().is_empty());
        match is_named && !words.iter().any(|word| word.contains('\0')) {
            true => Ok(Self { words, limit: Self::LIMIT, outlives_host: false, listens: false }),
            false => Err(BadProgram),
        }
    }
}

/// The program alone: an argument may be a secret.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words.first().map_or("", String::as_str))
    }
}

/// The process group of a child, killed where nobody waits for it any more.
struct Group {
    leader: Option<Pid>,
    outlives_host: bool,
}

impl Group {
    fn of(child: &Child, outlives_host: bool) -> Self {
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
        Self { leader: pid.and_then(Pid::from_raw), outlives_host }
    }

    fn kill(&self) {
        if let Some(leader) = self.leader {
            // One that is gone already is what is wanted.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// Its leader was waited for: the number may be another one's now.
    fn is_over(&mut self) {
        self.leader = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.outlives_host {
            self.kill();
        }
    }
}

/// The beginning of what a program says. The rest is read and dropped, so that it never waits for us.
struct Said {
    text: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
}

impl Said {
    fn by(mut pipe: Box<dyn AsyncRead + Send + Unpin>) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&text);
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = SAID - kept.len().min(SAID);
                kept.extend_from_slice(&buffer[..count.min(room)]);
            }
        });
        Self { text, reading }
    }

    async fn words(self) -> String {
        // It is read to its end in any case: who writes to a pipe that nobody reads is ended.
        let _ = timeout(LAST_WORDS, self.reading).await;
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&text).into_owned()
    }
}
