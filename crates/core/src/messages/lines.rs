//! The messages that are one line of text and plain values, put together without a parser: the
//! first frame of a dialog shows nothing else, and parsing a catalogue takes longer than drawing it.

use fluent_bundle::{FluentArgs, FluentValue};

use super::Lang;

/// Where a message stands in its catalogue: its id (from, length) and its text (from, length),
/// in bytes. Offsets, not references: what holds no pointers needs no relocation at a start.
type Row = [u16; 4];

/// By their ids, in order.
fn rows(lang: Lang) -> &'static [Row] {
    match lang {
        Lang::En => include!(concat!(env!("OUT_DIR"), "/en.rs")),
        Lang::Zh => include!(concat!(env!("OUT_DIR"), "/zh.rs")),
    }
}

fn part(lang: Lang, from: u16, length: u16) -> &'static str {
    let from = usize::from(from);
    lang.source().get(from..from + usize::from(length)).unwrap_or_default()
}

/// The message with its values in their places. Nothing where it is none of these, or where a value
/// is missing or of another kind than a text or a number.
pub(super) fn line(lang: Lang, id: &str, values: Option<&FluentArgs<'_>>) -> Option<String> {
    let rows = rows(lang);
    let at = rows.binary_search_by(|&[from, length, ..]| part(lang, from, length).cmp(id)).ok()?;
    let [.., from, length] = rows[at];
    let mut parts = part(lang, from, length).split("{ $");
    let mut line = parts.next()?.to_owned();
    for rest in parts {
        let (name, text) = rest.split_once(" }")?;
        match values?.get(name)? {
            FluentValue::String(value) => line.push_str(value),
            FluentValue::Number(value) => line.push_str(&value.as_string()),
            _ => return None,
        }
        line.push_str(text);
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use fluent_bundle::FluentValue;

    use super::*;
    use crate::messages::Messages;

    #[test]
    fn a_line_reads_as_fluent_reads_it() {
        for lang in [Lang::En, Lang::Zh] {
            let messages = Messages::new(lang);
            let mut seen = 0;
            for &[from, length, text_from, text_length] in rows(lang) {
                let id = part(lang, from, length);
                let text = part(lang, text_from, text_length);
                let names = text.split("{ $").skip(1).filter_map(|rest| rest.split_once(" }"));
                let values: Vec<_> = names.map(|(name, _)| name).collect();
                for value in [FluentValue::from("a — “b”"), FluentValue::from(1234), 0.5.into()]
                {
                    let args = values.iter().map(|name| (*name, value.clone())).collect();
                    let by_fluent = messages.by_fluent(id, Some(&args));
                    pretty_assertions::assert_eq!(line(lang, id, Some(&args)), by_fluent, "{id}");
                }
                seen += 1;
            }
            assert!(seen > 300, "{seen} lines");
        }
    }

    #[test]
    fn a_value_that_is_missing_is_left_to_fluent() {
        assert_eq!(line(Lang::En, "asks", None), None);
        assert_eq!(Messages::new(Lang::En).get("asks"), "{$name} asks");
    }
}
