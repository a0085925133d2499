//! The cycle on stores that hold little and much: three hosts, one after the other in one loop. The
//! sizes are those at the start; the cycles themselves add the same to each.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::crowd::Crowd;
use super::cycle::IN_FLIGHT;
use super::exchange::Pair;
use super::fill;
use super::program::{Folder, Host};
use super::runtime;
use crate::Setup;
use crate::report::{Amount, Report};
use crate::statistics::{median, median_ratio};

const SOME: usize = 10_000;
/// Cycles between two looks at the clock, many in flight.
const SLICE: usize = 500;
/// Cycles before the first that counts.
const WARM_UP: usize = 50;
/// "The same", with what two equal hosts differ by in one run.
const SAME: f64 = 1.1;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let sizes = [0, SOME.min(setup.settled), setup.settled];
    let mut folders = Vec::new();
    for settled in sizes {
        let folder = Folder::with_store(&setup.askwell)?;
        let start = Instant::now();
        fill::fill(&folder.place(), settled, 0)?;
        if settled == setup.settled {
            let what = format!("growth: filling a store with {settled} settled");
            report.value(what, Amount::Time(start.elapsed()));
        }
        folders.push(folder);
    }
    let hosts = folders.iter().map(Folder::start).collect::<Result<Vec<_>>>()?;
    runtime()?.block_on(async {
        one_at_a_time(setup, &sizes, &hosts, report).await?;
        in_flight(setup, &sizes, &hosts, report).await
    })?;
    for (settled, host) in sizes.iter().zip(&hosts) {
        let what = format!("growth: memory after it, anonymous, {settled} settled");
        report.value(what, Amount::Memory(host.memory()?[0]));
    }
    drop(hosts);
    for (settled, folder) in sizes.iter().zip(&folders) {
        let mut times = Vec::new();
        for _ in 0..setup.rounds.min(15) {
            let host = folder.start()?;
            times.push(host.answered);
            host.stop()?;
        }
        let what = format!("growth: start to first 200, {settled} settled");
        report.value(what, Amount::Time(median(&times)));
    }
    Ok(())
}

async fn one_at_a_time(
    setup: &Setup,
    sizes: &[usize; 3],
    hosts: &[Host],
    report: &mut Report,
) -> Result<()> {
    let mut pairs = Vec::new();
    for host in hosts {
        pairs.push(Pair::connect(host).await?);
    }
    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..WARM_UP + (setup.rounds * 10).min(1_000) {
        for turn in 0..3 {
            let which = (round + turn) % 3;
            let time = pairs[which].cycle().await?;
            if round >= WARM_UP {
                times[which].push(time);
            }
        }
    }
    for (settled, times) in sizes.iter().zip(&times) {
        let what = format!("growth: cycle one at a time, {settled} settled");
        report.value(what, Amount::Time(median(times)));
    }
    for which in [1, 2] {
        let measured = Amount::Ratio(median_ratio(&times[which], &times[0]));
        report.budgeted(format!("  {} / 0 settled", sizes[which]), measured, Amount::Ratio(SAME));
    }
    Ok(())
}

async fn in_flight(
    setup: &Setup,
    sizes: &[usize; 3],
    hosts: &[Host],
    report: &mut Report,
) -> Result<()> {
    let mut crowds = Vec::new();
    for host in hosts {
        crowds.push(Crowd::connect(host, IN_FLIGHT).await?);
    }
    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..=(setup.rounds / 4).max(5) {
        for turn in 0..3 {
            let which = (round + turn) % 3;
            let time = crowds[which].run(SLICE).await?;
            if round > 0 {
                times[which].push(time);
            }
        }
    }
    for (settled, times) in sizes.iter().zip(&times) {
        let what = format!("growth: cycles {IN_FLIGHT} in flight, {settled} settled");
        report.value(what, Amount::PerSecond(SLICE as f64 / median(times).as_secs_f64()));
    }
    for which in [1, 2] {
        let measured = Amount::Ratio(median_ratio(&times[which], &times[0]));
        let what = format!("  time of a cycle, {} / 0 settled", sizes[which]);
        report.budgeted(what, measured, Amount::Ratio(SAME));
    }
    Ok(())
}
