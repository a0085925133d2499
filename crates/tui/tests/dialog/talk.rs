//! One helper that makes a whole conversation: lines in, what was written out, and the answer.

use std::time::Duration;

use askwell_core::{Outcome, lenient, project};
use askwell_tui::{Dialog, DialogOptions, Effect, Event, Plain};
use serde_json::Value;

pub struct Talk {
    pub plain: Plain,
    /// All that stands on the terminal, what was typed too.
    pub page: String,
    /// What was written since the last line.
    pub said: String,
    pub now: Duration,
    pub effects: Vec<Effect>,
    /// How often what was typed before was thrown away.
    pub flushed: usize,
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
            page: String::new(),
            said: String::new(),
            now: Duration::ZERO,
            effects: Vec::new(),
            flushed: 0,
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
        self.page.push_str(&String::from_utf8_lossy(line));
        self.page.push('\n');
        self.said.clear();
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
        self.flushed += usize::from(self.plain.flushes());
        let text = self.plain.take_output(false);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        self.page.push_str(&text);
        self.said.push_str(&text);
    }

    #[track_caller]
    pub fn assert_said(&self, text: &str) -> &Self {
        assert!(self.said.contains(text), "{text:?} was not said:\n{}", self.page);
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
