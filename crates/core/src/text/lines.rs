//! Blank text and line ends, as the contract means them.

use std::borrow::Cow;

/// Whether `text` holds nothing but Unicode `White_Space`.
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether `part` stands in `text` whole: not as a piece of its words. A text that does is not lost
/// where only `text` is shown.
pub fn holds(text: &str, part: &str) -> bool {
    let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let cuts = |before: &str, after: &str, at: &str| {
        let (first, last) = (at.chars().next(), at.chars().next_back());
        is_word(before.chars().next_back()) && is_word(first)
            || is_word(last) && is_word(after.chars().next())
    };
    text.match_indices(part).any(|(at, found)| !cuts(&text[..at], &text[at + found.len()..], found))
}

/// A text behind what it is of: `Scope: Docs`. A name that ends a sentence by itself, as a question in
/// place of a header does, gets no colon: `Which one? Docs`.
pub fn named(name: &str, text: &str) -> String {
    let between = match name.trim_end().ends_with(['?', '？', '!', '！', '.', '。', ':', '：'])
    {
        true => "",
        false => ":",
    };
    format!("{name}{between} {text}")
}

/// CRLF and CR become LF.
pub fn normalize_line_ends(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_stands_for_a_header_gets_no_colon() {
        for (name, whole) in
            [("Scope", "Scope: Docs"), ("Which?", "Which? Docs"), ("哪个？", "哪个？ Docs")]
        {
            assert_eq!(named(name, "Docs"), whole);
        }
    }

    #[test]
    fn a_text_holds_what_stands_in_it_whole() {
        for (text, part) in
            [("no", "no"), ("well, no!", "no"), ("a\nno\nb", "no"), ("也好，不", "不"), ("x", "")]
        {
            assert!(holds(text, part), "{text:?} {part:?}");
        }
        for (text, part) in [("nothing known", "no"), ("insert", "in"), ("不知道", "不"), ("", "a")]
        {
            assert!(!holds(text, part), "{text:?} {part:?}");
        }
    }
}
