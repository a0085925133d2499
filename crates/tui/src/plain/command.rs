//! What a line means: numbers choose, a letter acts, and text stands after `t` only, so that
//! `8080` can be text.

use std::ops::RangeInclusive;

/// A line that was typed at a question or at the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing: go on.
    Enter,
    /// Options by number, to be chosen and to be taken back.
    Numbers { chosen: Vec<RangeInclusive<u32>>, taken_back: Vec<RangeInclusive<u32>> },
    /// Text: the line itself, or the lines that follow.
    Text(Option<String>),
    /// Lists the options that hold this.
    Find(String),
    /// Shows everything about the question, or about one option.
    Details(Option<u32>),
    /// A letter that needs nothing more.
    Letter(Letter),
    /// Nothing that we know.
    Unknown,
}

/// What a letter alone does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    Skip,
    Back,
    Forward,
    Review,
    All,
    None,
    Undo,
    DeleteText,
    SwitchText,
    Again,
    Theirs,
    Later,
    Cancel,
    Quit,
    Help,
    Editor,
}

impl Command {
    pub(super) fn of(line: &str) -> Self {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Self::Enter;
        }
        if let Some(numbers) = numbers(trimmed) {
            return numbers;
        }
        let mut characters = trimmed.chars();
        let first = characters.next().map(|first| first.to_ascii_lowercase());
        let rest = characters.as_str();
        match (first, rest.chars().next()) {
            (Some('t'), None) => Self::Text(None),
            (Some('t'), Some(space)) if space.is_whitespace() => Self::Text(after_first_word(line)),
            (Some('/'), Some(_)) => Self::Find(rest.trim().to_owned()),
            (Some('o'), None) => Self::Details(None),
            (Some('o'), Some(space)) if space.is_whitespace() => match number(rest.trim()) {
                Some(number) => Self::Details(Some(number)),
                None => Self::Unknown,
            },
            (Some(letter), None) => Letter::of(letter).map_or(Self::Unknown, Self::Letter),
            _ => Self::Unknown,
        }
    }
}

impl Letter {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            's' => Self::Skip,
            'b' => Self::Back,
            'f' => Self::Forward,
            'r' => Self::Review,
            'a' => Self::All,
            'n' => Self::None,
            'u' => Self::Undo,
            'd' => Self::DeleteText,
            'm' => Self::SwitchText,
            'l' => Self::Again,
            'w' => Self::Theirs,
            'p' => Self::Later,
            'x' => Self::Cancel,
            'q' => Self::Quit,
            'e' => Self::Editor,
            '?' | 'h' | '？' => Self::Help,
            _ => return None,
        })
    }
}

/// What stands after the first word: the text is what it is, but for the one space before it.
pub(super) fn after_first_word(line: &str) -> Option<String> {
    line.trim_start().split_once(char::is_whitespace).map(|(_, text)| text.to_owned())
}

/// A line of numbers, commas and spaces; `2-4` is a range, and `-3` takes a choice back.
fn numbers(line: &str) -> Option<Command> {
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、');
    let (mut chosen, mut taken_back) = (Vec::new(), Vec::new());
    for word in line.split(between).filter(|word| !word.is_empty()) {
        match word.split_once(['-', '－', '–']) {
            None => {
                let number = number(word)?;
                chosen.push(number..=number);
            }
            Some(("", word)) => {
                let number = number(word)?;
                taken_back.push(number..=number);
            }
            Some((from, to)) => chosen.push(number(from)?..=number(to)?),
        }
    }
    let any = !chosen.is_empty() || !taken_back.is_empty();
    any.then_some(Command::Numbers { chosen, taken_back })
}

/// A number in digits of either width. One that is too large for any list stays too large.
pub(crate) fn number(word: &str) -> Option<u32> {
    let digit = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')),
        _ => c.is_ascii_digit().then_some(c),
    };
    let digits: String = word.chars().map(digit).collect::<Option<_>>()?;
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn chosen(numbers: &[u32]) -> Command {
        let chosen = numbers.iter().map(|number| *number..=*number).collect();
        Command::Numbers { chosen, taken_back: Vec::new() }
    }

    #[rstest]
    #[case("", Command::Enter)]
    #[case("  \t", Command::Enter)]
    #[case("2", chosen(&[2]))]
    #[case(" 1, 3 ", chosen(&[1, 3]))]
    #[case("1 3,4", chosen(&[1, 3, 4]))]
    #[case("１，３、２", chosen(&[1, 3, 2]))]
    #[case("8080", chosen(&[8080]))]
    #[case("99999999999", chosen(&[u32::MAX]))]
    #[case("2-4 -7", Command::Numbers { chosen: vec![2..=4], taken_back: vec![7..=7] })]
    #[case("t 8080", Command::Text(Some("8080".into())))]
    #[case("T  two  spaces ", Command::Text(Some(" two  spaces ".into())))]
    #[case("t", Command::Text(None))]
    #[case("t ", Command::Text(None))]
    #[case("t t", Command::Text(Some("t".into())))]
    #[case("t\u{3000}好", Command::Text(Some("好".into())))]
    #[case("text", Command::Unknown)]
    #[case("1. this", Command::Unknown)]
    #[case("-", Command::Unknown)]
    #[case("skip", Command::Unknown)]
    #[case("S", Command::Letter(Letter::Skip))]
    #[case("e", Command::Letter(Letter::Editor))]
    #[case("?", Command::Letter(Letter::Help))]
    #[case("/ post", Command::Find("post".into()))]
    #[case("o", Command::Details(None))]
    #[case("o 12", Command::Details(Some(12)))]
    #[case("o twelve", Command::Unknown)]
    #[case(",", Command::Unknown)]
    fn a_line_means_one_thing(#[case] line: &str, #[case] command: Command) {
        assert_eq!(Command::of(line), command);
    }
}
