//! A prompt: what it is about, and its choices with their letters. The question stays above it.

use askwell_core::State;
use askwell_core::messages::Messages;
use askwell_core::text::{named, sanitize, sanitize_line, truncate, wrap};
use askwell_core::texts::duration;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Renderer;
use super::canvas::{Canvas, row_of};
use super::markdown::plain_lines;
use super::theme::Theme;
use crate::dialog::{Dialog, Prompt, PromptKind, Screen};
use crate::event::Target;

impl Renderer {
    /// Draws the prompt, and gives the columns of its field.
    pub(super) fn draw_prompt(
        &self,
        dialog: &Dialog,
        body: Rect,
        canvas: &mut Canvas<'_>,
    ) -> usize {
        let columns = usize::from(body.width).saturating_sub(2).max(1);
        let field = columns.saturating_sub(2).max(1);
        let Some(prompt) = &dialog.prompt else {
            return field;
        };
        let theme = self.theme;
        let choices = choices(dialog, prompt, columns, &theme);
        let height = usize::from(body.height);
        let mut text = text(dialog, prompt, columns, &theme, false);
        if text.len() + choices.len() > height {
            text = self::text(dialog, prompt, columns, &theme, true);
        }
        let roomy = height >= text.len() + choices.len() + 6;
        let mut row = usize::from(roomy);
        let needed = choices.len() + 2;
        if let Screen::Question(index) = dialog.screen
            && height > text.len() + needed
        {
            // What is asked stays in sight.
            let most = (height - text.len() - needed).clamp(1, 4);
            let asked = sanitize(&dialog.question_at(index).question);
            for line in wrap(asked.trim_end(), columns).iter().take(most) {
                canvas.text(row_of(body, row), 1, line.text(&asked), theme.dim());
                row += 1;
            }
            row += usize::from(roomy);
        }
        let room = height.saturating_sub(row + choices.len()).max(1);
        let hidden = text.len().saturating_sub(room);
        for line in text.iter().take(room) {
            canvas.line(row_of(body, row), 1, line);
            row += 1;
        }
        if hidden > 0 {
            let more = dialog.messages.with("more-not-shown", [("count", (hidden + 1).into())]);
            let blank = " ".repeat(columns);
            canvas.text(row_of(body, row - 1), 1, &blank, Style::new());
            canvas.text(row_of(body, row - 1), 1, &more, theme.dim());
        }
        row += usize::from(roomy);
        if let PromptKind::Comment = prompt.kind {
            let editor = &dialog.comment;
            let layout = editor.layout(field);
            let height = height.saturating_sub(row).max(1);
            let (caret_row, caret_column) = layout.caret;
            let first = caret_row.saturating_sub(height - 1);
            for (at, line) in layout.lines.iter().skip(first).take(height).enumerate() {
                let text = editor.display(line);
                canvas.text(row_of(body, row + at), 3, &text, Style::new());
                canvas.field_spot(row_of(body, row + at), first + at, 3);
            }
            canvas.text(row_of(body, row), 1, theme.marks.here, theme.highlighted());
            canvas.place_cursor(row_of(body, row + caret_row - first), 3 + caret_column);
            return field;
        }
        // The cursor waits before the choices while none is highlighted.
        canvas.place_cursor(row_of(body, row), 1);
        for (index, line) in choices.iter().enumerate() {
            canvas.line(row_of(body, row), 1, line);
            canvas.spot(row_of(body, row), Target::Choice(index));
            if prompt.at == Some(index) {
                canvas.place_cursor(row_of(body, row), 1);
            }
            row += 1;
        }
        field
    }
}

fn choices(dialog: &Dialog, prompt: &Prompt, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let choices = prompt.choices().iter().enumerate();
    choices
        .map(|(index, (letter, id, _))| {
            let here = prompt.at == Some(index);
            let style = if here { theme.highlighted() } else { Style::new() };
            let mark = if here { theme.marks.here } else { " " };
            let text = dialog.messages.get(dialog.choice_text(id));
            let text = truncate(&text, columns.saturating_sub(6)).into_owned();
            Line::from(vec![
                Span::styled(format!("{mark} "), style),
                Span::styled(letter.to_string(), theme.title()),
                Span::styled(format!("  {text}"), style),
            ])
        })
        .collect()
}

/// What the prompt is about. Where rows are scarce each text has one, cut.
pub(crate) fn text(
    dialog: &Dialog,
    prompt: &Prompt,
    columns: usize,
    theme: &Theme,
    scarce: bool,
) -> Vec<Line<'static>> {
    let messages = &dialog.messages;
    let lines = |text: &str, style: Style| match scarce {
        true => vec![Line::styled(truncate(text, columns).into_owned(), style)],
        false => plain_lines(text, columns, style),
    };
    let title = |text: &str| lines(text, theme.title());
    match &prompt.kind {
        PromptKind::Offered => {
            let age = dialog.options.offered.as_ref().map_or(0, |offered| offered.age.as_secs());
            match age / 60 * 60 {
                0 => title(&messages.get("offered-title-now")),
                ago => title(&messages.with("offered-title", [("ago", duration(ago).into())])),
            }
        }
        PromptKind::Leave => {
            let mut text = title(&messages.get("leave-title"));
            if !dialog.draft.is_untouched() && !dialog.options.forgets {
                match dialog.not_saved() {
                    Some(why) => text.extend(lines(&why, theme.warning())),
                    None => text.extend(lines(&messages.get("leave-draft"), theme.dim())),
                }
            }
            text
        }
        PromptKind::Comment => title(&messages.get("comment-title")),
        PromptKind::Unsent => {
            let kept: Vec<(usize, &str)> = dialog.draft.kept_texts().collect();
            let mut text = title(&messages.with("unsent-title", [("count", kept.len().into())]));
            for (index, kept) in kept {
                let name = truncate(&dialog.name(index), columns / 2).into_owned();
                let kept = theme.quoted(&sanitize_line(kept.trim()));
                let kept = format!("  {}", named(&name, &kept));
                text.push(Line::styled(truncate(&kept, columns).into_owned(), theme.warning()));
            }
            text
        }
        PromptKind::SkipRest => {
            let count = dialog.draft.unfinished(&dialog.request).len();
            title(&messages.with("skip-rest-title", [("count", count.into())]))
        }
        PromptKind::Rejected(issues) => {
            let mut text = title(&messages.get("rejected-title"));
            text.extend(issues.iter().flat_map(|issue| lines(&sanitize(issue), theme.error())));
            text
        }
        PromptKind::Resolved(outcome) => {
            let kept = dialog.not_saved().unwrap_or_else(|| messages.get("resolved-kept"));
            title(&ended_elsewhere(messages, outcome.state(), kept))
        }
    }
}

/// The words for a request that ended so while somebody was at it here, and whether it is kept.
pub(crate) fn ended_elsewhere(messages: &Messages, state: State, kept: String) -> String {
    let id = match state {
        State::Cancelled => "resolved-cancelled",
        State::Aborted => "resolved-aborted",
        State::Expired => "resolved-expired",
        State::Answered | State::Pending => "resolved-answered",
    };
    messages.with(id, [("kept", kept.into())]).trim_end().to_owned()
}
