//! The list of options: a window that follows the highlight, with how much is above and below.

use askwell_core::messages::Messages;
use askwell_core::text::{sanitize, sanitize_line, split_recommended, width, wrap};
use askwell_core::{PlanReview, Question};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::canvas::{Canvas, row_of};
use super::markdown::plain_lines;
use super::theme::{LABEL_COLUMN, Theme};
use crate::dialog::Dialog;
use crate::event::Target;

/// Columns at the right for how much is above and below; a narrow window shows only that there is.
const EDGE: usize = 6;
const NARROW: usize = 60;

/// What is to be drawn.
pub(super) struct Options<'a> {
    pub(super) question: &'a Question,
    /// The options that the filter shows, by place.
    pub(super) shown: &'a [usize],
    pub(super) highlighted: Option<usize>,
    /// The columns of the window.
    pub(super) columns: usize,
    /// The words of the badge.
    pub(super) recommended: &'a str,
    /// Where they are the decisions on a plan.
    pub(super) verbs: Option<Verbs<'a>>,
    /// What stands between two words of a row.
    pub(super) between: &'static str,
    /// What is to be remarked on an option, in our own words.
    pub(super) remark: &'a dyn Fn(usize) -> Option<String>,
}

/// What the decisions on a plan are called: our verb, and the asker's label where that says
/// something else.
pub(crate) struct Verbs<'a> {
    plan: PlanReview<'a>,
    approve: String,
    decline: String,
}

impl<'a> Verbs<'a> {
    pub(crate) fn of(plan: PlanReview<'a>, messages: &Messages) -> Self {
        Self { plan, approve: messages.get("page-approve"), decline: messages.get("page-decline") }
    }

    pub(crate) fn with(&self, option: usize, between: &str) -> String {
        let verb = if option == self.plan.approve { &self.approve } else { &self.decline };
        match self.plan.label_beside(option, verb) {
            Some(label) => format!("{verb}{between}{label}"),
            None => verb.clone(),
        }
    }
}

impl Options<'_> {
    /// The columns for labels and descriptions.
    fn room(&self) -> usize {
        let edge = if self.columns < NARROW { 0 } else { EDGE };
        self.columns.saturating_sub(LABEL_COLUMN + 1 + edge).max(4)
    }

    fn label_lines(&self, option: usize) -> Vec<String> {
        let (label, is_recommended) = match &self.verbs {
            Some(verbs) => (verbs.with(option, self.between).into(), false),
            None => {
                let (label, recommended) = split_recommended(&self.question.options[option].label);
                (sanitize_line(label), recommended)
            }
        };
        let room = self.room();
        let rows = wrap(&label, room);
        let mut lines: Vec<String> = rows.iter().map(|row| row.text(&label).to_owned()).collect();
        if is_recommended {
            let badge = format!("({})", self.recommended);
            match lines.last_mut() {
                Some(last) if width(last) + 2 + width(&badge) <= room => {
                    last.push_str("  ");
                    last.push_str(&badge);
                }
                _ => lines.push(badge),
            }
        }
        lines
    }

    fn description_lines(&self, option: usize) -> Vec<Line<'static>> {
        let mut lines = match (self.remark)(option) {
            Some(remark) => plain_lines(&format!("({remark})"), self.room(), Style::new()),
            None => Vec::new(),
        };
        let description = self.question.options[option].description.as_deref().unwrap_or_default();
        if !description.trim().is_empty() {
            let text = sanitize(description);
            lines.extend(plain_lines(text.trim_end(), self.room(), Style::new()));
        }
        lines
    }
}

/// The rows of each option, and which row the window begins with.
#[derive(Default)]
pub(super) struct OptionsCache {
    made_for: Option<(usize, usize, bool)>,
    /// Rows of label and description.
    heights: Vec<(usize, usize)>,
    top: usize,
}

impl OptionsCache {
    /// The rows of all shown options: with all descriptions, and with that of the highlighted one.
    pub(super) fn heights(&mut self, index: usize, options: &Options<'_>) -> (usize, usize) {
        let key = (index, options.columns, options.verbs.is_some());
        if self.made_for != Some(key) {
            self.made_for = Some(key);
            self.top = 0;
            self.heights = (0..options.question.options.len())
                .map(|option| {
                    let label = options.label_lines(option).len();
                    (label, options.description_lines(option).len())
                })
                .collect();
        }
        let rows = |all: bool| options.shown.iter().map(|&it| self.height(it, options, all)).sum();
        (rows(true), rows(false))
    }

    fn height(&self, option: usize, options: &Options<'_>, described: bool) -> usize {
        let (label, description) = self.heights[option];
        match described || options.highlighted == Some(option) {
            true => label + description,
            false => label,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what to draw, where, and in which looks")]
    pub(super) fn draw(
        &mut self,
        dialog: &Dialog,
        index: usize,
        options: &Options<'_>,
        described: bool,
        area: Rect,
        theme: &Theme,
        canvas: &mut Canvas<'_>,
    ) {
        let height = usize::from(area.height);
        let starts: Vec<usize> = options
            .shown
            .iter()
            .scan(0, |row, &option| {
                let start = *row;
                *row += self.height(option, options, described);
                Some(start)
            })
            .collect();
        let total: usize =
            options.shown.iter().map(|&it| self.height(it, options, described)).sum();
        let at = options.highlighted.and_then(|it| options.shown.iter().position(|s| *s == it));
        match at {
            Some(at) => {
                let end = starts[at] + self.height(options.shown[at], options, described);
                self.top = self.top.max(end.saturating_sub(height)).min(starts[at]);
            }
            // The field has the caret: the options next to it are the last ones.
            None => self.top = total.saturating_sub(height),
        }
        self.top = self.top.min(total.saturating_sub(height));
        for (&option, &start) in options.shown.iter().zip(&starts) {
            let end = start + self.height(option, options, described);
            if end <= self.top || start >= self.top + height {
                continue;
            }
            let with_description = described || options.highlighted == Some(option);
            let lines = lines(dialog, index, options, option, with_description, theme);
            for (row, line) in lines.iter().enumerate() {
                let Some(row) = (start + row).checked_sub(self.top).filter(|row| *row < height)
                else {
                    continue;
                };
                canvas.line(row_of(area, row), 0, line);
                canvas.spot(row_of(area, row), Target::Option(option));
            }
            if options.highlighted == Some(option) {
                canvas.place_cursor(row_of(area, start.saturating_sub(self.top)), 1);
            }
        }
        let above = starts.iter().filter(|start| **start < self.top).count();
        let below = starts.iter().filter(|start| **start >= self.top + height).count();
        let narrow = options.columns < NARROW;
        let column = if narrow { 0 } else { options.columns - EDGE };
        let mut mark = |row: usize, mark: &str, count: usize| {
            let text = if narrow { mark.to_owned() } else { format!("{mark} {count}") };
            if count > 0 {
                canvas.text(row_of(area, row), column, &text, theme.dim());
            }
        };
        mark(0, theme.marks.above, above);
        mark(height.saturating_sub(1), theme.marks.below, below);
    }
}

/// The lines of one option: highlight, mark, number, label; its description below.
fn lines(
    dialog: &Dialog,
    index: usize,
    options: &Options<'_>,
    option: usize,
    with_description: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let draft = dialog.draft.get(index);
    let here = options.highlighted == Some(option);
    let sent = draft.is_sent(options.question, option);
    let base = theme.entered(draft);
    let style = match (here, sent) {
        (true, _) => theme.highlighted(),
        (false, true) => base.patch(theme.accent()),
        (false, false) => base,
    };
    let marked = sent || (draft.is_skipped() && draft.is_chosen(option));
    let number = if option < 9 { (option + 1).to_string() } else { " ".to_owned() };
    let here = if here { theme.marks.here } else { " " };
    let prefix = format!(" {here} {} {number} ", theme.mark(options.question, marked));
    let labels = options.label_lines(option).into_iter().enumerate();
    let mut lines: Vec<Line<'static>> = labels
        .map(|(row, text)| {
            let prefix = if row == 0 { prefix.clone() } else { " ".repeat(LABEL_COLUMN) };
            Line::from(vec![Span::styled(prefix, style), Span::styled(text, style)])
        })
        .collect();
    if with_description {
        let indent = " ".repeat(LABEL_COLUMN);
        lines.extend(options.description_lines(option).into_iter().map(|line| {
            let mut spans = vec![Span::raw(indent.clone())];
            spans.extend(line.spans.into_iter().map(|span| span.patch_style(theme.dim())));
            Line::from(spans)
        }));
    }
    lines
}
