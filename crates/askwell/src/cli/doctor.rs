//! `askwell doctor`: what works here and what does not.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use askwell::ErrorCode;
use askwell::inbox::wire::Role;
use askwell::inbox::{Environment, HostLock, NoStart, Place};
use askwell_agents::connect::Found;
use askwell_store::{SqliteStore, StoreError};
use clap::Args;
use serde_json::json;

use super::connect;
use super::format::Format;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::notices;
use crate::report::{Exit, Failure};
use crate::settings::{self, Settings};

/// Look at what askwell needs: the host, the store and its disk, the terminal
///
/// Starts nothing, and makes the state folder where there is none. Exit codes: 0 all is well, 1 something is not.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell doctor
  askwell doctor --format json | jq '.checks[] | select(.ok | not)'")]
pub struct Arguments {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What was looked at.
struct Check {
    name: &'static str,
    /// Nothing: neither good nor bad.
    ok: Option<bool>,
    detail: String,
}

impl Check {
    fn fact(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, ok: None, detail: detail.into() }
    }

    fn of(name: &'static str, result: Result<String, String>) -> Self {
        let ok = Some(result.is_ok());
        Self { name, ok, detail: result.unwrap_or_else(|why| why) }
    }
}

/// Looks.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let place = hosts::place()?;
    let mut checks = vec![
        Check::fact("version", version()),
        Check::fact("container", container().unwrap_or("no, as far as can be seen")),
        Check::of("state folder", folder(&place)),
        Check::of("disk", disk(&place)),
        Check::of("store", store(&place)),
        host(&place),
        Check::fact("starting a host", starting()),
        Check::of("settings", settings()),
        Check::of("notices", notices(&place)),
        terminal(),
        Check::fact("locale", locale()),
    ];
    if let Some(file) = Config::from_environment().answers {
        let told = "in the place of a person, for ask, mcp and hook: ASKWELL_ANSWERS is set";
        checks.push(Check::fact("answers", format!("{} answers {told}", file.display())));
    }
    checks.extend(agents()?);
    arguments.format.deliver(
        || {
            let checks = checks
                .iter()
                .map(|check| json!({ "name": check.name, "ok": check.ok, "detail": check.detail }));
            json!({ "checks": checks.collect::<Vec<_>>() })
        },
        || {
            let lines = checks.iter().map(|check| {
                let mark = match check.ok {
                    Some(true) => "ok   ",
                    Some(false) => "WRONG",
                    None => "     ",
                };
                format!("{mark} {:15} {}", check.name, check.detail)
            });
            lines.collect()
        },
    )?;
    match checks.iter().any(|check| check.ok == Some(false)) {
        true => Ok(Exit::Failure),
        false => Ok(Exit::Success),
    }
}

fn version() -> String {
    let (os, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("askwell {} on {os} {machine}", env!("ASKWELL_VERSION"))
}

/// In which kind of container this is, where it can be told.
fn container() -> Option<&'static str> {
    if Path::new("/.dockerenv").exists() {
        return Some("yes (docker)");
    }
    if Path::new("/run/.containerenv").exists() {
        return Some("yes (podman)");
    }
    let groups = fs::read_to_string("/proc/1/cgroup").unwrap_or_default();
    let marks = ["docker", "kubepods", "containerd", "lxc", "libpod"];
    let found = marks.iter().any(|mark| groups.contains(mark));
    let named = std::env::var_os("container").is_some_and(|name| !name.is_empty());
    (found || named).then_some("yes")
}

fn folder(place: &Place) -> Result<String, String> {
    let folder = place.folder().display();
    place.prepare().map_err(|error| format!("{folder} can't be used: {error}"))?;
    Ok(folder.to_string())
}

/// How long a durable write takes.
fn disk(place: &Place) -> Result<String, String> {
    let path = place.folder().join(format!("doctor.{}.tmp", std::process::id()));
    let measured = fsync_time(&path);
    let _ = fs::remove_file(&path);
    let time = measured.map_err(|error| format!("can't be written: {error}"))?;
    Ok(format!("an fsync takes {:.2} ms (the middle of {WRITES})", time.as_secs_f64() * 1e3))
}

const WRITES: usize = 15;

fn fsync_time(path: &Path) -> io::Result<Duration> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        file.write_all(&[0; 4096])?;
        let start = Instant::now();
        file.sync_data()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times[WRITES / 2])
}

fn store(place: &Place) -> Result<String, String> {
    let path = place.database();
    match OpenOptions::new().read(true).write(true).open(&path).and_then(|file| file.metadata()) {
        Ok(metadata) => {
            // A host that runs looks after it by itself.
            if !HostLock::is_held(place) {
                SqliteStore::inspect(&path).map_err(|error| match error {
                    StoreError::Unavailable { message, hint } => format!("{message}. {hint}"),
                    StoreError::Newer { .. } => format!("{error}: install the newer askwell"),
                    other => format!("{other}: move it away, and put back a copy of yours"),
                })?;
            }
            Ok(format!("{} ({} KiB)", path.display(), metadata.len().div_ceil(1024)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok("none yet".to_owned()),
        Err(error) => Err(format!("{} can't be opened: {error}", path.display())),
    }
}

fn host(place: &Place) -> Check {
    let client = match hosts::client(Role::Admin, Start::Never) {
        Ok(client) => client,
        Err(failure) => return Check::of("host", Err(failure.message)),
    };
    let url = match client.access() {
        Ok(access) => access.url,
        Err(_) if !HostLock::is_held(place) => return Check::fact("host", "none is running"),
        Err(error) => return Check::of("host", Err(error.to_string())),
    };
    let status = client.health().and_then(|health| client.status().map(|status| (health, status)));
    Check::of(
        "host",
        match status {
            Ok((health, status)) => {
                let ours = env!("CARGO_PKG_VERSION");
                let other = match health.version == ours {
                    true => String::new(),
                    false => format!(", which is not ours ({ours}): askwell restart"),
                };
                let (version, pending) = (health.version, status.pending);
                Ok(format!("at {url}, askwell {version}{other}; {pending} waiting"))
            }
            // A credential that may not see more is what a build server has.
            Err(error) if error.code == ErrorCode::Forbidden => {
                Ok(format!("at {url}; this credential may see no more of it"))
            }
            Err(error) => Err(error.to_string()),
        },
    )
}

/// The agents that are here, and whether what connects them works.
fn agents() -> Result<Vec<Check>, Failure> {
    let connections = connect::connections()?.into_iter();
    let checks = connections.map(|(agent, found)| {
        let (word, name) = (agent.as_str(), agent.name());
        match found.as_deref() {
            Err(why) => Check::of(word, Err(why.clone())),
            Ok([]) => {
                let how = format!("{name} is here, not connected: askwell connect {word}");
                Check::fact(word, how)
            }
            Ok(found) => {
                let works: Result<String, String> = found.iter().map(connection).collect();
                let mend = |why| format!("{why}; write it again: askwell connect {word}");
                Check::of(word, works.map_err(mend))
            }
        }
    });
    Ok(checks.collect())
}

/// Whether a connection works.
fn connection(found: &Found) -> Result<String, String> {
    match (connect::find(&found.program), &found.fault) {
        (None, _) => Err(format!("runs {}, which is no program here", found.program)),
        (Some(_), Some(fault)) => Err(fault.clone()),
        (Some(path), None) => Ok(format!("runs {}", path.display())),
    }
}

/// Whether the file and the variables can be read.
fn settings() -> Result<String, String> {
    let read = Settings::read(&[]).map_err(Failure::in_one_line);
    read.map(|_| match settings::file().filter(|path| path.exists()) {
        Some(path) => path.display().to_string(),
        None => "no file: all by default, or by variables".to_owned(),
    })
}

fn starting() -> &'static str {
    if Environment::read().url.is_some() {
        return "not needed: ASKWELL_URL names one";
    }
    match NoStart::here() {
        None => "allowed",
        Some(NoStart::Ci) => "not here: CI is set",
        Some(NoStart::Cron) => "not here: this is a cron job",
    }
}

/// By which ways a person is told, as a host that is started now would.
fn notices(place: &Place) -> Result<String, String> {
    let channels = Settings::read(&[]).and_then(|settings| {
        let told = notices::of_waiting(&settings, place)?.into_iter().map(|it| ("", it));
        let woken = notices::of_outcomes(&settings, place)?.into_iter();
        Ok(told.chain(woken.map(|it| ("outcome ", it))).collect::<Vec<_>>())
    });
    let channels = channels.map_err(Failure::in_one_line)?;
    let words = channels.iter().map(|(of, channel)| {
        let open = if channel.is_open() { " (without TLS, it can be read on the way)" } else { "" };
        format!("{of}{}: {channel}{open}", channel.name())
    });
    match channels.is_empty() {
        true => Ok("none but the bell of an open inbox: askwell notify --help".to_owned()),
        false => Ok(words.collect::<Vec<_>>().join("; ")),
    }
}

fn terminal() -> Check {
    let term = std::env::var("TERM").ok().filter(|term| !term.is_empty());
    let term = term.unwrap_or_else(|| "TERM is not set".to_owned());
    match askwell_tui::check_terminal() {
        Ok(()) => {
            let size = OpenOptions::new()
                .read(true)
                .open("/dev/tty")
                .and_then(|tty| rustix::termios::tcgetwinsize(&tty).map_err(io::Error::from));
            let size = size.map_or_else(
                |_| "of unknown size".to_owned(),
                |size| format!("{} × {}", size.ws_col, size.ws_row),
            );
            let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let how = match (askwell_tui::can_be_drawn_on(), plain) {
                (false, _) => "asked by lines: it can't be drawn on",
                (true, true) => "without colours (NO_COLOR)",
                (true, false) => "with colours",
            };
            Check::of("terminal", Ok(format!("{term}, {size}, {how}")))
        }
        // A script has none, and needs none.
        Err(error) => Check::fact("terminal", error.to_string()),
    }
}

fn locale() -> String {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let set = names.iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    match set {
        Some(locale) if locale.to_ascii_lowercase().replace('-', "").contains("utf8") => locale,
        Some(locale) => format!("{locale}, which is not UTF-8: other text may show as ?"),
        None => "not set".to_owned(),
    }
}
