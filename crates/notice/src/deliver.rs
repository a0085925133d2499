//! How often a channel that fails is tried.

use std::time::Duration;

use crate::{Channel, Message};

/// How long before each further try.
pub type Pauses<'a> = &'a [Duration];

/// Tells, and again after each of these pauses as long as it fails in a way that allows it. `message`
/// is made for each try; where there is none any more, nothing is told. A failure is logged.
pub async fn deliver(channel: &Channel, pauses: Pauses<'_>, message: impl Fn() -> Option<Message>) {
    let id = delivery_id();
    let mut pauses = pauses.iter();
    loop {
        let Some(now) = message() else { return };
        let name = channel.name();
        let failed = match channel.send(&id, &now).await {
            Ok(how) => {
                tracing::debug!(channel = name, %how, "told");
                return;
            }
            Err(failed) => failed,
        };
        match pauses.next().filter(|_| failed.again) {
            Some(pause) => {
                tracing::info!(channel = name, why = %failed.why, "not told yet");
                tokio::time::sleep(*pause).await;
            }
            None => {
                tracing::warn!(channel = name, why = %failed.why, "could not be told");
                return;
            }
        }
    }
}

/// By which a receiver knows a message that it has already.
fn delivery_id() -> String {
    // Without random numbers the receiver has only the message itself.
    let half = || getrandom::u64().unwrap_or_default();
    format!("{:016x}{:016x}", half(), half())
}
