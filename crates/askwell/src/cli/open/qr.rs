//! A QR code in a terminal: two modules a character, one above the other.

use std::io::{self, IsTerminal as _};

use qrcode::{Color, EcLevel, QrCode};

/// White modules around a code, without which a camera does not find it.
const QUIET: usize = 4;

/// What it is drawn on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Screen {
    /// How many characters fit into a line; nothing where there is no limit.
    pub columns: Option<usize>,
    /// How many lines are in view; nothing where there is no limit.
    pub rows: Option<usize>,
    /// Dark on white by colours; otherwise white is the colour of the text, as it is on a dark
    /// background.
    pub colours: bool,
}

impl Screen {
    /// Standard output.
    pub fn of_stdout() -> Self {
        let stdout = io::stdout();
        if !stdout.is_terminal() {
            return Self::default();
        }
        let set = |name| std::env::var(name).is_ok_and(|value| !value.is_empty());
        let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let size = rustix::termios::tcgetwinsize(&stdout).ok();
        let columns = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
        let rows = size.map(|size| usize::from(size.ws_row)).filter(|rows| *rows > 0);
        Self { columns, rows, colours: !set("NO_COLOR") && !is_dumb }
    }

    /// What to say where a code and the prompt after it do not fit in one view.
    pub fn is_too_low(&self, code: &str) -> Option<String> {
        let needed = code.lines().count() + 1;
        let rows = self.rows.filter(|rows| *rows < needed)?;
        Some(format!(
            "the code takes {needed} lines, and {rows} are in view: make the window higher, or the \
             letters smaller"
        ))
    }
}

/// The code of a text, as lines.
///
/// # Errors
/// Where it does not fit, in words.
pub fn draw(text: &str, screen: &Screen) -> Result<String, String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L);
    let code = code.map_err(|error| error.to_string())?;
    let side = code.width() + 2 * QUIET;
    if let Some(columns) = screen.columns.filter(|columns| *columns < side) {
        return Err(format!(
            "it takes {side} columns, and there are {columns}: make the window wider"
        ));
    }
    let is_white = |x: usize, y: usize| {
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < code.width());
        inside(x).zip(inside(y)).is_none_or(|at| code[at] == Color::Light)
    };
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        if screen.colours {
            lines.push_str("\x1b[38;5;16;48;5;231m");
        }
        for x in 0..side {
            // The row below the last one belongs to nothing.
            let halves = (is_white(x, y), y + 1 >= side || is_white(x, y + 1));
            // With colours a mark is dark, without them it is white.
            let marked = (halves.0 != screen.colours, halves.1 != screen.colours);
            lines.push(match marked {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        if screen.colours {
            lines.push_str("\x1b[0m");
        }
        lines.push('\n');
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://192.168.178.21:2759/sign-in?code=0123456789abcdef0123456789abcdef";

    #[test]
    fn a_link_fits_into_a_usual_terminal_with_its_margin() {
        let code = draw(LINK, &Screen { columns: Some(80), ..Screen::default() }).unwrap();
        let lines: Vec<&str> = code.lines().collect();

        assert!(lines.len() <= 23, "{code}");
        let of_rows = |rows| Screen { rows, ..Screen::default() }.is_too_low(&code);
        assert_eq!((of_rows(Some(24)), of_rows(None)), (None, None));
        assert!(of_rows(Some(12)).is_some_and(|told| told.contains("and 12 are in view")));
        assert!(lines.iter().all(|line| line.chars().count() == lines[0].chars().count()));
        // White all around: four modules are two lines.
        for line in [lines[0], lines[1]] {
            assert!(line.chars().all(|it| it == '█'), "{code}");
        }
        assert!(lines.iter().all(|line| line.starts_with("████") && line.ends_with("████")));
        // The upper left eye.
        assert!(lines[2].starts_with("████ ▄▄▄▄▄ "), "{code}");
    }

    #[test]
    fn with_colours_it_is_dark_on_white_whatever_the_background() {
        let code = draw(LINK, &Screen { colours: true, ..Screen::default() }).unwrap();

        for line in code.lines() {
            assert!(
                line.starts_with("\x1b[38;5;16;48;5;231m    ") && line.ends_with("    \x1b[0m")
            );
        }
        assert!(code.lines().nth(2).unwrap().contains("    █▀▀▀▀▀█ "), "{code}");
    }

    #[test]
    fn where_it_does_not_fit_nothing_is_drawn() {
        let told = draw(LINK, &Screen { columns: Some(30), colours: true, ..Screen::default() });

        assert_eq!(
            told,
            Err("it takes 41 columns, and there are 30: make the window wider".to_owned())
        );
    }
}
