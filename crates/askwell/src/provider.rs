//! What collects an answer from a person.

use std::sync::Arc;

use askwell_core::{AskError, Outcome, ValidRequest};

use crate::Cancel;

/// Collects the answer to a request. It may block for as long as a person thinks.
///
/// A provider never invents an outcome: where it could not show the request it fails, with
/// [`AskError::NoProvider`] when nobody has seen it. An [`Outcome::Answered`] is canonical by its
/// type.
pub trait Provider: Send + Sync {
    /// A short name, such as `terminal`.
    fn name(&self) -> &str;

    /// Shows the request and waits until it ends. When `cancel` says so, the outcome is
    /// [`Outcome::Aborted`] with its reason, also before anything was shown.
    ///
    /// # Errors
    /// What kept the request from being shown, or its outcome from being known. Also
    /// [`AskError::Expired`] in the place of [`Outcome::Expired`], where the request had another time
    /// than its own: a person may have put it off.
    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError>;
}

impl<P: Provider + ?Sized> Provider for Arc<P> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError> {
        (**self).collect(request, cancel)
    }
}
