//! From the start of the process to its list of tools, beside `node -e 0`; memory then, and the size of
//! the list.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use askwell_testkit::TestEnvironment;
use serde_json::{Value, json};

use super::Client;
use crate::Setup;
use crate::memory;
use crate::report::{Amount, Report};
use crate::start::{WARM_UP, on_path};
use crate::statistics::{median, median_ratio};

const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;

/// What one start has shown.
struct Started {
    time: Duration,
    memory: [u64; 2],
    /// Bytes of the list.
    list: u64,
}

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let environment = TestEnvironment::new(&setup.askwell);
    let node = on_path("node").context("node is not on the PATH")?;
    let (mut started, mut peers) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + setup.rounds {
        // Each goes first as often as the other.
        let before = if round % 2 == 0 { Some(node_run(&node)?) } else { None };
        let one = start(&environment)?;
        let peer = before.map_or_else(|| node_run(&node), Ok)?;
        if round >= WARM_UP {
            started.push(one);
            peers.push(peer);
        }
    }
    let times: Vec<Duration> = started.iter().map(|one| one.time).collect();
    let of = |which: usize| -> Vec<u64> { started.iter().map(|one| one.memory[which]).collect() };
    report.value("mcp: start to tools/list", Amount::Time(median(&times)));
    report.value("  node -e 0", Amount::Time(median(&peers)));
    let ratio = Amount::Ratio(median_ratio(&times, &peers));
    report.budgeted("  askwell / node", ratio, Amount::Ratio(0.3));
    let memory = Amount::Memory;
    report.budgeted("  memory, anonymous", memory(median(&of(0))), memory(6 * MIB));
    report.budgeted("  memory, total", memory(median(&of(1))), memory(20 * MIB));
    let list = started.first().context("nothing was started")?.list;
    report.budgeted("mcp: size of tools/list", Amount::Bytes(list), Amount::Bytes(3 * KIB));
    Ok(())
}

fn start(environment: &TestEnvironment) -> Result<Started> {
    let begun = Instant::now();
    let mut client = Client::start(environment)?;
    client.send(1, "tools/list", &json!({}))?;
    let (_, line) = client.response(1)?;
    let time = begun.elapsed();
    let memory = memory::of_process(client.child.id())?;
    let listed: Value = serde_json::from_str(&line)?;
    ensure!(listed["result"]["tools"].as_array().is_some_and(|tools| tools.len() == 3), "{line}");
    Ok(Started { time, memory, list: listed["result"].to_string().len() as u64 })
}

fn node_run(node: &Path) -> Result<Duration> {
    let begun = Instant::now();
    let mut command = Command::new(node);
    command.args(["-e", "0"]).stdin(Stdio::null()).stdout(Stdio::null());
    ensure!(command.status()?.success(), "node has failed");
    Ok(begun.elapsed())
}
