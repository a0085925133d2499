//! Many requests that wait: what each takes of memory, and how long a list of them takes.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::crowd::{ask_only, page};
use super::cycle::IN_FLIGHT;
use super::http::Connection;
use super::program::{Folder, Host};
use super::runtime;
use crate::Setup;
use crate::report::{Amount, Report};
use crate::statistics::median;

const SOME: usize = 10_000;
const MANY: usize = 100_000;
/// The most requests of one page.
const PAGE: usize = 1_000;
/// Until whatever was put off is done.
const IDLE: Duration = Duration::from_millis(500);

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let folder = Folder::with_store(&setup.askwell)?;
    let host = folder.start()?;
    runtime()?.block_on(waiting(setup, &host, report))?;
    host.stop()
}

async fn waiting(setup: &Setup, host: &Host, report: &mut Report) -> Result<()> {
    let mut connection = Connection::open(host.port).await?;
    ask_only(host, IN_FLIGHT, SOME).await?;
    let mut times = Vec::new();
    let mut bytes = 0;
    for _ in 0..setup.rounds {
        let start = Instant::now();
        let (mut pages, mut after) = (0, Some(String::new()));
        bytes = 0;
        while let Some(from) = after {
            let query = format!("?limit={PAGE}{from}");
            let (length, next) = page(&mut connection, host, &query).await?;
            after = next.map(|next| format!("&after={next}"));
            (pages, bytes) = (pages + 1, bytes + length);
        }
        times.push(start.elapsed());
        ensure!(pages >= SOME / PAGE, "only {pages} pages");
    }
    let list = Amount::Time(median(&times));
    let what = format!("{SOME} pending: last byte of the list, pages of {PAGE}");
    report.budgeted(what, list, Amount::Time(Duration::from_millis(100)));
    report.value("  bytes of it", Amount::Bytes(bytes as u64));

    let before = idle(host).await?;
    ask_only(host, IN_FLIGHT, MANY - SOME).await?;
    let grown = idle(host).await?.saturating_sub(before);
    let each = Amount::Bytes(grown / (MANY - SOME) as u64);
    let what = format!("{MANY} pending: anonymous memory each, from {SOME} on");
    report.budgeted(what, each, Amount::Bytes(1_024));

    for (query, what) in [("", "100 requests"), ("?limit=1000", "1,000 requests")] {
        let mut times = Vec::new();
        for _ in 0..setup.rounds {
            let start = Instant::now();
            page(&mut connection, host, query).await?;
            times.push(start.elapsed());
        }
        let time = Amount::Time(median(&times));
        let what = format!("{MANY} pending: first page of the list, {what}");
        report.budgeted(what, time, Amount::Time(Duration::from_millis(10)));
    }
    Ok(())
}

/// Anonymous memory once nothing happens any more.
async fn idle(host: &Host) -> Result<u64> {
    tokio::time::sleep(IDLE).await;
    Ok(host.memory()?[0])
}
