//! Times as people read them. Ages and what is left are reckoned by the host's clock; a point in
//! time is told in UTC, which a script turns into the reader's own.

use maud::{Markup, html};

use askwell_core::messages::Messages;
use askwell_core::wire::UnixMillis;

/// How long ago it was: `just now`, `5 min ago`.
pub(crate) fn ago(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    let words = match now.saturating_sub(at) / 60_000 {
        ..1 => texts.get("page-time-now"),
        _ => texts.with("page-time-ago", [("time", length(texts, now.saturating_sub(at)).into())]),
    };
    element(at, "ago", &words)
}

/// How long since: `just now`, `5 min`.
pub(crate) fn age(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    let words = match now.saturating_sub(at) / 60_000 {
        ..1 => texts.get("page-time-now"),
        _ => length(texts, now.saturating_sub(at)),
    };
    element(at, "age", &words)
}

/// How long until then: `9 min left`.
pub(crate) fn left(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    element(at, "left", &left_words(texts, at, now))
}

/// The deadline of a card.
pub(crate) fn deadline(texts: &Messages, at: UnixMillis, now: UnixMillis) -> Markup {
    html! {
        time datetime=(iso(at)) data-deadline=(at) { (left_words(texts, at, now)) }
    }
}

/// Whether a deadline is so near that a person would rather see to it first.
pub(crate) fn is_soon(at: UnixMillis, now: UnixMillis) -> bool {
    at - now < 600_000
}

fn left_words(texts: &Messages, at: UnixMillis, now: UnixMillis) -> String {
    let time = length(texts, at.saturating_sub(now).max(0));
    texts.with("page-time-left", [("time", time.into())])
}

/// A point in time.
pub(crate) fn at(at: UnixMillis) -> Markup {
    element(at, "at", &format!("{} UTC", &iso(at)[..16].replace('T', " ")))
}

fn element(at: UnixMillis, style: &str, words: &str) -> Markup {
    html! { time datetime=(iso(at)) data-time=(at) data-style=(style) { (words) } }
}

/// A length of time in its largest unit.
fn length(texts: &Messages, millis: i64) -> String {
    let seconds = millis / 1_000;
    let (id, count) = match seconds {
        ..60 => ("page-time-seconds", seconds),
        60..3_600 => ("page-time-minutes", seconds / 60),
        3_600..172_800 => ("page-time-hours", seconds / 3_600),
        _ => ("page-time-days", seconds / 86_400),
    };
    texts.with(id, [("count", count.into())])
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
    use askwell_core::messages::Lang;

    #[rstest]
    #[case(0, "1970-01-01T00:00:00Z")]
    #[case(951_782_400_000, "2000-02-29T00:00:00Z")]
    #[case(1_796_040_930_999, "2026-11-30T12:15:30Z")]
    #[case(4_102_444_799_000, "2099-12-31T23:59:59Z")]
    #[case(-1_000, "1969-12-31T23:59:59Z")]
    fn a_time_is_told_by_the_calendar(#[case] at: UnixMillis, #[case] told: &str) {
        assert_eq!(iso(at), told);
    }

    #[rstest]
    #[case(0, "just now", "0 s left")]
    #[case(59_999, "just now", "59 s left")]
    #[case(60_000, "1 min ago", "1 min left")]
    #[case(3_600_000, "1 h ago", "1 h left")]
    #[case(172_800_000, "2 d ago", "2 d left")]
    fn a_length_is_told_in_its_largest_unit(
        #[case] millis: i64,
        #[case] past: &str,
        #[case] future: &str,
    ) {
        let texts = Messages::new(Lang::En);
        let words = |markup: Markup| {
            let text = markup.into_string();
            text[text.find('>').unwrap() + 1..text.rfind('<').unwrap()].to_owned()
        };

        assert_eq!(words(ago(&texts, 0, millis)), past);
        assert_eq!(words(left(&texts, millis, 0)), future);
    }
}
