//! Waiting for a person, over whatever happens to the host meanwhile.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use askwell_client::{Access, Client};
use askwell_core::wire::Inbox;
use askwell_core::{ErrorCode, State};
use pretty_assertions::assert_eq;

use crate::server::{Reply, Server};
use crate::{client, id, postgres, view};

#[test]
fn a_wait_goes_on_in_slices_until_it_ends() {
    let server = Server::start(|number, _| match number {
        0 | 1 => Reply::Json(200, view("pending", None)),
        _ => Reply::Json(200, view("answered", Some(postgres()))),
    });

    let got = client(&server).wait(id(), Duration::from_secs(3_600)).unwrap();

    assert_eq!(got.state, State::Answered);
    let line = format!("GET /api/v1/requests/{}?wait=25", id());
    assert_eq!(server.lines(), [line.clone(), line.clone(), line]);
}

#[test]
fn a_wait_that_runs_out_is_no_error() {
    let server = Server::start(|_, _| Reply::Json(200, view("pending", None)));

    let got = client(&server).wait(id(), Duration::ZERO).unwrap();

    assert_eq!(got.state, State::Pending);
    assert_eq!(server.lines(), [format!("GET /api/v1/requests/{}?wait=0", id())]);
}

#[test]
fn b076_a_wait_survives_a_host_that_is_killed_and_comes_back_elsewhere() {
    let first = Server::start(|number, _| match number {
        0 => Reply::Json(200, view("pending", None)),
        _ => Reply::Cut,
    });
    let access = |url| Access { url, token: None };
    let now = Arc::new(Mutex::new(access(first.url())));
    let located = Arc::clone(&now);
    let client = Client::new(move || Ok(located.lock().unwrap().clone()));
    let waiting = thread::spawn(move || client.wait(id(), Duration::from_secs(20)));
    while first.asked().len() < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    drop(first);

    let second = Server::start(|_, _| Reply::Json(200, view("answered", Some(postgres()))));
    *now.lock().unwrap() = access(second.url());

    assert_eq!(waiting.join().unwrap().unwrap().state, State::Answered);
}

#[test]
fn a_host_that_stays_away_is_told_when_the_wait_is_over() {
    let server = Server::start(|_, _| Reply::Cut);
    let start = Instant::now();

    let error = client(&server).wait(id(), Duration::from_millis(300)).unwrap_err();

    assert_eq!(error.code, ErrorCode::HostUnreachable);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn a_wait_that_is_cut_hangs_up_and_is_not_tried_again() {
    let server = Server::start(|_, _| Reply::Open(" ".to_owned()));
    let whole = client(&server);
    let (client, cut) = whole.apart();
    let waiting = thread::spawn(move || client.wait(id(), Duration::from_secs(3_600)));
    while server.asked().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }

    cut.cut();

    assert_eq!(waiting.join().unwrap().unwrap_err().code, ErrorCode::HostUnreachable);
    server.wait_hung_up();
    assert_eq!(server.asked().len(), 1);
}
