//! A host in this process as an [`Inbox`].

use std::time::Duration;

use askwell_core::ValidRequest;
use askwell_core::wire::{
    Asked, Delivery, DraftSaved, DraftView, DraftWrite, EventId, EventStream, HistoryQuery, Inbox,
    InboxError, Leaving, ListQuery, Page, Posting, ProviderName, RequestId, RequestView, Response,
};

use crate::{Caller, Host, Subscription};

/// A host in this process, seen with one credential. Blocks, so it is not for async tasks
/// (`spawn_blocking` there): it waits on the runtime of its host.
#[derive(Clone)]
pub struct LocalInbox {
    host: Host,
    caller: Caller,
}

impl Host {
    /// This host as this caller sees it.
    pub fn inbox(&self, caller: Caller) -> LocalInbox {
        LocalInbox { host: self.clone(), caller }
    }
}

impl LocalInbox {
    fn block_on<T>(&self, call: impl Future<Output = T>) -> T {
        self.host.runtime().block_on(call)
    }
}

impl Inbox for LocalInbox {
    fn ask(&self, request: &ValidRequest, posting: &Posting) -> Result<Asked, InboxError> {
        self.block_on(self.host.ask(&self.caller, request, posting))
    }

    fn get(&self, id: RequestId) -> Result<RequestView, InboxError> {
        self.block_on(self.host.get(&self.caller, id))
    }

    fn wait(&self, id: RequestId, at_most: Duration) -> Result<RequestView, InboxError> {
        self.block_on(self.host.wait(&self.caller, id, at_most))
    }

    fn list(&self, query: &ListQuery) -> Result<Page, InboxError> {
        self.block_on(self.host.list(&self.caller, query))
    }

    fn detach(&self, id: RequestId, leaving: Leaving) -> Result<RequestView, InboxError> {
        self.block_on(self.host.detach(&self.caller, id, leaving))
    }

    fn draft(&self, id: RequestId) -> Result<DraftView, InboxError> {
        self.block_on(self.host.draft(&self.caller, id))
    }

    fn save_draft(&self, id: RequestId, write: &DraftWrite) -> Result<DraftSaved, InboxError> {
        self.block_on(self.host.save_draft(&self.caller, id, write))
    }

    fn answer(&self, id: RequestId, response: &Response) -> Result<RequestView, InboxError> {
        self.block_on(self.host.answer(&self.caller, id, response.clone()))
    }

    fn cancel(
        &self,
        id: RequestId,
        comment: Option<&str>,
        provider: ProviderName,
    ) -> Result<RequestView, InboxError> {
        self.block_on(self.host.cancel(&self.caller, id, comment, provider))
    }

    fn extend(&self, id: RequestId) -> Result<RequestView, InboxError> {
        self.block_on(self.host.extend(&self.caller, id))
    }

    fn abort(&self, id: RequestId, reason: &str) -> Result<RequestView, InboxError> {
        self.block_on(self.host.abort(&self.caller, id, reason))
    }

    fn history(&self, query: &HistoryQuery) -> Result<Page, InboxError> {
        self.block_on(self.host.history(&self.caller, query))
    }

    fn events(&self, after: Option<EventId>) -> Result<Box<dyn EventStream>, InboxError> {
        let subscription = self.host.subscribe(&self.caller, after)?;
        Ok(Box::new(LocalEvents { host: self.host.clone(), subscription }))
    }
}

struct LocalEvents {
    host: Host,
    subscription: Subscription,
}

impl EventStream for LocalEvents {
    fn next(&mut self, at_most: Duration) -> Result<Option<Delivery>, InboxError> {
        let Self { host, subscription } = self;
        let next = async { tokio::time::timeout(at_most, subscription.next()).await };
        match host.runtime().block_on(next) {
            Err(_) => Ok(None),
            Ok(Err(error)) => Err(error),
            Ok(Ok(Delivery::Event(told))) => Ok(Some(Delivery::Event(told.event().clone()))),
            Ok(Ok(Delivery::Resync(id))) => Ok(Some(Delivery::Resync(id))),
        }
    }
}
