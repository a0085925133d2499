//! Where a host is and what opens it: from the environment, or from the files of a state folder.
//!
//! Invariant: a local credential goes to the local host and nowhere else.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use askwell_core::ErrorCode;
use askwell_core::wire::{InboxError, Role};

use crate::{API_VERSION, Discovery, HostLock, Place, Token};

/// A host's address and a credential for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// `http://host:port`, without a path.
    pub url: String,
    /// The credential.
    pub token: Option<Token>,
}

/// Finds a host, each time that one has to be found: it may have moved since.
pub trait Locate: Send + Sync {
    /// Where the host is now.
    ///
    /// # Errors
    /// `HOST_UNREACHABLE` where there is none, `HOST_VERSION` where it can't be worked with.
    fn locate(&self) -> Result<Access, InboxError>;

    /// The host that was found has done what it was asked for the first time.
    fn met(&self) {}
}

impl Locate for Access {
    fn locate(&self) -> Result<Access, InboxError> {
        Ok(self.clone())
    }
}

impl<F: Fn() -> Result<Access, InboxError> + Send + Sync> Locate for F {
    fn locate(&self) -> Result<Access, InboxError> {
        self()
    }
}

/// What the environment says of a host somewhere else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `ASKWELL_URL`.
    pub url: Option<String>,
    /// `ASKWELL_TOKEN`.
    pub token: Option<Token>,
}

impl Environment {
    /// Reads `ASKWELL_URL` and `ASKWELL_TOKEN`. One that is empty is not set.
    pub fn read() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        Self {
            url: set("ASKWELL_URL").map(|url| url.trim().to_owned()),
            token: set("ASKWELL_TOKEN").map(|token| Token::new(token.trim())),
        }
    }

    /// The host that is named, if one is.
    ///
    /// # Errors
    /// `HOST_UNREACHABLE` where the address is none that can be used.
    pub fn access(&self) -> Result<Option<Access>, InboxError> {
        let Some(url) = &self.url else { return Ok(None) };
        let url = url.trim_end_matches('/');
        let host = url.strip_prefix("http://");
        if host.is_none_or(|host| host.is_empty() || host.contains(['/', '@', '?', '#'])) {
            let message = format!("ASKWELL_URL is {url:?}, which is no address of a host");
            return Err(InboxError::new(ErrorCode::HostUnreachable, message)
                .with_hint("give it as http://HOST:PORT; for another machine, through a tunnel"));
        }
        Ok(Some(Access { url: url.to_owned(), token: self.token.clone() }))
    }
}

/// The host of a state folder, with its local credential of one role, unless the environment names
/// another one.
#[derive(Debug, Clone)]
pub struct Local {
    /// The state folder.
    pub place: Place,
    /// The role to act in.
    pub role: Role,
    /// What goes before.
    pub environment: Environment,
}

impl Local {
    /// The host of this folder, in this role.
    pub fn new(place: Place, role: Role) -> Self {
        Self { place, role, environment: Environment::default() }
    }

    /// The same, unless this environment says something else.
    #[must_use]
    pub fn or(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// The access to this host.
    ///
    /// # Errors
    /// `HOST_VERSION` where it speaks another API, `HOST_UNREACHABLE` where its credential can't be
    /// read.
    pub fn access_to(&self, host: &Discovery) -> Result<Access, InboxError> {
        check_version(host)?;
        let token = match &self.environment.token {
            Some(token) => Some(token.clone()),
            None => Token::local(&self.place, self.role).map_err(|error| unreadable(&error))?,
        };
        Ok(Access { url: host.url.clone(), token })
    }
}

impl Locate for Local {
    fn locate(&self) -> Result<Access, InboxError> {
        if let Some(access) = self.environment.access()? {
            return Ok(access);
        }
        let until = Instant::now() + BUSY;
        loop {
            match self.find()? {
                Found::Host { access, .. } => return Ok(access),
                Found::None => return Err(no_host()),
                Found::Busy(why) if Instant::now() >= until => return Err(self.busy(&why)),
                Found::Busy(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// A host that comes or goes is waited for so long by those who can't start one.
const BUSY: Duration = Duration::from_secs(2);

/// What is in a state folder.
pub(crate) enum Found {
    /// A host, which has answered with its own name.
    Host { access: Access, pid: u32 },
    /// Something holds the lock and can't be trusted with a credential (yet), and why.
    Busy(String),
    /// Nobody holds the lock.
    None,
}

impl Local {
    /// Looks for the host of this folder. Only one that holds the lock and answers as the run that
    /// its file names is taken for it: at the port of one that was killed may be anybody.
    pub(crate) fn find(&self) -> Result<Found, InboxError> {
        if !HostLock::is_held(&self.place) {
            return match Discovery::told(&self.place) {
                Some(host) if host.runs_without_lock() => Err(self.lock_is_gone(&host)),
                _ => Ok(Found::None),
            };
        }
        let host = match Discovery::read(&self.place) {
            Ok(Some(host)) => host,
            Ok(None) if Discovery::is_garbage(&self.place) => {
                let file = self.place.discovery();
                return Err(self.busy(&format!("{} can't be understood", file.display())));
            }
            Ok(None) => return Ok(Found::Busy("it does not say where it is".to_owned())),
            Err(error) => return Err(self.busy(&error.to_string())),
        };
        let access = self.access_to(&host)?;
        if !host.answers() {
            return Ok(Found::Busy(format!("it does not answer at {}", host.url)));
        }
        // Looked at twice: who has just taken the lock clears away what the one before had told.
        match Discovery::read(&self.place) {
            Ok(Some(now)) if now == host => Ok(Found::Host { access, pid: host.pid }),
            _ => Ok(Found::Busy("it has only just started".to_owned())),
        }
    }

    /// Something holds the lock, and no host can be reached.
    pub(crate) fn busy(&self, why: &str) -> InboxError {
        let lock = self.place.lock();
        let message = format!("a host holds {} and can't be reached: {why}", lock.display());
        InboxError::new(ErrorCode::HostUnreachable, message).with_hint(format!(
            "it may be starting or stopping; else end it: fuser -k {}",
            lock.display()
        ))
    }

    fn lock_is_gone(&self, host: &Discovery) -> InboxError {
        let lock = self.place.lock();
        let message = format!(
            "a host runs at {} (process {}), and its lock {} is gone",
            host.url,
            host.pid,
            lock.display()
        );
        InboxError::new(ErrorCode::HostUnreachable, message)
            .with_hint(format!("end it, and it can be started again: kill {}", host.pid))
    }
}

/// No host runs.
pub(crate) fn no_host() -> InboxError {
    InboxError::new(ErrorCode::HostUnreachable, "no host is running")
        .with_hint("start one with: askwell serve")
}

fn unreadable(error: &dyn fmt::Display) -> InboxError {
    InboxError::new(ErrorCode::HostUnreachable, format!("the host can't be found: {error}"))
}

fn check_version(host: &Discovery) -> Result<(), InboxError> {
    if host.api_version == API_VERSION {
        return Ok(());
    }
    let message = format!(
        "the host (askwell {}) speaks version {} of the API, this program version {API_VERSION}",
        host.version, host.api_version
    );
    Err(InboxError::new(ErrorCode::HostVersion, message)
        .with_hint("restart it with the newer askwell: askwell restart"))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;
    use crate::HostLock;

    fn environment(url: &str) -> Environment {
        Environment { url: Some(url.to_owned()), token: Some(Token::new("secret")) }
    }

    #[rstest]
    #[case("http://127.0.0.1:7420", "http://127.0.0.1:7420")]
    #[case("http://box.lan:80/", "http://box.lan:80")]
    fn the_environment_names_a_host(#[case] url: &str, #[case] expected: &str) {
        let access = environment(url).access().unwrap().unwrap();

        assert_eq!(access.url, expected);
        assert_eq!(access.token, Some(Token::new("secret")));
    }

    #[rstest]
    #[case("127.0.0.1:7420")]
    #[case("https://box.lan")]
    #[case("http://box.lan/api")]
    #[case("http://me:secret@box.lan")]
    #[case("http://")]
    fn what_is_no_address_is_told(#[case] url: &str) {
        let error = environment(url).access().unwrap_err();

        assert_eq!(error.code.as_str(), "HOST_UNREACHABLE");
        assert!(error.message.contains("ASKWELL_URL"), "{error}");
    }

    #[test]
    fn a_local_credential_is_not_for_a_host_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        Token::new("secret").keep(&place, Role::Asker).unwrap();
        let url = Some("http://box.lan:80".to_owned());

        let local = Local::new(place, Role::Asker).or(Environment { url, token: None });

        assert_eq!(local.locate().unwrap().token, None);
    }

    #[test]
    fn a_host_of_another_api_is_told_by_its_version() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        let _lock = HostLock::acquire(&place).unwrap();
        let host = Discovery {
            pid: 1,
            url: "http://127.0.0.1:7420".to_owned(),
            port: 7420,
            version: "9.0.0".to_owned(),
            api_version: 2,
            instance: "one".to_owned(),
            started_at: 0,
            background: true,
            flags: Vec::new(),
        };
        host.write(&place).unwrap();

        let error = Local::new(place, Role::Asker).locate().unwrap_err();

        assert_eq!(error.code.as_str(), "HOST_VERSION");
        assert!(error.message.contains("askwell 9.0.0"), "{error}");
    }
}
