//! What a person would see: an owned picture of the screen at one moment, and the terminal's modes.

use std::fmt;

/// The visible text and the cursor at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// Every row, without the blanks at its end.
    pub rows: Vec<String>,
    /// Row and column of the cursor, from 0.
    pub cursor: (u16, u16),
    /// The program has hidden the cursor.
    pub cursor_hidden: bool,
}

impl Screen {
    pub(super) fn of(screen: &vt100::Screen) -> Self {
        let (_, columns) = screen.size();
        let rows = screen.rows(0, columns.get()).map(|row| row.trim_end().to_owned());
        Self {
            rows: rows.collect(),
            cursor: screen.cursor_position(),
            cursor_hidden: screen.hide_cursor(),
        }
    }

    /// The rows as one text, without blank rows at the end.
    pub fn text(&self) -> String {
        self.rows.join("\n").trim_end_matches('\n').to_owned()
    }

    /// Whether `text` stands on one row.
    pub fn contains(&self, text: &str) -> bool {
        self.row_of(text).is_some()
    }

    /// The text of a row, from 0; empty below the last.
    pub fn row(&self, number: usize) -> &str {
        self.rows.get(number).map_or("", String::as_str)
    }

    /// The first row that holds `text`.
    pub fn row_of(&self, text: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.contains(text))
    }

    /// The text of the row that the cursor stands on.
    pub fn cursor_row(&self) -> &str {
        self.row(self.cursor.0.into())
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text())
    }
}

/// What a program may have changed about a terminal and has to put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes {
    /// It draws on the alternate screen.
    pub alternate_screen: bool,
    /// Pastes are bracketed.
    pub bracketed_paste: bool,
    /// The cursor is hidden.
    pub cursor_hidden: bool,
    /// Mouse reports are on.
    pub mouse: bool,
    /// Levels of the kitty keyboard protocol that were pushed and not popped.
    pub keyboard_levels: i32,
    /// The terminal echoes what is typed.
    pub echo: bool,
    /// The terminal edits lines before the program gets them.
    pub canonical: bool,
    /// Ctrl-C and the like send signals.
    pub signals: bool,
    /// A line feed on output also returns the carriage.
    pub output_processing: bool,
}

impl Modes {
    /// How a shell expects its terminal.
    pub const USUAL: Self = Self {
        alternate_screen: false,
        bracketed_paste: false,
        cursor_hidden: false,
        mouse: false,
        keyboard_levels: 0,
        echo: true,
        canonical: true,
        signals: true,
        output_processing: true,
    };
}
