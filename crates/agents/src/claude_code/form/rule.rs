//! What a schema asks of a value, in words for the person and as a check of the answer.

use askwell_core::messages::Messages;
use serde_json::{Map, Number, Value, json};

/// An answer that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

/// What is asked of a value beyond its kind.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    /// How many characters, and of which form.
    Text { least: Option<u64>, most: Option<u64>, format: Option<Format> },
    /// A number within bounds.
    Number { is_whole: bool, least: Option<Number>, most: Option<Number> },
    /// How many values.
    Count { least: Option<u64>, most: Option<u64> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

/// A bound: nothing where none is set, an inner nothing where it is no whole number.
fn bound(fields: &Map<String, Value>, name: &str) -> Option<Option<u64>> {
    match fields.get(name) {
        None | Some(Value::Null) => Some(None),
        Some(bound) => bound.as_u64().map(Some),
    }
}

impl Rule {
    pub(super) fn text(fields: &Map<String, Value>) -> Option<Self> {
        let format = match fields.get("format").map(Value::as_str) {
            None => None,
            Some(Some("email")) => Some(Format::Email),
            Some(Some("uri")) => Some(Format::Uri),
            Some(Some("date")) => Some(Format::Date),
            Some(Some("date-time")) => Some(Format::DateTime),
            Some(_) => return None,
        };
        let (least, most) = (bound(fields, "minLength")?, bound(fields, "maxLength")?);
        Some(Self::Text { least: least.filter(|least| *least > 1), most, format })
    }

    pub(super) fn number(fields: &Map<String, Value>, is_whole: bool) -> Option<Self> {
        let bound = |name| match fields.get(name) {
            None | Some(Value::Null) => Some(None),
            Some(Value::Number(bound)) => Some(Some(bound.clone())),
            Some(_) => None,
        };
        Some(Self::Number { is_whole, least: bound("minimum")?, most: bound("maximum")? })
    }

    /// Of some values out of so many.
    pub(super) fn count(fields: &Map<String, Value>, of: usize) -> Option<Self> {
        let (least, most) = (bound(fields, "minItems")?, bound(fields, "maxItems")?);
        let most = most.filter(|most| *most < of as u64);
        Some(Self::Count { least: least.filter(|least| *least > 1), most })
    }

    /// What the person should know of it.
    pub(super) fn words(&self, messages: &Messages) -> Option<String> {
        let within =
            |id: [&str; 3], least: Option<String>, most: Option<String>| match (least, most) {
                (Some(least), Some(most)) => {
                    let values = [("from", least.into()), ("to", most.into())];
                    Some(messages.with(id[0], values))
                }
                (Some(least), None) => Some(messages.with(id[1], [("from", least.into())])),
                (None, Some(most)) => Some(messages.with(id[2], [("to", most.into())])),
                (None, None) => None,
            };
        let number = |bound: &Option<u64>| bound.as_ref().map(u64::to_string);
        match self {
            Self::Text { format: Some(format), .. } => Some(messages.get(format.message())),
            Self::Text { least, most, format: None } => {
                const LENGTH: [&str; 3] = ["form-length", "form-length-from", "form-length-to"];
                within(LENGTH, number(least), number(most))
            }
            Self::Count { least, most } => {
                const COUNT: [&str; 3] = ["form-count", "form-count-from", "form-count-to"];
                within(COUNT, number(least), number(most))
            }
            Self::Number { is_whole, least, most } => {
                const WHOLE: [&str; 3] = ["form-whole", "form-whole-from", "form-whole-to"];
                const NUMBER: [&str; 3] = ["form-number", "form-number-from", "form-number-to"];
                let (ids, any) = match is_whole {
                    true => (WHOLE, "form-whole-any"),
                    false => (NUMBER, "form-number-any"),
                };
                let told = |bound: &Option<Number>| bound.as_ref().map(Number::to_string);
                within(ids, told(least), told(most)).or_else(|| Some(messages.get(any)))
            }
        }
    }

    /// The value of a text.
    pub(super) fn value(&self, text: &str) -> Result<Value, Broken> {
        let value = match self {
            Self::Text { least, most, format } => {
                let length = text.chars().count() as u64;
                let fits = least.is_none_or(|least| length >= least)
                    && most.is_none_or(|most| length <= most)
                    && format.is_none_or(|format| format.fits(text));
                fits.then(|| json!(text))
            }
            Self::Number { is_whole, least, most } => {
                let number = text.trim().parse::<Number>().map_err(|_| Broken)?;
                let value = number.as_f64().ok_or(Broken)?;
                let bound = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
                let fits = (!is_whole || number.is_i64() || number.is_u64())
                    && bound(least).is_none_or(|least| value >= least)
                    && bound(most).is_none_or(|most| value <= most);
                fits.then_some(Value::Number(number))
            }
            Self::Count { .. } => None,
        };
        value.ok_or(Broken)
    }

    /// The value of several values.
    pub(super) fn several(&self, values: Vec<&str>) -> Result<Value, Broken> {
        let Self::Count { least, most } = self else { return Err(Broken) };
        let count = values.len() as u64;
        let fits =
            least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most);
        fits.then(|| json!(values)).ok_or(Broken)
    }
}

impl Format {
    fn message(self) -> &'static str {
        match self {
            Self::Email => "form-email",
            Self::Uri => "form-uri",
            Self::Date => "form-date",
            Self::DateTime => "form-date-time",
        }
    }

    /// Whether a text is of this form, as far as that can be seen from it.
    fn fits(self, text: &str) -> bool {
        let has_no_space = !text.contains(char::is_whitespace);
        match self {
            Self::Email => {
                let parts = text.rsplit_once('@');
                has_no_space && parts.is_some_and(|(name, at)| !name.is_empty() && !at.is_empty())
            }
            Self::Uri => {
                let scheme = text.split_once(':').filter(|(_, rest)| !rest.is_empty());
                let is_scheme = |scheme: &str| {
                    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
                };
                has_no_space && scheme.is_some_and(|(scheme, _)| is_scheme(scheme))
            }
            Self::Date => is_date(text),
            Self::DateTime => {
                let parts = text.split_once(['T', 't', ' ']);
                parts.is_some_and(|(date, time)| is_date(date) && is_time(time))
            }
        }
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month)) = (digits(year, 4), digits(month, 2)) else { return false };
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    digits(day, 2).is_some_and(|day| (1..=days).contains(&day))
}

/// A time of day with its distance from UTC.
fn is_time(text: &str) -> bool {
    let Some(at) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (time, zone) = text.split_at(at);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let clock = |text: &str, seconds: bool| {
        let parts: Vec<Option<u32>> = text.split(':').map(|part| digits(part, 2)).collect();
        match parts.as_slice() {
            [Some(hour), Some(minute), Some(second)] if seconds => {
                *hour < 24 && *minute < 60 && *second <= 60
            }
            [Some(hour), Some(minute)] if !seconds => *hour < 24 && *minute < 60,
            _ => false,
        }
    };
    let is_zone = zone.eq_ignore_ascii_case("z") || clock(&zone[1..], false);
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    clock(time, true) && is_fraction && is_zone
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let are_digits = text.len() == count && text.bytes().all(|it| it.is_ascii_digit());
    are_digits.then(|| text.parse().ok()).flatten()
}
