//! The event stream: what happens, as server-sent events.
//!
//! Owns their form on the wire and the signs of life; what is told to whom, once and in order, is the
//! host's. A stream is pulled: nothing is made for a client that does not read.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use schemars::{Schema, SchemaGenerator, json_schema};
use tokio::time::{Instant, Sleep, sleep};

use askwell_core::wire::{Delivery, Event, EventId};
use askwell_host::{Subscription, Told};

use crate::app::App;
use crate::failure::Failure;
use crate::operation::{Call, Reply};
use crate::params::EventParams;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// How soon a page comes back, and a first sign that the stream is open.
const GREETING: &[u8] = b"retry: 1000\n: connected\n\n";
const SIGN_OF_LIFE: &[u8] = b": keep-alive\n\n";
const ALIVE: &[u8] = b"event: alive\ndata: {}\n\n";

/// An open stream.
pub(crate) struct Events {
    subscription: Subscription,
    sign_of_life: &'static [u8],
}

impl Reply for Events {
    const STATUSES: &'static [(u16, &'static str)] = &[(
        200,
        "A stream of `requested`, `resolved`, `draft` and `changed` (data: an Event), and `resync` \
         (data: the id after which the stream goes on).",
    )];
    const MEDIA_TYPE: &'static str = "text/event-stream";

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let event = generator.subschema_for::<Event>();
        json_schema!({"type": "string", "contentMediaType": "application/json", "contentSchema": event})
    }

    fn into_response(self, app: &App) -> Result<Response, Failure> {
        let mut response = Response::new(self.body(app));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Self::MEDIA_TYPE));
        // A proxy must not wait until there is more of it.
        let name = HeaderName::from_static("x-accel-buffering");
        headers.insert(name, HeaderValue::from_static("no"));
        Ok(response)
    }
}

pub(crate) async fn events(call: Call<(), EventParams, ()>) -> Result<Events, Failure> {
    let Call { app, caller, query, headers, .. } = call;
    let after = match headers.get(LAST_EVENT_ID) {
        // A page sends what it was sent. What is no id of ours is one from which nothing can be
        // resumed: an error would stop the page for ever, a resync makes it read the list.
        Some(id) => Some(
            id.to_str()
                .ok()
                .and_then(|id| id.parse().ok())
                .unwrap_or(EventId { epoch: 0, number: 0 }),
        ),
        None => query.after,
    };
    let sign_of_life = if query.alive { ALIVE } else { SIGN_OF_LIFE };
    Ok(Events { subscription: app.host.subscribe(&caller, after)?, sign_of_life })
}

struct Stream {
    subscription: Subscription,
    sign_of_life: &'static [u8],
    alive: Pin<Box<Sleep>>,
    keep_alive: Duration,
}

impl Events {
    fn body(self, app: &App) -> Body {
        let Self { subscription, sign_of_life } = self;
        let keep_alive = app.limits.keep_alive;
        let alive = Box::pin(sleep(keep_alive));
        let open = Stream { subscription, sign_of_life, alive, keep_alive };
        let events = stream::unfold((open, true), |(mut open, first)| async move {
            let bytes = match first {
                true => Bytes::from_static(GREETING),
                false => open.next().await?,
            };
            Some((Ok::<_, Infallible>(bytes), (open, false)))
        });
        Body::from_stream(events)
    }
}

impl Stream {
    /// `None` where the credential was revoked or the host stops.
    async fn next(&mut self) -> Option<Bytes> {
        let bytes = tokio::select! {
            biased;
            delivery = self.subscription.next() => encode(&delivery.ok()?),
            () = &mut self.alive => Bytes::from_static(self.sign_of_life),
        };
        self.alive.as_mut().reset(Instant::now() + self.keep_alive);
        Some(bytes)
    }
}

fn encode(delivery: &Delivery<Arc<Told>>) -> Bytes {
    let text = match delivery {
        Delivery::Event(told) => block(told.event().kind(), told.event().id(), told.json()),
        Delivery::Resync(id) => block("resync", Some(*id), &format!("{{\"id\":\"{id}\"}}")),
    };
    text.into()
}

/// One event. JSON text holds no line end of its own.
fn block(kind: &str, id: Option<EventId>, data: &str) -> String {
    match id {
        Some(id) => format!("event: {kind}\nid: {id}\ndata: {data}\n\n"),
        None => format!("event: {kind}\ndata: {data}\n\n"),
    }
}
