//! The inbox as a provider of the library.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use askwell::inbox::wire::{IdempotencyKey, Inbox as _, ListQuery, NewCredential, Role};
use askwell::inbox::{Client, InboxProvider, Local, Place};
use askwell::{AskError, Askwell, Cancel, Outcome, Question, Request, ValidRequest};
use askwell_host::{Caller, Config, ManualClock, Timers};
use askwell_store::SqliteStore;
use askwell_testkit::deadline;
use pretty_assertions::assert_eq;

use super::{Host, Program};
use crate::cli::examples::example;

fn inbox(host: &Host) -> InboxProvider {
    let place = Place::new(host.askwell.state().join("askwell"));
    InboxProvider::new(Client::new(Local::new(place, Role::Asker)))
}

fn request() -> ValidRequest {
    let question = Question::new("db", "Which database?").option("Postgres").option("SQLite");
    Request::new([question]).validate().unwrap()
}

#[test]
fn ask_waits_for_whoever_answers() {
    let host = Host::start();
    let service = Askwell::new().with(inbox(&host)).unwrap();
    let asking = thread::spawn(move || service.ask(&request(), &Cancel::new()));

    let id = host.next_waiting();
    assert_eq!(host.run(["answer", &id, "--custom", "DuckDB"]).code(), 0);

    let answers = asking.join().unwrap().unwrap();
    assert_eq!(answers.as_slice()[0].custom.as_deref(), Some("DuckDB"));
}

#[test]
fn b008_b075_a_caller_that_cancels_withdraws() {
    let host = Host::start();
    let (service, cancel) = (Askwell::new().with(inbox(&host)).unwrap(), Cancel::new());
    let token = cancel.clone();
    let asking = thread::spawn(move || service.ask(&request(), &token));
    let id = host.next_waiting();

    cancel.cancel("the user wrote a new message");

    let reason = "the user wrote a new message".to_owned();
    assert_eq!(asking.join().unwrap(), Err(AskError::Aborted { reason }));
    assert_eq!(host.show(&id)["request"]["state"], "aborted");
}

#[test]
fn an_id_is_enough_to_come_back_for_the_outcome() {
    let host = Host::start();
    let asked = inbox(&host).post(&request()).unwrap();
    let later = inbox(&host);
    assert_eq!(later.outcome(asked.id, &request(), Duration::ZERO), Ok(None));

    host.run(["cancel", &asked.id.to_string(), "--comment", "not now"]);

    let cancelled = Outcome::Cancelled { comment: Some("not now".to_owned()) };
    assert_eq!(later.outcome(asked.id, &request(), Duration::from_secs(5)), Ok(Some(cancelled)));
    assert_eq!(later.withdraw(asked.id, "nobody"), Ok(()));
    let place = Place::new(host.askwell.root().join("nowhere"));
    let nowhere = InboxProvider::new(Client::new(Local::new(place, Role::Asker)));
    let error = nowhere.post(&request()).unwrap_err();
    assert_eq!(error.code().as_str(), "NO_PROVIDER");
}

#[test]
fn a_service_asks_leaves_and_comes_back_for_the_decision() {
    let host = Host::start();
    let mut service = Program::beside(&host.askwell, &example("service"));
    let address = service.line();
    let curl = |more: &str| {
        host.askwell.run_shell(&format!("curl -sS -w ' %{{http_code}}' {more}")).stdout
    };

    let started = curl(&format!("-X POST {address}/releases/1.4"));
    let id = host.next_waiting();
    let decision = format!("/releases/1.4/{id}");
    assert_eq!(started, format!("{{\"decision\":\"{decision}\"}} 202"));
    assert_eq!(curl(&format!("-X POST {address}/releases/1.4")), started);

    // Another one, which has not asked itself.
    drop(service);
    let mut service = Program::beside(&host.askwell, &example("service"));
    let address = service.line();
    host.run(["answer", &id, "--select", "Docs", "--custom", "the blog"]);

    let decided = curl(&format!("{address}{decision}"));
    assert_eq!(decided, r#"{"ship":["Docs"],"also":"the blog"} 200"#);
}

#[test]
fn what_the_host_refuses_keeps_its_code() {
    let host = Host::start();
    let inbox = inbox(&host).with_key(IdempotencyKey::explicit("deploy").unwrap());
    inbox.post(&request()).unwrap();

    let other = Request::new([Question::new("name", "Project name?")]).validate().unwrap();

    assert_eq!(inbox.post(&other).unwrap_err().code().as_str(), "KEY_CONFLICT");
}

/// A host in this process, whose time is the test's.
#[test]
fn b021_an_expiry_names_the_time_with_all_that_it_was_put_off() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
    let clock = Arc::new(ManualClock::new(1_790_000_000_000));
    let config = Config { timers: Timers::Manual, ..Config::default() };
    let within = runtime.enter();
    let host = askwell_host::Host::start(Arc::new(store), Arc::clone(&clock) as _, config).unwrap();
    drop(within);
    let caller = |role| {
        let new = NewCredential { role, name: "mara".to_owned(), person: None };
        let made = runtime.block_on(host.create_credential(&Caller::owner(), new)).unwrap();
        Caller::of(&made.0)
    };
    let mara = host.inbox(caller(Role::Answerer));
    let service = InboxProvider::new(host.inbox(caller(Role::Asker)));
    let service = Askwell::new().with(service).unwrap();
    let mut request = request().into_inner();
    request.expires_in_seconds = Some(60);
    let request = request.validate().unwrap();
    let asking = thread::spawn(move || service.ask(&request, &Cancel::new()));
    let until = Instant::now() + deadline();
    let id = loop {
        match mara.list(&ListQuery::default()).unwrap().requests.first() {
            Some(waiting) => break waiting.id,
            None => assert!(Instant::now() < until, "never asked"),
        }
    };

    mara.extend(id).unwrap();
    clock.advance(Duration::from_secs(660));
    runtime.block_on(host.run_due());

    assert_eq!(asking.join().unwrap(), Err(AskError::Expired { seconds: Some(660) }));
}
