//! `askwell inbox` at a host with many that wait: until its first frame, and what it costs after it.

use std::time::Duration;

use anyhow::{Context as _, Result};

use super::fill::fill;
use super::program::Folder;
use crate::Setup;
use crate::pty::Pty;
use crate::report::{Amount, Report};
use crate::start::WARM_UP;
use crate::statistics::median;

const PENDING: usize = 1_000;
/// What the first frame ends with.
const LAST_SHOWN: &str = "help";
/// How long it is watched while nothing happens.
const IDLE: Duration = Duration::from_secs(2);

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let folder = Folder::with_store(&setup.askwell)?;
    fill(&folder.place(), 0, PENDING)?;
    let host = folder.start()?;
    let mut times = Vec::new();
    for round in 0..WARM_UP + setup.rounds {
        let mut terminal = Pty::spawn(folder.environment(), &setup.askwell, ["inbox"])?;
        let time = terminal.time_to(LAST_SHOWN).context("the inbox")?;
        if round >= WARM_UP {
            times.push(time);
        }
    }
    let first = Amount::Time(median(&times));
    let what = format!("inbox: {PENDING} pending, first frame");
    report.budgeted(what, first, Amount::Time(Duration::from_millis(50)));

    let mut terminal = Pty::spawn(folder.environment(), &setup.askwell, ["inbox"])?;
    terminal.time_to(LAST_SHOWN)?;
    terminal.settle(Duration::from_millis(500))?;
    let process = terminal.process_id().context("no process")?.to_string();
    let before = super::program::processor_time(&process)?;
    std::thread::sleep(IDLE);
    let spent = super::program::processor_time(&process)?.saturating_sub(before);
    let idle = spent.as_secs_f64() / IDLE.as_secs_f64();
    report.budgeted("  idle, share of a processor", Amount::Ratio(idle), Amount::Ratio(0.0));
    let mut presses = Vec::new();
    for _ in 0..setup.rounds {
        presses.push(terminal.press(b"\x1b[B")?.0);
    }
    report.value("  key to changed frame", Amount::Time(median(&presses)));
    drop(terminal);
    host.stop()
}
