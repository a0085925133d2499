//! `askwell ask --via inbox`: the host has the request, and whoever looks at its inbox answers.
//!
//! Invariants: a signal withdraws; a process that is killed leaves the request to be answered.

use std::env::current_dir;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use askwell::inbox::wire::{Asked, IdempotencyKey, Inbox as _, Posting, Role};
use askwell::inbox::{Client, InboxProvider};
use askwell::{Asker, Cancel, Outcome, State, ValidRequest, limits};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::signal_name;

use super::ask::{self, Output};
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// How it is posted.
#[derive(Debug, Clone)]
pub struct Posted {
    /// Whether this program leaves.
    pub detach: bool,
    /// An idempotency key.
    pub key: Option<String>,
}

impl Posted {
    /// Whether only a host can do that.
    pub fn needs_inbox(&self) -> bool {
        self.detach || self.key.is_some()
    }
}

/// Posts the request, and waits for its outcome.
pub fn ask(
    request: &ValidRequest,
    posted: Posted,
    start: Start,
    output: Output,
) -> Result<Exit, Failure> {
    let request = &with_folder(request);
    let client = hosts::client(Role::Asker, start)?;
    let mut posting = Posting { attach: !posted.detach, key: None };
    if let Some(key) = posted.key {
        let key = IdempotencyKey::explicit(key)
            .map_err(|bad| Failure::usage(bad.to_string()).hint("it comes from --key"))?;
        posting = posting.with_key(key);
    }
    // Before it is posted: a signal in between must not leave a request that nobody waits for.
    let cancel = Cancel::new();
    if posting.attach {
        withdraw_by_signals(&cancel)?;
    }
    let asked = match post(&client, request, posting, &cancel)? {
        Some(asked) => asked,
        None => {
            report::note(
                "the host did not answer, so the request may still be shown; askwell list shows \
                 what waits, askwell abort ID withdraws it",
            );
            let reason = cancel.reason().unwrap_or_default();
            let outcome = Outcome::Aborted { reason };
            ask::deliver(&outcome, request.expires_in_seconds, output)?;
            return Ok(Exit::Aborted);
        }
    };
    if let Some(note) = &asked.note {
        report::note(note);
    }
    if posted.detach {
        report::deliver(format!("{}\n", asked.id).as_bytes())?;
        return Ok(Exit::Success);
    }
    if asked.state == State::Pending {
        tell_waiting(&asked);
    }
    let stayed = InboxProvider::new(client)
        .stay(asked.id, request, &cancel)
        .map_err(|error| Failure::new(Exit::Failure, error.to_string()))?;
    if !stayed.told {
        let id = asked.id;
        report::note(&format!(
            "the host could not be told, so the request may still be shown; withdraw it with: \
             askwell abort {id}"
        ));
    }
    ask::deliver(&stayed.outcome, stayed.expires_in_seconds, output)?;
    Ok(Exit::from(&stayed.outcome))
}

/// Posts the request; nothing where a signal came and the host does not answer.
fn post(
    client: &Client,
    request: &ValidRequest,
    posting: Posting,
    cancel: &Cancel,
) -> Result<Option<Asked>, Failure> {
    let (tell, hear) = channel();
    let told = tell.clone();
    let _leaving = cancel.on_cancel(move |_| {
        let told = told.clone();
        // It may arrive all the same, and be withdrawn then.
        std::thread::spawn(move || {
            std::thread::sleep(LAST_POST);
            told.send(None)
        });
    });
    let (client, request) = (client.clone(), request.clone());
    std::thread::spawn(move || tell.send(Some(client.ask(&request, &posting))));
    match hear.recv() {
        Ok(Some(Ok(asked))) => Ok(Some(asked)),
        // What it is that failed does not matter to who wants to leave.
        Ok(Some(Err(_))) if cancel.is_cancelled() => Ok(None),
        Ok(Some(Err(error))) => Err(error.into()),
        Ok(None) | Err(_) => Ok(None),
    }
}

/// How long after a signal a request that is being posted is waited for, to be withdrawn.
const LAST_POST: Duration = Duration::from_millis(700);

fn tell_waiting(asked: &Asked) {
    let id = asked.id;
    let joined = if asked.joined { " (asked before with the same key)" } else { "" };
    report::note(&format!("waiting for an answer to {id}{joined}"));
    if let Some(url) = &asked.url {
        report::note(&format!("open {url}"));
    }
    report::note(&format!("or: askwell open {id}, askwell answer {id}"));
    if asked.watching == 0 {
        report::note("nobody is watching the inbox right now");
    }
}

/// A person at an inbox sees from where it was asked.
fn with_folder(request: &ValidRequest) -> ValidRequest {
    let Ok(folder) = current_dir() else { return request.clone() };
    let folder = folder.to_string_lossy().into_owned();
    if folder.len() > limits::ASKER {
        return request.clone();
    }
    let mut with = request.clone().into_inner();
    with.asker.get_or_insert_with(Asker::default).cwd.get_or_insert(folder);
    with.validate().unwrap_or_else(|_| request.clone())
}

/// How long after the first signal a second one is meant.
const AGAIN: Duration = Duration::from_secs(3);

/// SIGINT, SIGTERM and SIGHUP withdraw; one more, a while later, ends at once.
fn withdraw_by_signals(cancel: &Cancel) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Exit::Failure, format!("signals can't be caught: {error}"))
    };
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(failed)?;
    let cancel = cancel.clone();
    let thread = std::thread::Builder::new().name("signals".into());
    let caught = thread.spawn(move || {
        let mut first = None;
        for signal in signals.forever() {
            // Some send one to the program and to its group: two at once are one.
            match first {
                Some(first) if Instant::elapsed(&first) < AGAIN => continue,
                Some(_) => signal_hook::low_level::exit(Exit::Aborted as i32),
                None => first = Some(Instant::now()),
            }
            let name = signal_name(signal).unwrap_or("unknown");
            cancel.cancel(format!("a signal ({name})"));
        }
    });
    caught.map(drop).map_err(failed)
}
