//! How long a request may wait, as people write it: `90`, `30s`, `10m`, `2h`, `1d`.

use std::str::FromStr;

/// A time to live. Its bounds are the request's, which tells them by its own error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeout {
    /// As it was written.
    pub text: String,
    /// In seconds; what is below 0 is 0, and what is too large is as large as it gets.
    pub seconds: u64,
}

impl FromStr for Timeout {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a length of time such as 90, 30s, 10m, 2h or 1d";
        let (number, unit) = match text.char_indices().next_back().ok_or(EXPECTED)? {
            (at, 's') => (&text[..at], 1.0),
            (at, 'm') => (&text[..at], 60.0),
            (at, 'h') => (&text[..at], 3_600.0),
            (at, 'd') => (&text[..at], 86_400.0),
            _ => (text, 1.0),
        };
        // A number as JSON has it: no "inf" and no "nan".
        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
        if !number.chars().all(plain) {
            return Err(EXPECTED);
        }
        let seconds = number.parse::<f64>().map_err(|_| EXPECTED)? * unit;
        if seconds.is_finite() && seconds.fract() != 0.0 {
            return Err("expected a whole number of seconds");
        }
        Ok(Self { text: text.to_owned(), seconds: seconds as u64 })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("90", 90)]
    #[case("30s", 30)]
    #[case("10m", 600)]
    #[case("1.5h", 5_400)]
    #[case("2h", 7_200)]
    #[case("1d", 86_400)]
    #[case("60.0", 60)]
    #[case("0", 0)]
    #[case("-5", 0)]
    #[case("1e12", 1_000_000_000_000)]
    #[case("1e400", u64::MAX)]
    fn a_length_of_time_is_read_as_people_write_it(#[case] text: &str, #[case] seconds: u64) {
        assert_eq!(text.parse(), Ok(Timeout { text: text.to_owned(), seconds }));
    }

    #[rstest]
    #[case("")]
    #[case("m")]
    #[case("soon")]
    #[case("10 m")]
    #[case("10min")]
    #[case("inf")]
    #[case("nan")]
    #[case("0.5")]
    #[case("é")]
    fn what_is_no_length_of_time_is_refused(#[case] text: &str) {
        assert!(text.parse::<Timeout>().is_err());
    }
}
