//! Times as people read them. Ages and what is left are reckoned by the host's clock; a point in
//! time is told in UTC, which a script turns into the reader's own.

use maud::{Markup, html};

use askwell_core::facts;
use askwell_core::messages::Messages;
use askwell_core::wire::UnixMillis;

/// How long ago it was: `just now`, `5 min ago`.
pub(crate) fn ago(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    element(at, "ago", &facts::ago(texts, at, now))
}

/// How long since: `just now`, `5 min`.
pub(crate) fn age(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    element(at, "age", &facts::age(texts, at, now))
}

/// How long until then: `9 min left`.
pub(crate) fn left(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    element(at, "left", &facts::left(texts, at, now))
}

/// The deadline of a card.
pub(crate) fn deadline(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    html! {
        time datetime=(iso(at)) data-deadline=(at) { (facts::left(texts, at, now)) }
    }
}

/// Whether a deadline is so near that a person would rather see to it first.
pub(crate) fn is_soon(at: UnixMillis, now: UnixMillis) -> bool {
    at - now < 600_000
}

/// A point in time.
pub(crate) fn at(at: UnixMillis) -> Markup {
    element(at, "at", &format!("{} UTC", &iso(at)[..16].replace('T', " ")))
}

fn element(at: UnixMillis, style: &str, words: &str) -> Markup {
    html! { time datetime=(iso(at)) data-time=(at) data-style=(style) { (words) } }
}

/// `2026-11-30T12:15:00Z`.
fn iso(at: UnixMillis) -> String {
    let seconds = at.div_euclid(1_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

/// The date of a day since 1970-01-01, by the Gregorian calendar. Counted in eras of 400 years that
/// begin in March, so that the leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "1970-01-01T00:00:00Z")]
    #[case(951_782_400_000, "2000-02-29T00:00:00Z")]
    #[case(1_796_040_930_999, "2026-11-30T12:15:30Z")]
    #[case(4_102_444_799_000, "2099-12-31T23:59:59Z")]
    #[case(-1_000, "1969-12-31T23:59:59Z")]
    fn a_time_is_told_by_the_calendar(#[case] at: UnixMillis, #[case] told: &str) {
        assert_eq!(iso(at), told);
    }
}
