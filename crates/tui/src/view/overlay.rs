//! Help, and everything about a question in full: what a narrow window had to cut.

use askwell_core::facts::said_of_itself;
use askwell_core::messages::Messages;
use askwell_core::text::markdown::blocks;
use askwell_core::text::sanitize;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::canvas::{Canvas, row_of};
use super::markdown::{lines as markdown_lines, plain_lines};
use super::theme::Theme;
use crate::dialog::{Dialog, Overlay, OverlayKind, Row, Screen, Scroll};

const HELP: [&str; 18] = [
    "help-move",
    "help-choose",
    "help-enter",
    "help-custom",
    "help-field",
    "help-field-edit",
    "help-field-leave",
    "help-editor",
    "help-questions",
    "help-skip",
    "help-all",
    "help-filter",
    "help-scroll",
    "help-mouse",
    "help-review",
    "help-collapse",
    "help-redraw",
    "help-leave",
];

pub(super) fn draw(
    dialog: &Dialog,
    overlay: &Overlay,
    theme: &Theme,
    body: Rect,
    status: Rect,
    canvas: &mut Canvas<'_>,
) -> Scroll {
    let columns = usize::from(body.width).saturating_sub(2).max(1);
    let lines = match overlay.kind {
        OverlayKind::Help => help(dialog, columns, theme),
        OverlayKind::Reader => reader(dialog, columns, theme),
    };
    page(&lines, overlay.scroll, (&dialog.messages, theme), (body, status), canvas)
}

/// As much of some lines as there is room for, and where in them that is.
pub(super) fn page(
    lines: &[Line<'_>],
    scroll: usize,
    (messages, theme): (&Messages, &Theme),
    (body, status): (Rect, Rect),
    canvas: &mut Canvas<'_>,
) -> Scroll {
    let page = usize::from(body.height);
    let last = lines.len().saturating_sub(page);
    let first = scroll.min(last);
    for (row, line) in lines.iter().skip(first).take(page).enumerate() {
        canvas.line(row_of(body, row), 1, line);
    }
    let values = [
        ("from", (first + 1).into()),
        ("to", (first + page).min(lines.len()).into()),
        ("total", lines.len().into()),
    ];
    canvas.text(status, 1, &messages.with("reader-position", values), theme.dim());
    canvas.place_cursor(row_of(body, 0), 0);
    Scroll { page, last }
}

fn help(dialog: &Dialog, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled(dialog.messages.get("help-title"), theme.title())];
    let ctrl_c = match dialog.options.stays_pending {
        true => "help-cancel-leave",
        false => "help-cancel",
    };
    let in_place = |id: &'static str| match id {
        "help-leave" if dialog.options.in_inbox => "help-to-inbox",
        id => id,
    };
    for id in HELP.into_iter().chain(sometimes(dialog)).chain([ctrl_c]).map(in_place) {
        lines.extend(plain_lines(&dialog.messages.get(id), columns, ratatui::style::Style::new()));
    }
    lines
}

/// The keys of what not every request has.
fn sometimes(dialog: &Dialog) -> Vec<&'static str> {
    let mut options = dialog.request.questions.iter().flat_map(|question| &question.options);
    let there = [
        ("help-plan", dialog.request.plan_review().is_some()),
        ("help-peek", options.any(|option| option.preview.is_some())),
        ("help-extend", dialog.options.deadline.is_some()),
        // Only a host has other screens.
        ("help-elsewhere", dialog.options.stays_pending),
    ];
    there.into_iter().filter(|(_, there)| *there).map(|(id, _)| id).collect()
}

fn reader(dialog: &Dialog, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let (Screen::Question(index) | Screen::Review { at: index }) = dialog.screen;
    let question = dialog.question_at(index);
    let mut sections: Vec<(&str, Vec<Line<'static>>)> = Vec::new();
    let text = |text: &str| plain_lines(&sanitize(text), columns, ratatui::style::Style::new());
    let markdown = |source: &str| markdown_lines(&blocks(source), columns, theme);
    let mut asked = Vec::new();
    if let Some(header) = &question.header {
        asked.extend(text(header));
        asked.push(Line::default());
    }
    asked.extend(text(&question.question));
    sections.push(("reader-question", asked));
    if let Some(detail) = &question.detail {
        sections.push(("reader-detail", markdown(detail)));
    }
    if let Row::Option(option) = dialog.questions[index].row
        && let Some(option) = question.options.get(option)
    {
        let mut lines = text(&option.label);
        for part in
            [option.description.as_deref().map(text), option.preview.as_deref().map(markdown)]
                .into_iter()
                .flatten()
        {
            lines.push(Line::default());
            lines.extend(part);
        }
        sections.push(("reader-option", lines));
    }
    if let Some(context) = &dialog.request.context {
        sections.push(("reader-context", markdown(context)));
    }
    if let Some(asker) = &dialog.request.asker {
        let lines = said_of_itself(asker)
            .flat_map(|(id, value)| text(&format!("{}: {value}", dialog.messages.get(id))));
        sections.push(("reader-asker", lines.collect()));
    }
    let mut lines = Vec::new();
    for (title, content) in sections {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        let title = Span::styled(dialog.messages.get(title), theme.highlighted());
        lines.push(Line::from(title));
        lines.extend(content);
    }
    lines
}
