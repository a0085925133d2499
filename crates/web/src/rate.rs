//! How many requests one credential may send, and how many codes a stranger may try: a bucket of tokens
//! each. There are never more buckets than credentials, or than a fixed bound of strangers.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use askwell_core::wire::CredentialId;

use crate::failure::Failure;

/// The buckets.
#[derive(Debug)]
pub(crate) struct Rates<Who> {
    per_second: f64,
    burst: f64,
    most: usize,
    buckets: Mutex<HashMap<Who, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// Somebody without a credential: by the address that the connection is from, and whether it came by
/// the public name, so that no stranger beyond a proxy uses up the tries of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stranger {
    address: Option<IpAddr>,
    by_public_name: bool,
}

impl Stranger {
    pub fn new(address: Option<IpAddr>, by_public_name: bool) -> Self {
        let address = address.map(|address| match address {
            IpAddr::V4(_) => address,
            // One has a whole network of those.
            IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
                Some(ip) => ip.into(),
                None => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
            },
        });
        Self { address, by_public_name }
    }
}

impl Rates<CredentialId> {
    pub fn new(per_second: u32, burst: u32) -> Self {
        Self {
            per_second: f64::from(per_second.max(1)),
            burst: f64::from(burst.max(1)),
            most: usize::MAX,
            buckets: Mutex::default(),
        }
    }
}

impl Rates<Stranger> {
    /// Tries of a code: a few at once, then one a second.
    pub fn of_strangers() -> Self {
        Self { per_second: 1.0, burst: 20.0, most: 1_024, buckets: Mutex::default() }
    }
}

impl<Who: Eq + Hash + Copy> Rates<Who> {
    /// Takes a token.
    pub fn take(&self, who: Who) -> Result<(), Failure> {
        self.take_at(who, Instant::now())
    }

    fn take_at(&self, who: Who, now: Instant) -> Result<(), Failure> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= self.most && !buckets.contains_key(&who) {
            let oldest = buckets.iter().min_by_key(|(_, bucket)| bucket.at).map(|(who, _)| *who);
            oldest.and_then(|oldest| buckets.remove(&oldest));
        }
        let bucket = buckets.entry(who).or_insert_with(|| Bucket { tokens: self.burst, at: now });
        let earned = now.duration_since(bucket.at).as_secs_f64() * self.per_second;
        bucket.tokens = (bucket.tokens + earned).min(self.burst);
        bucket.at = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let seconds = ((1.0 - bucket.tokens) / self.per_second).ceil().max(1.0);
        Err(Failure::rate_limited("too many requests at once", seconds as u32))
    }

    /// Gives a token back: it was no try that counts.
    pub fn give_back(&self, who: Who) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(&who) {
            bucket.tokens += 1.0;
        }
    }

    /// Forgets a credential that was revoked.
    pub fn forget(&self, who: Who) {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).remove(&who);
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

    #[test]
    fn strangers_are_told_apart_by_their_network_and_are_never_too_many() {
        let rates = Rates::of_strangers();
        let now = Instant::now();
        let stranger = |address: &str| Stranger::new(Some(address.parse().unwrap()), false);
        let taken = |who| (0..30).filter(|_| rates.take_at(who, now).is_ok()).count();

        assert_eq!(taken(stranger("2001:db8::1")), 20);
        assert_eq!(taken(stranger("2001:db8::ffff:1")), 0);
        assert_eq!(taken(stranger("2001:db8:0:1::1")), 20);
        assert_eq!(taken(stranger("192.0.2.1")), 20);
        assert_eq!(taken(stranger("::ffff:192.0.2.1")), 0);
        rates.give_back(stranger("192.0.2.1"));
        assert_eq!(taken(stranger("192.0.2.1")), 1);
        assert_eq!(taken(Stranger::new(Some([192, 0, 2, 1].into()), true)), 20);
        for n in 0..2_000_u32 {
            let _ = rates.take_at(Stranger::new(Some(n.to_be_bytes().into()), false), now);
        }
        assert_eq!(rates.buckets.lock().unwrap().len(), 1_024);
    }
}
