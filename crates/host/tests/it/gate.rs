//! A store that stops at the one place where a test wants to look: a request is committed, and nobody
//! has been told yet.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askwell_core::wire::{
    Answering, Credential, CredentialId, EntryWrite, LateText, RequestId, UnixMillis,
};
use askwell_store::{
    Digest, Done, DraftWritten, EndedRow, Extended, Filed, Head, HistoryRead, ListPage, ListRead,
    Log, Metrics, NewRequest, Presence, Record, Settled, Settlement, SqliteStore, Store,
    StoreError, StoredCredential, StoredDraft,
};

/// Holds back the report of the first request that is filed, until a second one is on its way.
pub struct Gate {
    store: SqliteStore,
    calls: Mutex<u32>,
    next: Sender<()>,
    second: Arc<Mutex<Receiver<()>>>,
    committed: Sender<()>,
}

impl Gate {
    /// A gate, and what tells that the first request is on disk.
    pub fn new(store: SqliteStore) -> (Self, Receiver<()>) {
        let (next, second) = channel();
        let (committed, told) = channel();
        let second = Arc::new(Mutex::new(second));
        (Self { store, calls: Mutex::default(), next, second, committed }, told)
    }
}

impl Store for Gate {
    fn file(&self, request: NewRequest, done: Done<Filed>) {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        if *calls > 1 {
            let _ = self.next.send(());
            return self.store.file(request, done);
        }
        let (second, committed) = (Arc::clone(&self.second), self.committed.clone());
        self.store.file(
            request,
            Box::new(move |filed| {
                committed.send(()).unwrap();
                let heard = second.lock().unwrap().recv_timeout(Duration::from_secs(20));
                heard.expect("a second request comes");
                done(filed);
            }),
        );
    }

    fn epoch(&self) -> u64 {
        self.store.epoch()
    }
    fn label(&self) -> &str {
        self.store.label()
    }
    fn derived(&self, credential: CredentialId, key: &str) -> Result<Vec<RequestId>, StoreError> {
        self.store.derived(credential, key)
    }
    fn settle(&self, settlement: Settlement, done: Done<Settled>) {
        self.store.settle(settlement, done);
    }
    fn extend(&self, id: RequestId, by: Duration, done: Done<Extended>) {
        self.store.extend(id, by, done);
    }
    fn set_bookmark(&self, name: &'static str, event: Option<u64>, done: Done<()>) {
        self.store.set_bookmark(name, event, done);
    }
    fn move_bookmark(&self, name: &'static str, event: u64) {
        self.store.move_bookmark(name, event);
    }
    fn bookmark(&self, name: &str) -> Result<Option<u64>, StoreError> {
        self.store.bookmark(name)
    }
    fn set_presence(&self, id: RequestId, presence: Presence, done: Done<bool>) {
        self.store.set_presence(id, presence, done);
    }
    fn pick_up(&self, id: RequestId, at: UnixMillis) {
        self.store.pick_up(id, at);
    }
    fn save_draft(
        &self,
        id: RequestId,
        person: String,
        entries: Vec<EntryWrite>,
        at: UnixMillis,
        done: Done<Option<DraftWritten>>,
    ) {
        self.store.save_draft(id, person, entries, at, done);
    }
    fn add_credential(&self, credential: StoredCredential, done: Done<()>) {
        self.store.add_credential(credential, done);
    }
    fn revoke_credential(&self, id: CredentialId, at: UnixMillis, done: Done<bool>) {
        self.store.revoke_credential(id, at, done);
    }
    fn use_credential(&self, id: CredentialId, at: UnixMillis) {
        self.store.use_credential(id, at);
    }
    fn set_elsewhere(&self, person: String, since: Option<UnixMillis>, done: Done<()>) {
        self.store.set_elsewhere(person, since, done);
    }
    fn elsewhere(&self) -> Result<Vec<(String, UnixMillis)>, StoreError> {
        self.store.elsewhere()
    }
    fn purge(&self, ids: Vec<RequestId>, done: Done<u64>) {
        self.store.purge(ids, done);
    }
    fn pending(&self, each: &mut dyn FnMut(Head)) -> Result<(), StoreError> {
        self.store.pending(each)
    }
    fn request(&self, id: RequestId) -> Result<Option<Record>, StoreError> {
        self.store.request(id)
    }
    fn ended(&self, id: RequestId) -> Result<Option<EndedRow>, StoreError> {
        self.store.ended(id)
    }
    fn late(&self, id: RequestId) -> Result<Vec<LateText>, StoreError> {
        self.store.late(id)
    }
    fn draft(&self, id: RequestId, person: &str) -> Result<StoredDraft, StoreError> {
        self.store.draft(id, person)
    }
    fn answering(
        &self,
        id: RequestId,
        beside: &str,
        since: UnixMillis,
    ) -> Result<Vec<Answering>, StoreError> {
        self.store.answering(id, beside, since)
    }
    fn list(&self, read: &ListRead) -> Result<ListPage, StoreError> {
        self.store.list(read)
    }
    fn history(&self, read: &HistoryRead) -> Result<ListPage, StoreError> {
        self.store.history(read)
    }
    fn ended_before(&self, at: UnixMillis, limit: u32) -> Result<Vec<RequestId>, StoreError> {
        self.store.ended_before(at, limit)
    }
    fn last_event(&self) -> Result<u64, StoreError> {
        self.store.last_event()
    }
    fn events(&self, after: u64, limit: u32) -> Result<Log, StoreError> {
        self.store.events(after, limit)
    }
    fn credentials(&self) -> Result<Vec<StoredCredential>, StoreError> {
        self.store.credentials()
    }
    fn credential(&self, token: &Digest) -> Result<Option<Credential>, StoreError> {
        self.store.credential(token)
    }
    fn metrics(&self) -> Metrics {
        self.store.metrics()
    }
    fn close(&self) {
        self.store.close();
    }
}
