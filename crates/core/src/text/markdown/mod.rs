//! Markdown as blocks of owned, sanitized text, from which the terminal and the page draw the same thing.
//!
//! Owns what an asker's markdown means; does not know how a block looks. Raw HTML is text, an image is its words and
//! its address, and only web and mail addresses are links.
//! Invariant: every word of the source is in some block, and no source makes this recurse deeply or run for long.

mod convert;
mod definitions;
mod inline;

use std::cell::Cell as Counter;
use std::sync::Arc;

use comrak::{Arena, Options};

use super::sanitize;

/// Blocks nested more deeply than this are shown as plain text.
pub const MAX_DEPTH: usize = 32;

/// One block of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading.
    Heading {
        /// From 1, the most important, to 6.
        level: u8,
        /// Its text.
        spans: Vec<Span>,
    },
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// Text to show as it stands, in columns.
    Code {
        /// What the source says about the language, if anything.
        language: Option<String>,
        /// The lines, without a newline at the end.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A list.
    List {
        /// The number of the first item of a numbered list.
        ordered_from: Option<usize>,
        /// Whether the items stand close together, with no blank line between them.
        tight: bool,
        /// The items.
        items: Vec<Item>,
    },
    /// A table.
    Table {
        /// The cells of the first row; there are as many as columns.
        header: Vec<Cell>,
        /// The other rows. One may have a cell more than there are columns, with what the table has no place for.
        rows: Vec<Vec<Cell>>,
        /// One for each column.
        alignments: Vec<Alignment>,
    },
    /// A line across.
    Rule,
}

/// One item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// For an item of a task list, whether it is ticked.
    pub task: Option<bool>,
    /// What the item holds.
    pub blocks: Vec<Block>,
}

/// The text of one cell of a table.
pub type Cell = Vec<Span>;

/// How the cells of a column are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alignment {
    /// As the surface likes.
    #[default]
    None,
    /// To the left.
    Left,
    /// In the middle.
    Center,
    /// To the right.
    Right,
}

/// A run of text in one style. A `\n` in it is a line break that the author wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    /// The text.
    pub text: String,
    /// Its style.
    pub style: SpanStyle,
}

/// How a run of text is set off from its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpanStyle {
    /// Strong emphasis.
    pub bold: bool,
    /// Emphasis.
    pub italic: bool,
    /// Code.
    pub code: bool,
    /// Struck out.
    pub strike: bool,
    /// Where a link leads: an `http`, `https` or `mailto` address. Shared, since a link may have many spans.
    pub link: Option<Arc<str>>,
}

/// Reads `markdown`. Blank text has no blocks.
///
/// ```
/// use askwell_core::text::markdown::{Block, blocks, plain};
/// assert!(matches!(&blocks("# Ship *it*")[..], [Block::Heading { level: 1, .. }]));
/// assert_eq!(plain("# Ship *it*\n\nnow"), "Ship it now");
/// ```
pub fn blocks(markdown: &str) -> Vec<Block> {
    if markdown.trim().is_empty() {
        return Vec::new();
    }
    let source = sanitize(markdown);
    let arena = Arena::new();
    let fuel = Counter::new(fuel_for(&source));
    let exhausted = || {
        fuel.set(fuel.get().saturating_sub(1));
        fuel.get() == 0
    };
    match comrak::try_parse_document(&arena, &source, &options(), &exhausted) {
        Ok(root) => {
            let mut blocks = convert::blocks(root, &source);
            blocks.extend(definitions::unused(root, &source));
            blocks
        }
        Err(_) => vec![Block::Code { language: None, text: source.into_owned() }],
    }
}

/// The words of `markdown` on one line, for an excerpt.
pub fn plain(markdown: &str) -> String {
    let mut words = Vec::new();
    collect_words(&blocks(markdown), &mut words);
    let text = words.concat();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn collect_words(blocks: &[Block], out: &mut Vec<String>) {
    let add = |spans: &[Span], out: &mut Vec<String>| {
        out.extend(spans.iter().map(|span| span.text.clone()));
        out.push("\n".to_owned());
    };
    for block in blocks {
        match block {
            Block::Heading { spans, .. } | Block::Paragraph(spans) => add(spans, out),
            Block::Code { text, .. } => out.extend([text.clone(), "\n".to_owned()]),
            Block::Quote(blocks) => collect_words(blocks, out),
            Block::List { items, .. } => {
                items.iter().for_each(|item| collect_words(&item.blocks, out));
            }
            Block::Table { header, rows, .. } => {
                header.iter().chain(rows.iter().flatten()).for_each(|cell| add(cell, out));
            }
            Block::Rule => {}
        }
    }
}

/// How often the parser may ask whether to go on, which it does every few hundred steps: far more than honest text
/// of that length needs. A count and not a clock, so that the same text always gives the same blocks.
fn fuel_for(source: &str) -> usize {
    4096 + source.len() / 8
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.autolink = true;
    options
}

#[cfg(test)]
mod tests;
