//! The two clocks of a host. While it runs, time is counted by one that nobody sets; the wall clock
//! only tells what to write down, and how much has passed while the host did not run.

use std::time::Duration;

use askwell_core::wire::UnixMillis;

/// What time it is.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock: Unix milliseconds. It may jump.
    fn wall(&self) -> UnixMillis;

    /// Time that only grows, also while the machine sleeps, from an arbitrary start.
    fn monotonic(&self) -> Duration;
}

/// The clocks of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> UnixMillis {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |since| since.as_millis() as UnixMillis)
    }

    fn monotonic(&self) -> Duration {
        // The ordinary monotonic clock of Linux stands still while the machine sleeps.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let id = rustix::time::ClockId::Boottime;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let id = rustix::time::ClockId::Monotonic;
        let now = rustix::time::clock_gettime(id);
        Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
    }
}

/// A clock that stands still until a test moves it.
#[cfg(feature = "testing")]
#[derive(Debug, Default)]
pub struct ManualClock {
    times: std::sync::Mutex<(UnixMillis, Duration)>,
}

#[cfg(feature = "testing")]
impl ManualClock {
    /// A clock that shows this wall time.
    pub fn new(wall: UnixMillis) -> Self {
        Self { times: std::sync::Mutex::new((wall, Duration::from_secs(1_000))) }
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        let mut times = self.times();
        times.0 += by.as_millis() as UnixMillis;
        times.1 += by;
    }

    /// Sets the wall clock forward or back, while no time passes.
    pub fn jump(&self, by_millis: i64) {
        self.times().0 += by_millis;
    }

    fn times(&self) -> std::sync::MutexGuard<'_, (UnixMillis, Duration)> {
        self.times.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(feature = "testing")]
impl Clock for ManualClock {
    fn wall(&self) -> UnixMillis {
        self.times().0
    }

    fn monotonic(&self) -> Duration {
        self.times().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_is_of_this_century_and_only_grows() {
        let (first, second) = (SystemClock.monotonic(), SystemClock.monotonic());

        assert!(SystemClock.wall() > 1_700_000_000_000);
        assert!(second >= first && first > Duration::ZERO);
    }
}
