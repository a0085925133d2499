//! When a host in the background leaves by itself: nothing waits, nobody listens or is elsewhere,
//! and nobody has called it for a while.

use std::time::{Duration, Instant};

use askwell_host::{Host, Stats};
use tokio_util::sync::CancellationToken;

/// Cancels `shutdown` after this time without use.
pub async fn leave_when_unused(host: Host, idle: Duration, shutdown: CancellationToken) {
    let look = (idle / 30).max(Duration::from_millis(100));
    let mut last = LastUse::new(&host.stats(), Instant::now());
    loop {
        tokio::time::sleep(look).await;
        if last.unused_for(&host.stats(), Instant::now()) >= idle {
            tracing::info!("nobody has used it for {} s: it leaves", idle.as_secs());
            shutdown.cancel();
            return;
        }
    }
}

/// When a host was last used, as far as its counts tell.
struct LastUse {
    at: Instant,
    calls: u64,
    writes: u64,
}

impl LastUse {
    fn new(stats: &Stats, now: Instant) -> Self {
        Self { at: now, calls: stats.calls, writes: stats.store.writes }
    }

    /// For how long nobody has used it. Reads are use, and so is every open stream.
    fn unused_for(&mut self, stats: &Stats, now: Instant) -> Duration {
        let moved = (stats.calls, stats.store.writes) != (self.calls, self.writes);
        if moved || stats.pending > 0 || stats.streams > 0 || stats.elsewhere > 0 {
            *self = Self::new(stats, now);
        }
        now.duration_since(self.at)
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::State;

    use super::*;

    fn stats() -> Stats {
        let settled = [State::Answered, State::Cancelled, State::Aborted, State::Expired];
        Stats {
            pending: 0,
            away: 0,
            watching: 0,
            elsewhere: 0,
            streams: 0,
            calls: 7,
            settled: settled.map(|state| (state, 0)),
            store: Default::default(),
        }
    }

    #[test]
    fn reads_and_the_streams_of_askers_are_use_and_silence_is_none() {
        let (began, second) = (Instant::now(), Duration::from_secs(1));
        let mut last = LastUse::new(&stats(), began);
        let unused = |last: &mut LastUse, stats: Stats, seconds: u32| {
            last.unused_for(&stats, began + second * seconds).as_secs()
        };

        assert_eq!(unused(&mut last, stats(), 10), 10);
        // A read.
        assert_eq!(unused(&mut last, Stats { calls: 8, ..stats() }, 20), 0);
        assert_eq!(unused(&mut last, Stats { calls: 8, ..stats() }, 30), 10);
        // The stream of an asker, for as long as it is open.
        let open = || Stats { calls: 8, streams: 1, ..stats() };
        assert_eq!(unused(&mut last, open(), 40), 0);
        assert_eq!(unused(&mut last, open(), 90), 0);
        assert_eq!(unused(&mut last, Stats { calls: 8, pending: 1, ..stats() }, 95), 0);
        assert_eq!(unused(&mut last, Stats { calls: 8, ..stats() }, 100), 5);
        // Whoever is elsewhere wants what is asked in an inbox that is there.
        assert_eq!(unused(&mut last, Stats { calls: 8, elsewhere: 1, ..stats() }, 120), 0);
    }
}
