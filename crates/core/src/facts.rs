//! What is told about a request beside its own words: who asks, how old it is, how much time is
//! left, how it ended. In the words of our chrome, the same on a page and in a terminal.

use std::path::Path;

use crate::messages::Messages;
use crate::outcome::State;
use crate::request::Asker;
use crate::text::{is_blank, sanitize_line, truncate};
use crate::wire::{LOCAL, ProviderName, RequestSummary, UnixMillis};

/// A length of time in its largest unit: `5 min`.
pub fn length(texts: &Messages, millis: UnixMillis) -> String {
    let seconds = millis / 1_000;
    let (id, count) = match seconds {
        ..60 => ("page-time-seconds", seconds),
        60..3_600 => ("page-time-minutes", seconds / 60),
        3_600..172_800 => ("page-time-hours", seconds / 3_600),
        _ => ("page-time-days", seconds / 86_400),
    };
    texts.with(id, [("count", count.into())])
}

/// How long ago it was: `just now`, `5 min ago`.
pub fn ago(texts: &Messages, at: UnixMillis, now: UnixMillis) -> String {
    match now.saturating_sub(at) / 60_000 {
        ..1 => texts.get("page-time-now"),
        _ => texts.with("page-time-ago", [("time", length(texts, now.saturating_sub(at)).into())]),
    }
}

/// How long since: `just now`, `5 min`.
pub fn age(texts: &Messages, at: UnixMillis, now: UnixMillis) -> String {
    match now.saturating_sub(at) / 60_000 {
        ..1 => texts.get("page-time-now"),
        _ => length(texts, now.saturating_sub(at)),
    }
}

/// How long until then: `9 min left`. To the nearest minute, so that an hour just given is an hour.
pub fn left(texts: &Messages, at: UnixMillis, now: UnixMillis) -> String {
    let millis = at.saturating_sub(now).max(0);
    let nearest = if millis < 60_000 { 0 } else { 30_000 };
    let time = length(texts, millis.saturating_add(nearest));
    texts.with("page-time-left", [("time", time.into())])
}

/// The id of the words for how a request stands.
pub fn standing(state: State) -> &'static str {
    match state {
        State::Pending => "page-pending",
        State::Answered => "page-answered",
        State::Cancelled => "page-cancelled",
        State::Aborted => "page-aborted",
        State::Expired => "page-expired",
    }
}

/// The id of the words for what collected a response.
pub fn provider(provider: ProviderName) -> &'static str {
    match provider {
        ProviderName::Terminal => "page-in-terminal",
        ProviderName::Web => "page-in-browser",
        ProviderName::Elicitation => "page-in-client",
        ProviderName::Rule => "page-by-rule",
        ProviderName::Api => "page-by-program",
    }
}

/// More persons than these are counted, not named.
pub const NAMED: usize = 3;
/// So much of a person's name, in columns.
const NAME: usize = 24;

/// A person's name, clean and cut.
pub fn person(texts: &Messages, name: &str) -> String {
    match name {
        // It says nothing.
        LOCAL => texts.get("somebody-else"),
        name => truncate(&sanitize_line(name), NAME).into_owned(),
    }
}

/// Some persons in one line: `Mei, Tom`; nothing where there are none.
pub fn persons<'a>(
    texts: &Messages,
    persons: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    let more = persons.clone().count().saturating_sub(NAMED);
    let names = persons.take(NAMED).map(|name| person(texts, name));
    let names = names.chain((more > 0).then(|| format!("+{more}")));
    let names = names.collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then_some(names)
}

/// Who asks: requests that say the same here are of one asker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Who<'a> {
    /// The verified name of its credential.
    pub verified: &'a str,
    /// What it calls itself.
    pub name: Option<String>,
    /// Where it says that it works.
    pub folder: Option<&'a str>,
}

/// Who asks.
pub fn who(request: &RequestSummary) -> Who<'_> {
    let asker = request.asker.as_ref();
    let (name, folder) = (asker.and_then(own_name), asker.and_then(folder));
    Who { verified: &request.credential, name, folder }
}

/// All that an asker says of itself: the id of the word for each, and what it says.
pub fn said_of_itself(asker: &Asker) -> impl Iterator<Item = (&'static str, String)> {
    let chain = asker.chain.join(" > ");
    let fields = [
        ("reader-name", asker.name.clone()),
        ("reader-session", asker.session.clone()),
        ("reader-cwd", asker.cwd.clone()),
        ("reader-chain", Some(chain).filter(|chain| !chain.is_empty())),
    ];
    fields.into_iter().filter_map(|(id, value)| Some((id, value?)))
}

/// What an asker calls itself, with the sub-agents that asked through it.
pub fn own_name(asker: &Asker) -> Option<String> {
    let name = asker.name.as_deref().filter(|name| !is_blank(name));
    let names: Vec<&str> = name.into_iter().chain(asker.chain.iter().map(String::as_str)).collect();
    (!names.is_empty()).then(|| names.join(" › "))
}

/// The folder that an asker says it works in.
pub fn folder(asker: &Asker) -> Option<&str> {
    asker.cwd.as_deref().filter(|cwd| !is_blank(cwd))
}

/// The last part of a folder, for a place with little room.
pub fn folder_name(cwd: &str) -> &str {
    Path::new(cwd).file_name().and_then(|name| name.to_str()).unwrap_or(cwd)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::messages::Lang;

    #[rstest]
    #[case(0, "just now", "just now", "0 s left")]
    #[case(59_999, "just now", "just now", "59 s left")]
    #[case(60_000, "1 min ago", "1 min", "1 min left")]
    #[case(3_600_000, "1 h ago", "1 h", "1 h left")]
    #[case(172_800_000, "2 d ago", "2 d", "2 d left")]
    fn a_length_is_told_in_its_largest_unit(
        #[case] millis: UnixMillis,
        #[case] past: &str,
        #[case] since: &str,
        #[case] future: &str,
    ) {
        let texts = Messages::new(Lang::En);

        assert_eq!(ago(&texts, 0, millis), past);
        assert_eq!(age(&texts, 0, millis), since);
        assert_eq!(left(&texts, millis, 0), future);
    }

    #[test]
    fn what_was_just_given_is_told_as_it_was_given() {
        let texts = Messages::new(Lang::En);
        for (seconds, told) in [(599, "10 min"), (3_598, "1 h"), (86_398, "24 h"), (604_797, "7 d")]
        {
            assert_eq!(left(&texts, seconds * 1_000, 0), format!("{told} left"));
        }
    }

    #[test]
    fn persons_are_named_up_to_three_and_clean() {
        let texts = Messages::new(Lang::En);
        let told = |names: &[&str]| persons(&texts, names.iter().copied());

        assert_eq!(told(&[]), None);
        assert_eq!(told(&["Mei", LOCAL]).unwrap(), "Mei, whoever runs this host");
        assert_eq!(told(&["a", "b\n", "c\u{1b}[31m", "d", "e"]).unwrap(), "a, b␤, c␛[31m, +2");
    }
}
