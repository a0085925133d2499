//! The screen as markup for a browser, to be looked at by people: text, colours, attributes and the
//! cursor, a `span` for each run of cells that look the same.

use std::fmt::Write as _;

use vt100::{Cell, Color};

use super::TestTerminal;

/// The first sixteen colours, for a light ground.
const COLOURS: [&str; 16] = [
    "#24292f", "#b31d28", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b7c83", "#57606a",
    "#57606a", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#a475f9", "#3192aa", "#24292f",
];

impl TestTerminal {
    /// What is on the screen, as the inside of a `pre`.
    pub fn markup(&self) -> String {
        let state = self.shared.lock();
        let screen = state.parser.screen();
        let (rows, columns) = screen.size();
        let cursor = screen.cursor_position();
        let mut markup = String::new();
        for row in 0..rows.get() {
            let mut open = String::new();
            for column in 0..columns.get() {
                let Some(cell) = screen.cell(row, column) else { continue };
                if cell.is_wide_continuation() {
                    continue;
                }
                let shown = !screen.hide_cursor() && cursor == (row, column);
                let style = style(cell, shown);
                if style != open {
                    let end = if open.is_empty() { "" } else { "</span>" };
                    let start = if style.is_empty() { "" } else { "<span style=\"" };
                    let rest = if style.is_empty() { "" } else { "\">" };
                    write!(markup, "{end}{start}{style}{rest}").unwrap();
                    open = style;
                }
                let text = if cell.has_contents() { cell.contents() } else { " " };
                markup.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
            }
            markup.push_str(if open.is_empty() { "\n" } else { "</span>\n" });
        }
        markup
    }
}

fn style(cell: &Cell, cursor: bool) -> String {
    let (mut front, mut ground) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
    if cell.inverse() != cursor {
        let swapped = front.unwrap_or_else(|| COLOURS[0].to_owned());
        front = Some(ground.unwrap_or_else(|| "#fff".to_owned()));
        ground = Some(swapped);
    }
    let colours = [("color", front), ("background", ground)];
    let colours =
        colours.into_iter().filter_map(|(name, value)| Some(format!("{name}:{}", value?)));
    let attributes = [
        (cell.bold(), "font-weight:bold"),
        (cell.dim(), "opacity:.7"),
        (cell.italic(), "font-style:italic"),
        (cell.underline(), "text-decoration:underline"),
    ];
    let attributes = attributes.iter().filter(|(is, _)| *is).map(|(_, style)| (*style).to_owned());
    colours.chain(attributes).collect::<Vec<_>>().join(";")
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Idx(index) => {
            let grey =
                || format!("rgb({0} {0} {0})", 8 + 10 * u32::from(index.saturating_sub(232)));
            Some(COLOURS.get(usize::from(index)).map_or_else(grey, |it| (*it).to_owned()))
        }
        Color::Rgb(red, green, blue) => Some(format!("rgb({red} {green} {blue})")),
    }
}
