//! The newest requests, whole, so that one that is answered at once is not read back from the disk.
//!
//! Bounded, and only a shortcut: what is in here is as the store has it, since whatever changes a
//! request takes it out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use askwell_core::ValidRequest;
use askwell_core::wire::RequestId;
use askwell_store::Record;

/// The most requests that are kept.
const COUNT: usize = 256;
/// The most bytes of their texts.
const BYTES: usize = 1024 * 1024;

/// A stored request, read.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) record: Record,
    pub(crate) request: ValidRequest,
}

#[derive(Debug, Default)]
pub(crate) struct Recent {
    known: HashMap<RequestId, Arc<Known>>,
    order: VecDeque<RequestId>,
    bytes: usize,
}

impl Recent {
    pub(crate) fn insert(&mut self, known: Known) {
        let (id, bytes) = (known.record.head.id, known.record.text.len());
        if bytes > BYTES / 8 {
            return;
        }
        self.bytes += bytes;
        self.known.insert(id, Arc::new(known));
        self.order.push_back(id);
        while (self.order.len() > COUNT || self.bytes > BYTES)
            && let Some(oldest) = self.order.pop_front()
        {
            self.remove(oldest);
        }
    }

    pub(crate) fn get(&self, id: RequestId) -> Option<Arc<Known>> {
        self.known.get(&id).cloned()
    }

    /// Takes a request out. (Its place in the order is left, and passed over.)
    pub(crate) fn remove(&mut self, id: RequestId) -> Option<Arc<Known>> {
        let known = self.known.remove(&id)?;
        self.bytes -= known.record.text.len();
        Some(known)
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::wire::CredentialId;
    use askwell_core::{Question, Request, State};
    use askwell_store::{Head, Presence};

    use super::*;

    fn known(n: u16, bytes: usize) -> Known {
        let mut id = [0; 16];
        id[..2].copy_from_slice(&n.to_be_bytes());
        let head = Head {
            id: RequestId::from_bytes(id),
            credential: CredentialId::from_bytes([0; 16]),
            state: State::Pending,
            created_at: 0,
            deadline_at: None,
            presence: Presence { attached: false, away_since: None },
            draft_writes: 0,
            draft_edited_at: None,
        };
        let record = Record {
            head,
            text: vec![0; bytes],
            credential_name: String::new(),
            ended: None,
            late: Vec::new(),
        };
        Known { record, request: Request::new([Question::new("q", "?")]).validate().unwrap() }
    }

    #[test]
    fn it_is_bounded_in_number_and_in_bytes_and_keeps_the_newest() {
        let mut recent = Recent::default();
        for n in 0..1_000 {
            recent.insert(known(n, 10));
        }
        assert_eq!((recent.known.len(), recent.bytes), (COUNT, COUNT * 10));
        for n in 1_000..1_100 {
            recent.insert(known(n, BYTES / 8));
        }
        recent.insert(known(2_000, BYTES));

        assert_eq!((recent.known.len(), recent.bytes), (8, BYTES));
        assert!(recent.get(known(1_099, 0).record.head.id).is_some());
        for n in 0..1_100 {
            recent.remove(known(n, 0).record.head.id);
        }
        assert_eq!((recent.known.len(), recent.bytes), (0, 0));
    }
}
