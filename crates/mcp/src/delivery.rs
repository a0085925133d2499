//! Whether a client has got the outcomes that a result carries: an outcome counts as picked up once it
//! has, and not when the host has told it to us.
//!
//! A result is written after its call is over, by the transport, which says so here: over a pair of
//! streams once its line is flushed, over HTTP once the connection has taken the end of the body. What
//! is never taken stays to be picked up by whoever asks next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askwell_core::wire::RequestId;
use futures_util::future::join_all;
use rmcp::RoleServer;
use rmcp::model::RequestId as CallId;
use rmcp::service::RequestContext;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::server::Shared;
use crate::{Desk, Seat};

/// How long a call waits for an earlier result to be taken. Who reads nothing for longer is told of it
/// once more.
const PATIENCE: Duration = Duration::from_secs(1);

/// The results of each session that are on their way.
#[derive(Debug, Default)]
pub(crate) struct Deliveries {
    on_their_way: Mutex<HashMap<String, usize>>,
    fewer: Notify,
}

impl Deliveries {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.on_their_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn over(&self, session: &str) {
        let mut all = self.lock();
        if let Some(count) = all.get_mut(session) {
            *count -= 1;
            if *count == 0 {
                all.remove(session);
            }
        }
        drop(all);
        self.fewer.notify_waiters();
    }
}

/// The outcomes that the result of one call carries.
#[derive(Clone)]
pub(crate) struct Delivery {
    shared: Arc<Shared>,
    desk: Arc<dyn Desk>,
    /// Whose result it is: a credential and its session.
    session: String,
    call: CallId,
    is_cut: CancellationToken,
    taken: Taken,
    outcomes: Arc<Mutex<Vec<RequestId>>>,
}

impl Delivery {
    pub fn new(
        shared: &Arc<Shared>,
        seat: &Seat,
        principal: &str,
        context: &RequestContext<RoleServer>,
        taken: Taken,
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            desk: Arc::clone(&seat.desk),
            session: format!("{principal} {}", seat.session),
            call: context.id.clone(),
            is_cut: context.ct.clone(),
            taken,
            outcomes: Arc::default(),
        }
    }

    /// The result carries the outcome of this request.
    pub fn carries(&self, id: RequestId) {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(id);
    }

    /// The call is over, and its result goes out. Of one that was cancelled none does.
    pub fn begin(self) {
        let mut outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        let outcomes = std::mem::take(&mut *outcomes);
        if outcomes.is_empty() || self.is_cut.is_cancelled() {
            return;
        }
        *self.shared.deliveries.lock().entry(self.session.clone()).or_default() += 1;
        let Self { shared, desk, session, call, taken, .. } = self;
        taken.expect(call, OnItsWay { shared, desk, session, outcomes });
    }

    /// Returns once no earlier result of this session is on its way any more.
    pub async fn settled(&self) {
        let deliveries = &self.shared.deliveries;
        let none = async {
            loop {
                let fewer = deliveries.fewer.notified();
                if !deliveries.lock().contains_key(&self.session) {
                    return;
                }
                fewer.await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, none).await;
    }
}

/// A result that carries outcomes. It is over when this is dropped, taken or not.
pub(crate) struct OnItsWay {
    shared: Arc<Shared>,
    desk: Arc<dyn Desk>,
    session: String,
    outcomes: Vec<RequestId>,
}

impl OnItsWay {
    /// The client has it.
    pub async fn taken(self) {
        self.outcomes.iter().for_each(|id| self.shared.told.ended(*id));
        let told = join_all(self.outcomes.iter().map(|id| self.desk.pick_up(*id))).await;
        for error in told.into_iter().filter_map(Result::err) {
            tracing::debug!(%error, "the host could not be told that an outcome has arrived");
        }
    }
}

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.shared.deliveries.over(&self.session);
    }
}

/// What one transport has yet to say that it was taken, by the call whose result it is.
#[derive(Clone, Default)]
pub(crate) struct Taken(Arc<Mutex<HashMap<CallId, OnItsWay>>>);

impl Taken {
    fn lock(&self) -> MutexGuard<'_, HashMap<CallId, OnItsWay>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expect(&self, call: CallId, result: OnItsWay) {
        let earlier = self.lock().insert(call, result);
        drop(earlier);
    }

    /// What the result of this call carries, once: it is to be told when that was written.
    #[cfg(feature = "stdio")]
    pub fn by(&self, call: &CallId) -> Option<OnItsWay> {
        self.lock().remove(call)
    }

    /// Everything was taken.
    #[cfg(feature = "http")]
    pub fn all(&self) {
        let all = std::mem::take(&mut *self.lock());
        for result in all.into_values() {
            tokio::spawn(result.taken());
        }
    }
}
