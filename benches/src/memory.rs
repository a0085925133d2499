//! Memory when the first frame is on the screen, and the size of the program.

use std::fs;

use anyhow::{Context as _, Result};
use askwell_testkit::{TerminalBuilder, TestEnvironment};

use crate::Setup;
use crate::fixtures::Fixture;
use crate::report::{Amount, Report};
use crate::statistics::median;

const RUNS: usize = 5;
const MIB: u64 = 1 << 20;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let fixture = Fixture::usual();
    let askwell = TestEnvironment::new(&setup.askwell);
    let file = fixture.write(&askwell);
    let askwell = askwell.terminal(["ask".into(), file.into_os_string()]);
    let inquire = TestEnvironment::new(&setup.inquire).terminal(fixture.arguments());

    let [anonymous, resident] = at_first_frame(&askwell, &fixture).context("askwell")?;
    let [peer_anonymous, peer_resident] = at_first_frame(&inquire, &fixture).context("inquire")?;
    let memory = Amount::Memory;
    report.budgeted(
        "memory at first frame, anonymous: askwell",
        memory(anonymous),
        memory(3 * MIB),
    );
    report.budgeted("memory at first frame, total: askwell", memory(resident), memory(12 * MIB));
    report.value("memory at first frame, anonymous: inquire", memory(peer_anonymous));
    report.value("memory at first frame, total: inquire", memory(peer_resident));

    let size = fs::metadata(&setup.askwell)?.len();
    report.budgeted("size of the program", memory(size), memory(20_000_000));
    Ok(())
}

/// Anonymous and total resident bytes.
fn at_first_frame(program: &TerminalBuilder, fixture: &Fixture) -> Result<[u64; 2]> {
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        let terminal = program.clone().spawn();
        terminal.wait_for(fixture.last_shown());
        runs.push(of_process(terminal.process_id())?);
    }
    Ok([0, 1].map(|which| median(&runs.iter().map(|run| run[which]).collect::<Vec<_>>())))
}

/// Anonymous and total resident bytes of a process.
pub fn of_process(id: u32) -> Result<[u64; 2]> {
    let path = format!("/proc/{id}/smaps_rollup");
    let text = fs::read_to_string(&path).context(path)?;
    Ok([field(&text, "Anonymous:")?, field(&text, "Rss:")?])
}

fn field(rollup: &str, name: &str) -> Result<u64> {
    let value = rollup.lines().find_map(|line| line.strip_prefix(name));
    let kib = value.and_then(|value| value.trim().strip_suffix(" kB"));
    Ok(kib.with_context(|| format!("no {name} in {rollup}"))?.parse::<u64>()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rollup_is_read() {
        let rollup = "5581-7ffe ---p 0 00:00 0  [rollup]\nRss:   1234 kB\nAnonymous:   56 kB\n";

        assert_eq!(field(rollup, "Rss:").unwrap(), 1234 * 1024);
        assert_eq!(field(rollup, "Anonymous:").unwrap(), 56 * 1024);
        assert!(field(rollup, "Swap:").is_err());
    }
}
