//! Many event streams: what each takes of memory, and when the last one has an event.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::exchange::Calls;
use super::http::{Connection, Events, post};
use super::program::{Folder, Host};
use super::{exchange, runtime};
use crate::Setup;
use crate::report::{Amount, Report};
use crate::statistics::median;

const SUBSCRIBERS: usize = 1_000;
/// Those that are there before the first look at the memory.
const BEFORE: usize = 10;
/// Until everybody has heard who watches.
const IDLE: Duration = Duration::from_secs(1);

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    allow_files()?;
    let folder = Folder::with_store(&setup.askwell)?;
    let host = folder.start()?;
    runtime()?.block_on(fan_out(setup, &host, report))?;
    host.stop()
}

/// A process may begin with fewer open files than it may have.
fn allow_files() -> Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}

async fn fan_out(setup: &Setup, host: &Host, report: &mut Report) -> Result<()> {
    let calls = Calls::of(host);
    let mut hearing = JoinSet::new();
    let (heard, mut times) = mpsc::unbounded_channel();
    let mut before = 0;
    for number in 0..BEFORE + SUBSCRIBERS {
        if number == BEFORE {
            tokio::time::sleep(IDLE).await;
            before = host.memory()?[0];
        }
        hearing.spawn(hear(calls.events(host).await?, heard.clone()));
    }
    tokio::time::sleep(IDLE).await;
    let each = host.memory()?[0].saturating_sub(before) / SUBSCRIBERS as u64;
    let what = format!("{SUBSCRIBERS} event streams: anonymous memory each");
    report.value(what, Amount::Bytes(each));

    let mut asker = Connection::open(host.port).await?;
    let ask = post("/api/v1/requests", &host.asker, &exchange::question());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for _ in 0..setup.rounds {
        let start = Instant::now();
        asker.send(&ask).await?;
        for number in 1..=BEFORE + SUBSCRIBERS {
            let at: Instant = times.recv().await.context("nobody listens any more")?;
            match number {
                1 => first.push(at - start),
                _ if number == BEFORE + SUBSCRIBERS => last.push(at - start),
                _ => {}
            }
        }
        asker.receive().await?;
    }
    let what = format!("{SUBSCRIBERS} event streams: ask to the event at the last one");
    report.value(what, Amount::Time(median(&last)));
    report.value("  at the first one", Amount::Time(median(&first)));
    Ok(())
}

/// Tells when each request was heard of.
async fn hear(mut events: Events, heard: mpsc::UnboundedSender<Instant>) -> Result<()> {
    loop {
        events.requested().await?;
        heard.send(Instant::now())?;
    }
}
