//! One question: its text, what is to be read, its options and the field, shared out over the rows
//! that there are.

use askwell_core::text::{sanitize, sanitize_line, truncate, wrap};
use ratatui::layout::Rect;

use super::Renderer;
use super::canvas::{Canvas, row_of, rows_of};
use super::field::Field;
use super::options::{Options, Verbs};
use super::preview::{self, Columns};
use super::reading::{Pane, beside_mark};
use super::shares::Wishes;
use crate::dialog::{Dialog, Focus, Row, Scroll, Viewport};
use crate::event::Target;

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
        let plan = dialog.plan();
        let at = match &plan {
            // There the document is what is read; an option's preview is among its details.
            Some(_) => Columns { list: body.width, beside: None },
            None => Columns::of(question, body.width),
        };
        let list = Rect { width: at.list, ..body };
        let previewed = match &plan {
            Some(_) => 0,
            None => self.preview.wanted(dialog, index, at, rows, &theme),
        };
        let recommended = dialog.messages.get("recommended");
        let remark = |option: usize| dialog.remark(index, option);
        let options = Options {
            question,
            shown: &shown,
            highlighted,
            columns: at.list.into(),
            recommended: &recommended,
            verbs: plan.map(|plan| Verbs::of(plan, &dialog.messages)),
            between: theme.marks.between,
            remark: &remark,
        };
        let wanted = self.options.heights(index, &options);
        let field = question.allow_custom.then(|| Field::new(dialog, index, at.list, &theme));
        let (shares, described) = Wishes {
            rows,
            question: asked.len(),
            reading: reading.len(),
            options: wanted,
            field: field.as_ref().map_or(0, |field| field.wanted(rows >= 14)),
            in_field: state.focus == Focus::Field,
            preview: previewed,
            beside: at.beside.is_some(),
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
            let lines = match shares.reading == 1 && reading.len() > 1 {
                true => {
                    let columns = beside_mark(columns, reading.len());
                    self.reading_in_row.lines(dialog, index, columns, cut, &theme)
                }
                false => reading,
            };
            let pane = Pane {
                lines,
                scroll: state.scroll,
                column: 1,
                position: "lines-shown",
                short: "lines-shown-short",
            };
            let area = rows_of(body, row, shares.reading);
            canvas.spot(area, Target::Reading);
            viewport.reading = pane.draw(dialog, area, &theme, canvas);
            row += shares.reading;
        } else {
            viewport.reading = Scroll::default();
            viewport.unread = !reading_empty;
        }
        row += usize::from(shares.blanks > 2 || (shares.blanks > 0 && shares.reading == 0));
        let top = row;
        let area = rows_of(list, row, shares.options);
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
            field.draw(rows_of(list, row, shares.field), canvas);
        }
        row += shares.field;
        let area = match at.beside {
            Some(_) => {
                let area = rows_of(body, top, row - top + shares.preview);
                Rect { x: body.x + at.list, width: body.width - at.list, ..area }
            }
            None => rows_of(body, row, shares.preview),
        };
        viewport.preview = Scroll::default();
        if previewed > 0 && area.height > 0 {
            canvas.spot(area, Target::Preview);
            viewport.preview =
                self.preview.draw(dialog, index, highlighted, at, area, &theme, canvas);
        } else if previewed > 0 {
            viewport.unread |= highlighted.is_some_and(|it| preview::of(question, it).is_some());
        }
    }
}
