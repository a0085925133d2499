//! The notation of keys: `<down>`, `<c-c>`, `<lt>`; anything else is the character itself. Pure, and
//! the same for a terminal and a browser; what a name stands for is theirs.

/// One key of a notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// What stands between the brackets.
    Name(&'a str),
    /// A character by itself.
    Character(&'a str),
}

/// Reads the notation into its parts, in order.
///
/// # Panics
/// When a bracket is not closed.
#[track_caller]
pub(crate) fn parts(notation: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = notation;
    while let Some(character) = rest.chars().next() {
        let part = if character == '<' {
            let end = rest.find('>').unwrap_or_else(|| panic!("`<` without `>` in {notation:?}"));
            let name = &rest[1..end];
            rest = &rest[end + 1..];
            Part::Name(name)
        } else {
            let (key, others) = rest.split_at(character.len_utf8());
            rest = others;
            Part::Character(key)
        };
        parts.push(part);
    }
    parts
}
