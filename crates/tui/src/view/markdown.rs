//! Markdown blocks as terminal lines of a given width.

use askwell_core::text::markdown::{Block, Cell, Item, Span, SpanStyle};
use askwell_core::text::{width, wrap, wrap_editable};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span as Run};

use super::theme::Theme;

/// The lines of `blocks`, a blank line between blocks.
pub(crate) fn lines(blocks: &[Block], columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            lines.push(Line::default());
        }
        lines.extend(block_lines(block, columns, theme));
    }
    lines
}

fn block_lines(block: &Block, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    match block {
        Block::Heading { spans, .. } => wrap_spans(spans, columns, theme.title(), theme),
        Block::Paragraph(spans) => wrap_spans(spans, columns, Style::new(), theme),
        Block::Code { text, .. } => {
            let columns = columns.saturating_sub(2).max(1);
            let rows = wrap_editable(text, columns);
            let rows = rows.iter().map(|row| row.text(text).trim_end_matches('\n').to_owned());
            let rows = rows.map(|row| Line::styled(row, theme.code())).collect();
            prefixed(rows, "  ", "  ", theme)
        }
        Block::Quote(blocks) => {
            let bar = format!("{} ", theme.marks.bar);
            prefixed(lines(blocks, columns.saturating_sub(2).max(1), theme), &bar, &bar, theme)
        }
        Block::List { ordered_from, tight, items } => {
            list_lines(*ordered_from, *tight, items, columns, theme)
        }
        Block::Table { header, rows, .. } => table_lines(header, rows, columns, theme),
        Block::Rule => vec![Line::styled(theme.marks.rule.repeat(columns.min(40)), theme.dim())],
    }
}

fn list_lines(
    ordered_from: Option<usize>,
    tight: bool,
    items: &[Item],
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 && !tight {
            out.push(Line::default());
        }
        let mut mark = match ordered_from {
            Some(first) => format!("{}. ", first.saturating_add(index)),
            None => format!("{} ", theme.marks.bullet),
        };
        if let Some(done) = item.task {
            let tick = if done { theme.marks.ticked } else { theme.marks.unticked };
            mark = format!("{tick} ");
        }
        let indent = width(&mark);
        let mut body = Vec::new();
        for block in &item.blocks {
            if !tight && !body.is_empty() {
                body.push(Line::default());
            }
            body.extend(block_lines(block, columns.saturating_sub(indent).max(1), theme));
        }
        if body.is_empty() {
            body.push(Line::default());
        }
        out.extend(prefixed(body, &mark, &" ".repeat(indent), theme));
    }
    out
}

/// A table with even columns where it fits, else a row as a list of `header: cell`.
fn table_lines(
    header: &[Cell],
    rows: &[Vec<Cell>],
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let plain = |cell: &Cell| cell.iter().map(|span| span.text.replace('\n', " ")).collect();
    let heads: Vec<String> = header.iter().map(plain).collect();
    let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(plain).collect()).collect();
    let count = cells.iter().map(Vec::len).chain([heads.len()]).max().unwrap_or(0);
    let widest = |column: usize| {
        let all = std::iter::once(&heads).chain(&cells);
        all.filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(widest).collect();
    let separator = theme.marks.column;
    let total: usize = widths.iter().sum::<usize>() + 3 * count.saturating_sub(1);
    if total <= columns {
        let row_of = |row: &Vec<String>| {
            let cells = widths.iter().enumerate().map(|(column, columns)| {
                let cell = row.get(column).map_or("", String::as_str);
                format!("{cell}{}", " ".repeat(columns - width(cell)))
            });
            cells.collect::<Vec<_>>().join(separator)
        };
        let mut lines = vec![Line::styled(row_of(&heads), theme.title())];
        let rule: Vec<String> =
            widths.iter().map(|width| theme.marks.rule.repeat(*width)).collect();
        let rule = rule.join(&theme.marks.rule.repeat(3));
        lines.push(Line::styled(rule, theme.dim()));
        lines.extend(cells.iter().map(|row| Line::raw(row_of(row))));
        return lines;
    }
    let mut lines = Vec::new();
    for row in &cells {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        for (column, cell) in row.iter().enumerate() {
            let text = match heads.get(column) {
                Some(head) => format!("{head}: {cell}"),
                None => cell.clone(),
            };
            lines.extend(plain_lines(&text, columns, Style::new()));
        }
    }
    if cells.is_empty() {
        lines.extend(plain_lines(&heads.join(separator), columns, theme.title()));
    }
    lines
}

/// Plain text, wrapped, in one style.
pub(crate) fn plain_lines(text: &str, columns: usize, style: Style) -> Vec<Line<'static>> {
    let rows = wrap(text, columns);
    rows.iter().map(|row| Line::styled(row.text(text).to_owned(), style)).collect()
}

fn prefixed(
    lines: Vec<Line<'static>>,
    first: &str,
    rest: &str,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let lines = lines.into_iter().enumerate();
    lines
        .map(|(index, mut line)| {
            let prefix = if index == 0 { first } else { rest };
            // A style of the whole line must not reach the prefix.
            let style = std::mem::take(&mut line.style);
            for span in &mut line.spans {
                span.style = style.patch(span.style);
            }
            line.spans.insert(0, Run::styled(prefix.to_owned(), theme.dim()));
            line
        })
        .collect()
}

fn wrap_spans(spans: &[Span], columns: usize, base: Style, theme: &Theme) -> Vec<Line<'static>> {
    let mut text = String::new();
    let mut runs = Vec::new();
    for span in spans {
        let start = text.len();
        text.push_str(&span.text);
        if let Some(link) = &span.style.link
            && !span.text.contains(link.as_ref())
        {
            text.push_str(&format!(" <{link}>"));
        }
        runs.push((start..text.len(), style_of(&span.style, base, theme)));
    }
    let rows = wrap(&text, columns);
    rows.iter()
        .map(|row| {
            let shown = row.range.start..row.shown;
            let parts = runs.iter().filter_map(|(range, style)| {
                let from = range.start.max(shown.start);
                let to = range.end.min(shown.end);
                (from < to).then(|| Run::styled(text[from..to].to_owned(), *style))
            });
            Line::from(parts.collect::<Vec<_>>())
        })
        .collect()
}

fn style_of(style: &SpanStyle, base: Style, theme: &Theme) -> Style {
    let mut out = base;
    if style.bold {
        out = out.add_modifier(Modifier::BOLD);
    }
    if style.italic {
        out = out.add_modifier(Modifier::ITALIC);
    }
    if style.strike {
        out = out.add_modifier(Modifier::CROSSED_OUT);
    }
    if style.link.is_some() {
        out = out.add_modifier(Modifier::UNDERLINED);
    }
    if style.code {
        out = out.patch(theme.code());
    }
    out
}
