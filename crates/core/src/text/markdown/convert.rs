//! From the parser's tree to blocks.

use comrak::nodes::{Node, NodeList, NodeValue, TableAlignment};

use super::inline::spans;
use super::{Alignment, Block, Cell, Item, MAX_DEPTH, Span};
use crate::text::sanitize_line;

/// The blocks below `root`, the tree of `source`.
pub(super) fn blocks(root: Node<'_>, source: &str) -> Vec<Block> {
    let lines = source.split('\n').collect();
    Converter { lines }.children(root, 0)
}

struct Converter<'s> {
    lines: Vec<&'s str>,
}

impl Converter<'_> {
    fn children(&self, parent: Node<'_>, depth: usize) -> Vec<Block> {
        if depth > MAX_DEPTH {
            return Some(spans(parent))
                .filter(|spans| !spans.is_empty())
                .map(Block::Paragraph)
                .into_iter()
                .collect();
        }
        parent.children().filter_map(|node| self.block(node, depth)).collect()
    }

    fn block(&self, node: Node<'_>, depth: usize) -> Option<Block> {
        let block = match &node.data().value {
            NodeValue::Heading(heading) => {
                Block::Heading { level: heading.level, spans: spans(node) }
            }
            NodeValue::CodeBlock(code) => Block::Code {
                language: Some(sanitize_line(code.info.trim()).into_owned())
                    .filter(|info| !info.is_empty()),
                text: code.literal.strip_suffix('\n').unwrap_or(&code.literal).to_owned(),
            },
            NodeValue::BlockQuote => Block::Quote(self.children(node, depth + 1)),
            NodeValue::List(list) => self.list(node, list, depth),
            NodeValue::Table(table) => self.table(node, &table.alignments),
            NodeValue::ThematicBreak => Block::Rule,
            _ => Block::Paragraph(Some(spans(node)).filter(|spans| !spans.is_empty())?),
        };
        Some(block)
    }

    fn list(&self, node: Node<'_>, list: &NodeList, depth: usize) -> Block {
        let item = |node: Node<'_>| Item {
            task: match &node.data().value {
                NodeValue::TaskItem(task) => Some(task.symbol.is_some()),
                _ => None,
            },
            blocks: self.children(node, depth + 1),
        };
        Block::List {
            ordered_from: (list.list_type == comrak::nodes::ListType::Ordered)
                .then_some(list.start),
            tight: list.tight,
            items: node.children().map(item).collect(),
        }
    }

    fn table(&self, node: Node<'_>, alignments: &[TableAlignment]) -> Block {
        let cells = |row: Node<'_>| row.children().map(spans).collect::<Vec<Cell>>();
        let mut rows = node.children();
        let header = rows.next().map(cells).unwrap_or_default();
        let rows = rows.map(|row| {
            let mut cells = cells(row);
            cells.extend(self.beyond_last_column(row));
            cells
        });
        Block::Table {
            header,
            rows: rows.collect(),
            alignments: alignments.iter().copied().map(alignment).collect(),
        }
    }

    /// What a row holds beyond the columns of the header. The parser drops it, as the format wants; we don't.
    fn beyond_last_column(&self, row: Node<'_>) -> Option<Cell> {
        let row_position = row.data().sourcepos;
        let last_cell = row.last_child()?.data().sourcepos;
        let line = self.lines.get(row_position.start.line.checked_sub(1)?)?;
        let rest = line.get(last_cell.end.column..)?.trim().trim_matches('|').trim();
        let span = Span { text: rest.to_owned(), ..Span::default() };
        (!rest.is_empty()).then(|| vec![span])
    }
}

fn alignment(alignment: TableAlignment) -> Alignment {
    match alignment {
        TableAlignment::None => Alignment::None,
        TableAlignment::Left => Alignment::Left,
        TableAlignment::Center => Alignment::Center,
        TableAlignment::Right => Alignment::Right,
    }
}
