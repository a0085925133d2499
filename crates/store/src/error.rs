//! Why a store could not do what it was told.

/// A failure of the store. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It can't be read or written now; it may be later.
    #[error("{message}")]
    Unavailable {
        /// What is the matter, with the place.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// A newer version has written it.
    #[error("the store is of version {found}, and this program knows versions up to {known}")]
    Newer {
        /// The version of the store.
        found: i64,
        /// The newest one that this program knows.
        known: i64,
    },
    /// The file is something else.
    #[error("{path} is not an askwell store")]
    Foreign {
        /// The file.
        path: String,
    },
    /// So many texts are kept beside the draft of a question that one more would be one too many.
    #[error("too many texts are kept beside the draft of a question")]
    Kept {
        /// The place of the question in the write.
        entry: usize,
    },
    /// Too many writes wait for the disk.
    #[error("too many writes wait for the store")]
    Busy,
    /// A fault of askwell.
    #[error("{0}")]
    Internal(String),
}

impl StoreError {
    pub(crate) fn unavailable(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Unavailable { message: message.into(), hint: hint.into() }
    }

    /// The store was closed, or its writer is gone.
    pub(crate) fn closed() -> Self {
        Self::unavailable("the store is closed", "Start the host again.")
    }

    /// Whether nothing of the transaction can be trusted any more.
    pub(crate) fn ends_the_batch(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let hint = match error.sqlite_error_code() {
            Some(Code::DiskFull) => "Free some space; the host goes on by itself.",
            Some(Code::ReadOnly | Code::PermissionDenied | Code::CannotOpen) => {
                "Make the folder of the store writable; the host goes on by itself."
            }
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
                "Another program holds the store; close it."
            }
            Some(Code::SystemIoFailure | Code::OutOfMemory) => {
                "Look at the disk; the host goes on by itself when it works again."
            }
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => {
                "The file is damaged: stop the host and restore a backup."
            }
            _ => return Self::Internal(error.to_string()),
        };
        Self::unavailable(error.to_string(), hint)
    }
}
