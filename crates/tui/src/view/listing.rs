//! The rows of the inbox's list: who asks, what, and the facts about it.

use askwell_core::text::{named, sanitize_line, truncate, width};
use askwell_core::wire::{Answering, RequestSummary, UnixMillis};
use askwell_core::{State, facts};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::canvas::{Canvas, row_of};
use super::markdown::plain_lines;
use super::strip;
use super::theme::Theme;
use crate::event::Target;
use crate::inbox::{Inbox, InboxViewport, Row};

/// The column of a question.
const TITLE: usize = 3;
/// From this width on every fact is told.
const WIDE: usize = 60;

pub(crate) const TRY: &str =
    "askwell ask --via inbox --question 'Ship it?' --option Yes --option No";

/// Draws the list, and says what of it is seen.
pub(super) fn draw(
    inbox: &Inbox,
    theme: &Theme,
    body: Rect,
    canvas: &mut Canvas<'_>,
    viewport: &mut InboxViewport,
) {
    let height = usize::from(body.height);
    if inbox.options.only.is_some() {
        return;
    }
    if inbox.rows.is_empty() {
        return draw_empty(inbox, theme, body, canvas);
    }
    let roomy = height >= 10;
    let seen: Vec<usize> =
        (0..inbox.rows.len()).filter(|row| roomy || inbox.rows[*row] != Row::Blank).collect();
    let at = seen.iter().position(|row| *row == inbox.at_row).unwrap_or(0);
    let top = first_seen(viewport.top, at, height, seen.len(), |row| {
        // Who asks is seen with the first of its requests, and the part with it.
        let above = seen[..row].iter().rev();
        above.take_while(|row| matches!(inbox.rows[**row], Row::Asker(_) | Row::Part(_))).count()
    });
    (viewport.top, viewport.page) = (top, height);
    let now = inbox.requests.host_time(inbox.now);
    for (line, row) in seen.iter().skip(top).take(height).enumerate() {
        let place = row_of(body, line);
        let here = *row == inbox.at_row && inbox.at.is_some();
        draw_row(inbox, theme, *row, here, now, place, canvas);
        if inbox.rows[*row].target(&inbox.requests).is_some() {
            canvas.spot(place, Target::Question(*row));
        }
        if here && !inbox.filtering {
            canvas.place_cursor(place, 1);
        }
    }
}

/// The first row that is seen: what was first stays so while the highlight is in sight.
fn first_seen(
    top: usize,
    at: usize,
    height: usize,
    rows: usize,
    above: impl Fn(usize) -> usize,
) -> usize {
    let heads = above(at).min(height.saturating_sub(1));
    let latest = at - heads.min(at);
    let earliest = (at + 1).saturating_sub(height);
    top.min(latest).max(earliest).min(rows.saturating_sub(height).max(earliest))
}

fn draw_row(
    inbox: &Inbox,
    theme: &Theme,
    row: usize,
    here: bool,
    now: UnixMillis,
    line: Rect,
    canvas: &mut Canvas<'_>,
) {
    if here {
        canvas.text(line, 1, theme.marks.here, theme.highlighted());
    }
    match inbox.rows[row] {
        Row::Blank => {}
        Row::Part(name) => canvas.text(line, 1, &inbox.messages.get(name), theme.title()),
        Row::Asker(at) => {
            let text = asker(inbox, &inbox.requests.waiting()[at], line, theme);
            canvas.text(line, 1, &text, theme.dim());
        }
        Row::Waiting(at) => {
            let request = &inbox.requests.waiting()[at];
            let facts = waiting_facts(inbox, request, now);
            let style = match (here, request.state) {
                (true, _) => theme.highlighted(),
                (false, State::Pending) => Style::new(),
                (false, _) => theme.dim(),
            };
            draw_request(request, facts, style, theme, line, canvas);
        }
        Row::Settled(at) => {
            let request = &inbox.requests.settled()[at];
            let facts = settled_facts(inbox, theme, request, now);
            let style = if here { theme.highlighted() } else { theme.dim() };
            draw_request(request, facts, style, theme, line, canvas);
        }
        Row::More => {
            let style = if here { theme.highlighted() } else { theme.dim() };
            canvas.text(line, TITLE, &inbox.messages.get("page-more"), style);
        }
    }
}

/// A question, and at the right as many facts as leave it room, the last ones first.
fn draw_request(
    request: &RequestSummary,
    mut facts: Vec<String>,
    style: Style,
    theme: &Theme,
    line: Rect,
    canvas: &mut Canvas<'_>,
) {
    let columns = usize::from(line.width);
    let most = if columns < WIDE { columns / 2 } else { columns * 3 / 5 };
    let mut right = facts.join(theme.marks.between);
    while width(&right) > most && facts.len() > 1 {
        facts.remove(0);
        right = facts.join(theme.marks.between);
    }
    let right = truncate(&right, most).into_owned();
    let mut title = sanitize_line(&request.question).into_owned();
    if let Some(header) = &request.header {
        title = named(&sanitize_line(header), &title);
    }
    let room = columns.saturating_sub(TITLE + width(&right) + 3);
    canvas.text(line, TITLE, &truncate(&title, room), style);
    canvas.text(line, columns.saturating_sub(width(&right) + 1), &right, theme.dim());
}

/// What is told of one that waits; the most important last.
pub(crate) fn waiting_facts(
    inbox: &Inbox,
    request: &RequestSummary,
    now: UnixMillis,
) -> Vec<String> {
    let messages = &inbox.messages;
    let mut told = vec![facts::age(messages, request.created_at, now)];
    if request.questions > 1 {
        told.push(messages.with("page-questions", [("count", request.questions.into())]));
    }
    match request.draft_edited_at {
        _ if inbox.is_written_elsewhere(request.id) => {
            told.push(messages.get("inbox-written-elsewhere"));
        }
        Some(_) => told.push(messages.get("page-begun")),
        None => {}
    }
    if request.state != State::Pending {
        told.push(messages.get(facts::standing(request.state)));
        return told;
    }
    if let Some(names) = facts::persons(messages, Answering::names(&request.answering, now)) {
        told.push(messages.with("inbox-answering", [("names", names.into())]));
    }
    match request.away_since {
        Some(since) => {
            let time = facts::age(messages, since, now);
            told.push(messages.with("page-away-for", [("time", time.into())]));
        }
        None if request.attached => told.push(messages.get("page-waits-now")),
        None => {}
    }
    if let Some(deadline) = request.deadline_at {
        told.push(facts::left(messages, deadline, now));
    }
    if inbox.fresh.contains(&request.id) {
        told.push(messages.get("inbox-new"));
    }
    told
}

pub(crate) fn settled_facts(
    inbox: &Inbox,
    theme: &Theme,
    request: &RequestSummary,
    now: UnixMillis,
) -> Vec<String> {
    let messages = &inbox.messages;
    let who = facts::who(request);
    let mut told = vec![strip::who(messages, theme, who.name.as_deref(), who.verified, 30)];
    if let Some(receipt) = &request.receipt {
        told.push(facts::ago(messages, receipt.at, now));
        told.extend(receipt.provider.map(|it| messages.get(facts::provider(it))));
        let by = receipt.by.as_deref().filter(|_| request.state != State::Aborted);
        told.extend(by.map(|by| {
            let by = truncate(&sanitize_line(by), 20).into_owned();
            messages.with("page-by", [("name", by.into())])
        }));
    }
    told.push(messages.get(facts::standing(request.state)));
    told
}

/// Who asks and where: the verified name is seen however long the others are.
fn asker(inbox: &Inbox, request: &RequestSummary, line: Rect, theme: &Theme) -> String {
    let columns = usize::from(line.width).saturating_sub(2);
    let who = facts::who(request);
    let room = if who.folder.is_some() { columns * 2 / 3 } else { columns };
    let mut text = strip::who(&inbox.messages, theme, who.name.as_deref(), who.verified, room);
    if let Some(folder) = who.folder {
        text = format!("{text}{}{}", theme.marks.between, sanitize_line(folder));
    }
    truncate(&text, columns).into_owned()
}

fn draw_empty(inbox: &Inbox, theme: &Theme, body: Rect, canvas: &mut Canvas<'_>) {
    let messages = &inbox.messages;
    let columns = usize::from(body.width).saturating_sub(2).max(1);
    let lines = if !inbox.filter.is_empty() {
        let filter = sanitize_line(inbox.filter.text()).into_owned();
        let text = messages.with("inbox-nothing-matches", [("filter", filter.into())]);
        plain_lines(&text, columns, Style::new())
    } else if !inbox.requests.is_whole() {
        plain_lines(&messages.get("inbox-loading"), columns, theme.dim())
    } else {
        let mut lines = plain_lines(&messages.get("page-empty"), columns, theme.title());
        lines.extend(plain_lines(&messages.get("inbox-empty-what"), columns, Style::new()));
        if body.height >= 8 {
            lines.push(Line::default());
            lines.extend(plain_lines(&messages.get("inbox-empty-try"), columns, theme.dim()));
            lines.extend(plain_lines(TRY, columns, theme.code()));
        }
        lines
    };
    let top = usize::from(body.height >= 8);
    for (row, line) in lines.iter().enumerate() {
        canvas.line(row_of(body, top + row), 1, line);
    }
}
