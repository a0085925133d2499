//! One question: its text, what is to be read, its options and the field, shared out over the rows
//! that there are.

use askwell_core::text::markdown::blocks;
use askwell_core::text::{sanitize, sanitize_line, truncate, wrap};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Renderer;
use super::canvas::{Canvas, row_of, rows_of};
use super::field::Field;
use super::markdown::{lines as markdown_lines, plain_lines};
use super::options::Options;
use super::theme::Theme;
use crate::dialog::{Dialog, Focus, Row, Scroll, Viewport};

/// What was wrapped last, so that a key does not wrap a long document again.
#[derive(Default)]
pub(super) struct ReadingCache {
    made_for: Option<(usize, usize, bool)>,
    lines: Vec<Line<'static>>,
}

impl ReadingCache {
    /// The lines to read of a question: its text where that had to be cut, its detail, and the one
    /// line that stands for the context.
    fn lines(
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

/// How many rows each part gets.
#[derive(Debug, PartialEq, Eq)]
struct Shares {
    question: usize,
    reading: usize,
    options: usize,
    field: usize,
    blanks: usize,
}

/// What each part would like.
struct Wishes {
    rows: usize,
    question: usize,
    reading: usize,
    /// With all descriptions; with that of the highlighted option only.
    options: (usize, usize),
    field: usize,
    /// The caret is in the field, so that this is what has to be seen.
    in_field: bool,
}

impl Wishes {
    /// The most rows of the question itself. Where there is nothing else to show it has them all.
    fn question_most(&self, field: usize) -> usize {
        match self.options.0 {
            0 if self.reading == 0 => self.rows.saturating_sub(field).max(1),
            _ => (self.rows / 3).max(1),
        }
    }

    /// Shares the rows out. The second value: whether all descriptions are shown.
    fn share(&self) -> (Shares, bool) {
        let field = self.field.min((self.rows / 3).max(1));
        let question = self.question.min(self.question_most(field));
        let scarce = self.rows < question + field + usize::from(self.options.0 > 0);
        if scarce {
            let field = if self.in_field { self.rows.saturating_sub(question).min(1) } else { 0 };
            let options = self.rows.saturating_sub(question + field).min(self.options.0);
            return (Shares { question, reading: 0, options, field, blanks: 0 }, false);
        }
        let rest = self.rows - question - field;
        let reading_least = match rest {
            0..6 => 0,
            _ => self.reading.min((rest / 3).max(3)),
        };
        let described = self.options.0 + reading_least <= rest;
        let wanted = if described { self.options.0 } else { self.options.1 };
        let options = wanted.min(rest.saturating_sub(reading_least)).max(usize::from(wanted > 0));
        let reading = self.reading.min(rest.saturating_sub(options));
        let options = wanted.min(rest.saturating_sub(reading)).max(usize::from(wanted > 0));
        let blanks = rest.saturating_sub(reading + options).min(3);
        (Shares { question, reading, options, field, blanks }, described)
    }
}

impl Renderer {
    pub(super) fn draw_question(
        &mut self,
        dialog: &Dialog,
        index: usize,
        body: Rect,
        canvas: &mut Canvas<'_>,
        viewport: &mut Viewport,
    ) {
        let theme = self.theme;
        let question = dialog.question_at(index);
        let state = &dialog.questions[index];
        let rows = usize::from(body.height);
        let columns = usize::from(body.width).saturating_sub(2).max(1);

        let text = sanitize(&question.question);
        let asked = wrap(text.trim_end(), columns);
        let alone = question.is_free_text()
            && question.detail.is_none()
            && dialog.request.context.is_none();
        let most = if alone { rows.saturating_sub(1) } else { rows / 3 };
        let cut = asked.len() > most.max(1);
        let reading = self.reading.lines(dialog, index, columns, cut, &theme);
        let reading_empty = reading.is_empty();
        let shown = state.shown(question);
        let highlighted = match (state.row, state.focus) {
            (Row::Option(option), Focus::List | Focus::Filter) => Some(option),
            _ => None,
        };
        let recommended = dialog.messages.get("recommended");
        let options = Options {
            question,
            shown: &shown,
            highlighted,
            columns: body.width.into(),
            recommended: &recommended,
        };
        let wanted = self.options.heights(index, &options);
        let field = question.allow_custom.then(|| Field::new(dialog, index, body.width, &theme));
        let (shares, described) = Wishes {
            rows,
            question: asked.len(),
            reading: reading.len(),
            options: wanted,
            field: field.as_ref().map_or(0, |field| field.wanted(rows >= 14)),
            in_field: state.focus == Focus::Field,
        }
        .share();

        let mut row = usize::from(shares.blanks > 1);
        for (at, line) in asked.iter().take(shares.question).enumerate() {
            let mut content = line.text(&text).to_owned();
            if at + 1 == shares.question && asked.len() > shares.question {
                content = truncate(&format!("{content}…"), columns).into_owned();
            }
            canvas.text(row_of(body, row), 1, &content, theme.title());
            row += 1;
        }
        viewport.unread = false;
        if shares.reading > 0 {
            row += usize::from(shares.blanks > 0);
            viewport.reading = draw_reading(
                dialog,
                reading,
                state.scroll,
                rows_of(body, row, shares.reading),
                &theme,
                canvas,
            );
            row += shares.reading;
        } else {
            viewport.reading = Scroll::default();
            viewport.unread = !reading_empty;
        }
        row += usize::from(shares.blanks > 2 || (shares.blanks > 0 && shares.reading == 0));
        let area = rows_of(body, row, shares.options);
        self.options.draw(dialog, index, &options, described, area, &theme, canvas);
        viewport.list_page = shares.options.max(1);
        row += shares.options;
        if shown.is_empty() && !question.options.is_empty() {
            let filter = sanitize_line(state.filter.text().trim()).into_owned();
            let text = dialog.messages.with("filter-none", [("filter", filter.into())]);
            canvas.text(row_of(body, row.saturating_sub(1)), 3, &text, theme.warning());
        }
        if let Some(field) = field {
            viewport.field_width = field.width;
            field.draw(rows_of(body, row, shares.field), canvas);
        }
    }
}

/// The lines to read, scrolled, with a mark of the position where not all of them are seen.
fn draw_reading(
    dialog: &Dialog,
    lines: &[Line<'static>],
    scroll: usize,
    area: Rect,
    theme: &Theme,
    canvas: &mut Canvas<'_>,
) -> Scroll {
    let height = usize::from(area.height);
    let whole = lines.len() <= height;
    let page = if whole { height } else { height.saturating_sub(1).max(1) };
    let last = lines.len().saturating_sub(page);
    let first = scroll.min(last);
    for (row, line) in lines.iter().skip(first).take(page).enumerate() {
        canvas.line(row_of(area, row), 1, line);
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
        let text = dialog.messages.with("lines-shown", values);
        canvas.text(row_of(area, height - 1), 1, &text, theme.dim());
    }
    Scroll { page, last }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(rows: usize, reading: usize, options: (usize, usize)) -> (Shares, bool) {
        Wishes { rows, question: 1, reading, options, field: 1, in_field: false }.share()
    }

    #[test]
    fn what_fits_is_shown_whole_with_blank_lines() {
        let (shares, described) = share(20, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 9, 3, true));
    }

    #[test]
    fn blank_lines_go_first_then_descriptions_then_the_detail() {
        let (shares, described) = share(16, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 9, 1, true));
        let (shares, described) = share(12, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 5, 1, false));
        let (shares, _) = share(5, 4, (9, 5));
        assert_eq!((shares.question, shares.reading, shares.options, shares.field), (1, 0, 3, 1));
    }

    #[test]
    fn b034_free_rows_are_used_before_anything_is_hidden() {
        let (shares, _) = share(26, 120, (3, 3));
        assert_eq!(shares.question + shares.reading + shares.options + shares.field, 26);
        assert_eq!(shares.options, 3);
    }
}
