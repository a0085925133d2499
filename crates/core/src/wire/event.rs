//! What a host tells to everybody who watches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answering, EventId, RequestId, RequestSummary, UnixMillis};
use crate::outcome::State;

/// Something that happened. `requested` and `resolved` come once each, in order, and carry an id
/// from which to resume; `draft` and `changed` are coalesced and carry none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A request waits for a person. (Read from the log it may have ended since: then `resolved`
    /// follows.)
    Requested {
        /// The place in the log.
        id: EventId,
        /// The request.
        request: Box<RequestSummary>,
    },
    /// A request ended.
    Resolved {
        /// The place in the log.
        id: EventId,
        /// The request.
        request: RequestId,
        /// How it ended.
        state: State,
    },
    /// A draft of the watching person was written.
    Draft {
        /// The request.
        request: RequestId,
        /// The revision of the whole draft.
        revision: u64,
    },
    /// A pending request stands otherwise than before; or, without one, who watches has changed.
    Changed {
        /// The request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<RequestId>,
        /// Since when its asker is away; absent: not away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        away_since: Option<UnixMillis>,
        /// When it expires; absent: never.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_at: Option<UnixMillis>,
        /// How many event streams of answerers are open.
        watching: u32,
        /// Another person who has begun to answer it, goes on, or has left it. Absent: this event
        /// tells of nobody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answering: Option<Answering>,
    },
}

impl Event {
    /// The place in the log, of an event that has one.
    pub fn id(&self) -> Option<EventId> {
        match self {
            Self::Requested { id, .. } | Self::Resolved { id, .. } => Some(*id),
            Self::Draft { .. } | Self::Changed { .. } => None,
        }
    }

    /// The request concerned.
    pub fn request(&self) -> Option<RequestId> {
        match self {
            Self::Requested { request, .. } => Some(request.id),
            Self::Resolved { request, .. } | Self::Draft { request, .. } => Some(*request),
            Self::Changed { request, .. } => *request,
        }
    }

    /// The word on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Requested { .. } => "requested",
            Self::Resolved { .. } => "resolved",
            Self::Draft { .. } => "draft",
            Self::Changed { .. } => "changed",
        }
    }
}

/// What an event stream brings.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery<E = Event> {
    /// The next event.
    Event(E),
    /// The stream can't be resumed where the reader was: read the list again. Events go on after
    /// this id.
    Resync(EventId),
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_are_tagged_by_kind() {
        let request = RequestId::mint(0, [0; 10]);
        let id = EventId { epoch: 1, number: 7 };
        let resolved = Event::Resolved { id, request, state: State::Answered };
        let changed = Event::Changed {
            request: None,
            away_since: None,
            deadline_at: None,
            watching: 2,
            answering: None,
        };

        let id = "0000000000000001-7";
        let expected =
            json!({"kind": "resolved", "id": id, "request": request, "state": "answered"});
        assert_eq!(serde_json::to_value(&resolved).unwrap(), expected);
        assert_eq!(serde_json::from_value::<Event>(expected).unwrap(), resolved);
        let expected = json!({"kind": "changed", "watching": 2});
        assert_eq!(serde_json::to_value(&changed).unwrap(), expected);
        assert_eq!(serde_json::from_value::<Event>(expected).unwrap(), changed);
    }
}
