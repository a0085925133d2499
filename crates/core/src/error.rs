//! The stable codes of errors, and what a failed `ask` is.

use crate::answer::Answers;
use crate::fault::{BadRequest, RequestCode};
use crate::outcome::Outcome;

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
    /// A fault of askwell or of the machine.
    Internal,
}

impl ErrorCode {
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
    #[error("ASK_ABORTED: withdrawn by {reason} before an answer")]
    Aborted {
        /// Who ended it and how.
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
    /// The service has a provider already.
    #[error("DUPLICATE_PROVIDER: this service already asks through {name}")]
    DuplicateProvider {
        /// The provider that is there.
        name: String,
    },
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
            Self::DuplicateProvider { .. } => ErrorCode::DuplicateProvider,
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
