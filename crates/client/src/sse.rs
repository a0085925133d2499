//! The form of a server-sent event stream. Pure: lines in, frames out.

use askwell_core::wire::{Delivery, Event, EventId};
use serde_json::Value;

/// What came between two blank lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) event: String,
    pub(crate) id: Option<String>,
    pub(crate) data: String,
}

/// Puts frames together.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    frame: Frame,
    lines: usize,
}

impl Parser {
    /// Takes a line without its end; the frame that it completes.
    pub(crate) fn line(&mut self, line: &str) -> Option<Frame> {
        if line.is_empty() {
            let complete = std::mem::take(self);
            return (complete.lines > 0 || complete.frame.id.is_some()).then_some(complete.frame);
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.frame.event),
            "id" => self.frame.id = Some(value.to_owned()),
            "data" => {
                if self.lines > 0 {
                    self.frame.data.push('\n');
                }
                self.frame.data.push_str(value);
                self.lines += 1;
            }
            // A comment, which keeps the connection alive, or what we do not know.
            _ => {}
        }
        None
    }
}

/// What a frame says: the delivery, and the place in the log from which to go on.
#[derive(Debug, PartialEq)]
pub(crate) struct Heard {
    pub(crate) delivery: Option<Delivery>,
    pub(crate) id: Option<EventId>,
}

impl From<Frame> for Heard {
    fn from(frame: Frame) -> Self {
        let id = frame.id.as_deref().and_then(|id| id.parse().ok());
        if frame.event == "resync" {
            let id = id.or_else(|| id_in(&frame.data));
            return Self { delivery: id.map(Delivery::Resync), id };
        }
        // One of a kind that we do not know has nothing to say to us, but has its place.
        let event: Option<Event> = serde_json::from_str(&frame.data).ok();
        let id = event.as_ref().and_then(Event::id).or(id);
        Self { delivery: event.map(Delivery::Event), id }
    }
}

/// The id in the data of a resync: itself, or in an object.
fn id_in(data: &str) -> Option<EventId> {
    let value = serde_json::from_str(data).unwrap_or_else(|_| Value::from(data));
    let id = value.get("eventId").or_else(|| value.get("id")).unwrap_or(&value);
    id.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use askwell_core::State;
    use askwell_core::wire::RequestId;
    use pretty_assertions::assert_eq;

    use super::*;

    fn heard(text: &str) -> Vec<Heard> {
        let mut parser = Parser::default();
        text.lines().filter_map(|line| parser.line(line)).map(Heard::from).collect()
    }

    fn id(number: u64) -> EventId {
        EventId { epoch: 1, number }
    }

    #[test]
    fn a_stream_is_read_with_its_ids_and_without_its_noise() {
        let request = RequestId::mint(0, [0; 10]);
        let text = format!(
            ": keep\n\nretry: 1000\n\nid: {0}\nevent: resolved\ndata: {{\"kind\":\"resolved\",\ndata: \
             \"id\":\"{0}\",\"request\":\"{request}\",\"state\":\"expired\"}}\n\nevent: new\nid: \
             {1}\ndata: {{\"kind\":\"new\"}}\n\nevent: resync\ndata: {{\"eventId\":\"{2}\"}}\n\n",
            id(1),
            id(2),
            id(9)
        );

        let resolved = Event::Resolved { id: id(1), request, state: State::Expired };
        assert_eq!(
            heard(&text),
            [
                Heard { delivery: Some(Delivery::Event(resolved)), id: Some(id(1)) },
                Heard { delivery: None, id: Some(id(2)) },
                Heard { delivery: Some(Delivery::Resync(id(9))), id: Some(id(9)) },
            ]
        );
    }

    #[test]
    fn a_resync_names_its_place_in_whichever_way() {
        for text in [
            format!("event: resync\nid: {}\ndata: {{}}\n\n", id(7)),
            format!("event: resync\ndata: {}\n\n", id(7)),
            format!("event: resync\ndata: \"{}\"\n\n", id(7)),
        ] {
            let resync = Heard { delivery: Some(Delivery::Resync(id(7))), id: Some(id(7)) };
            assert_eq!(heard(&text), [resync], "{text}");
        }
    }
}
