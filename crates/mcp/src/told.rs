//! What models were told of each request: how often that it is pending, so that none is sent round for
//! ever, and that it has ended, so that none is told so as news twice. (The host knows it as well, but
//! only once it is on its disk.)

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use askwell_core::wire::RequestId;

/// More are forgotten: then somebody is told something once more.
const MOST: usize = 10_000;

/// What was told.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<ByRequest>);

#[derive(Debug, Default)]
struct ByRequest {
    pending: HashMap<RequestId, u32>,
    ended: HashSet<RequestId>,
}

impl Told {
    /// That it is pending, once more; how often that makes.
    pub fn pending(&self, id: RequestId) -> u32 {
        let counts = &mut self.lock().pending;
        if counts.len() >= MOST {
            counts.clear();
        }
        let count = counts.entry(id).or_default();
        *count = count.saturating_add(1);
        *count
    }

    /// How it has ended.
    pub fn ended(&self, id: RequestId) {
        let mut told = self.lock();
        told.pending.remove(&id);
        if told.ended.len() >= MOST {
            told.ended.clear();
        }
        told.ended.insert(id);
    }

    /// Whether it was told how it has ended.
    pub fn knows_end(&self, id: RequestId) -> bool {
        self.lock().ended.contains(&id)
    }

    fn lock(&self) -> MutexGuard<'_, ByRequest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
