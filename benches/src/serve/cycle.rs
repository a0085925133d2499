//! The whole cycle: one at a time beside two fsyncs of the disk, and many in flight beside a handler
//! that does nothing.

use std::time::Duration;

use anyhow::Result;

use super::crowd::{Crowd, Empty};
use super::disk::Disk;
use super::exchange::Pair;
use super::program::{Folder, Host, Peer, processor_time};
use super::runtime;
use crate::Setup;
use crate::report::{Amount, Report};
use crate::statistics::{median, percentile, ratio};

/// Cycles in flight.
pub const IN_FLIGHT: usize = 64;
/// Cycles between two looks at the clock, many in flight.
const SLICE: usize = 2_000;
/// Cycles before the first that counts.
const WARM_UP: usize = 50;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let folder = Folder::with_store(&setup.askwell)?;
    let host = folder.start()?;
    let peer = Peer::start(&setup.axum)?;
    let mut disk = Disk::new(folder.place().folder())?;
    runtime()?.block_on(async {
        one_at_a_time(setup, &host, &mut disk, report).await?;
        in_flight(setup, &host, &peer, report).await
    })?;
    let [anonymous, total] = host.memory()?;
    report.value("serve: memory after it, anonymous", Amount::Memory(anonymous));
    report.value("serve: memory after it, total", Amount::Memory(total));
    host.stop()
}

async fn one_at_a_time(
    setup: &Setup,
    host: &Host,
    disk: &mut Disk,
    report: &mut Report,
) -> Result<()> {
    /// What the cycle may take beside the disk.
    const BESIDE: Duration = Duration::from_micros(640);

    let mut pair = Pair::connect(host).await?;
    let (mut cycles, mut fsyncs) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + (setup.rounds * 10).min(1_000) {
        let (fsync, cycle) = (disk.fsync()?, pair.cycle().await?);
        if round >= WARM_UP {
            fsyncs.push(fsync);
            cycles.push(cycle);
        }
    }
    let (cycle, fsync) = (median(&cycles), median(&fsyncs));
    let budget = Amount::Time(BESIDE + 2 * fsync);
    report.budgeted("cycle: ask, event, answer, reply, one at a time", Amount::Time(cycle), budget);
    report.value("  99 of 100", Amount::Time(percentile(&cycles, 99)));
    report.value("  an fsync of this disk", Amount::Time(fsync));
    report.value("  99 of 100", Amount::Time(percentile(&fsyncs, 99)));
    Ok(())
}

async fn in_flight(setup: &Setup, host: &Host, peer: &Peer, report: &mut Report) -> Result<()> {
    let mut crowd = Crowd::connect(host, IN_FLIGHT).await?;
    let mut empty = Empty::connect(peer, IN_FLIGHT).await?;
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut spent = [Duration::ZERO; 4];
    let mut slice = SLICE;
    for round in 0..=(setup.rounds / 4).max(5) {
        let before = [processor_time("self")?, host.processor_time()?];
        let cycles = crowd.run(SLICE).await?;
        let between = [processor_time("self")?, peer.processor_time()?];
        let calls = empty.run(slice).await?;
        if round > 0 {
            times[0].push(cycles);
            times[1].push(calls);
            spent[0] += between[0] - before[0];
            spent[1] += host.processor_time()? - before[1];
            spent[2] += processor_time("self")? - between[0];
            spent[3] += peer.processor_time()? - between[1];
        } else {
            // As long as the others: short bursts get more of a busy machine.
            slice = (SLICE as f64 * ratio(cycles, calls)) as usize;
        }
    }
    let rounds = times[0].len();
    let [cycles, calls] = times.map(|times| median(&times).as_secs_f64());
    let cycles = SLICE as f64 / cycles;
    let requests = (slice * Empty::CALLS) as f64 / calls;
    let budget = Amount::PerSecond(0.4 * requests / Empty::CALLS as f64);
    let what = format!("cycle: {IN_FLIGHT} in flight, ≥ 0.4 × R ÷ {}", Empty::CALLS);
    report.at_least(what, Amount::PerSecond(cycles), budget);
    report.value("  R: requests to an empty axum handler", Amount::PerSecond(requests));
    let ratio = cycles * Empty::CALLS as f64 / requests;
    report.value("  cycles / (R ÷ 3)", Amount::Ratio(ratio));
    let whose = [
        ("a cycle, client", SLICE),
        ("a cycle, host", SLICE),
        ("three empty calls, client", slice),
        ("three empty calls, handler", slice),
    ];
    for ((whose, cycles), spent) in whose.into_iter().zip(spent) {
        let each = spent.div_f64((rounds * cycles) as f64);
        report.value(format!("  processor time of {whose}"), Amount::Time(each));
    }
    Ok(())
}
