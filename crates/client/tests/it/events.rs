//! Following what happens, over connections that break.

use std::time::Duration;

use askwell_core::wire::{Delivery, Event, EventId, Inbox, RequestId};
use askwell_core::{ErrorCode, State};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::server::{Reply, Server};
use crate::{client, problem};

const SOON: Duration = Duration::from_secs(5);

fn at(number: u64) -> EventId {
    EventId { epoch: 1, number }
}

fn resolved(number: u64) -> Event {
    let request = RequestId::mint(number, [0; 10]);
    Event::Resolved { id: at(number), request, state: State::Answered }
}

fn frame(event: &Event) -> String {
    let id = event.id().unwrap();
    format!("id: {id}\nevent: {}\ndata: {}\n\n", event.kind(), json!(event))
}

#[test]
fn events_go_on_from_the_last_one_after_a_connection_that_broke() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Broken(format!(": hello\n\n{}{}", frame(&resolved(5)), "id: torn")),
        1 => Reply::Cut,
        _ => Reply::Open(frame(&resolved(6))),
    });

    let mut events = client(&server).events(Some(at(4))).unwrap();
    let got = [events.next(SOON).unwrap(), events.next(SOON).unwrap()];

    assert_eq!(got, [5, 6].map(|number| Some(Delivery::Event(resolved(number)))));
    let ids: Vec<_> = server
        .asked()
        .iter()
        .map(|call| call.header("last-event-id").unwrap().to_owned())
        .collect();
    assert_eq!(ids, [at(4).to_string(), at(5).to_string(), at(5).to_string()]);
    assert_eq!(events.next(Duration::from_millis(50)), Ok(None));
}

#[test]
fn from_now_on_is_a_place_in_the_log() {
    let server = Server::start(|_, call| match call.line.contains("/events") {
        true => Reply::Open(frame(&resolved(10))),
        false => Reply::Json(200, json!({"requests": [], "eventId": at(9), "now": 0})),
    });

    let mut events = client(&server).events(None).unwrap();

    assert_eq!(events.next(SOON).unwrap(), Some(Delivery::Event(resolved(10))));
    assert_eq!(server.asked()[1].header("last-event-id"), Some(at(9).to_string().as_str()));
}

#[test]
fn a_resync_is_handed_on_and_gone_on_from() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Broken(format!("event: resync\ndata: {{\"eventId\":\"{}\"}}\n\n", at(40))),
        _ => Reply::Open(frame(&resolved(41))),
    });

    let mut events = client(&server).events(Some(at(1))).unwrap();

    assert_eq!(events.next(SOON).unwrap(), Some(Delivery::Resync(at(40))));
    assert_eq!(events.next(SOON).unwrap(), Some(Delivery::Event(resolved(41))));
    assert_eq!(server.asked()[1].header("last-event-id"), Some(at(40).to_string().as_str()));
}

#[test]
fn a_revoked_credential_ends_the_stream() {
    let server = Server::start(|number, _| match number {
        0 => Reply::Broken(frame(&resolved(5))),
        _ => Reply::Json(401, problem("UNAUTHORIZED", 401)),
    });

    let mut events = client(&server).events(Some(at(4))).unwrap();
    assert_eq!(events.next(SOON).unwrap(), Some(Delivery::Event(resolved(5))));

    assert_eq!(events.next(SOON).unwrap_err().code, ErrorCode::Unauthorized);
}

#[test]
fn a_stream_that_is_dropped_hangs_up_at_once() {
    let server = Server::start(|_, _| Reply::Open(": hello\n\n".to_owned()));

    let events = client(&server).events(Some(at(4))).unwrap();
    drop(events);

    server.wait_hung_up();
}
