//! What can be on a terminal by lines: a machine that takes lines and events, and says text.

use std::time::Duration;

use super::editing::ForEditor;
use crate::dialog::TextEditor;
use crate::event::{Effect, Event};
use crate::inbox::{InboxEffect, InboxEvent, PlainInbox};
use crate::plain::Plain;

pub(super) trait ByLine {
    type Event: From<Event> + Send + 'static;
    type Effect: ForEditor;

    fn set_columns(&mut self, columns: usize);
    /// Whether what was typed so far is to be thrown away before anything more is written.
    fn flushes(&mut self) -> bool;
    fn take_output(&mut self, typed_ahead: bool) -> String;
    fn takes_lines(&self) -> bool;
    fn next_tick(&self) -> Option<Duration>;
    fn line(&mut self, bytes: &[u8], now: Duration) -> Vec<Self::Effect>;
    fn end_of_input(&mut self, now: Duration) -> Vec<Self::Effect>;
    /// Whether a line that is being typed will have no end, since this ends what it is for.
    fn is_ended_by(&self, event: &Self::Event, now: Duration) -> bool;
    /// What was typed of such a line.
    fn half_line(&mut self, bytes: &[u8]) -> Vec<Self::Effect>;
    fn event(&mut self, event: Self::Event, now: Duration) -> Vec<Self::Effect>;
    /// The person's own editor.
    fn editor(&self) -> Option<&TextEditor>;
    /// The terminal was somebody else's meanwhile.
    fn resumed(&mut self);
}

macro_rules! by_line {
    ($machine:ty, $event:ty, $effect:ty) => {
        impl ByLine for $machine {
            type Event = $event;
            type Effect = $effect;

            fn set_columns(&mut self, columns: usize) {
                self.set_columns(columns);
            }

            fn flushes(&mut self) -> bool {
                self.flushes()
            }

            fn take_output(&mut self, typed_ahead: bool) -> String {
                self.take_output(typed_ahead)
            }

            fn takes_lines(&self) -> bool {
                self.takes_lines()
            }

            fn next_tick(&self) -> Option<Duration> {
                self.next_tick()
            }

            fn line(&mut self, bytes: &[u8], now: Duration) -> Vec<$effect> {
                self.line(bytes, now)
            }

            fn end_of_input(&mut self, now: Duration) -> Vec<$effect> {
                self.end_of_input(now)
            }

            fn is_ended_by(&self, event: &$event, now: Duration) -> bool {
                self.is_ended_by(event, now)
            }

            fn half_line(&mut self, bytes: &[u8]) -> Vec<$effect> {
                self.half_line(bytes)
            }

            fn event(&mut self, event: $event, now: Duration) -> Vec<$effect> {
                self.event(event, now)
            }

            fn editor(&self) -> Option<&TextEditor> {
                self.editor()
            }

            fn resumed(&mut self) {
                self.resumed();
            }
        }
    };
}

by_line!(Plain, Event, Effect);
by_line!(PlainInbox<'_>, InboxEvent, InboxEffect);
