//! Draws a dialog. Pure but for caches of what was wrapped: the same dialog at the same size gives
//! the same picture.
//!
//! The strip above and the status and key lines below are ours; the asker's words stand between
//! them, sanitized, and can't look like either. A low window loses first the blank lines, then the
//! descriptions of options that are not highlighted, then the detail; never the question, the
//! highlighted option, the field or the keys.

mod field;
mod hints;
mod markdown;
mod options;
mod overlay;
mod prompt;
mod question;
mod review;
mod strip;
mod theme;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::dialog::{Dialog, DialogOptions, Screen, Viewport};

use theme::Theme;

/// Draws dialogs, and remembers what it wrapped.
pub struct Renderer {
    theme: Theme,
    reading: question::ReadingCache,
    options: options::OptionsCache,
}

/// One drawing: where to draw, and where the hardware cursor goes.
struct Canvas<'a> {
    buffer: &'a mut Buffer,
    cursor: Position,
}

impl Renderer {
    /// A renderer for dialogs with these options.
    pub fn new(options: &DialogOptions) -> Self {
        Self {
            theme: Theme::new(!options.no_color, options.ascii),
            reading: question::ReadingCache::default(),
            options: options::OptionsCache::default(),
        }
    }

    /// Draws the dialog over the whole frame.
    pub fn draw(&mut self, dialog: &Dialog, frame: &mut Frame<'_>) -> Viewport {
        let area = frame.area();
        if area.width == 0 || area.height == 0 {
            return dialog.viewport;
        }
        let cursor = Position::new(area.x, area.y);
        let mut canvas = Canvas { buffer: frame.buffer_mut(), cursor };
        let viewport = self.draw_on(dialog, area, &mut canvas);
        let cursor = Position::new(
            canvas.cursor.x.min(area.right().saturating_sub(1)),
            canvas.cursor.y.min(area.bottom().saturating_sub(1)),
        );
        frame.set_cursor_position(cursor);
        viewport
    }

    fn draw_on(&mut self, dialog: &Dialog, area: Rect, canvas: &mut Canvas<'_>) -> Viewport {
        let mut viewport = dialog.viewport;
        let theme = self.theme;
        strip::draw(dialog, &theme, line_of(area, 0), canvas);
        let keys = hints::lines(dialog, usize::from(area.width).saturating_sub(2), key_rows(area));
        let key_rows = u16::try_from(keys.len()).unwrap_or(1);
        let status = area.height.saturating_sub(key_rows + 1).max(1);
        for (row, text) in keys.into_iter().enumerate() {
            let row = status + 1 + u16::try_from(row).unwrap_or(0);
            canvas.text(line_of(area, row), 1, &theme.chrome(&text), theme.dim());
        }
        let body = Rect { y: area.y + 1, height: status.saturating_sub(1), ..area };
        let status = line_of(area, status);
        if dialog.collapsed {
            canvas.text(line_of(area, 1), 1, &dialog.messages.get("collapsed"), theme.dim());
            return viewport;
        }
        if let Some(overlay) = &dialog.overlay {
            viewport.overlay = overlay::draw(dialog, overlay, &theme, body, status, canvas);
            return viewport;
        }
        match dialog.screen {
            _ if dialog.prompt.is_some() => {
                viewport.field_width = self.draw_prompt(dialog, body, canvas);
            }
            Screen::Question(index) => {
                self.draw_question(dialog, index, body, canvas, &mut viewport);
            }
            Screen::Review { at } => review::draw(dialog, at, &theme, body, canvas),
        }
        strip::status(dialog, &theme, status, canvas);
        viewport
    }
}

impl Canvas<'_> {
    /// Draws a text at a column of a line.
    fn text(&mut self, line: Rect, column: u16, text: &str, style: Style) {
        self.line(line, column, &Line::styled(text.to_owned(), style));
    }

    /// Draws a line at a column of a line. What does not fit is not drawn.
    fn line(&mut self, line: Rect, column: u16, content: &Line<'_>) {
        if line.height > 0 && column < line.width {
            let width = line.width - column;
            self.buffer.set_line(line.x + column, line.y, content, width);
        }
    }
}

/// The rows that the key hints may take.
fn key_rows(area: Rect) -> usize {
    match area.height {
        0..14 => 1,
        _ => 2,
    }
}

/// One row of an area; empty where the area does not have it.
fn line_of(area: Rect, row: u16) -> Rect {
    let height = u16::from(row < area.height);
    Rect { y: area.y + row.min(area.height), height, ..area }
}
