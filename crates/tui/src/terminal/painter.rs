//! Cells as bytes: only those that changed, with as few moves and colours as it takes.
//!
//! On the whole screen moves are absolute; in rows below the prompt they are relative, since nobody
//! knows where those rows are. Invariant: nothing here asks the terminal anything.

use std::io::{self, Write};

use askwell_core::text::width;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::output::Output;

/// Where the dialog is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It has the whole screen, a second one.
    Screen,
    /// It has some rows, and what is above them stays.
    Rows,
}

pub(super) struct Painter {
    output: Output,
    place: Place,
    size: Size,
    /// Where the terminal's cursor is, from the first cell of the place.
    at: Position,
    /// Whether its column, or all of that, is only a guess.
    lost: bool,
    look: Look,
    shown: bool,
}

/// Colours and attributes that the terminal has set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    foreground: Color,
    background: Color,
    modifier: Modifier,
}

const PLAIN: Look =
    Look { foreground: Color::Reset, background: Color::Reset, modifier: Modifier::empty() };

const MODIFIERS: [(Modifier, u8); 8] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

impl Painter {
    pub(super) fn new(output: Output, place: Place, size: Size) -> Self {
        let at = Position::ORIGIN;
        Self { output, place, size, at, lost: true, look: PLAIN, shown: false }
    }

    /// Begins anew in a place of this size, with the cursor in its first cell and nothing set.
    pub(super) fn begin(&mut self, place: Place, size: Size) {
        *self = Self::new(self.output.clone(), place, size);
    }

    /// Where the cursor is, from the first cell of the place.
    pub(super) fn at(&self) -> Position {
        self.at
    }

    fn move_to(&mut self, to: Position) -> io::Result<()> {
        if self.at == to && !self.lost {
            return Ok(());
        }
        match self.place {
            Place::Screen => write!(self.output, "\x1b[{};{}H", to.y + 1, to.x + 1)?,
            Place::Rows => {
                match to.y.cmp(&self.at.y) {
                    std::cmp::Ordering::Less => {
                        write!(self.output, "\x1b[{}A", self.at.y - to.y)?;
                    }
                    std::cmp::Ordering::Greater => {
                        write!(self.output, "\x1b[{}B", to.y - self.at.y)?;
                    }
                    std::cmp::Ordering::Equal => {}
                }
                if to.x == 0 {
                    self.output.queue(b"\r");
                } else if to.x != self.at.x || self.lost {
                    write!(self.output, "\x1b[{}G", to.x + 1)?;
                }
            }
        }
        (self.at, self.lost) = (to, false);
        Ok(())
    }

    fn put_on(&mut self, look: Look) -> io::Result<()> {
        if self.look == look {
            return Ok(());
        }
        let mut codes = Vec::new();
        let mut worn = self.look;
        if !look.modifier.contains(worn.modifier) {
            codes.push("0".to_owned());
            worn = PLAIN;
        }
        let added = look.modifier.difference(worn.modifier);
        let added = MODIFIERS.iter().filter(|(modifier, _)| added.contains(*modifier));
        codes.extend(added.map(|(_, code)| code.to_string()));
        if look.foreground != worn.foreground {
            codes.push(color(look.foreground, 30));
        }
        if look.background != worn.background {
            codes.push(color(look.background, 40));
        }
        self.look = look;
        match codes.as_slice() {
            [only] if only == "0" => write!(self.output, "\x1b[m"),
            _ => write!(self.output, "\x1b[{}m", codes.join(";")),
        }
    }
}

/// The code of a colour; `base` is 30 for the foreground, 40 for the background.
fn color(color: Color, base: u8) -> String {
    let bright = base + 60;
    let code = match color {
        Color::Reset => base + 9,
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => bright,
        Color::LightRed => bright + 1,
        Color::LightGreen => bright + 2,
        Color::LightYellow => bright + 3,
        Color::LightBlue => bright + 4,
        Color::LightMagenta => bright + 5,
        Color::LightCyan => bright + 6,
        Color::White => bright + 7,
        Color::Indexed(index) => return format!("{};5;{index}", base + 8),
        Color::Rgb(red, green, blue) => return format!("{};2;{red};{green};{blue}", base + 8),
    };
    code.to_string()
}

/// Whether terminals may disagree with us, and with each other, about the columns of this cluster.
pub(super) fn is_unsure(symbol: &str) -> bool {
    !symbol.is_ascii() && symbol.chars().nth(1).is_some()
}

impl Backend for Painter {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, cells: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in cells {
            self.move_to(Position::new(x, y))?;
            let (foreground, background, modifier) = (cell.fg, cell.bg, cell.modifier);
            self.put_on(Look { foreground, background, modifier })?;
            self.output.queue(cell.symbol().as_bytes());
            let columns = u16::try_from(width(cell.symbol())).unwrap_or(1);
            self.at.x = x.saturating_add(columns);
            // Behind the last column terminals differ in where the cursor is.
            self.lost = is_unsure(cell.symbol()) || self.at.x >= self.size.width;
        }
        self.put_on(PLAIN)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.shown = false;
        self.output.queue(b"\x1b[?25l");
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if !self.shown {
            self.shown = true;
            self.output.queue(b"\x1b[?25h");
        }
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.at)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.move_to(position.into())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        match region {
            // Below our rows there is nothing of anybody's.
            ClearType::All => {
                self.move_to(Position::ORIGIN)?;
                self.output.queue(b"\x1b[J");
            }
            ClearType::AfterCursor => self.output.queue(b"\x1b[J"),
            ClearType::UntilNewLine => self.output.queue(b"\x1b[K"),
            ClearType::BeforeCursor | ClearType::CurrentLine => {
                return Err(io::Error::from(io::ErrorKind::Unsupported));
            }
        }
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use ratatui::style::Style;

    use super::*;

    /// What is written for these cells, the cursor in the first cell of the place.
    fn written(place: Place, cells: &[(u16, u16, &str, Style)]) -> String {
        let output = Output::new(std::fs::File::open("/dev/null").unwrap());
        let mut painter = Painter::new(output.clone(), place, Size::new(80, 24));
        painter.lost = place == Place::Screen;
        let cells: Vec<(u16, u16, Cell)> = cells
            .iter()
            .map(|(x, y, symbol, style)| {
                let mut cell = Cell::default();
                cell.set_symbol(symbol).set_style(*style);
                (*x, *y, cell)
            })
            .collect();
        painter.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        output.waiting()
    }

    #[test]
    fn rows_are_found_by_relative_moves() {
        let plain = Style::new();
        let cells =
            [(0, 0, "a", plain), (4, 2, "b", plain), (5, 2, "c", plain), (0, 1, "d", plain)];
        assert_eq!(written(Place::Rows, &cells), "a\u{1b}[2B\u{1b}[5Gbc\u{1b}[1A\rd");
        assert_eq!(written(Place::Screen, &cells), "\u{1b}[1;1Ha\u{1b}[3;5Hbc\u{1b}[2;1Hd");
    }

    #[test]
    fn a_wide_character_takes_two_columns_and_an_unsure_one_is_not_counted_on() {
        let plain = Style::new();
        let cells = [(0, 0, "日", plain), (2, 0, "x", plain)];
        assert_eq!(written(Place::Rows, &cells), "日x");
        let cells = [(0, 0, "👍🏽", plain), (2, 0, "x", plain)];
        assert_eq!(written(Place::Rows, &cells), "👍🏽\u{1b}[3Gx");
        let cells = [(79, 0, "x", plain), (0, 1, "y", plain)];
        assert_eq!(written(Place::Rows, &cells), "\u{1b}[80Gx\u{1b}[1B\ry");
    }

    #[test]
    fn colours_and_attributes_are_set_once_and_taken_off_at_the_end() {
        let bold = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);
        let accent = Style::new().fg(Color::Cyan);
        let cells =
            [(0, 0, "a", bold), (1, 0, "b", bold), (2, 0, "c", accent), (3, 0, "d", accent)];
        assert_eq!(written(Place::Rows, &cells), "\u{1b}[1;36mab\u{1b}[0;36mcd\u{1b}[39m");
    }
}
