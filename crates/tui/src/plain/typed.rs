//! What was typed, as it was meant: a line that the terminal passed on, and one that will have no end.

use std::time::Duration;

use askwell_core::text::is_blank;

use super::{Entry, Plain};
use crate::dialog::{Phase, Screen};
use crate::event::{Effect, Event};

/// The longest line that a terminal passes on; it drops what comes after.
pub(crate) const LONGEST: usize = 4095;

/// The text of a line. One that the terminal has cut may end within a character.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(line) => Some(line),
        Err(error) if bytes.len() >= LONGEST && error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

/// A line as it was meant: an arrow key, which a terminal of lines can't make use of, is not text.
pub(crate) fn typed(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        let end = after.find(|c: char| ('\x40'..='\x7e').contains(&c));
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    out.push_str(rest);
    out.retain(|c| !c.is_control() || c == '\t');
    out
}

impl Plain {
    /// Whether what is typed now has no end of its line to come: this ends the dialog.
    pub fn is_ended_by(&self, event: &Event, now: Duration) -> bool {
        let ends = matches!(event, Event::Resolved(_) | Event::Expired | Event::Aborted { .. });
        self.dialog.phase == Phase::Open && self.takes_lines() && (ends || self.dialog.is_over(now))
    }

    /// What was typed and has no end: the part of it that is text is in the draft.
    pub fn half_line(&mut self, bytes: &[u8]) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut lines = bytes.split(|byte| *byte == b'\n').filter_map(text_of).map(typed);
        let half = lines.next_back().unwrap_or_default();
        for line in lines {
            if self.entry != Entry::Command {
                self.text_line(&line, &mut effects);
            }
        }
        match (self.entry, self.dialog.screen) {
            _ if is_blank(&half) || half == "." => {}
            (Entry::Text(index), _) => self.dialog.add_line(index, &half),
            (Entry::Comment, _) => self.dialog.add_comment_line(&half),
            (Entry::Command, Screen::Question(index)) if self.dialog.prompt.is_none() => {
                if let Some(text) = self.text_after_command(index, &half) {
                    self.dialog.add_line(index, &text);
                }
            }
            (Entry::Command, _) => {}
        }
        effects
    }
}
