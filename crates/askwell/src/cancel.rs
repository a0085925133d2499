//! The asker's way to withdraw a request. Knows nothing of requests or providers.
//!
//! Invariant: a token is cancelled once, the first reason stays, and every callback that is
//! registered by then is called exactly once, outside of any lock.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Callback = Box<dyn FnOnce(&str) + Send>;

/// Withdraws what was asked with it. Clones are the same token.
///
/// The reason says why, as in "withdrawn before an answer: …".
///
/// ```
/// use askwell::Cancel;
///
/// let cancel = Cancel::new();
/// cancel.cancel("the user wrote a new message");
/// assert_eq!(cancel.reason().as_deref(), Some("the user wrote a new message"));
/// ```
///
/// # In an async program
///
/// Ask on a thread that may block, and hold the guard in the future: when the future is dropped
/// (a timeout, a `select!`, a client that left) the person's dialog closes at once.
///
/// ```
/// use askwell::{Answers, AskError, Askwell, Cancel, ValidRequest};
///
/// async fn ask(askwell: Askwell, request: ValidRequest) -> Result<Answers, AskError> {
///     let cancel = Cancel::new();
///     let _guard = cancel.cancel_on_drop();
///     let asking = tokio::task::spawn_blocking(move || askwell.ask(&request, &cancel));
///     asking.await.unwrap_or_else(|error| Err(AskError::Internal { message: error.to_string() }))
/// }
/// # let question = askwell::Question::new("ok", "Go on?").option("Yes").option("No");
/// # let request = askwell::Request::new([question]).validate().unwrap();
/// # let runtime = tokio::runtime::Runtime::new().unwrap();
/// # let error = runtime.block_on(ask(Askwell::new(), request)).unwrap_err();
/// # assert_eq!(error.code().as_str(), "NO_PROVIDER");
/// ```
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    reason: Option<String>,
    callbacks: BTreeMap<u64, Callback>,
    next: u64,
}

impl Cancel {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Withdraws, and calls every callback. Only the first call has an effect.
    pub fn cancel(&self, reason: impl Into<String>) {
        let (reason, callbacks) = {
            let mut state = self.lock();
            if state.reason.is_some() {
                return;
            }
            let reason = reason.into();
            state.reason = Some(reason.clone());
            (reason, std::mem::take(&mut state.callbacks))
        };
        for callback in callbacks.into_values() {
            callback(&reason);
        }
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.lock().reason.is_some()
    }

    /// The reason, once it was cancelled.
    pub fn reason(&self) -> Option<String> {
        self.lock().reason.clone()
    }

    /// Calls back with the reason when it is cancelled; at once when it already was. The callback
    /// is forgotten when the guard is dropped.
    pub fn on_cancel(&self, callback: impl FnOnce(&str) + Send + 'static) -> OnCancel {
        let mut state = self.lock();
        let id = state.next;
        match state.reason.clone() {
            Some(reason) => {
                drop(state);
                callback(&reason);
            }
            None => {
                state.next += 1;
                state.callbacks.insert(id, Box::new(callback));
            }
        }
        OnCancel { cancel: self.clone(), id }
    }

    /// A guard that cancels when it is dropped.
    pub fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop { cancel: Some(self.clone()) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("reason", &self.reason()).finish()
    }
}

/// A registered callback of [`Cancel::on_cancel`]. Dropping it takes the callback back.
#[must_use = "the callback is taken back when this is dropped"]
#[derive(Debug)]
pub struct OnCancel {
    cancel: Cancel,
    id: u64,
}

impl Drop for OnCancel {
    fn drop(&mut self) {
        let callback = self.cancel.lock().callbacks.remove(&self.id);
        // What the callback owns may lock the token as well: not under the lock.
        drop(callback);
    }
}

/// Cancels its token when dropped: "withdrawn before an answer: the asking program stopped waiting".
#[must_use = "dropping it cancels"]
#[derive(Debug)]
pub struct CancelOnDrop {
    cancel: Option<Cancel>,
}

impl CancelOnDrop {
    /// Lets the token be.
    pub fn disarm(mut self) {
        self.cancel = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel.cancel("the asking program stopped waiting");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_first_reason_stays_and_reaches_every_callback_once() {
        let cancel = Cancel::new();
        let (told, heard) = mpsc::channel();
        let early = [(); 2].map(|()| {
            let told = told.clone();
            cancel.on_cancel(move |reason| told.send(format!("early: {reason}")).unwrap())
        });

        cancel.clone().cancel("first");
        cancel.cancel("second");
        let late = cancel.on_cancel(move |reason| told.send(format!("late: {reason}")).unwrap());
        drop((early, late));

        assert_eq!(cancel.reason().as_deref(), Some("first"));
        let heard: Vec<String> = heard.iter().collect();
        assert_eq!(heard, ["early: first", "early: first", "late: first"]);
    }

    #[test]
    fn a_dropped_registration_is_not_called() {
        let cancel = Cancel::new();
        let (told, heard) = mpsc::channel();

        drop(cancel.on_cancel(move |_| told.send(()).unwrap()));
        cancel.cancel("nobody listens");

        assert!(heard.recv().is_err());
    }

    #[test]
    fn a_callback_may_use_the_token() {
        let cancel = Cancel::new();
        let (told, heard) = mpsc::channel();
        let same = cancel.clone();

        let _registration = cancel.on_cancel(move |_| {
            same.cancel("again");
            told.send(same.is_cancelled()).unwrap();
        });
        cancel.cancel("once");

        assert_eq!(heard.recv(), Ok(true));
    }

    #[test]
    fn the_guard_cancels_when_dropped_unless_disarmed() {
        let (kept, dropped) = (Cancel::new(), Cancel::new());

        kept.cancel_on_drop().disarm();
        drop(dropped.cancel_on_drop());

        assert!(!kept.is_cancelled());
        assert!(dropped.is_cancelled());
    }
}
