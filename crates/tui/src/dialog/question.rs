//! Where the person is within one question.

use std::cell::OnceCell;

use askwell_core::draft::Choices;
use askwell_core::{Draft, Question, limits, lint};

use super::elsewhere::Others;
use crate::editor::Editor;

/// A row that can be highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    Option(usize),
    Custom,
}

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    List,
    Field,
    Filter,
}

pub(crate) struct QuestionState {
    pub(crate) row: Row,
    pub(crate) focus: Focus,
    pub(crate) editor: Editor,
    pub(crate) filter: Editor,
    pub(crate) undo: Vec<Choices>,
    /// Whether its text was written or changed here.
    pub(crate) written: bool,
    /// What Ctrl-T shows in place of what is shown.
    pub(super) others: Others,
    /// The first line of the reading pane that is shown.
    pub(crate) scroll: usize,
    /// The option whose preview was scrolled last, and its first line that is shown.
    pub(super) preview: (usize, usize),
    /// For each option the one before it that it looks like. Labels do not change.
    look_alikes: OnceCell<Vec<Option<usize>>>,
}

impl QuestionState {
    pub(crate) fn new(question: &Question) -> Self {
        Self {
            row: if question.is_free_text() { Row::Custom } else { Row::Option(0) },
            focus: Focus::List,
            editor: Editor::new().with_limit(limits::CUSTOM),
            filter: Editor::new().with_limit(limits::LABEL),
            undo: Vec::new(),
            written: false,
            others: Others::default(),
            scroll: 0,
            preview: (0, 0),
            look_alikes: OnceCell::new(),
        }
    }

    /// The person comes to this question: the highlight stands on what would be sent, and where
    /// only text can answer the caret is in the field.
    pub(crate) fn arrive(&mut self, question: &Question, draft: &Draft) {
        self.filter.set_text("");
        if question.is_free_text() {
            self.focus = Focus::Field;
            self.row = Row::Custom;
            return;
        }
        self.focus = Focus::List;
        let stands = match self.row {
            Row::Option(index) => draft.is_sent(question, index),
            Row::Custom => draft.custom_counts(),
        };
        if !stands {
            let sent = draft.sent(question).next().map(Row::Option);
            let custom = draft.custom_counts().then_some(Row::Custom);
            self.row = sent.or(custom).unwrap_or(self.row);
        }
    }

    /// The options that the filter shows, by place.
    pub(crate) fn shown(&self, question: &Question) -> Vec<usize> {
        let wanted = self.filter.text().trim().to_lowercase();
        let options = question.options.iter().enumerate();
        options
            .filter(|(_, option)| {
                let description = option.description.as_deref().unwrap_or_default();
                wanted.is_empty()
                    || option.label.to_lowercase().contains(&wanted)
                    || description.to_lowercase().contains(&wanted)
            })
            .map(|(index, _)| index)
            .collect()
    }

    /// The first line that is shown of the preview of an option.
    pub(crate) fn preview_scroll(&self, option: usize) -> usize {
        match self.preview {
            (scrolled, line) if scrolled == option => line,
            _ => 0,
        }
    }

    /// The option before this one that a person may take it for.
    pub(crate) fn look_alike(&self, question: &Question, option: usize) -> Option<usize> {
        let all = self.look_alikes.get_or_init(|| lint::look_alikes(question));
        all.get(option).copied().flatten()
    }

    pub(crate) fn is_filtered(&self) -> bool {
        !self.filter.text().trim().is_empty()
    }
}
