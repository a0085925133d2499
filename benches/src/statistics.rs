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
}
