//! One helper that makes a whole conversation: lines in, what was written out, and the answer.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use askwell_core::{Outcome, lenient, project};
use askwell_tui::{Dialog, DialogOptions, Effect, Event, Plain};
use serde_json::Value;

/// What stands on a terminal of lines.
#[derive(Default)]
pub struct Sheet {
    /// All of it, what was typed too.
    pub page: String,
    /// What was written since the last line.
    pub said: String,
    /// How often what was typed before was thrown away.
    pub flushed: usize,
}

impl Sheet {
    /// A line is typed.
    pub fn line(&mut self, line: &str) {
        self.page.push_str(line);
        self.page.push('\n');
        self.said.clear();
    }

    /// The program writes this: text and line ends, and nothing else.
    pub fn write(&mut self, flushes: bool, text: &str) {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        self.flushed += usize::from(flushes);
        self.page.push_str(text);
        self.said.push_str(text);
    }

    #[track_caller]
    pub fn assert_said(&self, text: &str) {
        assert!(self.said.contains(text), "{text:?} was not said:\n{}", self.page);
    }
}

pub struct Talk {
    pub plain: Plain,
    sheet: Sheet,
    pub now: Duration,
    pub effects: Vec<Effect>,
    /// Whether answers are taken at once.
    pub accepts: bool,
}

impl Talk {
    pub fn about(request: &str) -> Self {
        Self::with(request, 80, DialogOptions::default())
    }

    pub fn with(request: &str, columns: usize, options: DialogOptions) -> Self {
        let request = lenient::request_from_json(request).unwrap();
        let mut talk = Self {
            plain: Plain::new(Dialog::new(request, options), columns),
            sheet: Sheet::default(),
            now: Duration::ZERO,
            effects: Vec::new(),
            accepts: true,
        };
        talk.write();
        talk
    }

    /// Lines, each with its end.
    pub fn types(&mut self, lines: &str) -> &mut Self {
        for line in lines.split('\n') {
            self.bytes(line.as_bytes());
        }
        self
    }

    pub fn bytes(&mut self, line: &[u8]) -> &mut Self {
        self.now += Duration::from_millis(100);
        self.sheet.line(&String::from_utf8_lossy(line));
        let effects = self.plain.line(line, self.now);
        self.carry_out(effects);
        self
    }

    pub fn ends_input(&mut self) -> &mut Self {
        self.said.clear();
        let effects = self.plain.end_of_input(self.now);
        self.carry_out(effects);
        self
    }

    pub fn event(&mut self, event: Event) -> &mut Self {
        self.said.clear();
        let effects = self.plain.event(event, self.now);
        self.carry_out(effects);
        self
    }

    pub fn waits(&mut self, time: Duration) -> &mut Self {
        self.now += time;
        self.event(Event::Tick)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        self.write();
        for effect in effects {
            self.effects.push(effect.clone());
            let follows = match effect {
                Effect::Submit(_) if self.accepts => Event::SubmitAccepted,
                Effect::SaveDraft(_) => Event::DraftSaved(Ok(())),
                _ => continue,
            };
            let effects = self.plain.event(follows, self.now);
            self.carry_out(effects);
        }
    }

    fn write(&mut self) {
        self.sheet.write(self.plain.flushes(), &self.plain.take_output(false));
    }

    #[track_caller]
    pub fn assert_said(&self, text: &str) -> &Self {
        self.sheet.assert_said(text);
        self
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::End(outcome) => Some(outcome),
            _ => None,
        })
    }

    /// The document that the asker gets.
    #[track_caller]
    pub fn answer(&self) -> Value {
        match self.outcome() {
            Some(outcome) => project::document(outcome, None),
            None => panic!("still pending:\n{}", self.page),
        }
    }

    #[track_caller]
    pub fn assert_pending(&self) -> &Self {
        assert_eq!(self.outcome(), None, "{}", self.page);
        self
    }
}

impl Deref for Talk {
    type Target = Sheet;

    fn deref(&self) -> &Sheet {
        &self.sheet
    }
}

impl DerefMut for Talk {
    fn deref_mut(&mut self) -> &mut Sheet {
        &mut self.sheet
    }
}
