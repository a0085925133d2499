//! The browser of the desktop that this program runs on, where it runs on one.

use std::env::{var, var_os};
use std::net::{IpAddr, ToSocketAddrs as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell::messages::Messages;

/// Why no browser was opened.
#[derive(Debug, PartialEq, Eq)]
pub enum NoBrowser {
    /// The link is to be printed.
    NotWanted,
    /// The person sits elsewhere.
    Ssh,
    /// There are no windows here.
    NoDesktop,
    /// What opens one failed.
    Failed(String),
}

impl NoBrowser {
    /// The same in words, where there is something to say.
    pub fn words(&self, messages: &Messages) -> Option<String> {
        Some(match self {
            Self::NotWanted => return None,
            Self::Ssh => messages.get("note-browser-ssh"),
            Self::NoDesktop => messages.get("note-browser-no-desktop"),
            Self::Failed(why) => messages.with("note-browser-failed", [("why", why.into())]),
        })
    }
}

/// How long what opens a browser may take to say that it can't.
const PATIENCE: Duration = Duration::from_secs(2);

const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens an address.
///
/// # Errors
/// Where nobody would see it, or nothing opens it.
pub fn open(url: &str) -> Result<(), NoBrowser> {
    if is_over_ssh() {
        return Err(NoBrowser::Ssh);
    }
    let is_set = |name| var_os(name).is_some_and(|value| !value.is_empty());
    if !cfg!(target_os = "macos") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        return Err(NoBrowser::NoDesktop);
    }
    let failed = |why: String| NoBrowser::Failed(format!("{OPENER}: {why}"));
    let mut command = Command::new(OPENER);
    command.arg(url).current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ours hold secrets, and are nothing to a browser.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASKWELL_") {
            command.env_remove(name);
        }
    }
    let mut opener = command.spawn().map_err(|error| failed(error.to_string()))?;
    let until = Instant::now() + PATIENCE;
    // Some only come back when the browser is closed.
    while Instant::now() < until {
        match opener.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(failed(status.to_string())),
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(failed(error.to_string())),
        }
    }
    Ok(())
}

fn is_over_ssh() -> bool {
    ["SSH_CONNECTION", "SSH_TTY"].iter().any(|name| var_os(name).is_some())
}

/// The address in a form that the browsers here find: the host's own name below `localhost` is known
/// to most of them by itself; Safari asks the system, which may not know it.
pub fn reachable(url: &str) -> String {
    let Some((name, port, rest)) = own_name(url) else { return url.to_owned() };
    let known = || (name, port).to_socket_addrs().is_ok_and(|mut found| found.next().is_some());
    match cfg!(target_os = "macos") && !known() {
        true => format!("http://127.0.0.1:{port}{rest}"),
        false => url.to_owned(),
    }
}

/// What to run on the machine with the browser, so that it reaches a host that only listens on the
/// machine to which one is connected over SSH.
pub fn tunnel(url: &str) -> Option<String> {
    let (_, port, _) = own_name(url)?;
    // "client-address client-port server-address server-port"
    let connection = var("SSH_CONNECTION").ok()?;
    let mut parts = connection.split(' ').skip(2);
    let server: IpAddr = parts.next()?.parse().ok()?;
    let ssh_port: u16 = parts.next()?.parse().ok()?;
    let user = ["USER", "LOGNAME"].iter().find_map(|name| var(name).ok());
    let user =
        user.filter(|user| user.chars().all(|it| it.is_ascii_alphanumeric() || "._-".contains(it)));
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let by = if ssh_port == 22 { String::new() } else { format!("-p {ssh_port} ") };
    Some(format!("ssh -N -L {port}:127.0.0.1:{port} {by}{user}{server}"))
}

/// Name, port and the rest of an address that only this machine understands.
fn own_name(url: &str) -> Option<(&str, u16, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (authority, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (name, port) = authority.rsplit_once(':')?;
    let is_own =
        name.ends_with(".localhost") || matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    Some((name, port.parse().ok()?, rest)).filter(|_| is_own)
}
