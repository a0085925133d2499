//! The keys that work now, packed into the lines at the bottom. Help is always among them.

use askwell_core::text::width;

use super::theme::Theme;
use crate::dialog::{
    Dialog, Focus, Other, Overlay, Phase, PromptKind, Row, SOON, Screen, Viewport,
};

/// The lines of hints: most useful first, whole hints only.
pub(super) fn lines(
    dialog: &Dialog,
    seen: &Viewport,
    theme: &Theme,
    columns: usize,
    rows: usize,
) -> Vec<String> {
    let mut ids = ids(dialog, seen);
    if columns < 60 {
        // The short form, so that there is room for the key that goes on.
        ids.iter_mut().filter(|id| **id == "hint-to-list").for_each(|id| *id = "hint-leave-field");
    }
    if dialog.options.in_inbox {
        ids.iter_mut().filter(|id| **id == "hint-leave").for_each(|id| *id = "hint-to-inbox");
    }
    let hints: Vec<String> = ids.iter().map(|id| dialog.messages.get(id)).collect();
    pack(&hints, theme, columns, rows)
}

/// Hints packed into lines. The last one is kept whatever else does not fit.
pub(super) fn pack(hints: &[String], theme: &Theme, columns: usize, rows: usize) -> Vec<String> {
    let between = theme.marks.between;
    let mut lines = vec![String::new()];
    // The last hint (help, or the way out) is kept whatever else does not fit.
    let Some((last, others)) = hints.split_last() else {
        return lines;
    };
    for hint in others {
        let fits = |line: &str, reserved: usize| {
            let gap = if line.is_empty() { 0 } else { width(between) };
            width(line) + gap + width(hint) + reserved <= columns
        };
        let row = lines.len() - 1;
        let reserved = |row: usize| match row + 1 == rows {
            true => width(between) + width(last),
            false => 0,
        };
        if fits(&lines[row], reserved(row)) {
            push(&mut lines[row], between, hint);
        } else if row + 1 < rows && fits("", reserved(row + 1)) {
            lines.push(hint.clone());
        }
    }
    let row = lines.len() - 1;
    let gap = if lines[row].is_empty() { 0 } else { width(between) };
    if width(&lines[row]) + gap + width(last) > columns && row + 1 < rows {
        lines.push(last.clone());
    } else {
        push(&mut lines[row], between, last);
    }
    lines
}

fn push(line: &mut String, between: &str, hint: &str) {
    if !line.is_empty() {
        line.push_str(between);
    }
    line.push_str(hint);
}

fn ids(dialog: &Dialog, seen: &Viewport) -> Vec<&'static str> {
    if dialog.phase == Phase::Sending {
        return match dialog.options.stays_pending {
            true => vec!["hint-ctrl-c-leave"],
            false => vec!["hint-ctrl-c"],
        };
    }
    if dialog.collapsed {
        return vec!["hint-unfold"];
    }
    if let Some(prompt) = &dialog.prompt {
        return match prompt.kind {
            PromptKind::Comment if dialog.options.editor.is_some() => {
                vec!["hint-cancel-send", "hint-newline", "hint-external", "hint-back"]
            }
            PromptKind::Comment => vec!["hint-cancel-send", "hint-newline", "hint-back"],
            PromptKind::Offered if dialog.options.in_inbox => vec!["hint-letter", "hint-to-inbox"],
            PromptKind::Offered => vec!["hint-letter"],
            PromptKind::Unsent => vec!["hint-letter", "hint-back"],
            PromptKind::Resolved(_) => vec!["hint-close"],
            _ => vec!["hint-pick", "hint-back"],
        };
    }
    if let Some(Overlay { .. }) = dialog.overlay {
        return match seen.overlay.last {
            0 => vec!["hint-close"],
            _ => vec!["hint-move", "hint-scroll", "hint-close"],
        };
    }
    let mut ids = match dialog.screen {
        Screen::Question(index) => question_ids(dialog, seen, index),
        Screen::Review { .. } => {
            let mut ids = Vec::new();
            let unfinished = !dialog.draft.unfinished(&dialog.request).is_empty();
            if unfinished {
                ids.push("hint-skip-rest");
            } else {
                ids.push("hint-send");
            }
            ids.extend(["hint-move", "hint-edit", "hint-back", "hint-help"]);
            ids
        }
    };
    match dialog.time_left() {
        // Next to the key that goes on, while there is time.
        Some(left) if left <= SOON => ids.insert(1, "hint-extend"),
        Some(_) => ids.insert(ids.len() - 1, "hint-extend"),
        None => {}
    }
    match dialog.other() {
        Some(Other::Theirs(_)) => ids.insert(1, "hint-theirs"),
        Some(Other::Own(_)) => ids.insert(1, "hint-own"),
        None => {}
    }
    ids
}

fn question_ids(dialog: &Dialog, seen: &Viewport, index: usize) -> Vec<&'static str> {
    let question = dialog.question_at(index);
    let multi = question.is_multi_select();
    let sends = dialog.enter_sends(index);
    let on = if sends { "hint-send" } else { "hint-next" };
    let several = dialog.request.questions.len() > 1;
    let state = &dialog.questions[index];
    let mut ids = Vec::new();
    match state.focus {
        Focus::Filter => ids.extend(["hint-filter-done", "hint-filter-clear"]),
        Focus::Field => {
            // In a field `?` is text.
            ids.extend([on, "hint-newline"]);
            if seen.reading.last > 0 {
                ids.push("hint-scroll");
            }
            if several {
                ids.push("hint-questions");
            }
            if dialog.options.editor.is_some() {
                ids.push("hint-external");
            }
            ids.push(if question.is_free_text() { "hint-leave-text" } else { "hint-to-list" });
        }
        Focus::List if dialog.plan().is_some() => return plan_ids(dialog, seen, index, sends),
        Focus::List => {
            let written = !dialog.draft.get(index).custom().trim().is_empty();
            if state.row == Row::Custom && written && !question.is_free_text() {
                ids.extend(["hint-switch-text", on]);
            } else if multi {
                ids.extend(["hint-tick", on]);
            } else if question.is_free_text() {
                ids.push(on);
            } else {
                ids.push(choose_id(dialog, index, sends));
                ids.push("hint-choose");
            }
            if question.allow_custom {
                ids.push("hint-custom");
            }
            if seen.reading.last > 0 {
                ids.push("hint-scroll");
            }
            if seen.preview.last > 0 {
                ids.push("hint-peek");
            }
            if several {
                ids.push("hint-questions");
            }
            let skipped = dialog.draft.get(index).is_skipped();
            ids.push(if skipped { "hint-unskip" } else { "hint-skip" });
            if multi {
                ids.push("hint-all");
            }
            if state.is_filtered() {
                ids.push("hint-clear-filter");
            } else {
                ids.push("hint-leave");
            }
            if question.options.len() > 9 {
                ids.push("hint-filter");
            }
            let previewed = matches!(state.row, Row::Option(option)
                if question.options.get(option).is_some_and(|option| option.preview.is_some()));
            ids.push(if previewed { "hint-preview" } else { "hint-more" });
            if several {
                ids.push("hint-review");
            }
            if dialog.as_question {
                ids.push("hint-as-plan");
            }
            ids.push("hint-help");
            if seen.unread {
                // What can't be seen goes before everything but the key that goes on.
                ids.retain(|id| !matches!(*id, "hint-more" | "hint-preview"));
                ids.push("hint-more");
            }
        }
    }
    ids
}

/// The keys of a plan.
fn plan_ids(dialog: &Dialog, seen: &Viewport, index: usize, sends: bool) -> Vec<&'static str> {
    let question = dialog.question_at(index);
    let approves = dialog.plan().map(|plan| Row::Option(plan.approve));
    let row = dialog.questions[index].row;
    let mut ids = match (row, choose_id(dialog, index, sends)) {
        (Row::Custom, _) if dialog.draft.get(index).custom().trim().is_empty() => {
            vec!["hint-custom-here"]
        }
        (Row::Custom, _) => vec!["hint-send", "hint-switch-text"],
        (_, "hint-choose-send") if Some(row) == approves => vec!["hint-approve"],
        (_, "hint-choose-send") => vec!["hint-decline"],
        (_, other) => vec![other],
    };
    if seen.reading.last > 0 {
        ids.push("hint-scroll");
    }
    if question.allow_custom && row != Row::Custom {
        ids.push("hint-reply");
    }
    ids.extend(["hint-dismiss", "hint-as-question"]);
    if dialog.options.in_inbox {
        ids.push("hint-to-inbox");
    }
    ids.extend(match seen.unread {
        true => ["hint-help", "hint-more"],
        false => ["hint-more", "hint-help"],
    });
    ids
}

/// What Enter does on the highlighted option of a single choice: it says so where another option or
/// a text stands.
fn choose_id(dialog: &Dialog, index: usize, sends: bool) -> &'static str {
    let question = dialog.question_at(index);
    let draft = dialog.draft.get(index);
    let elsewhere = match dialog.questions[index].row {
        Row::Option(option) => draft.is_finished(question) && !draft.is_sent(question, option),
        Row::Custom => false,
    };
    match (elsewhere, sends) {
        (true, true) => "hint-instead-send",
        (true, false) => "hint-instead-next",
        (false, true) => "hint-choose-send",
        (false, false) => "hint-choose-next",
    }
}
