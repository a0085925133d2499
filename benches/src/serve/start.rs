//! From the start of the host to its first answer, with a store that is there already; `node -e 0`
//! in the same loop. Then the memory of the host while nothing happens.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::fill;
use super::program::Folder;
use crate::Setup;
use crate::report::{Amount, Report};
use crate::start::{WARM_UP, on_path};
use crate::statistics::{median, ratio};

/// What is in the store.
const SETTLED: usize = 1_000;
const PENDING: usize = 20;
/// Runs behind the medians of memory.
const RUNS: usize = 5;
/// Until a host that has just started has nothing more to do.
const IDLE: Duration = Duration::from_millis(500);
const MIB: u64 = 1 << 20;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let folder = Folder::with_store(&setup.askwell)?;
    fill::fill(&folder.place(), SETTLED, PENDING)?;
    let node = on_path("node");

    let mut times: [Vec<Duration>; 2] = Default::default();
    for round in 0..WARM_UP + setup.rounds {
        // Each goes first as often as the other.
        for turn in 0..2 {
            let which = (round + turn) % 2;
            let time = match (which, &node) {
                (0, _) => {
                    let host = folder.start()?;
                    let answered = host.answered;
                    host.stop()?;
                    answered
                }
                (_, Some(node)) => node_run(node).context("node")?,
                (_, None) => continue,
            };
            if round >= WARM_UP {
                times[which].push(time);
            }
        }
    }
    let serve = median(&times[0]);
    report.value("serve: start to first 200, existing store", Amount::Time(serve));
    if times[1].is_empty() {
        report.not_measured("node -e 0", &anyhow::anyhow!("node is not on the PATH"));
    } else {
        let node = median(&times[1]);
        report.value("node -e 0", Amount::Time(node));
        let measured = Amount::Ratio(ratio(serve, node));
        report.budgeted("  serve / node", measured, Amount::Ratio(0.5));
    }

    let mut memory: [Vec<u64>; 2] = Default::default();
    for _ in 0..RUNS {
        let host = folder.start()?;
        std::thread::sleep(IDLE);
        let [anonymous, total] = host.memory()?;
        memory[0].push(anonymous);
        memory[1].push(total);
        host.stop()?;
    }
    let [anonymous, total] = memory.map(|runs| Amount::Memory(median(&runs)));
    report.budgeted("serve: memory idle, anonymous", anonymous, Amount::Memory(6 * MIB));
    report.budgeted("serve: memory idle, total", total, Amount::Memory(20 * MIB));
    Ok(())
}

fn node_run(node: &Path) -> Result<Duration> {
    let mut command = Command::new(node);
    command.args(["-e", "0"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status()?;
    let time = started.elapsed();
    ensure!(status.success(), "it ended with {status}");
    Ok(time)
}
