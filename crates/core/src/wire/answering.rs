//! Who else is at a request.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::UnixMillis;

/// Another person who is answering a pending request: not what they have entered, only that they
/// have. Told to answerers, never to askers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Answering {
    /// The person.
    pub person: String,
    /// When the person last edited a draft of it, or a little earlier: an event tells it once a
    /// minute.
    pub edited_at: UnixMillis,
    /// Whether the person has left it since: took back all that was entered, or is signed in nowhere
    /// any more. Only an event tells it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left: bool,
}

impl Answering {
    /// So long after the last edit somebody counts as being at it.
    pub const LASTS: Duration = Duration::from_secs(600);

    /// Those of them who are at it now, by name.
    pub fn names(others: &[Self], now: UnixMillis) -> impl Iterator<Item = &str> + Clone {
        others.iter().filter(move |other| other.ends_at() > now).map(|other| other.person.as_str())
    }

    /// When it ends, unless the person goes on.
    pub fn ends_at(&self) -> UnixMillis {
        match self.left {
            true => self.edited_at,
            false => self.edited_at.saturating_add(Self::LASTS.as_millis() as UnixMillis),
        }
    }

    /// Edits after this make that somebody is at it now.
    pub fn since(now: UnixMillis) -> UnixMillis {
        now.saturating_sub(Self::LASTS.as_millis() as UnixMillis)
    }

    /// Takes this one into what is known of the others, each of whom stands there once.
    pub fn join(self, known: &mut Vec<Self>) {
        match known.iter_mut().find(|other| other.person == self.person) {
            Some(other) if other.edited_at <= self.edited_at => *other = self,
            Some(_) => {}
            None => known.push(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mei(edited_at: UnixMillis) -> Answering {
        Answering { person: "Mei".to_owned(), edited_at, left: false }
    }

    #[test]
    fn somebody_is_at_it_for_ten_minutes_and_stands_there_once() {
        let mut known = vec![mei(5_000)];

        mei(7_000).join(&mut known);
        mei(6_000).join(&mut known);

        assert_eq!(known, [mei(7_000)]);
        assert_eq!(Answering::names(&known, 606_999).collect::<Vec<_>>(), ["Mei"]);
        assert_eq!(Answering::names(&known, 607_000).count(), 0);
    }

    #[test]
    fn who_leaves_is_at_it_no_longer() {
        let mut known = vec![mei(5_000)];

        Answering { left: true, ..mei(7_000) }.join(&mut known);

        assert_eq!(Answering::names(&known, 7_000).count(), 0);
        mei(8_000).join(&mut known);
        assert_eq!(Answering::names(&known, 8_000).collect::<Vec<_>>(), ["Mei"]);
    }
}
