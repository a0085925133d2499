//! The sessions of legacy clients: whose they are, and how many.
//!
//! The SDK's own would end after five minutes without a message, also while a question waits. These
//! end when the client says so, or when there are too many: then the one that was left alone for the
//! longest time, and never one in which a call is answered.

use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use askwell_core::wire::CredentialId;
use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use tokio::time::Instant;

/// The most sessions of one credential.
const MOST: usize = 256;

tokio::task_local! {
    /// The credential of the message that is being answered.
    pub(super) static OWNER: CredentialId;
}

/// The sessions.
pub(super) struct Sessions {
    local: LocalSessionManager,
    known: Known,
}

#[derive(Clone, Default)]
struct Known(Arc<Mutex<HashMap<SessionId, Session>>>);

/// What is known of a session.
struct Session {
    owner: Option<CredentialId>,
    used: Instant,
    /// Streams that are open.
    streams: usize,
}

impl Default for Sessions {
    fn default() -> Self {
        let mut config = SessionConfig::default();
        config.keep_alive = None;
        let mut local = LocalSessionManager::default();
        local.session_config = config;
        Self { local, known: Known::default() }
    }
}

impl Known {
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a session is that of whoever is answered. It is used, then.
    fn is_own(&self, id: &SessionId) -> bool {
        let mut known = self.lock();
        let Some(session) = known.get_mut(id) else { return false };
        session.used = Instant::now();
        session.owner == owner()
    }

    /// The session that has to go before one more of this owner begins; an error where none may.
    fn one_too_many(&self, owner: Option<CredentialId>) -> Result<Option<SessionId>, Refused> {
        let known = self.lock();
        let own = known.iter().filter(|(_, session)| session.owner == owner);
        if own.clone().count() < MOST {
            return Ok(None);
        }
        let idle = own.filter(|(_, session)| session.streams == 0);
        let oldest = idle.min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone());
        oldest.map(Some).ok_or(Refused::TooMany)
    }

    fn streaming<S>(&self, id: &SessionId, stream: S) -> Streaming<S> {
        if let Some(session) = self.lock().get_mut(id) {
            session.streams += 1;
        }
        Streaming { stream: Box::pin(stream), known: self.clone(), id: id.clone() }
    }
}

/// The credential of whoever is answered; none for what the server does by itself.
fn owner() -> Option<CredentialId> {
    OWNER.try_with(|owner| *owner).ok()
}

impl SessionManager for Sessions {
    type Error = Refused;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Refused> {
        let owner = owner();
        if let Some(oldest) = self.known.one_too_many(owner)? {
            self.end(&oldest).await?;
        }
        let (id, transport) = self.local.create_session().await?;
        let session = Session { owner, used: Instant::now(), streams: 0 };
        self.known.lock().insert(id.clone(), session);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Refused> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Refused> {
        // Not even that it exists.
        Ok(self.known.is_own(id) && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Refused> {
        // By its client, or by the server once it has ended.
        match owner().is_some() && !self.known.is_own(id) {
            true => Ok(()),
            false => self.end(id).await,
        }
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Refused> {
        let stream = self.local.create_stream(id, message).await?;
        Ok(self.known.streaming(id, stream))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Refused> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Refused> {
        let stream = self.local.create_standalone_stream(id).await?;
        Ok(self.known.streaming(id, stream))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Refused> {
        let stream = self.local.resume(id, last_event_id).await?;
        Ok(self.known.streaming(id, stream))
    }
}

impl Sessions {
    async fn end(&self, id: &SessionId) -> Result<(), Refused> {
        self.known.lock().remove(id);
        Ok(self.local.close_session(id).await?)
    }
}

/// A stream of a session, which is in use for as long as this lives.
struct Streaming<S> {
    stream: Pin<Box<S>>,
    known: Known,
    id: SessionId,
}

impl<S: Stream> Stream for Streaming<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.as_mut().poll_next(cx)
    }
}

impl<S> Drop for Streaming<S> {
    fn drop(&mut self) {
        if let Some(session) = self.known.lock().get_mut(&self.id) {
            session.streams = session.streams.saturating_sub(1);
            session.used = Instant::now();
        }
    }
}

/// Why a session can't be had.
#[derive(Debug)]
pub(super) enum Refused {
    /// All that there may be of one credential are in use.
    TooMany,
    Sdk(LocalSessionManagerError),
}

impl From<LocalSessionManagerError> for Refused {
    fn from(error: LocalSessionManagerError) -> Self {
        Self::Sdk(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "{MOST} sessions of this credential are in use"),
            Self::Sdk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}
