//! The store of one host: a SQLite file.
//!
//! One thread writes, many writes to a transaction ([`writer`]); a few connections read
//! ([`readers`]). Files: [`file`]. Tables: `schema.sql`, and
//! `schema-2.sql` and so on for what came later.

mod bookmarks;
mod codec;
mod credentials;
mod drafts;
mod elsewhere;
mod events;
mod file;
mod keys;
mod lists;
mod open;
mod purge;
mod readers;
mod requests;
mod settle;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::{
    Answering, Credential, CredentialId, EntryWrite, LateText, RequestId, UnixMillis,
};

use crate::{
    Digest, Done, DraftWritten, EndedRow, Extended, Filed, Head, HistoryRead, ListPage, ListRead,
    Log, Metrics, NewRequest, Presence, Record, Settled, Settlement, Store, StoreError,
    StoredCredential, StoredDraft,
};
use file::StoreFile;
use readers::Readers;
use writer::Writer;

/// A store in a SQLite file.
pub struct SqliteStore {
    epoch: u64,
    label: String,
    file: Arc<StoreFile>,
    writer: Writer,
    readers: Readers,
}

impl SqliteStore {
    /// Opens the store at this path, and makes it and its folder where there is none: for the eyes
    /// of its owner only.
    ///
    /// # Errors
    /// [`StoreError`]: a newer store, another file, a network file system, no right to write.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = StoreFile::prepare(path)?;
        let mut connection = open::writer(&file)?;
        let (epoch, label) = open::migrate(&mut connection, &file)?;
        let file = Arc::new(file.opened()?);
        let readers = Readers::new(Arc::clone(&file));
        let writer = Writer::start(connection, Arc::clone(&file))?;
        Ok(Self { epoch, label, file, writer, readers })
    }

    /// Looks at the store at this path, which no host has open, and changes nothing of it.
    ///
    /// # Errors
    /// [`StoreError`]: a newer store, another file, one that is damaged or can't be read.
    pub fn inspect(path: &Path) -> Result<(), StoreError> {
        open::inspect(&StoreFile::at(path.to_owned()))
    }

    /// Runs a statement on the writing connection, such as a pragma that makes the next write fail.
    ///
    /// # Errors
    /// [`StoreError`] where SQLite refuses it.
    #[cfg(feature = "testing")]
    pub fn execute_for_test(&self, sql: &'static str) -> Result<(), StoreError> {
        self.writer.outside_of_transactions(sql)
    }
}

impl Store for SqliteStore {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn file(&self, request: NewRequest, done: Done<Filed>) {
        self.writer.write(done, move |tx| requests::file(tx, &request));
    }

    fn derived(&self, credential: CredentialId, key: &str) -> Result<Vec<RequestId>, StoreError> {
        self.readers.read(|tx| keys::derived(tx, credential, key))
    }

    fn settle(&self, settlement: Settlement, done: Done<Settled>) {
        self.writer.write(done, move |tx| settle::settle(tx, &settlement));
    }

    fn extend(&self, id: RequestId, by: Duration, done: Done<Extended>) {
        self.writer.write(done, move |tx| requests::extend(tx, id, by));
    }

    fn set_presence(&self, id: RequestId, presence: Presence, done: Done<bool>) {
        self.writer.write(done, move |tx| requests::set_presence(tx, id, presence));
    }

    fn pick_up(&self, id: RequestId, at: UnixMillis) {
        self.writer.write_later(move |tx| settle::pick_up(tx, id, at));
    }

    fn save_draft(
        &self,
        id: RequestId,
        person: String,
        entries: Vec<EntryWrite>,
        at: UnixMillis,
        done: Done<Option<DraftWritten>>,
    ) {
        self.writer.write(done, move |tx| drafts::save(tx, id, &person, &entries, at));
    }

    fn add_credential(&self, credential: StoredCredential, done: Done<()>) {
        self.writer.write(done, move |tx| credentials::add(tx, &credential));
    }

    fn revoke_credential(&self, id: CredentialId, at: UnixMillis, done: Done<bool>) {
        self.writer.write(done, move |tx| credentials::revoke(tx, id, at));
    }

    fn use_credential(&self, id: CredentialId, at: UnixMillis) {
        self.writer.write_later(move |tx| credentials::used(tx, id, at));
    }

    fn set_elsewhere(&self, person: String, since: Option<UnixMillis>, done: Done<()>) {
        self.writer.write(done, move |tx| elsewhere::set(tx, &person, since));
    }

    fn purge(&self, ids: Vec<RequestId>, done: Done<u64>) {
        self.writer.write(done, move |tx| purge::purge(tx, &ids));
    }

    fn set_bookmark(&self, name: &'static str, event: Option<u64>, done: Done<()>) {
        self.writer.write(done, move |tx| bookmarks::set(tx, name, event));
    }

    fn move_bookmark(&self, name: &'static str, event: u64) {
        self.writer.write_later(move |tx| bookmarks::set(tx, name, Some(event)));
    }

    fn bookmark(&self, name: &str) -> Result<Option<u64>, StoreError> {
        self.readers.read(|tx| bookmarks::read(tx, name))
    }

    fn pending(&self, each: &mut dyn FnMut(Head)) -> Result<(), StoreError> {
        self.readers.read(|tx| requests::pending(tx, each))
    }

    fn request(&self, id: RequestId) -> Result<Option<Record>, StoreError> {
        self.readers.read(|tx| requests::record(tx, id))
    }

    fn ended(&self, id: RequestId) -> Result<Option<EndedRow>, StoreError> {
        self.readers.read(|tx| settle::ended_by_id(tx, id))
    }

    fn late(&self, id: RequestId) -> Result<Vec<LateText>, StoreError> {
        self.readers.read(|tx| settle::late_by_id(tx, id))
    }

    fn draft(&self, id: RequestId, person: &str) -> Result<StoredDraft, StoreError> {
        self.readers.read(|tx| drafts::read(tx, id, person))
    }

    fn answering(
        &self,
        id: RequestId,
        beside: &str,
        since: UnixMillis,
    ) -> Result<Vec<Answering>, StoreError> {
        self.readers.read(|tx| drafts::answering_by_id(tx, id, beside, since))
    }

    fn list(&self, read: &ListRead) -> Result<ListPage, StoreError> {
        self.readers.read(|tx| lists::list(tx, read))
    }

    fn history(&self, read: &HistoryRead) -> Result<ListPage, StoreError> {
        self.readers.read(|tx| lists::history(tx, read))
    }

    fn ended_before(&self, at: UnixMillis, limit: u32) -> Result<Vec<RequestId>, StoreError> {
        self.readers.read(|tx| purge::ended_before(tx, at, limit))
    }

    fn last_event(&self) -> Result<u64, StoreError> {
        self.readers.read(events::last)
    }

    fn events(&self, after: u64, limit: u32) -> Result<Log, StoreError> {
        self.readers.read(|tx| events::after(tx, after, limit))
    }

    fn credentials(&self) -> Result<Vec<StoredCredential>, StoreError> {
        self.readers.read(credentials::all)
    }

    fn credential(&self, token: &Digest) -> Result<Option<Credential>, StoreError> {
        self.readers.read(|tx| credentials::by_token(tx, token))
    }

    fn elsewhere(&self) -> Result<Vec<(String, UnixMillis)>, StoreError> {
        self.readers.read(elsewhere::all)
    }

    fn metrics(&self) -> Metrics {
        self.writer.metrics()
    }

    fn close(&self) {
        self.writer.close();
        self.readers.close();
        self.file.left();
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close();
    }
}
