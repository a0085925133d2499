//! What is to be read of a question, and a pane that scrolls.

use askwell_core::text::markdown::blocks;
use askwell_core::text::{sanitize, truncate};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::canvas::{Canvas, row_of};
use super::markdown::{lines as markdown_lines, plain_lines};
use super::theme::Theme;
use crate::dialog::{Dialog, Scroll};

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
        let lines = self.lines;
        let height = usize::from(area.height);
        let whole = lines.len() <= height;
        let page = if whole { height } else { height.saturating_sub(1).max(1) };
        let last = lines.len().saturating_sub(page);
        let first = self.scroll.min(last);
        for (row, line) in lines.iter().skip(first).take(page).enumerate() {
            canvas.line(row_of(area, row), self.column, line);
        }
        if whole {
            return Scroll { page, last: 0 };
        }
        if height > 1 {
            let values = [
                ("from", (first + 1).into()),
                ("to", (first + page).min(lines.len()).into()),
                ("total", lines.len().into()),
            ];
            let text = dialog.messages.with(self.position, values);
            canvas.text(row_of(area, height - 1), self.column, &text, theme.dim());
        }
        Scroll { page, last }
    }
}
