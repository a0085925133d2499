//! Sentences of ours with words of others in them. The others' words are always an element of their
//! own, with a direction of their own, so that they can't rearrange ours.

use maud::{Markup, html};

use askwell_core::messages::Messages;
use askwell_core::text::sanitize_line;

/// The message with markup in the place of its values.
pub(crate) fn phrase<const N: usize>(
    texts: &Messages,
    id: &str,
    values: [(&'static str, Markup); N],
) -> Markup {
    // Controls can be in no message of ours, and are cleaned out of everybody else's words.
    let place = |index: usize| char::from_u32(index as u32 + 1).unwrap_or_default();
    let mut index = 0;
    let names = values.each_ref().map(|(name, _)| {
        index += 1;
        (*name, place(index - 1).to_string().into())
    });
    let text = texts.with(id, names);
    let is_place = |character: char| (1..=N as u32).contains(&u32::from(character));
    html! {
        @for part in text.split_inclusive(is_place) {
            @match part.chars().next_back().filter(|last| is_place(*last)) {
                Some(last) => {
                    (part[..part.len() - last.len_utf8()])
                    (values[u32::from(last) as usize - 1].1)
                },
                None => (part),
            }
        }
    }
}

/// A short text of somebody else, on one line.
pub(crate) fn theirs(text: &str) -> Markup {
    html! { bdi dir="auto" { (sanitize_line(text)) } }
}

/// The same in quotes, where it could be taken for words of ours.
pub(crate) fn quoted(text: &str) -> Markup {
    html! { q dir="auto" { (sanitize_line(text)) } }
}

/// A path or an id.
pub(crate) fn literal(text: &str) -> Markup {
    html! { code dir="auto" { (sanitize_line(text)) } }
}

/// Facts beside each other.
pub(crate) fn facts(facts: impl IntoIterator<Item = Markup>) -> Markup {
    html! {
        @for (index, fact) in facts.into_iter().enumerate() {
            @if index > 0 { " · " }
            (fact)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askwell_core::messages::Lang;

    #[test]
    fn the_words_of_others_stand_apart_from_ours() {
        let texts = Messages::new(Lang::En);

        let told = phrase(&texts, "asks", [("name", theirs("a\u{202e}<b>\n"))]);

        assert_eq!(told.into_string(), r#"<bdi dir="auto">a&lt;U+202E&gt;&lt;b&gt;␤</bdi> asks"#);
    }
}
