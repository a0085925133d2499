//! Markdown to blocks. All text in them is clean, and links lead where they may.

#![no_main]

use askwell_core::text::markdown::{Block, Span, blocks, plain};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    blocks(source).iter().for_each(check);
    assert!(!plain(source).contains(char::is_control));
});

fn check(block: &Block) {
    match block {
        Block::Heading { spans, .. } | Block::Paragraph(spans) => spans.iter().for_each(span),
        Block::Code { language, text } => {
            language.iter().for_each(|language| clean(language));
            clean(text);
        }
        Block::Quote(blocks) => blocks.iter().for_each(check),
        Block::List { items, .. } => items.iter().flat_map(|item| &item.blocks).for_each(check),
        Block::Table { header, rows, .. } => {
            header.iter().chain(rows.iter().flatten()).flatten().for_each(span);
        }
        Block::Rule => {}
    }
}

fn span(span: &Span) {
    clean(&span.text);
    if let Some(link) = &span.style.link {
        clean(link);
        let lower = link.to_ascii_lowercase();
        let schemes = ["http://", "https://", "mailto:"];
        assert!(schemes.iter().any(|scheme| lower.starts_with(scheme)), "{link:?}");
    }
}

fn clean(text: &str) {
    let dirty =
        |it: char| (it.is_control() && it != '\n') || ('\u{202a}'..='\u{202e}').contains(&it);
    assert!(!text.contains(dirty), "{text:?}");
}
