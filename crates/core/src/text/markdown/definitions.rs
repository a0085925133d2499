//! Definitions of links (`[label]: address`) that no link uses. Markdown makes them vanish; a reader should see them.

use std::collections::HashSet;

use comrak::nodes::{Node, NodeValue};

use super::{Block, Span};

/// A paragraph for every definition in `source` that the tree below `root` neither shows nor uses.
pub(super) fn unused(root: Node<'_>, source: &str) -> Vec<Block> {
    if !source.contains("]:") {
        return Vec::new();
    }
    let seen = Seen::below(root);
    let lines: Vec<&str> = source.split('\n').collect();
    let mut blocks = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim_start_matches(is_container_mark);
        let Some((label, address)) = definition(line) else {
            continue;
        };
        let next = lines.get(index + 1).map_or("", |next| next.trim());
        let target = address.split_whitespace().next().or(next.split_whitespace().next());
        let target = target.unwrap_or_default().trim_matches(['<', '>']);
        if seen.literal_lines.contains(&(index + 1))
            || seen.labels.contains(label)
            || seen.urls.contains(target)
        {
            continue;
        }
        let mut text = line.trim_end().to_owned();
        if address.is_empty() {
            text.extend([" ", next]);
        }
        blocks.push(Block::Paragraph(vec![Span { text, ..Span::default() }]));
    }
    blocks
}

/// The `[label]:` of a line that starts with one, and what follows it.
fn definition(line: &str) -> Option<(&str, &str)> {
    let end = line.starts_with('[').then(|| line.find("]:"))??;
    Some((line.get(..end + 2)?, line.get(end + 2..)?.trim()))
}

fn is_container_mark(c: char) -> bool {
    matches!(c, ' ' | '>' | '-' | '*' | '+' | '.' | ')') || c.is_ascii_digit()
}

#[derive(Default)]
struct Seen {
    /// Numbers of the lines that are shown as they stand.
    literal_lines: HashSet<usize>,
    /// `[label]:` as it stands in text.
    labels: HashSet<String>,
    urls: HashSet<String>,
}

impl Seen {
    fn below(root: Node<'_>) -> Self {
        let mut seen = Seen::default();
        for node in root.descendants() {
            let data = node.data();
            match &data.value {
                NodeValue::CodeBlock(_) | NodeValue::HtmlBlock(_) => {
                    seen.literal_lines.extend(data.sourcepos.start.line..=data.sourcepos.end.line);
                }
                NodeValue::Text(text) => {
                    seen.labels.extend(definition(text).map(|(label, _)| label.to_owned()));
                }
                NodeValue::Link(link) | NodeValue::Image(link) => {
                    seen.urls.insert(link.url.clone());
                }
                _ => {}
            }
        }
        seen
    }
}
