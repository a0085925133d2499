//! Medians and percentiles of what was measured.

use std::time::Duration;

/// The middle value; the upper one of two.
pub fn median<T: Copy + Ord>(values: &[T]) -> T {
    percentile(values, 50)
}

/// The value that `percent` of the values do not exceed.
pub fn percentile<T: Copy + Ord>(values: &[T], percent: usize) -> T {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

/// `a` as a multiple of `b`.
pub fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The median of `a` as a multiple of `b`, turn by turn: what slows a machine down for a while slows
/// both down.
pub fn median_ratio(a: &[Duration], b: &[Duration]) -> f64 {
    let millionths: Vec<u64> =
        a.iter().zip(b).map(|(a, b)| (ratio(*a, *b) * 1e6).round() as u64).collect();
    median(&millionths) as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let values = [5, 1, 4, 2, 3];

        assert_eq!(median(&values), 3);
        assert_eq!(percentile(&values, 99), 5);
        assert_eq!(percentile(&[7], 50), 7);
    }

    #[test]
    fn ratios_are_those_of_the_same_turn() {
        let times = |millis: [u64; 3]| millis.map(Duration::from_millis);

        assert_eq!(median_ratio(&times([2, 40, 6]), &times([1, 20, 300])), 2.0);
    }
}
