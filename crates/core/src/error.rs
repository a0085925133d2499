//! The stable codes of errors, and what a failed `ask` is.

use crate::answer::{Answers, BadResponse};
use crate::fault::{BadRequest, RequestCode};
use crate::outcome::Outcome;
use crate::wire::InboxError;

/// A stable error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// A person put the request aside.
    AskCancelled,
    /// The asker withdrew the request.
    AskAborted,
    /// The request's time ran out.
    AskExpired,
    /// Nothing can show the request.
    NoProvider,
    /// The request breaks a rule.
    Request(RequestCode),
    /// The answer breaks a rule.
    BadResponse,
    /// A service has one provider, and this would be the second.
    DuplicateProvider,
    /// The request has ended; the error tells how and when.
    NotPending,
    /// A draft was written on an old base; the error tells how it stands now.
    StaleDraft,
    /// An idempotency key that was used for other questions.
    KeyConflict,
    /// There is no such thing, or it is not the caller's.
    NotFound,
    /// No credential, or one that is not known (any more).
    Unauthorized,
    /// The credential's role does not allow it.
    Forbidden,
    /// Too much at once.
    RateLimited,
    /// The store can't be written. Nothing was changed.
    StoreUnavailable,
    /// No host answers.
    HostUnreachable,
    /// A host or a store of another version, which can't be worked with.
    HostVersion,
    /// A fault of askwell or of the machine.
    Internal,
}

impl ErrorCode {
    /// Every code, for tables and for reading one back.
    pub const ALL: [Self; 22] = [
        Self::AskCancelled,
        Self::AskAborted,
        Self::AskExpired,
        Self::NoProvider,
        Self::Request(RequestCode::EmptyQuestions),
        Self::Request(RequestCode::BadRequest),
        Self::Request(RequestCode::LimitExceeded),
        Self::Request(RequestCode::BadQuestion),
        Self::Request(RequestCode::BadIntent),
        Self::BadResponse,
        Self::DuplicateProvider,
        Self::NotPending,
        Self::StaleDraft,
        Self::KeyConflict,
        Self::NotFound,
        Self::Unauthorized,
        Self::Forbidden,
        Self::RateLimited,
        Self::StoreUnavailable,
        Self::HostUnreachable,
        Self::HostVersion,
        Self::Internal,
    ];

    /// The code with this word on the wire.
    pub fn from_wire(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == word)
    }

    /// The status with which the HTTP API tells it; `None` for what never crosses it. A request
    /// that is not even JSON is told with 400 instead (see `wire::Problem`).
    pub fn http_status(self) -> Option<u16> {
        Some(match self {
            Self::Request(_) | Self::BadResponse => 422,
            Self::NotPending | Self::StaleDraft | Self::KeyConflict => 409,
            Self::NotFound => 404,
            Self::Unauthorized => 401,
            Self::Forbidden => 403,
            Self::RateLimited => 429,
            Self::StoreUnavailable => 503,
            Self::Internal => 500,
            Self::AskCancelled
            | Self::AskAborted
            | Self::AskExpired
            | Self::NoProvider
            | Self::DuplicateProvider
            | Self::HostUnreachable
            | Self::HostVersion => return None,
        })
    }

    /// The code on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AskCancelled => "ASK_CANCELLED",
            Self::AskAborted => "ASK_ABORTED",
            Self::AskExpired => "ASK_EXPIRED",
            Self::NoProvider => "NO_PROVIDER",
            Self::Request(code) => code.as_str(),
            Self::BadResponse => "BAD_RESPONSE",
            Self::DuplicateProvider => "DUPLICATE_PROVIDER",
            Self::NotPending => "NOT_PENDING",
            Self::StaleDraft => "STALE_DRAFT",
            Self::KeyConflict => "KEY_CONFLICT",
            Self::NotFound => "NOT_FOUND",
            Self::Unauthorized => "UNAUTHORIZED",
            Self::Forbidden => "FORBIDDEN",
            Self::RateLimited => "RATE_LIMITED",
            Self::StoreUnavailable => "STORE_UNAVAILABLE",
            Self::HostUnreachable => "HOST_UNREACHABLE",
            Self::HostVersion => "HOST_VERSION",
            Self::Internal => "INTERNAL",
        }
    }
}

/// Why `ask` brought no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// A person put the whole request aside.
    #[error("ASK_CANCELLED: the person set the questions aside")]
    Cancelled {
        /// Why, in the person's words.
        comment: Option<String>,
    },
    /// The asker withdrew the request.
    #[error("ASK_ABORTED: withdrawn before an answer: {reason}")]
    Aborted {
        /// Why.
        reason: String,
    },
    /// The request's time ran out.
    #[error("ASK_EXPIRED: nobody answered in time")]
    Expired {
        /// The seconds that it had.
        seconds: Option<u64>,
    },
    /// Nothing can show the request. Nobody has seen it.
    #[error("NO_PROVIDER: {reason}")]
    NoProvider {
        /// Why, and what to do.
        reason: String,
    },
    /// The request breaks a rule. Nobody has seen it.
    #[error(transparent)]
    BadRequest(#[from] BadRequest),
    /// An answer that was given by rule or by program breaks a rule of its question.
    #[error(transparent)]
    BadResponse(#[from] BadResponse),
    /// The service has a provider already.
    #[error("DUPLICATE_PROVIDER: this service already asks through {name}")]
    DuplicateProvider {
        /// The provider that is there.
        name: String,
    },
    /// The host has refused the request, or can't tell how it ended.
    #[error(transparent)]
    Host(InboxError),
    /// A fault of askwell or of the machine.
    #[error("INTERNAL: {message}")]
    Internal {
        /// What failed.
        message: String,
    },
}

impl AskError {
    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Cancelled { .. } => ErrorCode::AskCancelled,
            Self::Aborted { .. } => ErrorCode::AskAborted,
            Self::Expired { .. } => ErrorCode::AskExpired,
            Self::NoProvider { .. } => ErrorCode::NoProvider,
            Self::BadRequest(bad) => ErrorCode::Request(bad.code()),
            Self::BadResponse(_) => ErrorCode::BadResponse,
            Self::DuplicateProvider { .. } => ErrorCode::DuplicateProvider,
            Self::Host(error) => error.code,
            Self::Internal { .. } => ErrorCode::Internal,
        }
    }
}

impl Outcome {
    /// The outcome as the result of `ask`. `seconds` is the time that the request had.
    ///
    /// # Errors
    /// Every outcome but an answer.
    pub fn into_result(self, seconds: Option<u64>) -> Result<Answers, AskError> {
        match self {
            Self::Answered(answers) => Ok(answers),
            Self::Cancelled { comment } => Err(AskError::Cancelled { comment }),
            Self::Aborted { reason } => Err(AskError::Aborted { reason }),
            Self::Expired => Err(AskError::Expired { seconds }),
        }
    }
}
