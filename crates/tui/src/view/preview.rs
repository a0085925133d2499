//! The preview of the highlighted option: beside the list where the window is wide enough, else
//! below it.
//!
//! Its place is that of the longest preview of the question, so that nothing moves while the
//! highlight does.

use askwell_core::Question;
use askwell_core::text::markdown::blocks;
use askwell_core::text::{is_blank, sanitize_line, split_recommended, truncate};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::canvas::{Canvas, row_of, rows_of};
use super::markdown::lines as markdown_lines;
use super::reading::Pane;
use super::theme::Theme;
use crate::dialog::{Dialog, Scroll};

/// From here on the preview stands beside the list.
const WIDE: u16 = 100;
/// Columns between the list and the preview: a bar, and a blank on each side of it.
const GAP: u16 = 3;
/// Fewer rows than these have no title.
const TITLED: u16 = 3;

/// Where the list and the preview stand, by column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    /// The columns of the list.
    pub(super) list: u16,
    /// The columns of the preview beside it; none where it stands below.
    pub(super) beside: Option<u16>,
}

impl Columns {
    pub(super) fn of(question: &Question, width: u16) -> Self {
        match width >= WIDE && has_previews(question) {
            true => {
                let preview = width / 2;
                Self { list: width - preview - GAP, beside: Some(preview) }
            }
            false => Self { list: width, beside: None },
        }
    }

    fn text(self) -> usize {
        usize::from(self.beside.unwrap_or(self.list.saturating_sub(1))).saturating_sub(1).max(1)
    }
}

fn has_previews(question: &Question) -> bool {
    (0..question.options.len()).any(|option| of(question, option).is_some())
}

/// The preview of an option.
pub(super) fn of(question: &Question, option: usize) -> Option<&str> {
    question.options.get(option)?.preview.as_deref().filter(|preview| !is_blank(preview))
}

/// What was wrapped last.
#[derive(Default)]
pub(super) struct PreviewCache {
    measured: Option<(usize, usize, usize)>,
    wanted: usize,
    made_for: Option<(usize, usize, usize)>,
    lines: Vec<Line<'static>>,
}

impl PreviewCache {
    /// The rows that the longest preview of the question would like, up to `most`.
    pub(super) fn wanted(
        &mut self,
        dialog: &Dialog,
        index: usize,
        columns: Columns,
        most: usize,
        theme: &Theme,
    ) -> usize {
        let key = (index, columns.text(), most);
        if self.measured != Some(key) {
            self.measured = Some(key);
            self.wanted = 0;
            let question = dialog.question_at(index);
            for option in 0..question.options.len() {
                if self.wanted >= most {
                    break;
                }
                if of(question, option).is_some() {
                    let rows = self.lines(dialog, index, option, columns, theme).len() + 1;
                    self.wanted = self.wanted.max(rows.min(most));
                }
            }
        }
        self.wanted
    }

    fn lines(
        &mut self,
        dialog: &Dialog,
        index: usize,
        option: usize,
        columns: Columns,
        theme: &Theme,
    ) -> &[Line<'static>] {
        let key = (index, option, columns.text());
        if self.made_for != Some(key) {
            self.made_for = Some(key);
            let preview = of(dialog.question_at(index), option).unwrap_or_default();
            self.lines = markdown_lines(&blocks(preview), columns.text(), theme);
        }
        &self.lines
    }

    /// Draws the preview of the highlighted option. Of the custom row, and of an option without
    /// one, the place stays empty.
    #[expect(clippy::too_many_arguments, reason = "what to draw, where, and in which looks")]
    pub(super) fn draw(
        &mut self,
        dialog: &Dialog,
        index: usize,
        highlighted: Option<usize>,
        columns: Columns,
        area: Rect,
        theme: &Theme,
        canvas: &mut Canvas<'_>,
    ) -> Scroll {
        if columns.beside.is_some() {
            for row in 0..usize::from(area.height) {
                canvas.text(row_of(area, row), 1, theme.marks.bar, theme.dim());
            }
        }
        let area = match columns.beside {
            Some(_) => Rect { x: area.x + GAP, width: area.width.saturating_sub(GAP), ..area },
            None => Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area },
        };
        let question = dialog.question_at(index);
        let Some(option) = highlighted.filter(|option| of(question, *option).is_some()) else {
            return Scroll::default();
        };
        let titled = area.height >= TITLED;
        if titled {
            let label = sanitize_line(split_recommended(&question.options[option].label).0);
            let label = label.trim().to_owned().into();
            let title = dialog.messages.with("preview-of", [("label", label)]);
            let title = truncate(&title, columns.text()).into_owned();
            canvas.text(row_of(area, 0), 0, &title, theme.dim());
        }
        let rows = rows_of(area, usize::from(titled), usize::from(area.height));
        let scroll = dialog.questions[index].preview_scroll(option);
        let lines = self.lines(dialog, index, option, columns, theme);
        let pane = Pane {
            lines,
            scroll,
            column: 0,
            position: "preview-lines",
            short: "preview-lines-short",
        };
        pane.draw(dialog, rows, theme, canvas)
    }
}
