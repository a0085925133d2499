//! What is to be read of a question, and a pane that scrolls.

use askwell_core::text::markdown::blocks;
use askwell_core::text::{sanitize, truncate, width};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::canvas::{Canvas, row_of};
use super::markdown::{lines as markdown_lines, plain_lines};
use super::theme::Theme;
use crate::dialog::{Dialog, Scroll};

/// A pane of fewer rows shows no blank lines.
const LOW: usize = 4;

/// What was wrapped last, so that a key does not wrap a long document again.
#[derive(Default)]
pub(super) struct ReadingCache {
    made_for: Option<(usize, usize, bool)>,
    lines: Vec<Line<'static>>,
}

impl ReadingCache {
    /// The lines to read of a question: its text where that had to be cut, its detail, and the one
    /// line that stands for the context.
    pub(super) fn lines(
        &mut self,
        dialog: &Dialog,
        index: usize,
        columns: usize,
        whole_question: bool,
        theme: &Theme,
    ) -> &[Line<'static>] {
        let key = (index, columns, whole_question);
        if self.made_for != Some(key) {
            self.made_for = Some(key);
            self.lines = reading(dialog, index, columns, whole_question, theme);
        }
        &self.lines
    }
}

fn reading(
    dialog: &Dialog,
    index: usize,
    columns: usize,
    whole_question: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let question = dialog.question_at(index);
    let mut lines = Vec::new();
    let mut add = |more: Vec<Line<'static>>| {
        if !lines.is_empty() && !more.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(more);
    };
    if whole_question {
        add(plain_lines(&sanitize(&question.question), columns, theme.title()));
    }
    if let Some(detail) = &question.detail {
        add(markdown_lines(&blocks(detail), columns, theme));
    }
    if let Some(context) = dialog.request.context.as_deref().filter(|text| !text.trim().is_empty())
    {
        let count = context.trim().lines().count();
        let text = dialog.messages.with("context-collapsed", [("lines", count.into())]);
        add(vec![Line::styled(truncate(&text, columns).into_owned(), theme.dim())]);
    }
    lines
}

/// What is scrolled, and what tells the position.
pub(super) struct Pane<'a> {
    pub(super) lines: &'a [Line<'static>],
    pub(super) scroll: usize,
    /// The first column.
    pub(super) column: usize,
    /// The id of the message with the position, and the keys.
    pub(super) position: &'static str,
    /// The id of the same in few columns.
    pub(super) short: &'static str,
}

/// The columns that are left of these for a line that shares its row with the mark of the position,
/// where about so many lines are read one by one.
pub(super) fn beside_mark(columns: usize, lines: usize) -> usize {
    let digits = (lines * 2).to_string().len();
    columns.saturating_sub(2 * digits + "/ PgDn ".len()).max(columns / 2)
}

impl Pane<'_> {
    /// Draws the lines, scrolled, with a mark of the position where not all of them are seen.
    pub(super) fn draw(
        &self,
        dialog: &Dialog,
        area: Rect,
        theme: &Theme,
        canvas: &mut Canvas<'_>,
    ) -> Scroll {
        let height = usize::from(area.height);
        // Where rows are this scarce, none is spent on a gap.
        let lines: Vec<&Line<'static>> = match height < LOW && self.lines.len() > height {
            true => self.lines.iter().filter(|line| line.width() > 0).collect(),
            false => self.lines.iter().collect(),
        };
        let whole = lines.len() <= height;
        let page = if whole { height } else { height.saturating_sub(1).max(1) };
        let last = lines.len().saturating_sub(page);
        let first = self.scroll.min(last);
        for (row, line) in lines.iter().copied().skip(first).take(page).enumerate() {
            canvas.line(row_of(area, row), self.column, line);
        }
        if whole {
            return Scroll { page, last: 0 };
        }
        let columns = usize::from(area.width).saturating_sub(self.column);
        let (from, to, total) = (first + 1, (first + page).min(lines.len()), lines.len());
        let at = if from == to { from.to_string() } else { format!("{from}-{to}") };
        let short = [("at", at.into()), ("total", total.to_string().into())];
        let short = dialog.messages.with(self.short, short);
        if height > 1 {
            let values = [("from", from.into()), ("to", to.into()), ("total", total.into())];
            let whole = dialog.messages.with(self.position, values);
            let text = if width(&whole) <= columns { whole } else { short };
            canvas.text(row_of(area, height - 1), self.column, &text, theme.dim());
        } else if height == 1 {
            // It shares the only row.
            let is_over = lines[first].width() + width(&short) >= columns;
            let text = format!("{} {short}", if is_over { "…" } else { "" });
            let column = self.column + columns.saturating_sub(width(&text));
            canvas.text(row_of(area, 0), column, &text, theme.dim());
        }
        Scroll { page, last }
    }
}
