//! A client of a host: finds it, and finds it again; tries again what may be tried again.
//!
//! Owns when a call is repeated. Invariant: a call that may have had an effect is repeated only
//! where a second one changes nothing.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use askwell_core::ErrorCode;
use askwell_core::wire::InboxError;
use serde::de::DeserializeOwned;
use ureq::Agent;

use crate::backoff::Backoff;
use crate::call::{self, Call, Failed};
use crate::{Access, Locate};

/// How long a host that was there may be gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long one may be that has never answered.
const FIRST: Duration = Duration::from_secs(1);

/// An [`Inbox`](askwell_core::wire::Inbox) over HTTP. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
    line: Line,
    patience: Duration,
}

/// The connections of a client, and whether they were cut.
#[derive(Clone)]
struct Line {
    agent: Agent,
    is_cut: Arc<AtomicBool>,
}

/// What cuts the calls of a client short, from another thread. See [`Client::apart`].
pub struct Cut(Line);

impl Cut {
    /// Every call of that client that is under way fails at once, and so does every later one.
    pub fn cut(&self) {
        self.0.is_cut.store(true, Ordering::Relaxed);
        self.0.agent.clone().shutdown();
    }
}

struct Shared {
    locate: Box<dyn Locate>,
    access: Mutex<Option<Access>>,
    /// Whether a host has ever answered. Until then a host that is not there is told at once.
    met: AtomicBool,
}

/// Whether a call may be sent again after one that may have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// A second one changes nothing.
    Always,
    /// The same, and a host that stops or can't read its store just now is waited for.
    Waiting,
    /// Only where nothing of the first has arrived.
    IfUnsent,
}

impl Client {
    /// A client of the host that is found so. Nothing is sent yet.
    pub fn new(locate: impl Locate + 'static) -> Self {
        Self::with_patience(locate, PATIENCE)
    }

    /// The same, with the time for which a host that was there may be gone.
    pub fn with_patience(locate: impl Locate + 'static, patience: Duration) -> Self {
        let shared = Shared {
            locate: Box::new(locate),
            access: Mutex::new(None),
            met: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), line: Line::new(), patience }
    }

    /// This client, on the same connections, with another time for which a host that was there may
    /// be gone.
    #[must_use]
    pub fn waiting_for(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    /// This client on connections of its own, with what cuts its calls short. An outcome that a host
    /// sends to a wait which was cut has not been delivered.
    pub fn apart(&self) -> (Self, Cut) {
        let line = Line::new();
        (Self { line: line.clone(), ..self.clone() }, Cut(line))
    }

    /// Where the host is, as far as it is known or can be found.
    ///
    /// # Errors
    /// `HOST_UNREACHABLE` where there is none, `HOST_VERSION` where it can't be worked with.
    pub fn access(&self) -> Result<Access, InboxError> {
        let mut known = self.shared.access.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(access) = &*known {
            return Ok(access.clone());
        }
        let found = self.shared.locate.locate()?;
        *known = Some(found.clone());
        Ok(found)
    }

    /// Calls, and calls again for as long as that is right.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        call: &Call<'_>,
        again: Again,
    ) -> Result<T, InboxError> {
        self.call_until(again, Instant::now() + self.patience, || call.clone())
    }

    /// The same, up to a point in time, the call made anew for each try.
    pub(crate) fn call_until<'a, T: DeserializeOwned>(
        &self,
        again: Again,
        until: Instant,
        next: impl Fn() -> Call<'a>,
    ) -> Result<T, InboxError> {
        self.try_until(again, until, |access| call::call(&self.line.agent, access, &next()))
    }

    /// Tries until it succeeds, is told no, or the time is over.
    pub(crate) fn try_until<T>(
        &self,
        again: Again,
        until: Instant,
        attempt: impl Fn(&Access) -> Result<T, Failed>,
    ) -> Result<T, InboxError> {
        let mut backoff = Backoff::new();
        let (mut refound, begun) = (false, Instant::now());
        loop {
            let (failed, url) = match self.access() {
                Ok(access) => match attempt(&access) {
                    Ok(done) => {
                        if !self.shared.met.swap(true, Ordering::Relaxed) {
                            self.shared.locate.met();
                        }
                        return Ok(done);
                    }
                    Err(failed) => (failed, access.url),
                },
                // One that was there comes back, be it that nobody may start it here.
                Err(error)
                    if !self.has_met()
                        || !matches!(
                            error.code,
                            ErrorCode::HostUnreachable | ErrorCode::NoProvider
                        ) =>
                {
                    return Err(error);
                }
                Err(error) => (Failed::Later(error, None), String::new()),
            };
            if self.line.is_cut.load(Ordering::Relaxed) {
                return Err(failed.into_error(&url));
            }
            let pause = match &failed {
                Failed::Unsent(_) => {
                    self.lose();
                    backoff.pause()
                }
                Failed::Cut(_) if again != Again::IfUnsent => {
                    self.lose();
                    backoff.pause()
                }
                Failed::Later(_, after) => after.unwrap_or_else(|| backoff.pause()),
                Failed::Told(error)
                    if again == Again::Waiting && error.code == ErrorCode::StoreUnavailable =>
                {
                    backoff.pause()
                }
                // The secrets may be other ones since the host was found.
                Failed::Told(error) if error.code == ErrorCode::Unauthorized && !refound => {
                    refound = true;
                    let before = self.lose();
                    if self.access().ok() == before {
                        return Err(failed.into_error(&url));
                    }
                    continue;
                }
                Failed::Cut(_) | Failed::Told(_) => return Err(failed.into_error(&url)),
            };
            let until = match self.has_met() {
                true => until,
                false => until.min(begun + FIRST),
            };
            if Instant::now() + pause > until {
                return Err(failed.into_error(&url));
            }
            thread::sleep(pause);
        }
    }

    fn has_met(&self) -> bool {
        self.shared.met.load(Ordering::Relaxed)
    }

    /// Forgets where the host was.
    fn lose(&self) -> Option<Access> {
        self.shared.access.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Line {
    fn new() -> Self {
        Self { agent: call::agent(None), is_cut: Arc::default() }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.shared.access.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Client").field("access", &*known).finish()
    }
}
