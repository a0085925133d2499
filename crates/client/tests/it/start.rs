//! Finding a host, and starting one. (With the real program: `tests/host` of the workspace.)

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use askwell_client::{
    API_VERSION, Client, Discovery, HostLock, Local, Locate, NoStart, Place, Starter, Token,
};
use askwell_core::ErrorCode;
use askwell_core::wire::{Inbox as _, Role};
use pretty_assertions::assert_eq;
use serde_json::json;
use tempfile::TempDir;

use crate::server::{Reply, Server};

struct Here {
    root: TempDir,
    place: Place,
}

impl Here {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path().join("askwell"));
        Self { root, place }
    }

    /// A program in the place of askwell.
    fn program(&self, lines: &str) -> PathBuf {
        let path = self.root.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    fn starter(&self, program: impl Into<PathBuf>) -> Starter {
        Starter::new(Local::new(self.place.clone(), Role::Asker), program)
            .no_start(None)
            .within(Duration::from_secs(5))
    }
}

fn discovery(server: &Server) -> Discovery {
    Discovery {
        pid: std::process::id(),
        url: server.url(),
        port: server.port(),
        version: "0.1.0".to_owned(),
        api_version: API_VERSION,
        instance: "one".to_owned(),
        started_at: 0,
        background: true,
        flags: Vec::new(),
    }
}

fn healthy() -> Server {
    Server::start(|_, _| Reply::Json(200, json!({"status": "ok", "instance": "one"})))
}

#[test]
fn a_host_that_runs_is_found_and_none_is_started() {
    let here = Here::new();
    let server = healthy();
    let _lock = HostLock::acquire(&here.place).unwrap();
    discovery(&server).write(&here.place).unwrap();

    let access = here.starter("/nowhere/askwell").locate().unwrap();

    assert_eq!(access.url, server.url());
}

#[test]
fn a_host_that_is_just_starting_is_waited_for() {
    let here = Here::new();
    let server = healthy();
    let lock = HostLock::acquire(&here.place).unwrap();
    let (place, told) = (here.place.clone(), discovery(&server));
    let starting = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        told.write(&place).unwrap();
        lock
    });

    let access = here.starter("/nowhere/askwell").locate().unwrap();

    assert_eq!(access.url, server.url());
    drop(starting.join());
}

#[test]
fn a_host_that_fails_to_start_is_told_with_its_last_words() {
    let here = Here::new();
    let program = here.program("echo 'askwell: the disk is full' >&2; exit 1");

    let error = here.starter(program).locate().unwrap_err();

    assert_eq!(error.code, ErrorCode::HostUnreachable);
    assert!(error.message.ends_with("askwell: the disk is full"), "{error}");
    assert!(error.hint.unwrap().contains("host.log"));
}

#[test]
fn an_older_program_that_refuses_the_store_is_told_by_its_code() {
    let here = Here::new();
    let told = "echo 'askwell: HOST_VERSION: the store is newer' >&2; echo 'hint: use another' >&2; exit 1";

    let error = here.starter(here.program(told)).locate().unwrap_err();

    assert_eq!(error.code, ErrorCode::HostVersion);
    assert!(error.message.ends_with("askwell: HOST_VERSION: the store is newer"), "{error}");
}

#[test]
fn what_is_started_gets_a_clean_environment_and_place() {
    let here = Here::new();
    let program = here.program("env; pwd; echo \"$@\"; exit 1");

    here.starter(program).locate().unwrap_err();

    let log = fs::read_to_string(here.place.log()).unwrap();
    let state = here.root.path().display();
    assert!(log.contains(&format!("XDG_STATE_HOME={state}\n")), "{log}");
    assert!(log.contains("\n/\n") && log.contains("\nserve --background\n"), "{log}");
    assert!(!log.contains("CARGO_"), "{log}");
    assert_eq!(fs::metadata(here.place.log()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn in_ci_no_host_is_started() {
    let here = Here::new();
    let program = here.program("touch started");

    for why in [NoStart::Ci, NoStart::Cron] {
        let error = here.starter(&program).no_start(Some(why)).locate().unwrap_err();

        assert_eq!(error.code, ErrorCode::NoProvider, "{error}");
    }
    assert!(!here.place.folder().exists());
}

#[test]
fn a_log_that_became_long_is_put_aside_when_a_host_is_started() {
    let here = Here::new();
    here.place.prepare().unwrap();
    fs::write(here.place.log(), vec![b'x'; 9 * 1024 * 1024]).unwrap();

    here.starter(here.program("echo here >&2; exit 1")).locate().unwrap_err();

    assert_eq!(fs::read_to_string(here.place.log()).unwrap(), "here\n");
    assert_eq!(fs::metadata(here.place.log_before()).unwrap().len(), 9 * 1024 * 1024);
}

#[test]
fn what_answers_by_another_name_is_sent_no_credential() {
    let here = Here::new();
    Token::new("secret").keep(&here.place, Role::Asker).unwrap();
    let server = Server::start(|_, _| Reply::Json(200, json!({"instance": "two"})));
    let _lock = HostLock::acquire(&here.place).unwrap();
    discovery(&server).write(&here.place).unwrap();

    let error = Local::new(here.place.clone(), Role::Asker).locate().unwrap_err();

    assert!(error.message.contains("can't be reached"), "{error}");
    let asked = server.asked();
    assert!(!asked.is_empty());
    for asked in asked {
        assert_eq!((asked.line.as_str(), asked.header("authorization")), ("GET /healthz", None));
    }
}

#[test]
fn once_the_lock_is_free_a_host_is_started() {
    let here = Here::new();
    let lock = HostLock::acquire(&here.place).unwrap();
    let stopping = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        drop(lock);
    });

    let error = here.starter(here.program("echo started >&2; exit 1")).locate().unwrap_err();

    assert!(error.message.ends_with("started"), "{error}");
    stopping.join().unwrap();
}

#[test]
fn a_host_that_never_says_where_it_is_is_not_taken_for_one_that_was_started_here() {
    let here = Here::new();
    let _lock = HostLock::acquire(&here.place).unwrap();
    let starter = here.starter("/nowhere/askwell").within(Duration::from_millis(100));

    let error = starter.locate().unwrap_err();

    assert!(error.message.starts_with("a host holds"), "{error}");
}

#[test]
fn a_call_that_meets_only_the_end_of_a_host_starts_another_and_who_waited_does_not() {
    for met in [false, true] {
        let here = Here::new();
        let lock = Mutex::new(HostLock::acquire(&here.place).unwrap());
        let told = here.place.discovery();
        let server = Server::start(move |_, asked| match asked.line.as_str() {
            "GET /healthz" => Reply::Json(200, json!({"status": "ok", "instance": "one"})),
            line if line.ends_with("/draft") => {
                // It is stopped just now.
                fs::remove_file(&told).unwrap();
                drop(lock.lock().unwrap().take());
                Reply::Cut
            }
            _ => Reply::Json(200, crate::view("pending", None)),
        });
        discovery(&server).write(&here.place).unwrap();
        let starter = here.starter(here.program("echo started >&2; exit 1"));
        let client = Client::with_patience(starter, Duration::ZERO);
        if met {
            client.get(crate::id()).unwrap();
        }

        client.draft(crate::id()).unwrap_err();
        let error = client.draft(crate::id()).unwrap_err();

        let told = (error.message.ends_with("started"), error.hint.unwrap_or_default());
        match met {
            false => assert!(told.0, "{told:?}"),
            true => assert!(told.1.contains("it was stopped"), "{told:?}"),
        }
    }
}
