//! Markdown to markup of a page. There is no element, attribute or address in it but those that we
//! write ourselves, and they are closed in order.

#![no_main]

use askwell_web::markdown_markup;
use libfuzzer_sys::fuzz_target;

const ELEMENTS: [&str; 25] = [
    "p",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "code",
    "blockquote",
    "ol",
    "ul",
    "li",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "span",
    "a",
    "em",
    "strong",
    "s",
    "br",
];
const ATTRIBUTES: [&str; 10] =
    ["dir", "class", "tabindex", "start", "scope", "href", "target", "rel", "data-language", ""];

fuzz_target!(|source: &str| {
    let markup = markdown_markup(source);
    let mut open = Vec::new();
    let mut rest = markup.as_str();
    while let Some((text, tag)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{markup}");
        let (tag, after) = tag.split_once('>').unwrap_or_else(|| panic!("{markup}"));
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{markup}");
            continue;
        }
        let name = tag.split(' ').next().unwrap_or_default();
        assert!(ELEMENTS.contains(&name) || name == "hr", "<{tag}> in {markup}");
        if !matches!(name, "br" | "hr") {
            open.push(name);
        }
        attributes(&tag[name.len()..], &markup);
    }
    assert_eq!(open, Vec::<&str>::new(), "{markup}");
});

fn attributes(text: &str, markup: &str) {
    let mut rest = text;
    while let Some((name, value)) = rest.split_once("=\"") {
        let (value, after) = value.split_once('"').unwrap_or_else(|| panic!("{markup}"));
        rest = after;
        let name = name.trim();
        assert!(ATTRIBUTES.contains(&name), "{name:?} in {markup}");
        if name == "href" {
            let lower = value.to_ascii_lowercase();
            let schemes = ["http://", "https://", "mailto:"];
            assert!(schemes.iter().any(|scheme| lower.starts_with(scheme)), "{value:?}");
        }
    }
    assert_eq!(rest.trim(), "", "{markup}");
}
