//! How many requests one credential may send: a bucket of tokens each. Only known credentials have
//! one, so that there are never more buckets than credentials.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use askwell_core::wire::CredentialId;

use crate::failure::Failure;

/// The buckets.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<CredentialId, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Rates {
    pub fn new(per_second: u32, burst: u32) -> Self {
        Self {
            per_second: f64::from(per_second.max(1)),
            burst: f64::from(burst.max(1)),
            buckets: Mutex::default(),
        }
    }

    /// Takes a token of this credential.
    pub fn take(&self, credential: CredentialId) -> Result<(), Failure> {
        self.take_at(credential, Instant::now())
    }

    fn take_at(&self, credential: CredentialId, now: Instant) -> Result<(), Failure> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket =
            buckets.entry(credential).or_insert_with(|| Bucket { tokens: self.burst, at: now });
        let earned = now.duration_since(bucket.at).as_secs_f64() * self.per_second;
        bucket.tokens = (bucket.tokens + earned).min(self.burst);
        bucket.at = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let seconds = ((1.0 - bucket.tokens) / self.per_second).ceil().max(1.0);
        Err(Failure::rate_limited("this credential sends too many requests", seconds as u32))
    }

    /// Forgets a credential that was revoked.
    pub fn forget(&self, credential: CredentialId) {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).remove(&credential);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_credential_has_its_own_rate_and_earns_it_back() {
        let rates = Rates::new(2, 3);
        let (one, other) = (CredentialId::mint(0, [1; 10]), CredentialId::mint(0, [2; 10]));
        let now = Instant::now();
        let taken = |now| (0..5).filter(|_| rates.take_at(one, now).is_ok()).count();

        assert_eq!(taken(now), 3);
        assert!(rates.take_at(other, now).is_ok());
        assert_eq!(taken(now + Duration::from_secs(1)), 2);
        assert_eq!(taken(now + Duration::from_secs(60)), 3);
    }
}
