//! What can be on a terminal: a machine that takes events, and a picture of it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use ratatui::Frame;

use super::editing::ForEditor;
use crate::dialog::{Dialog, TextEditor, Viewport};
use crate::event::{Effect, Event};
use crate::inbox::{Inbox, InboxEffect, InboxEvent, InboxViewport};
use crate::view::Renderer;

pub(super) trait Shown {
    type Event: From<Event> + Send + 'static;
    type Effect: ForEditor;
    type Viewport;

    fn renderer(&self) -> Renderer;
    fn panics_on_draw(&self) -> bool;
    /// The rows that it takes below the prompt; none where it wants the whole screen, or more rows
    /// than `most`.
    fn rows_wanted(&self, renderer: &mut Renderer, columns: u16, most: u16) -> Option<u16>;
    /// Whether the mouse is the terminal's.
    fn leaves_mouse(&self) -> bool;
    /// The person's own editor.
    fn editor(&self) -> Option<&TextEditor>;
    fn update(&mut self, event: Self::Event, now: Duration) -> Vec<Self::Effect>;
    fn end_of_read(&mut self);
    fn next_tick(&self) -> Option<Duration>;
    /// What is on the screen as a whole: another one shares nothing with it.
    fn scene(&self) -> u64;
    /// It is about to be drawn.
    fn prepare(&mut self);
    fn draw(&self, renderer: &mut Renderer, frame: &mut Frame<'_>) -> Self::Viewport;
    fn drawn(&mut self, viewport: Self::Viewport, now: Duration);
}

impl Shown for Dialog {
    type Event = Event;
    type Effect = Effect;
    type Viewport = Viewport;

    fn renderer(&self) -> Renderer {
        Renderer::new(self.options())
    }

    fn panics_on_draw(&self) -> bool {
        self.options().panic_on_draw
    }

    fn rows_wanted(&self, renderer: &mut Renderer, columns: u16, most: u16) -> Option<u16> {
        self.options().in_place.then(|| renderer.rows_wanted(self, columns, most)).flatten()
    }

    fn leaves_mouse(&self) -> bool {
        self.options().no_mouse
    }

    fn editor(&self) -> Option<&TextEditor> {
        self.options().editor.as_ref()
    }

    fn update(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        self.update(event, now)
    }

    fn end_of_read(&mut self) {
        self.end_of_read();
    }

    fn next_tick(&self) -> Option<Duration> {
        self.next_tick()
    }

    fn scene(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.scene().hash(&mut hasher);
        hasher.finish()
    }

    fn prepare(&mut self) {}

    fn draw(&self, renderer: &mut Renderer, frame: &mut Frame<'_>) -> Viewport {
        renderer.draw(self, frame)
    }

    fn drawn(&mut self, viewport: Viewport, now: Duration) {
        self.drawn(viewport, now);
    }
}

impl Shown for Inbox {
    type Event = InboxEvent;
    type Effect = InboxEffect;
    type Viewport = InboxViewport;

    fn renderer(&self) -> Renderer {
        Renderer::of_inbox(self)
    }

    fn panics_on_draw(&self) -> bool {
        self.options().panic_on_draw
    }

    /// It has a list that grows.
    fn rows_wanted(&self, _: &mut Renderer, _: u16, _: u16) -> Option<u16> {
        None
    }

    fn leaves_mouse(&self) -> bool {
        self.options().no_mouse
    }

    fn editor(&self) -> Option<&TextEditor> {
        self.options().editor.as_ref()
    }

    fn update(&mut self, event: InboxEvent, now: Duration) -> Vec<InboxEffect> {
        self.update(event, now)
    }

    fn end_of_read(&mut self) {
        self.end_of_read();
    }

    fn next_tick(&self) -> Option<Duration> {
        self.next_tick()
    }

    fn scene(&self) -> u64 {
        self.scene()
    }

    fn prepare(&mut self) {
        self.prepare();
    }

    fn draw(&self, renderer: &mut Renderer, frame: &mut Frame<'_>) -> InboxViewport {
        renderer.draw_inbox(self, frame)
    }

    fn drawn(&mut self, viewport: InboxViewport, now: Duration) {
        self.drawn(viewport, now);
    }
}
