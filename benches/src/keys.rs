//! From a key to the last byte of the frame that comes of it, with as many options as there may be.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use askwell_testkit::TestEnvironment;

use crate::Setup;
use crate::fixtures::Fixture;
use crate::pty::Pty;
use crate::report::{Amount, Report};
use crate::statistics::{median, percentile};

/// Rows that every program can go down without scrolling.
const WITHIN: usize = 5;

/// askwell takes no key until nothing was typed for 300 ms, and then takes its hint away.
const GUARD: Duration = Duration::from_millis(500);

struct Presses {
    times: Vec<Duration>,
    within: Vec<usize>,
    scrolling: Vec<usize>,
}

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let fixture = Fixture::largest();
    let environment = TestEnvironment::new(&setup.askwell);
    let file = fixture.write(&environment);
    let arguments = ["ask".into(), file.into_os_string()];
    let askwell = press(setup, &environment, &setup.askwell, &arguments).context("askwell")?;
    let arguments: Vec<OsString> = fixture.arguments().into_iter().map(Into::into).collect();
    let inquire = press(setup, &environment, &setup.inquire, &arguments).context("inquire")?;

    let time = Amount::Time;
    let budget = Duration::from_millis(2);
    report.budgeted(
        "Down to frame, 500 options: askwell",
        time(median(&askwell.times)),
        time(budget),
    );
    report.value("  99 of 100", time(percentile(&askwell.times, 99)));
    report.value("Down to frame, 500 options: inquire", time(median(&inquire.times)));
    report.value("  99 of 100", time(percentile(&inquire.times, 99)));
    let bytes = |counts: &[usize]| Amount::Bytes(median(counts) as u64);
    // Two rows of 80 columns, a position and its styles each: more is not "only changed cells".
    let budget = Amount::Bytes(400);
    report.budgeted("bytes for one Down: askwell", bytes(&askwell.within), budget);
    report.value("bytes for one Down that scrolls: askwell", bytes(&askwell.scrolling));
    report.value("bytes for one Down: inquire", bytes(&inquire.within));
    report.value("bytes for one Down that scrolls: inquire", bytes(&inquire.scrolling));
    Ok(())
}

fn press(
    setup: &Setup,
    environment: &TestEnvironment,
    program: &Path,
    arguments: &[OsString],
) -> Result<Presses> {
    let mut pty = Pty::spawn(environment, program, arguments)?;
    pty.time_to("module-007")?;
    pty.settle(GUARD)?;

    let mut presses = Presses { times: Vec::new(), within: Vec::new(), scrolling: Vec::new() };
    // Enough to get past any window, and for a 99th percentile to mean something.
    for number in 0..(setup.rounds * 5).clamp(100, 450) {
        let (time, bytes) = pty.press(b"\x1b[B").with_context(|| format!("press {number}"))?;
        presses.times.push(time);
        match number {
            0..WITHIN => presses.within.push(bytes),
            30.. => presses.scrolling.push(bytes),
            _ => {}
        }
    }
    Ok(presses)
}
