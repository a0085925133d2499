//! One helper that makes a whole situation: a dialog, keys in the notation of the test kit, a clock
//! that only the test moves, and the picture on a terminal of a given size.

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::messages::Lang;
use askwell_core::{Outcome, lenient, project};
use askwell_testkit::keys;
use askwell_tui::view::Renderer;
use askwell_tui::{Dialog, DialogOptions, Effect, Event, OfferedDraft, Pointer};
use ratatui::Terminal;
use ratatui::backend::{Backend, TestBackend};
use ratatui::buffer::Buffer;
use serde_json::Value;

pub const R1: &str = r#"{"questions":[{"id":"db","header":"DB","question":"Which database?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"},{"label":"DuckDB","description":"analytics"}]}]}"#;
pub const R2: &str = r#"{"questions":[{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"},{"label":"Audit"}]}]}"#;
pub const R3: &str = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}]},{"id":"feat","question":"Which features?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Search"},{"label":"Export"}]},{"id":"name","question":"Project name?"}]}"#;

pub struct Scenario {
    pub dialog: Dialog,
    renderer: Renderer,
    terminal: Terminal<TestBackend>,
    picture: Buffer,
    parser: termina::Parser,
    now: Duration,
    pub effects: Vec<Effect>,
    /// Whether answers are taken at once.
    pub accepts: bool,
    /// What becomes of drafts.
    pub saves: Result<(), String>,
}

impl Scenario {
    /// A dialog past the guard of early keys, at 80×24.
    pub fn asking(request: &str) -> Self {
        let mut scenario = Self::with(request, 80, 24, DialogOptions::default());
        scenario.wait(Duration::from_millis(400));
        scenario
    }

    /// The same at another size.
    pub fn at(request: &str, columns: u16, rows: u16) -> Self {
        let mut scenario = Self::with(request, columns, rows, DialogOptions::default());
        scenario.wait(Duration::from_millis(400));
        scenario
    }

    /// A dialog as it is at its first draw.
    pub fn with(request: &str, columns: u16, rows: u16, options: DialogOptions) -> Self {
        let request = lenient::request_from_json(request).unwrap();
        let mut scenario = Self {
            renderer: Renderer::new(&options),
            dialog: Dialog::new(request, options),
            terminal: Terminal::new(TestBackend::new(columns, rows)).unwrap(),
            picture: Buffer::default(),
            parser: termina::Parser::default(),
            now: Duration::ZERO,
            effects: Vec::new(),
            accepts: true,
            saves: Ok(()),
        };
        scenario.draw();
        scenario
    }

    pub fn offering(request: &str, states: Vec<DraftState>) -> Self {
        let entered = states.into();
        let offered = Some(OfferedDraft { entered, age: Duration::from_secs(600) });
        let options = DialogOptions { offered, ..DialogOptions::default() };
        let mut scenario = Self::with(request, 80, 24, options);
        scenario.wait(Duration::from_millis(400));
        scenario
    }

    pub fn chinese(request: &str) -> Self {
        let options = DialogOptions { lang: Lang::Zh, ..DialogOptions::default() };
        let mut scenario = Self::with(request, 80, 24, options);
        scenario.wait(Duration::from_millis(400));
        scenario
    }

    /// Keys, each in a read of its own, with time to see what it did.
    pub fn keys(&mut self, notation: &str) -> &mut Self {
        for key in keys::parse(notation) {
            self.now += Duration::from_millis(400);
            self.reads(&key.0);
        }
        self
    }

    /// Text typed key by key.
    pub fn types(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            self.now += Duration::from_millis(20);
            self.reads(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self
    }

    pub fn pastes(&mut self, text: &str) -> &mut Self {
        self.now += Duration::from_millis(20);
        self.reads(&keys::paste(text))
    }

    /// Keys in one read, as of a hand faster than the screen.
    pub fn reads(&mut self, bytes: &[u8]) -> &mut Self {
        self.parser.parse(bytes, false);
        while let Some(event) = self.parser.pop() {
            match event {
                termina::Event::Key(key) => self.event(Event::Key(key)),
                termina::Event::Paste(text) => self.event(Event::Paste(text)),
                _ => {}
            }
        }
        self.dialog.end_of_read();
        self.draw();
        self
    }

    pub fn event(&mut self, event: Event) {
        let effects = self.dialog.update(event, self.now);
        for effect in effects {
            self.effects.push(effect.clone());
            match effect {
                Effect::Submit(_) if self.accepts => self.event(Event::SubmitAccepted),
                Effect::SaveDraft(_) => self.event(Event::DraftSaved(self.saves.clone())),
                Effect::Merged(_)
                | Effect::Submit(_)
                | Effect::Extend
                | Effect::End(_)
                | Effect::OpenEditor { .. }
                | Effect::CloseEditor => {}
            }
        }
    }

    /// The mouse on this text of the picture, so many columns behind its start.
    pub fn points(&mut self, how: Pointer, text: &str, behind: usize) -> &mut Self {
        self.now += Duration::from_millis(400);
        let row = self.row_of(text);
        let line = self.row(row);
        let before = &line[..line.find(text).unwrap()];
        let column = askwell_core::text::width(before) + behind;
        let target = self.renderer.target(column.try_into().unwrap(), row.try_into().unwrap());
        self.event(Event::Pointed(target, how));
        self.dialog.end_of_read();
        self.draw();
        self
    }

    pub fn clicks(&mut self, text: &str) -> &mut Self {
        self.points(Pointer::Click, text, 0)
    }

    /// Time goes by in the steps that the dialog asks for.
    pub fn wait(&mut self, time: Duration) -> &mut Self {
        let end = self.now + time;
        while let Some(next) = self.dialog.next_tick().filter(|next| *next <= end) {
            self.now = next.max(self.now + Duration::from_millis(1)).min(end);
            self.event(Event::Tick);
            self.draw();
            if self.now == end {
                break;
            }
        }
        self.now = end;
        self.event(Event::Tick);
        self.draw();
        self
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.terminal.backend_mut().resize(columns, rows);
        self.event(Event::Resize);
        self.draw();
        self
    }

    pub fn draw(&mut self) {
        let mut viewport = self.dialog.viewport();
        let (renderer, dialog) = (&mut self.renderer, &self.dialog);
        let drawn = self.terminal.draw(|frame| viewport = renderer.draw(dialog, frame)).unwrap();
        // The backend keeps what stood under the second half of a wide character, as no terminal does.
        self.picture = drawn.buffer.clone();
        self.dialog.drawn(viewport, self.now);
    }

    /// What is on the screen, without the spaces at the ends of its rows.
    pub fn screen(&self) -> String {
        text_of(&self.picture)
    }

    pub fn row(&self, number: usize) -> String {
        self.screen().lines().nth(number).unwrap_or_default().to_owned()
    }

    /// The row on which `text` stands.
    pub fn row_of(&self, text: &str) -> usize {
        let screen = self.screen();
        let found = screen.lines().position(|row| row.contains(text));
        found.unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{screen}"))
    }

    pub fn shows(&self, text: &str) -> bool {
        self.screen().contains(text)
    }

    #[track_caller]
    pub fn assert_shows(&self, text: &str) -> &Self {
        assert!(self.shows(text), "{text:?} is not on the screen:\n{}", self.screen());
        self
    }

    #[track_caller]
    pub fn assert_lacks(&self, text: &str) -> &Self {
        assert!(!self.shows(text), "{text:?} is on the screen:\n{}", self.screen());
        self
    }

    /// Column and row of the hardware cursor.
    pub fn cursor(&mut self) -> (u16, u16) {
        let position = self.terminal.backend_mut().get_cursor_position().unwrap();
        (position.x, position.y)
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
            Some(outcome) => project::document(outcome, self.dialog.request().expires_in_seconds),
            None => panic!("still pending:\n{}", self.screen()),
        }
    }

    #[track_caller]
    pub fn assert_pending(&self) -> &Self {
        assert_eq!(self.outcome(), None, "{}", self.screen());
        self
    }
}

/// The text of a picture, without the spaces at the ends of its rows.
pub fn text_of(buffer: &Buffer) -> String {
    let rows = (0..buffer.area.height).map(|y| {
        let mut row = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                row.push_str(symbol);
                skip = askwell_core::text::width(symbol).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        row.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}
