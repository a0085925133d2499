//! What a line means at the list: a number opens, a letter acts.

use crate::plain::command::number;

/// A line that was typed at the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing: what is new is told.
    Enter,
    /// Opens one.
    Open(u32),
    /// Searches; for nothing: shows everything.
    Search(String),
    /// Lists what waits.
    List,
    /// Lists what has ended.
    Ended,
    /// Goes on with the list.
    More,
    /// Puts one aside, or away.
    Clear(u32),
    /// Puts away all that nobody waits for any more.
    ClearAll,
    Help,
    Leave,
    /// Nothing that we know.
    Unknown,
}

impl Command {
    pub(super) fn of(line: &str) -> Self {
        let line = line.trim();
        let mut characters = line.chars();
        let first = characters.next().map(|first| first.to_ascii_lowercase());
        let rest = characters.as_str();
        match (first, rest) {
            (None, _) => Self::Enter,
            (Some('/'), text) => Self::Search(text.trim().to_owned()),
            (Some('x'), rest) => number(rest.trim()).map_or(Self::Unknown, Self::Clear),
            (Some('l'), "") => Self::List,
            (Some('e'), "") => Self::Ended,
            (Some('m'), "") => Self::More,
            (Some('c'), "") => Self::ClearAll,
            (Some('?' | '？' | 'h'), "") => Self::Help,
            (Some('q'), "") => Self::Leave,
            _ => number(line).map_or(Self::Unknown, Self::Open),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(" ", Command::Enter)]
    #[case("12", Command::Open(12))]
    #[case("１", Command::Open(1))]
    #[case("x 3", Command::Clear(3))]
    #[case("X3", Command::Clear(3))]
    #[case("x", Command::Unknown)]
    #[case("x all", Command::Unknown)]
    #[case("/ web app", Command::Search("web app".into()))]
    #[case("/", Command::Search(String::new()))]
    #[case("E", Command::Ended)]
    #[case("q", Command::Leave)]
    #[case("quit", Command::Unknown)]
    #[case("1 2", Command::Unknown)]
    fn a_line_means_one_thing(#[case] line: &str, #[case] command: Command) {
        assert_eq!(Command::of(line), command);
    }
}
