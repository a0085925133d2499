//! A claim on requests under a derived key, from the moment at which it is decided until the disk has
//! it: two that come at once never join the same one.
//!
//! Invariant: a claim changes nothing that anybody is shown. What the store then refuses has not
//! happened.

use askwell_core::wire::RequestId;

use crate::Host;
use crate::memory::Memory;

/// Gives up what it holds when it is dropped. Never dropped under the lock of the memory.
pub(crate) struct Claim {
    host: Host,
    held: Vec<RequestId>,
}

impl Claim {
    /// A claim on nothing.
    pub(crate) fn none(host: &Host) -> Self {
        Self { host: host.clone(), held: Vec::new() }
    }

    /// One on these.
    pub(crate) fn on(
        host: &Host,
        memory: &mut Memory,
        ids: impl IntoIterator<Item = RequestId>,
    ) -> Self {
        let held: Vec<_> = ids.into_iter().collect();
        held.iter().for_each(|id| memory.claim(*id));
        Self { host: host.clone(), held }
    }

    /// Gives it up in one step with what comes in its place. Tells whether it held anything.
    pub(crate) fn give_up(mut self, memory: &mut Memory) -> bool {
        let held = std::mem::take(&mut self.held);
        held.iter().for_each(|id| memory.give_up(*id));
        !held.is_empty()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.held.is_empty() {
            let mut memory = self.host.memory();
            self.held.iter().for_each(|id| memory.give_up(*id));
        }
    }
}
