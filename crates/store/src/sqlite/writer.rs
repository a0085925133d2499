//! The thread that writes: everything that waits goes into one transaction, so that one fsync pays
//! for all of it.
//!
//! Invariants: a write is reported after COMMIT and never before; one that fails by itself takes
//! nothing of the others with it (each has its savepoint); when the transaction fails, every write
//! in it is reported as failed.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::file::StoreFile;
use crate::{Done, Metrics, StoreError};

/// The most writes in one transaction.
const BATCH: usize = 256;
/// The most writes that wait.
const QUEUE: usize = 16_384;
/// The longest that a write which nobody awaits is put off.
const LATER: Duration = Duration::from_millis(100);

/// Sends writes to the thread.
pub(super) struct Writer {
    queue: Mutex<Option<SyncSender<Message>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    metrics: Arc<Mutex<Metrics>>,
}

enum Message {
    Now(Box<dyn Job>),
    Later(Box<dyn Job>),
    #[cfg(feature = "testing")]
    Outside(&'static str, std::sync::mpsc::Sender<Result<(), StoreError>>),
}

/// A write on its way through a transaction.
trait Job: Send {
    /// Does it, and keeps the result. Fails only where the transaction can't go on.
    fn run(&mut self, tx: &Connection) -> Result<(), StoreError>;

    /// Reports it, after the transaction ended so.
    fn report(self: Box<Self>, transaction: Result<(), StoreError>);
}

struct Write<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    done: Done<T>,
}

impl<T, F> Job for Write<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, tx: &Connection) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else { return Ok(()) };
        tx.prepare_cached("SAVEPOINT one")?.execute([])?;
        let result = work(tx);
        match &result {
            Ok(_) => tx.prepare_cached("RELEASE one")?.execute([])?,
            Err(error) if error.ends_the_batch() => return Err(error.clone()),
            Err(_) => {
                tx.prepare_cached("ROLLBACK TO one")?.execute([])?;
                tx.prepare_cached("RELEASE one")?.execute([])?
            }
        };
        self.result = Some(result);
        Ok(())
    }

    fn report(self: Box<Self>, transaction: Result<(), StoreError>) {
        let result = match (transaction, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(StoreError::closed()),
            (Err(error), _) => Err(error),
        };
        (self.done)(result);
    }
}

impl Writer {
    pub(super) fn start(connection: Connection, file: Arc<StoreFile>) -> Result<Self, StoreError> {
        let (queue, messages) = sync_channel(QUEUE);
        let metrics = Arc::new(Mutex::new(Metrics::default()));
        let thread = Thread { connection, file, messages, metrics: Arc::clone(&metrics) };
        let thread = std::thread::Builder::new()
            .name("askwell-store".to_owned())
            .spawn(move || thread.run())
            .map_err(|error| StoreError::Internal(error.to_string()))?;
        let (queue, thread) = (Mutex::new(Some(queue)), Mutex::new(Some(thread)));
        Ok(Self { queue, thread, metrics })
    }

    /// Writes as soon as the disk is free.
    pub(super) fn write<T: Send + 'static>(
        &self,
        done: Done<T>,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) {
        let job = Box::new(Write { work: Some(work), result: None, done });
        self.send(Message::Now(job));
    }

    /// Writes with the next transaction, or a little later; nobody is told.
    pub(super) fn write_later(
        &self,
        work: impl FnOnce(&Connection) -> Result<(), StoreError> + Send + 'static,
    ) {
        let done = Box::new(|result: Result<(), StoreError>| {
            if let Err(error) = result {
                tracing::warn!(%error, "a receipt was not written");
            }
        });
        let job = Box::new(Write { work: Some(work), result: None, done });
        self.send(Message::Later(job));
    }

    fn send(&self, message: Message) {
        let refused = {
            let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            match queue.as_ref() {
                None => Some((message, StoreError::closed())),
                Some(queue) => match queue.try_send(message) {
                    Ok(()) => None,
                    Err(TrySendError::Full(message)) => Some((message, StoreError::Busy)),
                    Err(TrySendError::Disconnected(message)) => {
                        Some((message, StoreError::closed()))
                    }
                },
            }
        };
        match refused {
            Some((Message::Now(job) | Message::Later(job), error)) => job.report(Err(error)),
            #[cfg(feature = "testing")]
            Some((Message::Outside(..), _)) => {}
            None => {}
        }
    }

    #[cfg(feature = "testing")]
    pub(super) fn outside_of_transactions(&self, sql: &'static str) -> Result<(), StoreError> {
        let (told, heard) = std::sync::mpsc::channel();
        self.send(Message::Outside(sql, told));
        heard.recv().unwrap_or_else(|_| Err(StoreError::closed()))
    }

    pub(super) fn metrics(&self) -> Metrics {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets the thread carry out what waits, and end.
    pub(super) fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The last owner of a store may be a report, which runs on the thread itself.
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

struct Thread {
    connection: Connection,
    file: Arc<StoreFile>,
    messages: Receiver<Message>,
    metrics: Arc<Mutex<Metrics>>,
}

impl Thread {
    fn run(self) {
        let mut batch: Vec<Box<dyn Job>> = Vec::new();
        // Since when the batch holds only what may wait.
        let mut put_off: Option<Instant> = None;
        loop {
            let message = match put_off {
                None => self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(since) => self.messages.recv_timeout(LATER.saturating_sub(since.elapsed())),
            };
            match message {
                Ok(message) => {
                    let urgent = self.take(message, &mut batch);
                    let urgent = self.drain(&mut batch) || urgent;
                    if !urgent && batch.len() < BATCH {
                        put_off = put_off.or_else(|| (!batch.is_empty()).then(Instant::now));
                        continue;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.commit(std::mem::take(&mut batch));
                    return;
                }
            }
            put_off = None;
            self.commit(std::mem::take(&mut batch));
        }
    }

    /// Takes what waits already. Tells whether somebody awaits any of it.
    fn drain(&self, batch: &mut Vec<Box<dyn Job>>) -> bool {
        let mut urgent = false;
        while batch.len() < BATCH {
            match self.messages.try_recv() {
                Ok(message) => urgent |= self.take(message, batch),
                Err(_) => break,
            }
        }
        urgent
    }

    fn take(&self, message: Message, batch: &mut Vec<Box<dyn Job>>) -> bool {
        match message {
            Message::Now(job) => {
                batch.push(job);
                true
            }
            Message::Later(job) => {
                batch.push(job);
                false
            }
            #[cfg(feature = "testing")]
            Message::Outside(sql, told) => {
                let _ = told.send(self.connection.execute_batch(sql).map_err(StoreError::from));
                false
            }
        }
    }

    fn commit(&self, mut batch: Vec<Box<dyn Job>>) {
        if batch.is_empty() {
            return;
        }
        let begun = Instant::now();
        let result = self.transaction(&mut batch);
        if let Err(error) = &result {
            tracing::error!(%error, writes = batch.len(), "the store can't be written");
            if !self.connection.is_autocommit() {
                let _ = self.connection.execute_batch("ROLLBACK");
            }
        }
        self.count(&result, batch.len(), begun.elapsed());
        for job in batch {
            job.report(result.clone());
        }
    }

    fn transaction(&self, batch: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        self.file.check()?;
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in batch.iter_mut() {
            job.run(&self.connection)?;
        }
        self.file.check()?;
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    fn count(&self, result: &Result<(), StoreError>, writes: usize, took: Duration) {
        let mut metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        if result.is_err() {
            metrics.failures += 1;
            return;
        }
        metrics.commits += 1;
        metrics.writes += writes as u64;
        metrics.commit_time += took;
        let within =
            Metrics::BOUNDS.iter().take_while(|bound| took.as_micros() > u128::from(**bound));
        let bucket = within.count();
        metrics.commits_within[bucket] += 1;
    }
}
