//! `askwell stop` and `askwell restart`.

use std::thread;
use std::time::{Duration, Instant};

use askwell::inbox::wire::Role;
use askwell::inbox::{Client, Discovery, Environment, HostLock, Locate as _, NoStart, Place};
use clap::Args;
use rustix::process::{Pid, Signal, kill_process};

use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::settings::Settings;

/// Stop the host; what waits is kept, and waits again when it runs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell stop")]
pub struct StopArguments {}

/// Stop the host, and start it again in the background
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell restart        # after an upgrade")]
pub struct RestartArguments {}

/// A host finishes what is under way within ten seconds.
const GONE_WITHIN: Duration = Duration::from_secs(20);

/// Stops.
pub fn stop(_: &StopArguments) -> Result<Exit, Failure> {
    if Environment::read().url.is_some() {
        hosts::client(Role::Admin, Start::Never)?.stop()?;
        report::note("the host was told to stop");
        return Ok(Exit::Success);
    }
    match stop_local(&hosts::place()?)? {
        Some(_) => report::note("the host has stopped; what waits is kept"),
        None => report::note("no host is running"),
    }
    Ok(Exit::Success)
}

/// Stops, and starts.
pub fn restart(_: &RestartArguments) -> Result<Exit, Failure> {
    if Environment::read().url.is_some() {
        return Err(Failure::usage(
            "ASKWELL_URL names a host somewhere else, which can be stopped \
                                   from here and not started",
        ));
    }
    // First whether there can be another one.
    if NoStart::here().is_some() {
        return Err(Failure::new(
            Exit::NoProvider,
            "no host is started in the background in CI or by cron; the one that runs was left alone",
        ));
    }
    Settings::read(&[])?;
    let stopped = stop_local(&hosts::place()?)?;
    let flags = stopped.iter().flat_map(|host| host.flags.iter().map(String::as_str));
    let arguments = ["serve", "--background"].into_iter().chain(flags);
    let access = hosts::starter(hosts::local(Role::Admin)?)?.arguments(arguments).locate()?;
    if stopped.is_some_and(|host| !host.background) {
        report::note("it ran in the foreground, and runs in the background now");
    }
    report::note(&format!("the host runs at {}", access.url));
    Ok(Exit::Success)
}

/// Stops the host of this folder, and waits until it is gone.
fn stop_local(place: &Place) -> Result<Option<Discovery>, Failure> {
    if !HostLock::is_held(place) {
        return Ok(None);
    }
    let until = Instant::now() + GONE_WITHIN;
    let host = Discovery::read(place).map_err(|error| {
        Failure::new(Exit::Failure, format!("the host can't be found: {error}"))
    })?;
    if let Some(host) = &host {
        let access = hosts::local(Role::Admin)?.access_to(host).map_err(|_| ());
        let told = access.and_then(|access| {
            Client::with_patience(access, Duration::ZERO).stop().map_err(|_| ())
        });
        // One that does not listen, or of another version: it holds the lock, so it is no other.
        if told.is_err() {
            terminate(host.pid)?;
        }
    }
    let is_there = || {
        let now = Discovery::read(place).ok().flatten();
        let another =
            now.zip(host.as_ref()).is_some_and(|(now, host)| now.instance != host.instance);
        HostLock::is_held(place) && !another
    };
    while is_there() {
        if Instant::now() >= until {
            let message = format!("the host is still there after {} s", GONE_WITHIN.as_secs());
            return Err(Failure::new(Exit::Failure, message));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(host)
}

fn terminate(pid: u32) -> Result<(), Failure> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let killed = pid.map_or(Ok(()), |pid| kill_process(pid, Signal::TERM));
    killed.map_err(|error| Failure::new(Exit::Failure, format!("it can't be stopped: {error}")))
}
