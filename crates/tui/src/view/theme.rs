//! Colours and marks. A colour never is the only sign: every state has its own shape or word.

use askwell_core::{Draft, Question};
use ratatui::style::{Color, Modifier, Style};

/// The column at which a label begins: highlight, mark and number stand before it.
pub(crate) const LABEL_COLUMN: usize = 9;
/// The column of the mark.
pub(crate) const MARK_COLUMN: usize = 3;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    color: bool,
    pub(crate) marks: &'static Marks,
}

/// The shapes of our own chrome.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) here: &'static str,
    pub(crate) ticked: &'static str,
    pub(crate) unticked: &'static str,
    pub(crate) chosen: &'static str,
    pub(crate) unchosen: &'static str,
    pub(crate) done: &'static str,
    pub(crate) open: &'static str,
    pub(crate) above: &'static str,
    pub(crate) below: &'static str,
    pub(crate) bullet: &'static str,
    pub(crate) bar: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) column: &'static str,
    pub(crate) between: &'static str,
    /// Around a text that a person wrote.
    pub(crate) quotes: (&'static str, &'static str),
}

const UNICODE: Marks = Marks {
    here: "▸",
    ticked: "[x]",
    unticked: "[ ]",
    chosen: "(•)",
    unchosen: "( )",
    done: "●",
    open: "○",
    above: "↑",
    below: "↓",
    bullet: "•",
    bar: "│",
    rule: "─",
    column: " │ ",
    between: " · ",
    quotes: ("«", "»"),
};

const ASCII: Marks = Marks {
    here: ">",
    ticked: "[x]",
    unticked: "[ ]",
    chosen: "(*)",
    unchosen: "( )",
    done: "*",
    open: "-",
    above: "^",
    below: "v",
    bullet: "*",
    bar: "|",
    rule: "-",
    column: " | ",
    between: " - ",
    quotes: ("\"", "\""),
};

impl Theme {
    pub(crate) fn new(color: bool, ascii: bool) -> Self {
        Self { color, marks: if ascii { &ASCII } else { &UNICODE } }
    }

    fn foreground(&self, color: Color) -> Style {
        match self.color {
            true => Style::new().fg(color),
            false => Style::new(),
        }
    }

    /// A text that a person wrote, marked as such.
    pub(crate) fn quoted(&self, text: &str) -> String {
        let (open, close) = self.marks.quotes;
        format!("{open}{text}{close}")
    }

    /// Chosen, or where to go on.
    pub(crate) fn accent(&self) -> Style {
        self.foreground(Color::Cyan)
    }

    pub(crate) fn highlighted(&self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn title(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn dim(&self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) fn not_sent(&self) -> Style {
        self.dim().add_modifier(Modifier::CROSSED_OUT)
    }

    pub(crate) fn error(&self) -> Style {
        self.foreground(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn warning(&self) -> Style {
        self.foreground(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn code(&self) -> Style {
        self.foreground(Color::Green)
    }

    /// What is entered on a question: dimmed where a skip keeps it from being sent.
    pub(crate) fn entered(&self, draft: &Draft) -> Style {
        match draft.is_skipped() {
            true => self.dim(),
            false => Style::new(),
        }
    }

    /// The mark of a row that can be chosen.
    pub(crate) fn mark(&self, question: &Question, chosen: bool) -> &'static str {
        match (question.is_multi_select(), chosen) {
            (true, true) => self.marks.ticked,
            (true, false) => self.marks.unticked,
            (false, true) => self.marks.chosen,
            (false, false) => self.marks.unchosen,
        }
    }
}
