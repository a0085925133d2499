//! The inbox of a host as a provider: whoever answers there, in whatever way, however long it takes.
//!
//! Owns the way of one request there and back. Which host it is, and starting one, is
//! [`askwell_client`]'s. Invariant: a request is withdrawn only when the caller says so; a program
//! that just ends leaves it to be answered.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use askwell_core::wire::{
    Asked, IdempotencyKey, Inbox, InboxError, Posting, RequestId, RequestView,
};
use askwell_core::{AskError, ErrorCode, Outcome, State, ValidRequest};

pub use askwell_client::{
    API_VERSION, Access, Client, Cut, Discovery, Environment, HostLock, Local, Locate, NoStart,
    Place, Starter, Token, write_owner_only,
};
pub use askwell_core::wire;

use crate::{Cancel, Provider};

/// How long one wait may take before it is looked whether the caller still wants it.
const SLICE: Duration = Duration::from_secs(60);

/// How long a caller that wants to leave waits for the host to take note of it.
const LEAVING: Duration = Duration::from_millis(1_500);

/// Asks whoever looks at the inbox of a host.
///
/// ```no_run
/// use askwell::inbox::{Client, InboxProvider, Local, Place, wire::Role};
/// use askwell::{Askwell, Cancel, Question, Request};
///
/// let request = Request::new([Question::new("name", "Project name?")]).validate()?;
/// let place = Place::of_this_user().ok_or("no home folder")?;
/// let inbox = InboxProvider::new(Client::new(Local::new(place, Role::Asker)));
///
/// // Wait here …
/// let answers = Askwell::new().with(inbox.clone())?.ask(&request, &Cancel::new())?;
///
/// // … or remember the id, and come back later, from another process if need be.
/// let asked = inbox.post(&request)?;
/// # use std::time::Duration;
/// match inbox.outcome(asked.id, &request, Duration::from_secs(60))? {
///     Some(outcome) => println!("{outcome:?}"),
///     None => inbox.withdraw(asked.id, "the nightly job, which could not wait")?,
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct InboxProvider {
    inbox: Arc<dyn Inbox>,
    key: Option<IdempotencyKey>,
}

impl InboxProvider {
    /// The inbox of this host.
    pub fn new(inbox: impl Inbox + 'static) -> Self {
        Self { inbox: Arc::new(inbox), key: None }
    }

    /// With a key: asking again with it is the same request, and its outcome.
    #[must_use]
    pub fn with_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Posts a request, and leaves. It waits for as long as it may.
    ///
    /// # Errors
    /// [`AskError::NoProvider`] where there is no host, [`AskError::Host`] where it refuses.
    pub fn post(&self, request: &ValidRequest) -> Result<Asked, AskError> {
        let posting = Posting { attach: false, key: self.key.clone() };
        self.inbox.ask(request, &posting).map_err(not_asked)
    }

    /// How a request ended, be it posted by this process or by an earlier one; nothing where it is
    /// still pending after this time.
    ///
    /// # Errors
    /// [`AskError::Host`] where it can't be known: the host is gone, or knows no such request.
    pub fn outcome(
        &self,
        id: RequestId,
        request: &ValidRequest,
        at_most: Duration,
    ) -> Result<Option<Outcome>, AskError> {
        let view = self.inbox.wait(id, at_most).map_err(|error| unknown(id, error))?;
        match view.state {
            State::Pending => Ok(None),
            _ => outcome_of(&view, request).map(Some),
        }
    }

    /// Withdraws a request. The reason says why, as in "withdrawn before an answer: …". One that has
    /// ended stays as it is.
    ///
    /// # Errors
    /// [`AskError::Host`] where the host is gone, or knows no such request.
    pub fn withdraw(&self, id: RequestId, reason: &str) -> Result<(), AskError> {
        match self.inbox.abort(id, reason) {
            Ok(_) => Ok(()),
            Err(error) if error.code == ErrorCode::NotPending => Ok(()),
            Err(error) => Err(unknown(id, error)),
        }
    }

    /// Posts a request, and stays: when this process is gone for longer than a lease the asker
    /// counts as away. [`Self::stay`] waits for the outcome.
    ///
    /// # Errors
    /// [`AskError::NoProvider`] where there is no host, [`AskError::Host`] where it refuses.
    pub fn attach(&self, request: &ValidRequest) -> Result<Asked, AskError> {
        let posting = Posting { attach: true, key: self.key.clone() };
        self.inbox.ask(request, &posting).map_err(not_asked)
    }

    /// Waits for the outcome of a request until it ends or is withdrawn by `cancel`. A host that
    /// can't be told so within two seconds is left behind.
    ///
    /// # Errors
    /// [`AskError::Host`] where the outcome can't be known.
    pub fn stay(
        &self,
        id: RequestId,
        request: &ValidRequest,
        cancel: &Cancel,
    ) -> Result<Stayed, AskError> {
        let (told, heard) = channel();
        let (waiter, waiting, ours) = (self.clone(), cancel.clone(), request.clone());
        let left = told.clone();
        thread::spawn(move || {
            // Without a caller there is nothing to wait for: a lease must not be renewed for it.
            while !waiting.is_cancelled() {
                match waiter.inbox.wait(id, SLICE) {
                    Ok(view) if view.state == State::Pending => {}
                    // A person may answer all the same, once the host is back.
                    Err(error) if is_away(&error) => {}
                    ended => {
                        return told.send(
                            ended
                                .map_err(|error| unknown(id, error))
                                .and_then(|view| Stayed::until(&view, &ours)),
                        );
                    }
                }
            }
            Ok(())
        });
        let (leaver, ours) = (self.clone(), request.clone());
        let _withdrawing = cancel.on_cancel(move |reason| {
            let reason = reason.to_owned();
            thread::spawn(move || left.send(Ok(leaver.withdrawn(id, &ours, reason))));
        });
        heard.recv().unwrap_or_else(|_| {
            Err(AskError::Internal { message: format!("nobody waits for {id} any more") })
        })
    }

    /// The outcome after withdrawing: an answer may have been first.
    fn withdrawn(&self, id: RequestId, request: &ValidRequest, reason: String) -> Stayed {
        let (told, heard) = channel();
        let (leaver, ours, why) = (self.clone(), request.clone(), reason.clone());
        thread::spawn(move || {
            // Goes on behind the back of a caller that has left, for as long as it lives.
            let stayed = leaver.withdraw(id, &why).and_then(|()| {
                let view = leaver.inbox.wait(id, Duration::ZERO);
                let view = view.map_err(|error| unknown(id, error))?;
                match view.state {
                    State::Pending => Ok(Stayed::withdrawn(why, true)),
                    _ => Stayed::until(&view, &ours),
                }
            });
            told.send(stayed)
        });
        match heard.recv_timeout(LEAVING) {
            Ok(Ok(stayed)) => stayed,
            // The host can't be told. To it the asker is away, as soon as its lease is over.
            Ok(Err(_)) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Stayed::withdrawn(reason, false)
            }
        }
    }
}

/// How the wait for a request was over.
#[derive(Debug, Clone, PartialEq)]
pub struct Stayed {
    /// The outcome.
    pub outcome: Outcome,
    /// The seconds that the request had, with all that a person has put it off, where it had an end.
    pub expires_in_seconds: Option<u64>,
    /// Whether the host knows of the outcome. One that could not be told that the request is
    /// withdrawn may still show it.
    pub told: bool,
}

impl Stayed {
    fn until(view: &RequestView, request: &ValidRequest) -> Result<Self, AskError> {
        let outcome = outcome_of(view, request)?;
        Ok(Self { outcome, expires_in_seconds: view.lifetime(), told: true })
    }

    fn withdrawn(reason: String, told: bool) -> Self {
        Self { outcome: Outcome::Aborted { reason }, expires_in_seconds: None, told }
    }
}

impl Provider for InboxProvider {
    fn name(&self) -> &str {
        "inbox"
    }

    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError> {
        if let Some(reason) = cancel.reason() {
            return Ok(Outcome::Aborted { reason });
        }
        let asked = self.attach(request)?;
        match self.stay(asked.id, request, cancel)? {
            Stayed { outcome: Outcome::Expired, expires_in_seconds: seconds, .. } => {
                Err(AskError::Expired { seconds })
            }
            stayed => Ok(stayed.outcome),
        }
    }
}

fn outcome_of(view: &RequestView, request: &ValidRequest) -> Result<Outcome, AskError> {
    view.typed_outcome(request).ok_or_else(|| AskError::Internal {
        message: format!("the outcome of {} does not belong to this request", view.id),
    })
}

/// Whether the host is not there now.
fn is_away(error: &InboxError) -> bool {
    matches!(error.code, ErrorCode::HostUnreachable | ErrorCode::NoProvider)
}

/// Nobody has seen it.
fn not_asked(error: InboxError) -> AskError {
    match error.code {
        ErrorCode::NoProvider | ErrorCode::HostUnreachable | ErrorCode::HostVersion => {
            AskError::NoProvider { reason: error.to_string() }
        }
        _ => AskError::Host(error),
    }
}

/// It was asked, and how it ended can't be told.
fn unknown(id: RequestId, mut error: InboxError) -> AskError {
    error.message.push_str(&format!(" (request {id})"));
    AskError::Host(error)
}
