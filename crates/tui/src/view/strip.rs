//! Our own lines: the strip above (who asks, where we are, the time left) and the status line.

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::facts;
use askwell_core::messages::Messages;
use askwell_core::text::{is_blank, sanitize_line, truncate, width};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::canvas::Canvas;
use super::theme::Theme;
use crate::dialog::{Dialog, Focus, Other, Phase, SOON, SaveState, Screen, Status, step};

/// More questions than this are counted, not dotted.
const DOTS: usize = 10;
/// Below this width the status line holds little.
const NARROW: usize = 60;

pub(super) fn draw(dialog: &Dialog, theme: &Theme, line: Rect, canvas: &mut Canvas<'_>) {
    let columns = usize::from(line.width);
    let mut right = Vec::new();
    if let Some(left) = dialog.time_left() {
        let (id, style) = match left <= SOON {
            true => ("time-up-soon", theme.warning()),
            false => ("time-left", theme.dim()),
        };
        let text = dialog.messages.with(id, [("time", time(left, &dialog.messages).into())]);
        right.push(Span::styled(text, style));
    }
    let total = dialog.request.questions.len();
    let position = match dialog.screen {
        Screen::Question(index) if total > 1 => {
            let values = [("at", (index + 1).into()), ("total", total.into())];
            dialog.messages.with("position", values)
        }
        _ => String::new(),
    };
    if let Screen::Question(index) = dialog.screen
        && let Some(header) = &dialog.request.questions[index].header
    {
        let header = sanitize_line(header).into_owned();
        let text = truncate(&header, (columns / 3).max(8)).into_owned();
        right.push(Span::styled(text, theme.title()));
    }
    if total > 1 {
        let mut text = position;
        if total <= DOTS && columns >= 40 {
            let dots = dialog.request.questions.iter().zip(dialog.draft.iter());
            let dots = dots.map(|(question, draft)| match draft.is_finished(question) {
                true => theme.marks.done,
                false => theme.marks.open,
            });
            text = format!("{text} {}", dots.collect::<String>()).trim_start().to_owned();
        }
        if !text.is_empty() {
            right.push(Span::styled(text, theme.dim()));
        }
    }
    let mut spans = Vec::new();
    for span in right {
        if !spans.is_empty() {
            spans.push(Span::styled(theme.marks.between, theme.dim()));
        }
        spans.push(span);
    }
    let right = Line::from(spans);
    let room = columns.saturating_sub(right.width() + 3);
    let left = truncate(&asker(dialog, theme, room), room).into_owned();
    canvas.text(line, 1, &left, Style::new());
    let column = columns.saturating_sub(right.width() + 1);
    canvas.line(line, column, &right);
}

/// Who asks: our own words around the name that the asker gives itself, and the verified one where
/// a host knows it.
fn asker(dialog: &Dialog, theme: &Theme, room: usize) -> String {
    let asker = dialog.request.asker.as_ref();
    let name = asker.and_then(|asker| asker.name.as_deref()).filter(|name| !name.trim().is_empty());
    let name = match (&dialog.options.credential, asker) {
        (Some(verified), asker) => {
            let own = asker.and_then(facts::own_name);
            Some(who(&dialog.messages, theme, own.as_deref(), verified, room * 2 / 3))
        }
        (None, _) => name.map(|name| sanitize_line(name).into_owned()),
    };
    let mut text = match name {
        Some(name) => dialog.messages.with("asks", [("name", name.into())]),
        None => dialog.messages.get("askwell-asks"),
    };
    if let Some(cwd) = asker.and_then(|asker| asker.cwd.as_deref()) {
        text = format!("{text}{}{}", theme.marks.between, sanitize_line(cwd));
    }
    text
}

/// An asker: in quotes what it calls itself, cut so that the verified name behind it is seen.
pub(crate) fn who(
    messages: &Messages,
    theme: &Theme,
    own: Option<&str>,
    verified: &str,
    room: usize,
) -> String {
    let verified = sanitize_line(verified).into_owned();
    let Some(own) = own else { return verified };
    let most = room.saturating_sub(width(&verified) + 7).max(8);
    let name = theme.quoted(&truncate(&sanitize_line(own), most));
    messages.with("page-who", [("name", name.into()), ("verified", verified.into())])
}

/// A time left, such as `9:58`, `42 min` or `1 h 3 min`, rounded up to what is counted.
pub(crate) fn time(left: Duration, messages: &Messages) -> String {
    let step = step(left).as_secs();
    let seconds = (left.as_secs() + u64::from(left.subsec_nanos() > 0)).div_ceil(step) * step;
    if step == 1 {
        return format!("{}:{:02}", seconds / 60, seconds % 60);
    }
    let units = [
        ("page-time-days", seconds / 86_400),
        ("page-time-hours", seconds / 3_600 % 24),
        ("page-time-minutes", seconds / 60 % 60),
    ];
    let parts = units.into_iter().filter(|(_, count)| *count > 0);
    let parts = parts.map(|(id, count)| messages.with(id, [("count", count.into())]));
    parts.collect::<Vec<_>>().join(" ")
}

/// The status line. `unread`: there is something to read, and no row for it.
pub(super) fn status(
    dialog: &Dialog,
    unread: bool,
    theme: &Theme,
    line: Rect,
    canvas: &mut Canvas<'_>,
) {
    if let Screen::Question(index) = dialog.screen
        && dialog.prompt.is_none()
        && dialog.questions[index].focus == Focus::Filter
    {
        return filter(dialog, index, theme, line, canvas);
    }
    let columns = usize::from(line.width).saturating_sub(2);
    let (text, style) = match (&dialog.status, dialog.phase) {
        _ if !dialog.takes_keys() => (dialog.messages.get("wait-keys"), theme.warning()),
        (_, Phase::Sending) => (dialog.messages.get("sending"), theme.accent()),
        (Some(Status::Error(text)), _) => (format!("! {text}"), theme.error()),
        (Some(Status::Note(text)), _) => (text.clone(), theme.accent()),
        (None, _) if dialog.warns_of_deadline() => {
            (dialog.messages.get("deadline-soon"), theme.warning())
        }
        (None, _) => match dialog.other().filter(|_| dialog.prompt.is_none()) {
            Some(other @ Other::Theirs(_)) => {
                (elsewhere(dialog, other, columns, theme), theme.accent())
            }
            Some(other) => (elsewhere(dialog, other, columns, theme), theme.dim()),
            None => {
                let mut parts = vec![summary(dialog, columns, theme)];
                if unread && in_list(dialog) {
                    parts.insert(0, dialog.messages.get("unread"));
                }
                (parts.join(theme.marks.between), theme.dim())
            }
        },
    };
    canvas.text(line, 1, &truncate(&text, columns), style);
}

/// Whether keys are those of a question's list.
fn in_list(dialog: &Dialog) -> bool {
    match dialog.screen {
        Screen::Question(index) if dialog.prompt.is_none() => {
            dialog.questions[index].focus == Focus::List
        }
        _ => false,
    }
}

/// What is entered on this question, whether it is on disk, whether the host is gone, and who else is
/// at it: in a narrow window the last two first, since the rest is to be seen elsewhere.
fn summary(dialog: &Dialog, columns: usize, theme: &Theme) -> String {
    let mut parts = Vec::new();
    let mut told = saved(dialog);
    let company = dialog.company_in("answering-too");
    // Why something could not be saved says so already.
    let gone = dialog.host_gone && dialog.not_saved().is_none();
    let gone = gone.then(|| dialog.messages.get("draft-no-host"));
    let beside = gone.into_iter().chain(company);
    let (first, later): (Vec<String>, Vec<String>) = match columns < NARROW {
        true => (beside.collect(), Vec::new()),
        false => (Vec::new(), beside.collect()),
    };
    parts.extend(first);
    if let Screen::Question(index) = dialog.screen
        && dialog.prompt.is_none()
    {
        let question = &dialog.request.questions[index];
        let draft = dialog.draft.get(index);
        let state = &dialog.questions[index];
        if draft.is_skipped() {
            return dialog.messages.get("skipped-banner");
        }
        if state.is_filtered() {
            let filter = sanitize_line(state.filter.text().trim()).into_owned();
            let shown = state.shown(question).len();
            let values = [
                ("filter", filter.into()),
                ("shown", shown.into()),
                ("total", question.options.len().into()),
            ];
            parts.push(dialog.messages.with("filter-status", values));
        }
        let count = draft.sent(question).count();
        let counted = [("count", count.into())];
        parts.push(match (count, draft.custom_counts()) {
            (0, false) => dialog.messages.get("nothing-yet"),
            (0, true) => dialog.messages.get("your-text"),
            (_, true) => dialog.messages.with("with-your-text", counted),
            (_, false) => dialog.messages.with("selected", counted),
        });
        if count == 0 && is_blank(draft.custom()) {
            // What was saved is of another question.
            told = told.filter(|_| matches!(dialog.save_state(), SaveState::Failed(_)));
        }
    }
    parts.extend(told);
    parts.extend(later);
    parts.extend(dialog.aside.clone());
    parts.join(theme.marks.between)
}

/// What this screen or another one holds beside what is shown, and the key that shows it.
fn elsewhere(dialog: &Dialog, other: Other<'_>, columns: usize, theme: &Theme) -> String {
    let (id, state) = match other {
        Other::Theirs(state) => ("elsewhere-theirs", state),
        Other::Own(state) => ("elsewhere-own", state),
    };
    let text = truncate(&entered(dialog, state, theme), (columns / 3).max(10)).into_owned();
    let notice = dialog.messages.with(id, [("text", text.into())]);
    let mut parts = vec![notice, summary(dialog, columns, theme)];
    if let SaveState::Failed(_) = dialog.save_state() {
        // Nothing is told before that.
        parts.reverse();
    }
    parts.retain(|part| !part.is_empty());
    parts.join(theme.marks.between)
}

/// What is entered in a state, in one line.
fn entered(dialog: &Dialog, state: &DraftState, theme: &Theme) -> String {
    if state.skipped {
        return dialog.messages.get("review-skipped");
    }
    let labels = state.chosen.iter().map(|label| sanitize_line(label).into_owned());
    let text =
        (!is_blank(&state.custom)).then(|| theme.quoted(&sanitize_line(state.custom.trim())));
    let parts: Vec<String> = text.into_iter().chain(labels).collect();
    match parts.is_empty() {
        true => dialog.messages.get("elsewhere-empty"),
        false => parts.join(", "),
    }
}

/// Whether what was entered is kept.
fn saved(dialog: &Dialog) -> Option<String> {
    match dialog.save_state() {
        SaveState::Saved if dialog.options.forgets => None,
        SaveState::Saved => Some(dialog.messages.get("draft-saved")),
        SaveState::Failed(_) => dialog.not_saved(),
        SaveState::Untouched | SaveState::Unsaved => None,
    }
}

/// The filter as it is typed, with the caret in it.
fn filter(dialog: &Dialog, index: usize, theme: &Theme, line: Rect, canvas: &mut Canvas<'_>) {
    let state = &dialog.questions[index];
    let text = sanitize_line(state.filter.text()).into_owned();
    let shown = state.shown(dialog.question_at(index)).len();
    let total = dialog.question_at(index).options.len();
    let count = format!("{shown} / {total}");
    let room = usize::from(line.width).saturating_sub(width(&count) + 5);
    canvas.text(line, 1, "/", theme.highlighted());
    canvas.text(line, 2, &truncate(&text, room), theme.title());
    let at = usize::from(line.width).saturating_sub(width(&count) + 1);
    canvas.text(line, at, &count, theme.dim());
    let caret = width(&sanitize_line(&state.filter.text()[..state.filter.caret()])).min(room) + 2;
    canvas.place_cursor(line, caret);
}
