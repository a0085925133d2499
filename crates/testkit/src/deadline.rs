//! How long a wait may take before its test fails.

use std::time::Duration;

const DEFAULT_SECONDS: u64 = 10;

/// The longest that any named wait takes: 10 seconds, or the whole seconds in
/// `ASKWELL_TEST_DEADLINE` for a slow or busy machine.
pub fn deadline() -> Duration {
    let seconds = match std::env::var("ASKWELL_TEST_DEADLINE") {
        Ok(text) => text.parse().expect("ASKWELL_TEST_DEADLINE is a number of whole seconds"),
        Err(_) => DEFAULT_SECONDS,
    };
    Duration::from_secs(seconds)
}
