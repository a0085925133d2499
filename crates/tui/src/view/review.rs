//! The review: each question in one line with its answer below it.

use askwell_core::text::{sanitize_line, truncate};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::canvas::{Canvas, row_of};
use super::theme::Theme;
use crate::dialog::Dialog;
use crate::event::Target;

pub(super) fn draw(dialog: &Dialog, at: usize, theme: &Theme, body: Rect, canvas: &mut Canvas<'_>) {
    let columns = usize::from(body.width).saturating_sub(4);
    let roomy = body.height >= 10;
    let top = if roomy { 3 } else { 1 };
    let title = dialog.messages.get("review-title");
    canvas.text(row_of(body, top / 3), 1, &title, theme.title());
    let mut rows: Vec<(usize, bool, Line<'_>)> = Vec::new();
    let mut marked = 0..0;
    for index in 0..dialog.request.questions.len() {
        let here = index == at;
        let start = rows.len();
        let question = dialog.question_at(index);
        let mut name = sanitize_line(&question.question).into_owned();
        if question.header.is_some() {
            name = format!("{}{}{name}", dialog.name(index), theme.marks.between);
        }
        let style = if here { theme.highlighted() } else { theme.title() };
        let text = truncate(&name, columns).into_owned();
        rows.push((index, here, Line::styled(text, style)));
        let answer = answer(dialog, index, columns, theme).into_iter();
        rows.extend(answer.map(|line| (index, false, line)));
        if here {
            marked = start..rows.len();
        }
    }
    let height = usize::from(body.height).saturating_sub(top);
    let first = marked.end.saturating_sub(height).min(marked.start);
    let last = rows.len().saturating_sub(height);
    let first = if marked.end <= height { 0 } else { first.min(last) };
    let shown = rows.iter().skip(first).take(height).enumerate();
    for (row, (index, here, content)) in shown {
        let line = row_of(body, top + row);
        canvas.spot(line, Target::Question(*index));
        if *here {
            canvas.text(line, 1, theme.marks.here, theme.highlighted());
            canvas.place_cursor(line, 1);
        }
        canvas.line(line, 3, content);
    }
    let edge = usize::from(body.width).saturating_sub(6);
    if first > 0 {
        let text = format!("{} {first}", theme.marks.above);
        canvas.text(row_of(body, top), edge, &text, theme.dim());
    }
    let below = rows.len().saturating_sub(first + height);
    if below > 0 {
        let text = format!("{} {below}", theme.marks.below);
        canvas.text(row_of(body, top + height.saturating_sub(1)), edge, &text, theme.dim());
    }
}

/// What would be sent for a question, and what would not.
fn answer(dialog: &Dialog, index: usize, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let question = dialog.question_at(index);
    let draft = dialog.draft.get(index);
    let columns = columns.saturating_sub(2);
    let cut = |text: &str| truncate(&sanitize_line(text), columns).into_owned();
    let mut lines: Vec<(String, Style)> = Vec::new();
    if draft.is_skipped() {
        lines.push((dialog.messages.get("review-skipped"), theme.warning()));
    } else if !draft.is_finished(question) {
        lines.push((format!("! {}", dialog.messages.get("review-open")), theme.error()));
    }
    let multi = question.is_multi_select();
    let mark = if multi { theme.marks.ticked } else { theme.marks.chosen };
    let labels = draft.sent(question).map(|option| &question.options[option].label);
    lines.extend(labels.map(|label| (cut(&format!("{mark} {label}")), theme.accent())));
    if draft.custom_counts() {
        let text = draft.custom().trim();
        let mark = if question.is_free_text() { String::new() } else { format!("{mark} ") };
        lines.push((cut(&format!("{mark}{}", theme.quoted(text))), theme.accent()));
    }
    let choices = draft.kept_choices(question).map(|option| question.options[option].label.clone());
    let text = draft.kept_text().map(|text| theme.quoted(text.trim()));
    let kept: Vec<String> = choices.chain(text).collect();
    if !kept.is_empty() {
        let text = sanitize_line(&kept.join(", ")).into_owned();
        let text = dialog.messages.with("review-not-sent", [("text", text.into())]);
        lines.push((cut(&text), theme.dim()));
    }
    let lines = lines.into_iter();
    lines
        .map(|(text, style)| Line::from(vec![Span::raw("  "), Span::styled(text, style)]))
        .collect()
}
