//! The connections that read. A read sees one state of the store throughout, and never waits for a
//! write.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::file::StoreFile;
use super::open;
use crate::StoreError;

/// Connections that are kept for the next read. More are opened while more read at once.
const KEPT: usize = 4;

pub(super) struct Readers {
    file: Arc<StoreFile>,
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(file: Arc<StoreFile>) -> Self {
        Self { file, idle: Mutex::new(Some(Vec::new())) }
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let idle = self.lock().as_mut().ok_or_else(StoreError::closed)?.pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => open::reader(&self.file)?,
        };
        let tx = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let result = work(&tx);
        tx.finish()?;
        if let Some(idle) = self.lock().as_mut()
            && idle.len() < KEPT
        {
            idle.push(connection);
        }
        result
    }

    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
