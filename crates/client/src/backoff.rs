//! How long to wait before the next try: longer each time, and never in step with others.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(3);

#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    next: Duration,
    /// A fraction in 256ths.
    random: fn() -> u8,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Self { next: FIRST, random }
    }

    /// The next pause: between half of the nominal one and the whole.
    pub(crate) fn pause(&mut self) -> Duration {
        let nominal = self.next;
        self.next = (nominal * 2).min(LONGEST);
        nominal / 2 + nominal / 2 * u32::from((self.random)()) / 255
    }
}

fn random() -> u8 {
    // A source that fails only makes the pauses regular.
    getrandom::u32().map_or(128, |number| number.to_le_bytes()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_and_are_spread() {
        let pauses = |random| {
            let mut backoff = Backoff { next: FIRST, random };
            (0..9).map(|_| backoff.pause().as_millis()).collect::<Vec<_>>()
        };

        assert_eq!(pauses(|| 255), [50, 100, 200, 400, 800, 1600, 3000, 3000, 3000]);
        assert_eq!(pauses(|| 0), [25, 50, 100, 200, 400, 800, 1500, 1500, 1500]);
    }
}
