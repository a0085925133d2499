//! The field for the person's own text, as one more row of the list.

use askwell_core::text::{truncate, width};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::canvas::{Canvas, row_of};
use super::theme::Theme;
use super::theme::{LABEL_COLUMN, MARK_COLUMN};
use crate::dialog::{Dialog, Focus, Row};
use crate::editor::{Editor, Layout};

/// The field grows to this many rows, then it scrolls.
const MOST_ROWS: usize = 6;
/// A question that only text can answer shows that there is room.
const FREE_TEXT_ROWS: usize = 2;

pub(super) struct Field<'a> {
    editor: &'a Editor,
    layout: Layout,
    /// The columns of the text.
    pub(super) width: usize,
    column: usize,
    mark: Option<&'static str>,
    here: &'static str,
    focused: bool,
    highlighted: bool,
    placeholder: String,
    /// The words beside a text that would not be sent.
    not_sent: Option<String>,
    style: Style,
    theme: Theme,
}

impl<'a> Field<'a> {
    pub(super) fn new(dialog: &'a Dialog, index: usize, columns: u16, theme: &Theme) -> Self {
        let question = dialog.question_at(index);
        let state = &dialog.questions[index];
        let draft = dialog.draft.get(index);
        let free = question.is_free_text();
        let column = if free { MARK_COLUMN } else { LABEL_COLUMN };
        let width = usize::from(columns).saturating_sub(column + 1).max(1);
        let highlighted = state.row == Row::Custom;
        let focused = highlighted && state.focus == Focus::Field && dialog.prompt.is_none();
        let counts = draft.custom_counts();
        let not_sent = draft.kept_text().is_some();
        let style = match (not_sent, focused, counts) {
            (true, false, _) => theme.not_sent(),
            (_, true, _) => Style::new(),
            (false, false, true) => theme.accent(),
            (false, false, false) => theme.entered(draft),
        };
        let placeholder = match free {
            true => "placeholder-text",
            false if dialog.plan().is_some() => "page-plan-reply",
            false => "placeholder-custom",
        };
        Self {
            layout: state.editor.layout(width),
            editor: &state.editor,
            width,
            column,
            mark: (!free).then(|| theme.mark(question, counts)),
            here: if highlighted { theme.marks.here } else { " " },
            focused,
            highlighted,
            placeholder: dialog.messages.get(placeholder),
            not_sent: not_sent.then(|| format!("[{}]", dialog.messages.get("not-sent"))),
            style,
            theme: *theme,
        }
    }

    /// The rows that it would like.
    pub(super) fn wanted(&self, roomy: bool) -> usize {
        let least = if self.mark.is_none() && roomy { FREE_TEXT_ROWS } else { 1 };
        let badge = usize::from(self.badge_needs_a_row());
        self.layout.lines.len().clamp(least, MOST_ROWS) + badge
    }

    fn badge_needs_a_row(&self) -> bool {
        let last = self.layout.lines.last().map_or(0, |line| line.width);
        self.not_sent.as_ref().is_some_and(|badge| {
            self.layout.lines.len() >= MOST_ROWS || last + 1 + width(badge) > self.width
        })
    }

    pub(super) fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let mut height = usize::from(area.height);
        if height == 0 {
            return;
        }
        let badge_row = self.badge_needs_a_row() && height > 1;
        if badge_row {
            height -= 1;
        }
        let marker = if self.highlighted { self.theme.highlighted() } else { Style::new() };
        canvas.text(row_of(area, 0), 1, self.here, marker);
        if let Some(mark) = self.mark {
            canvas.text(row_of(area, 0), MARK_COLUMN, mark, marker.patch(self.style));
        }
        let column = self.column;
        let (caret_row, caret_column) = self.layout.caret;
        let last = self.layout.lines.len().saturating_sub(height);
        let first = match self.focused {
            true => caret_row.saturating_sub(height - 1).min(last),
            false => 0,
        };
        canvas.field_spot(area, first, column);
        if self.editor.is_empty() {
            let text = truncate(&self.placeholder, self.width);
            canvas.text(row_of(area, 0), column, &text, self.theme.dim());
        }
        let shown = self.layout.lines.iter().skip(first).take(height).enumerate();
        let mut end = (0, 0);
        for (row, line) in shown {
            let text = self.editor.display(line);
            canvas.text(row_of(area, row), column, &text, self.style);
            end = (row, line.width);
        }
        if let Some(badge) = &self.not_sent {
            let (row, at) = match badge_row {
                true => (height, self.column),
                false => (end.0, self.column + end.1 + 1),
            };
            canvas.text(row_of(area, row), at, badge, self.theme.warning());
        }
        if first > 0 {
            canvas.text(
                row_of(area, 0),
                column.saturating_sub(2),
                self.theme.marks.above,
                self.theme.dim(),
            );
        }
        if first < last {
            let row = row_of(area, height - 1);
            canvas.text(row, column.saturating_sub(2), self.theme.marks.below, self.theme.dim());
        }
        if self.focused {
            canvas.place_cursor(row_of(area, caret_row - first), self.column + caret_column);
        } else if self.highlighted {
            canvas.place_cursor(row_of(area, 0), 1);
        }
    }
}
