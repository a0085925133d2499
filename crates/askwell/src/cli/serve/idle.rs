//! When a host in the background leaves by itself: nothing waits, nobody watches, and nothing was
//! written for a while.

use std::time::{Duration, Instant};

use askwell_host::Host;
use tokio_util::sync::CancellationToken;

/// Cancels `shutdown` after this time without use.
pub async fn leave_when_unused(host: Host, idle: Duration, shutdown: CancellationToken) {
    let look = (idle / 30).max(Duration::from_millis(100));
    let mut since = Instant::now();
    let mut writes = None;
    loop {
        tokio::time::sleep(look).await;
        let stats = host.stats();
        let used = stats.pending > 0 || stats.watching > 0 || writes != Some(stats.store.writes);
        if used {
            (since, writes) = (Instant::now(), Some(stats.store.writes));
        } else if since.elapsed() >= idle {
            tracing::info!("nobody has used it for {} s: it leaves", idle.as_secs());
            shutdown.cancel();
            return;
        }
    }
}
