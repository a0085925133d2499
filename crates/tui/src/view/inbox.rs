//! Draws the inbox: the list by who asks, or what is read in its place.
//!
//! What an asker says stands within a row, cut; the strip, the names of parts and the facts at the
//! right are ours. A narrow window loses facts first, then the ends of questions; a low one the blank
//! rows.

use askwell_core::text::{sanitize_line, truncate, width};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::canvas::{Canvas, row_of, rows_of};
use super::markdown::plain_lines;
use super::prompt::ended_elsewhere;
use super::theme::Theme;
use super::{Renderer, hints, key_rows, listing, overlay, settled};
use crate::dialog::{DialogOptions, Status};
use crate::inbox::{Inbox, InboxViewport, Place, Reading, Row, Target, Text};

const HELP: [&str; 7] = [
    "help-inbox-move",
    "help-inbox-open",
    "help-inbox-part",
    "help-inbox-search",
    "help-inbox-clear",
    "help-redraw",
    "help-inbox-leave",
];

impl Renderer {
    /// A renderer for an inbox.
    pub fn of_inbox(inbox: &Inbox) -> Self {
        let options = inbox.options();
        let (no_color, ascii) = (options.no_color, options.ascii);
        Self::new(&DialogOptions { no_color, ascii, ..DialogOptions::default() })
    }

    /// Draws the inbox over the whole frame.
    pub fn draw_inbox(&mut self, inbox: &Inbox, frame: &mut Frame<'_>) -> InboxViewport {
        let area = frame.area();
        let mut viewport = inbox.viewport;
        if area.width == 0 || area.height == 0 {
            return viewport;
        }
        if let Place::Dialog(open) = &inbox.place {
            if self.ticket != Some(open.ticket) {
                // What was wrapped is another request's.
                *self = Self { ticket: Some(open.ticket), ..Self::of_inbox(inbox) };
            }
            viewport.dialog = self.draw(open.face.dialog(), frame);
            return viewport;
        }
        let cursor = Position::new(area.x, area.y);
        let mut canvas = Canvas { buffer: frame.buffer_mut(), cursor, spots: Vec::new() };
        self.draw_list_or_text(inbox, area, &mut canvas, &mut viewport);
        let cursor = canvas.cursor;
        self.spots = std::mem::take(&mut canvas.spots);
        frame.set_cursor_position(cursor);
        viewport
    }

    fn draw_list_or_text(
        &self,
        inbox: &Inbox,
        area: Rect,
        canvas: &mut Canvas<'_>,
        viewport: &mut InboxViewport,
    ) {
        let theme = &self.theme;
        draw_strip(inbox, theme, row_of(area, 0), canvas);
        let texts: Vec<String> = hint_ids(inbox).iter().map(|id| inbox.messages.get(id)).collect();
        let columns = usize::from(area.width).saturating_sub(2);
        let keys = hints::pack(&texts, theme, columns, key_rows(area.height));
        let status = usize::from(area.height).saturating_sub(keys.len() + 1).max(1);
        for (row, text) in keys.into_iter().enumerate() {
            canvas.text(row_of(area, status + 1 + row), 1, &text, theme.dim());
        }
        let body = rows_of(area, 1, status.saturating_sub(1));
        let status = row_of(area, status);
        match &inbox.place {
            Place::Reading(reading) => {
                let lines = text_lines(inbox, reading, columns, theme);
                let texts = (&inbox.messages, theme);
                viewport.reading =
                    overlay::page(&lines, reading.scroll, texts, (body, status), canvas);
            }
            Place::List | Place::Dialog(_) => {
                draw_status(inbox, theme, status, canvas);
                listing::draw(inbox, theme, body, canvas, viewport);
            }
        }
    }
}

fn hint_ids(inbox: &Inbox) -> Vec<&'static str> {
    if let Place::Reading(_) = inbox.place {
        return match inbox.viewport.reading.last {
            0 => vec!["hint-to-inbox"],
            _ => vec!["hint-move", "hint-scroll", "hint-to-inbox"],
        };
    }
    if inbox.filtering {
        return vec!["hint-filter-done", "hint-filter-clear"];
    }
    let mut ids = Vec::new();
    match inbox.at {
        Some(Target::Waiting(_)) => ids.extend(["hint-open", "hint-move", "hint-clear"]),
        Some(Target::Settled(_)) => ids.extend(["hint-open", "hint-move"]),
        Some(Target::More) => ids.extend(["hint-load", "hint-move"]),
        None => {}
    }
    if inbox.filter.is_empty() {
        ids.push("hint-search");
    } else {
        ids.push("hint-clear-filter");
    }
    if !inbox.requests.settled().is_empty() {
        ids.push("hint-part");
    }
    ids.extend(["hint-quit", "hint-help"]);
    ids
}

fn draw_strip(inbox: &Inbox, theme: &Theme, line: Rect, canvas: &mut Canvas<'_>) {
    let messages = &inbox.messages;
    let (requests, columns) = (&inbox.requests, usize::from(line.width));
    canvas.text(line, 1, &messages.get("page-inbox"), theme.title());
    let count = requests.count();
    let id = if requests.is_whole() { "page-waiting" } else { "inbox-many" };
    let mut spans = Vec::new();
    if !inbox.fresh.is_empty() {
        let fresh = [("count", inbox.fresh.len().into())];
        spans.push(Span::styled(messages.with("inbox-fresh", fresh), theme.accent()));
        spans.push(Span::styled(theme.marks.between, theme.dim()));
    }
    let waiting = messages.with(id, [("count", count.into())]);
    spans.push(Span::styled(waiting, theme.dim()));
    let right = Line::from(spans);
    let column = columns.saturating_sub(right.width() + 1);
    canvas.line(line, column, &right);
}

fn draw_status(inbox: &Inbox, theme: &Theme, line: Rect, canvas: &mut Canvas<'_>) {
    let messages = &inbox.messages;
    let columns = usize::from(line.width).saturating_sub(2);
    let filter = || sanitize_line(inbox.filter.text()).into_owned();
    if inbox.filtering {
        canvas.text(line, 1, "/", theme.highlighted());
        canvas.text(line, 2, &truncate(&filter(), columns.saturating_sub(2)), theme.title());
        let before = &inbox.filter.text()[..inbox.filter.caret()];
        let caret = width(&sanitize_line(before)).min(columns.saturating_sub(1)) + 2;
        canvas.place_cursor(line, caret);
        return;
    }
    let question = inbox.question_to_confirm().map(|text| sanitize_line(text).into_owned());
    let (text, style) = match (&inbox.status, question) {
        _ if !inbox.takes_keys() => (messages.get("wait-keys"), theme.warning()),
        (_, Some(question)) => {
            (messages.with("inbox-confirm", [("question", question.into())]), theme.warning())
        }
        (Some(Status::Error(text)), _) => (format!("! {text}"), theme.error()),
        _ if !inbox.requests.is_reached() => {
            (format!("! {}", messages.get("inbox-no-host")), theme.warning())
        }
        (Some(Status::Note(text)), _) => (text.clone(), theme.accent()),
        _ if inbox.opening.is_some() => (messages.get("inbox-opening"), theme.dim()),
        _ if !inbox.filter.is_empty() => {
            let found = |row: &&Row| matches!(row, Row::Waiting(_) | Row::Settled(_));
            let count = inbox.rows.iter().filter(found).count();
            let values = [("filter", filter().into()), ("count", count.into())];
            (messages.with("inbox-status-filter", values), theme.dim())
        }
        _ => (inbox.summary(theme.marks.between), theme.dim()),
    };
    canvas.text(line, 1, &truncate(&text, columns), style);
}

fn text_lines(
    inbox: &Inbox,
    reading: &Reading,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let columns = columns.max(1);
    match &reading.text {
        Text::Help => {
            let title = Line::styled(inbox.messages.get("help-title"), theme.title());
            let help = HELP
                .iter()
                .flat_map(|id| plain_lines(&inbox.messages.get(id), columns, Style::new()));
            std::iter::once(title).chain(help).collect()
        }
        Text::Settled { settled, typed } => {
            let mut lines = Vec::new();
            if typed.is_some() {
                // It came up in the place of the dialog.
                let text = ended_elsewhere(
                    &inbox.messages,
                    settled.view.state,
                    inbox.messages.get("resolved-kept"),
                );
                lines = plain_lines(&text, columns, theme.accent());
            }
            lines.extend(settled::lines(settled, typed.as_ref(), &inbox.messages, columns, theme));
            lines
        }
    }
}
