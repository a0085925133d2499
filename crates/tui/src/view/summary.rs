//! What remains on the terminal of a dialog that was drawn below the prompt: a line a question.

use askwell_core::text::{named, sanitize_line, truncate};
use askwell_core::{Answers, Outcome};

use super::theme::Theme;
use crate::dialog::Dialog;

/// More questions than this are counted.
const MOST: usize = 6;

/// The lines, each at most so many columns wide. Plain text, without control characters.
pub fn summary(dialog: &Dialog, outcome: &Outcome, columns: usize) -> Vec<String> {
    let theme = Theme::new(false, dialog.options.ascii);
    let messages = &dialog.messages;
    let total = dialog.request.questions.len();
    let line = |mark: &str, index: usize, text: &str| {
        let name = dialog.name(index);
        let name = truncate(&name, columns / 2);
        let text = sanitize_line(text);
        // The last column stays free, so that no terminal breaks the line.
        truncate(&format!("{mark} {}", named(&name, &text)), columns.saturating_sub(1)).into_owned()
    };
    let how = match dialog.resolved_elsewhere().unwrap_or(outcome) {
        Outcome::Answered(answers) => {
            let shown = if total > MOST { MOST - 1 } else { total };
            let mut lines: Vec<String> = (0..shown)
                .map(|index| line(theme.marks.done, index, &answer(dialog, answers, index, &theme)))
                .collect();
            if total > shown {
                let more = [("count", (total - shown).into())];
                lines.push(format!("  {}", messages.with("summary-more", more)));
            }
            return lines;
        }
        Outcome::Cancelled { comment: Some(comment) } => {
            let comment = sanitize_line(comment.trim()).into_owned();
            messages.with("summary-commented", [("comment", comment.into())])
        }
        Outcome::Cancelled { comment: None } => messages.get("summary-cancelled"),
        Outcome::Aborted { .. } if dialog.is_left() => messages.get("summary-left"),
        Outcome::Aborted { reason } => {
            let reason = sanitize_line(reason).into_owned();
            messages.with("summary-aborted", [("reason", reason.into())])
        }
        Outcome::Expired => messages.get("summary-expired"),
    };
    vec![line(theme.marks.open, 0, &how)]
}

fn answer(dialog: &Dialog, answers: &Answers, index: usize, theme: &Theme) -> String {
    let Some(answer) = answers.as_slice().get(index) else { return String::new() };
    let text = answer.custom.as_deref().map(|text| theme.quoted(text));
    let parts: Vec<String> = answer.selected.iter().cloned().chain(text).collect();
    match parts.is_empty() {
        true => dialog.messages.get("review-skipped"),
        false => parts.join(", "),
    }
}
