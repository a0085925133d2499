//! The connections that read. A read sees one state of the store throughout, and never waits for a
//! write.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::file::StoreFile;
use super::open;
use crate::StoreError;

/// How many read at once. Whoever comes then waits: opening a connection takes longer than most
/// reads.
const CONNECTIONS: usize = 4;

pub(super) struct Readers {
    file: Arc<StoreFile>,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Connection>,
    lent: usize,
    closed: bool,
}

impl Readers {
    pub(super) fn new(file: Arc<StoreFile>) -> Self {
        Self { file, pool: Mutex::default(), returned: Condvar::new() }
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut lent = self.lend()?;
        let mut connection = match lent.connection.take() {
            Some(connection) => connection,
            None => open::reader(&self.file)?,
        };
        let tx = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let result = work(&tx);
        tx.finish()?;
        lent.connection = Some(connection);
        result
    }

    fn lend(&self) -> Result<Lent<'_>, StoreError> {
        let mut pool = self.lock();
        while pool.idle.is_empty() && pool.lent >= CONNECTIONS && !pool.closed {
            pool = self.returned.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
        if pool.closed {
            return Err(StoreError::closed());
        }
        pool.lent += 1;
        Ok(Lent { readers: self, connection: pool.idle.pop() })
    }

    pub(super) fn close(&self) {
        let mut pool = self.lock();
        pool.closed = true;
        pool.idle.clear();
        drop(pool);
        self.returned.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place among those that read, given back whatever happens to the read.
struct Lent<'a> {
    readers: &'a Readers,
    connection: Option<Connection>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut pool = self.readers.lock();
        pool.lent -= 1;
        if !pool.closed {
            pool.idle.extend(self.connection.take());
        }
        drop(pool);
        self.readers.returned.notify_one();
    }
}
