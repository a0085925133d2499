//! Signs of life while a person thinks: at once, and then every ten seconds, to a client that asked for
//! them.

use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// How often one is sent.
const EVERY: Duration = Duration::from_secs(10);

/// What is said, to whoever shows it.
const WAITING: &str = "Waiting for the person's answer";

/// The progress of one call.
pub(crate) struct Progress {
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    sent: u32,
    clock: Interval,
}

impl Progress {
    /// Tells it to this client, if it gave a token.
    pub fn new(peer: &Peer<RoleServer>, token: Option<ProgressToken>) -> Self {
        let mut clock = interval_at(Instant::now() + EVERY, EVERY);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { to: token.map(|token| (peer.clone(), token)), sent: 0, clock }
    }

    /// Whether anybody is told.
    pub fn is_told(&self) -> bool {
        self.to.is_some()
    }

    /// Tells that the call goes on.
    pub async fn tell(&mut self) {
        let Some((peer, token)) = &self.to else { return };
        self.sent += 1;
        let told = ProgressNotificationParam::new(token.clone(), f64::from(self.sent));
        // Where it can't be sent the call is about to be cut, which is seen elsewhere.
        let _ = peer.notify_progress(told.with_message(WAITING)).await;
    }

    /// Tells it again and again. Never returns.
    pub async fn tell_on(&mut self) {
        loop {
            self.clock.tick().await;
            self.tell().await;
        }
    }
}
