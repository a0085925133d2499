//! Draws a dialog. Pure but for caches of what was wrapped: the same dialog at the same size gives
//! the same picture.
//!
//! The strip above and the status and key lines below are ours; the asker's words stand between
//! them, sanitized, and can't look like either. A low window loses first the blank lines, then the
//! descriptions of options that are not highlighted, then the preview and the detail; never the question, the
//! highlighted option, the field or the keys.

mod canvas;
mod field;
mod height;
mod hints;
mod inbox;
pub(crate) mod listing;
pub(crate) mod markdown;
pub(crate) mod options;
mod overlay;
mod preview;
pub(crate) mod prompt;
mod question;
mod reading;
mod review;
pub(crate) mod settled;
mod shares;
pub(crate) mod strip;
mod summary;
mod targets;
pub(crate) mod theme;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::dialog::{Dialog, DialogOptions, Screen, Viewport};
use crate::inbox::Ticket;

pub use summary::summary;

use canvas::{Canvas, row_of, rows_of};
use theme::Theme;

/// Draws dialogs, and remembers what it wrapped.
pub struct Renderer {
    theme: Theme,
    reading: reading::ReadingCache,
    /// The same where it has one row.
    reading_in_row: reading::ReadingCache,
    options: options::OptionsCache,
    preview: preview::PreviewCache,
    /// In an inbox, whose dialog what was wrapped is of.
    ticket: Option<Ticket>,
    spots: Vec<targets::Spot>,
}

impl Renderer {
    /// A renderer for dialogs with these options.
    pub fn new(options: &DialogOptions) -> Self {
        Self {
            theme: Theme::new(!options.no_color, options.ascii),
            reading: reading::ReadingCache::default(),
            reading_in_row: reading::ReadingCache::default(),
            options: options::OptionsCache::default(),
            preview: preview::PreviewCache::default(),
            ticket: None,
            spots: Vec::new(),
        }
    }

    /// Draws the dialog over the whole frame.
    pub fn draw(&mut self, dialog: &Dialog, frame: &mut Frame<'_>) -> Viewport {
        let area = frame.area();
        if area.width == 0 || area.height == 0 {
            return dialog.viewport;
        }
        let cursor = Position::new(area.x, area.y);
        let mut canvas = Canvas { buffer: frame.buffer_mut(), cursor, spots: Vec::new() };
        let mut viewport = self.draw_on(dialog, dialog.viewport, area, &mut canvas);
        if viewport.keys() != dialog.viewport.keys() {
            // The keys were told as of another picture: of another size, or another question.
            canvas.buffer.reset();
            canvas.spots.clear();
            viewport = self.draw_on(dialog, viewport, area, &mut canvas);
        }
        self.spots = std::mem::take(&mut canvas.spots);
        let cursor = Position::new(
            canvas.cursor.x.min(area.right().saturating_sub(1)),
            canvas.cursor.y.min(area.bottom().saturating_sub(1)),
        );
        frame.set_cursor_position(cursor);
        viewport
    }

    fn draw_on(
        &mut self,
        dialog: &Dialog,
        mut viewport: Viewport,
        area: Rect,
        canvas: &mut Canvas<'_>,
    ) -> Viewport {
        let theme = self.theme;
        strip::draw(dialog, &theme, row_of(area, 0), canvas);
        let columns = usize::from(area.width).saturating_sub(2);
        let keys = hints::lines(dialog, &viewport, &theme, columns, key_rows(area.height));
        let status = usize::from(area.height).saturating_sub(keys.len() + 1).max(1);
        for (row, text) in keys.into_iter().enumerate() {
            canvas.text(row_of(area, status + 1 + row), 1, &text, theme.dim());
        }
        let body = rows_of(area, 1, status.saturating_sub(1));
        let status = row_of(area, status);
        if dialog.collapsed {
            canvas.text(row_of(area, 1), 1, &dialog.messages.get("collapsed"), theme.dim());
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
        strip::status(dialog, viewport.unread, &theme, status, canvas);
        viewport
    }
}

/// The rows that the key hints may take.
fn key_rows(height: u16) -> usize {
    match height {
        0..14 => 1,
        _ => 2,
    }
}
