//! A topic of ntfy, which brings it to a phone.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::http::{Post, post};
use crate::{Address, Failed, Message};

/// A topic. Whoever knows its name can read it, so that it is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Ntfy {
    topic: Address,
    token: Option<String>,
    priority: Priority,
}

/// How much a phone makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Priority {
    /// Nothing but an entry.
    Min,
    /// No sound.
    Low,
    /// As the phone is set.
    #[default]
    Default,
    /// It stays on the screen.
    High,
    /// It rings on.
    Max,
}

impl Priority {
    fn as_str(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Low => "low",
            Self::Default => "default",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

impl FromStr for Priority {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let all = [Self::Min, Self::Low, Self::Default, Self::High, Self::Max];
        all.into_iter().find(|it| it.as_str() == text).ok_or(())
    }
}

impl Ntfy {
    /// This topic (`https://HOST/TOPIC`), with an access token where it wants one.
    pub fn new(topic: Address, token: Option<String>, priority: Priority) -> Self {
        Self { topic, token, priority }
    }

    /// Where it goes.
    pub fn address(&self) -> &Address {
        &self.topic
    }

    pub(crate) async fn send(&self, message: &Message) -> Result<String, Failed> {
        let mut headers = vec![
            ("title", header(&message.title)),
            ("priority", self.priority.as_str().to_owned()),
            ("content-type", "text/plain; charset=utf-8".to_owned()),
        ];
        if let Some(link) = &message.link {
            headers.push(("click", header(link)));
        }
        if let Some(token) = &self.token {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        let body = message.lines.join("\n");
        post(&self.topic, Post { headers, body }).await
    }
}

impl fmt::Debug for Ntfy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ntfy({})", self.topic)
    }
}

/// The most bytes in one encoded word.
const WORD: usize = 45;

/// A text as a header holds it: visible ASCII as it is, anything else in encoded words (RFC 2047).
fn header(text: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic();
    if text.chars().all(is_plain) && !text.starts_with("=?") {
        return text.trim().to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for character in text.chars() {
        if word.len() + character.len_utf8() > WORD {
            words.push(std::mem::take(&mut word));
        }
        word.push(character);
    }
    words.push(word);
    let words: Vec<String> =
        words.iter().map(|word| format!("=?UTF-8?B?{}?=", STANDARD.encode(word))).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("claude-code asks", "claude-code asks")]
    #[case("codex 在问", "=?UTF-8?B?Y29kZXgg5Zyo6Zeu?=")]
    #[case("a\r\nX-Evil: 1", "=?UTF-8?B?YQ0KWC1FdmlsOiAx?=")]
    #[case("=?x", "=?UTF-8?B?PT94?=")]
    fn b127_a_header_is_ascii_on_one_line(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(header(text), expected);
    }

    #[test]
    fn a_long_header_is_in_several_words_and_no_character_is_cut() {
        let text = "在".repeat(40);

        let words = header(&text);

        let decoded: Vec<u8> = words
            .split(' ')
            .flat_map(|word| {
                assert!(word.len() <= 75, "{word}");
                STANDARD.decode(&word[10..word.len() - 2]).unwrap()
            })
            .collect();
        assert_eq!(String::from_utf8(decoded).unwrap(), text);
    }
}
