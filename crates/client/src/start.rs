//! Finds the host of a state folder, or starts one in the background.
//!
//! Invariants: one host a folder, whoever starts at once; a running one is never stopped or
//! replaced; in CI and under cron none is started.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use askwell_core::ErrorCode;
use askwell_core::wire::{InboxError, Role};
use rustix::process::{Pid, Signal, kill_process};

use crate::access::{Found, no_host};
use crate::{Access, HostLock, Local, Locate};

/// How long a host may take to answer for the first time.
const STARTED_WITHIN: Duration = Duration::from_secs(15);

/// A log longer than this, in bytes, is put aside when the next host is started.
const LOG: u64 = 8 * 1024 * 1024;

/// What a program in the background keeps of the environment of whoever happened to start it: who and
/// where it is, and by which way and with which certificates this machine reaches others, for what it tells
/// outside.
const KEPT: [&str; 23] = [
    "ALL_PROXY",
    "DBUS_SESSION_BUS_ADDRESS",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LOGNAME",
    "NO_PROXY",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];
const KEPT_PREFIXES: [&str; 2] = ["ASKWELL_", "LC_"];
const DROPPED: [&str; 3] = ["ASKWELL_ANSWERS", "ASKWELL_TOKEN", "ASKWELL_URL"];

/// Why no host is to be started here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStart {
    /// `CI` is set.
    Ci,
    /// A cron job.
    Cron,
}

impl NoStart {
    /// What this process's surroundings say.
    pub fn here() -> Option<Self> {
        let ci = std::env::var("CI").unwrap_or_default();
        if !matches!(ci.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no") {
            return Some(Self::Ci);
        }
        is_below_cron().then_some(Self::Cron)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Ci => "CI is set",
            Self::Cron => "this is a cron job",
        }
    }
}

/// Finds a host, or starts one.
#[derive(Debug, Clone)]
pub struct Starter {
    local: Local,
    program: PathBuf,
    arguments: Vec<OsString>,
    /// In place of what is kept of this process's.
    environment: Option<Vec<(OsString, OsString)>>,
    no_start: Option<NoStart>,
    within: Duration,
    /// Whether a host was there before, for more than to be found.
    met: Arc<AtomicBool>,
}

impl Starter {
    /// Starts `program serve --background` where nothing else is found.
    pub fn new(local: Local, program: impl Into<PathBuf>) -> Self {
        Self {
            local,
            program: program.into(),
            arguments: vec!["serve".into(), "--background".into()],
            environment: None,
            no_start: NoStart::here(),
            within: STARTED_WITHIN,
            met: Arc::default(),
        }
    }

    /// The same in another role.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.local.role = role;
        self
    }

    /// With other arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// With this environment, and nothing of this process's.
    #[must_use]
    pub fn environment(
        mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        self.environment = Some(environment.into_iter().collect());
        self
    }

    /// Whatever the surroundings say.
    #[must_use]
    pub fn no_start(mut self, no_start: Option<NoStart>) -> Self {
        self.no_start = no_start;
        self
    }

    /// With another time for the first answer.
    #[must_use]
    pub fn within(mut self, within: Duration) -> Self {
        self.within = within;
        self
    }

    fn start(&self) -> Result<Access, InboxError> {
        if let Some(why) = self.no_start {
            let message = format!("no host is running, and none is started here: {}", why.words());
            return Err(InboxError::new(ErrorCode::NoProvider, message)
                .with_hint("start one beforehand (askwell serve), or name one in ASKWELL_URL"));
        }
        let mut started: Option<Started> = None;
        let mut pause = Duration::from_millis(5);
        // One that stops finishes first what is under way, which takes its time.
        let lock_until = Instant::now() + self.within * 2;
        loop {
            match (self.local.find()?, &mut started) {
                (Found::Host { access, pid }, started) => {
                    if let Some(Started { child: Some(child), .. }) = started.take() {
                        if child.id() != pid {
                            // It has lost, and must not come to life once the winner is stopped.
                            give_up(&child);
                        }
                        reap(child);
                    }
                    return Ok(access);
                }
                (Found::None, None) if self.was_stopped() => return Err(stopped()),
                (Found::None, None) => started = Some(self.start_one()?),
                (_, Some(one)) => {
                    if let Some(status) = one.has_ended() {
                        match HostLock::is_held(&self.local.place) {
                            // The lock went to another one.
                            true => started = None,
                            false => {
                                let why = format!("it ended at once ({status})");
                                return Err(self.failed(&why, one.log_before));
                            }
                        }
                    } else if Instant::now() >= one.until {
                        let why = format!("it did not answer within {} s", self.within.as_secs());
                        let error = self.failed(&why, one.log_before);
                        one.child.take().into_iter().for_each(reap);
                        return Err(error);
                    }
                }
                (Found::Busy(why), None) if Instant::now() >= lock_until => {
                    return Err(self.local.busy(&why));
                }
                (Found::Busy(_), None) => {}
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Starts a host; the lock was free.
    fn start_one(&self) -> Result<Started, InboxError> {
        let place = &self.local.place;
        if fs::metadata(place.log()).is_ok_and(|log| log.len() > LOG) {
            // Where it can't be, it just grows on.
            let _ = fs::rename(place.log(), place.log_before());
        }
        let log_before = fs::metadata(place.log()).map_or(0, |metadata| metadata.len());
        let log = self.log().map_err(|error| {
            let folder = place.folder().display();
            let message = format!("the state folder {folder} can't be used: {error}");
            InboxError::new(ErrorCode::HostUnreachable, message)
        })?;
        let child = self.spawn(log).map_err(|error| self.not_started(&error))?;
        Ok(Started { child: Some(child), log_before, until: Instant::now() + self.within })
    }

    /// Where a host in the background writes.
    fn log(&self) -> io::Result<File> {
        let place = &self.local.place;
        place.prepare()?;
        OpenOptions::new().append(true).create(true).mode(0o600).open(place.log())
    }

    fn spawn(&self, log: File) -> io::Result<Child> {
        let place = &self.local.place;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear();
        match &self.environment {
            Some(own) => command.envs(own.iter().cloned()),
            None => command.envs(kept_environment()),
        };
        // What this process takes for its place must be the host's as well.
        if let Some(state) = place.folder().parent() {
            command.env("XDG_STATE_HOME", state);
        }
        command.current_dir("/").stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
    }

    fn not_started(&self, error: &io::Error) -> InboxError {
        let program = self.program.display();
        let message = format!("no host could be started ({program}): {error}");
        InboxError::new(ErrorCode::HostUnreachable, message)
    }

    fn failed(&self, why: &str, log_before: u64) -> InboxError {
        let log = self.local.place.log();
        let said = fs::read(&log).unwrap_or_default();
        let said = said.get(usize::try_from(log_before).unwrap_or(0)..).unwrap_or_default();
        let said = String::from_utf8_lossy(said);
        let last = last_words(&said);
        let code = match said.contains(ErrorCode::HostVersion.as_str()) {
            true => ErrorCode::HostVersion,
            false => ErrorCode::HostUnreachable,
        };
        let message = match last.as_str() {
            "" => format!("a host was started and {why}"),
            last => format!("a host was started and {why}: {last}"),
        };
        InboxError::new(code, message).with_hint(format!("its log is {}", log.display()))
    }
}

impl Locate for Starter {
    fn locate(&self) -> Result<Access, InboxError> {
        if let Some(access) = self.local.environment.access()? {
            return Ok(access);
        }
        match self.local.find()? {
            Found::Host { access, .. } => Ok(access),
            Found::None if self.was_stopped() => Err(stopped()),
            // Nothing is started here: it comes up by itself, or does not.
            Found::Busy(_) if self.no_start.is_some() => self.local.locate(),
            Found::None | Found::Busy(_) => self.start(),
        }
    }

    fn met(&self) {
        self.met.store(true, Ordering::Relaxed);
    }
}

impl Starter {
    /// Whether the host that was there before was stopped by a person: such a one takes back what
    /// it told, which one that was killed can't. It is not to be started again by whoever waits.
    fn was_stopped(&self) -> bool {
        self.met.load(Ordering::Relaxed) && !self.local.place.discovery().exists()
    }
}

/// The host was found before, and is not to be started again.
fn stopped() -> InboxError {
    no_host().with_hint("it was stopped; start it again with: askwell serve")
}

/// A host that was started here.
struct Started {
    /// Nothing once its end was seen.
    child: Option<Child>,
    /// How long the log was before.
    log_before: u64,
    until: Instant,
}

impl Started {
    fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.as_mut()?.try_wait().ok().flatten()
    }
}

/// What a program said last of itself, with its parts and without what to do about it; or its last line.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.iter().rposition(|line| line.starts_with("askwell: "));
    let from = from.unwrap_or(lines.len().saturating_sub(1));
    let told = lines[from..].iter().take_while(|line| !line.starts_with("hint: "));
    told.map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn kept_environment() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| {
        let Some(name) = name.to_str() else { return false };
        let kept =
            KEPT.contains(&name) || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        kept && !DROPPED.contains(&name)
    })
}

fn give_up(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // One that is gone already is what is wanted.
        let _ = kill_process(pid, Signal::TERM);
    }
}

/// Takes note of the end of a child, whenever it comes: no zombie in a program that runs for long.
fn reap(mut child: Child) {
    let waiting = thread::Builder::new().name("host".into());
    // Where there is no thread to be had there is a zombie.
    let _ = waiting.spawn(move || child.wait());
}

/// Whether one of the processes that this one comes from is a cron daemon.
fn is_below_cron() -> bool {
    const DAEMONS: [&str; 6] = ["cron", "crond", "anacron", "atd", "fcron", "dcron"];
    let mut pid = std::process::id();
    // Deeper than any real tree; only Linux tells, elsewhere the answer is no.
    for _ in 0..64 {
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
        // "pid (name) state parent …"; a name may hold anything.
        let Some((name, rest)) = stat.rsplit_once(')') else { return false };
        let name = name.split_once('(').map_or("", |(_, name)| name).to_ascii_lowercase();
        if DAEMONS.contains(&name.as_str()) {
            return true;
        }
        match rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok()) {
            Some(parent) if parent > 1 => pid = parent,
            _ => return false,
        }
    }
    false
}
