//! From the start of the program to the last option on its first frame; `node -e 0` for scale.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use askwell_testkit::TestEnvironment;

use crate::Setup;
use crate::fixtures::Fixture;
use crate::pty::Pty;
use crate::report::{Amount, Report};
use crate::statistics::{median, ratio};

/// Runs before the first that counts: caches are warm for all.
pub const WARM_UP: usize = 3;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let environment = TestEnvironment::new(&setup.askwell);
    let fixture = Fixture::usual();
    let file = fixture.write(&environment);
    let node = on_path("node");

    let askwell = || -> Result<Duration> {
        let arguments = ["ask".into(), file.clone().into_os_string()];
        Pty::spawn(&environment, &setup.askwell, arguments)?.time_to(fixture.last_shown())
    };
    let inquire = || -> Result<Duration> {
        let arguments = fixture.arguments();
        Pty::spawn(&environment, &setup.inquire, arguments)?.time_to(fixture.last_shown())
    };
    let node_run = |node: &Path| Pty::spawn(&environment, node, ["-e", "0"])?.time_to_end();

    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..WARM_UP + setup.rounds {
        // Each goes first as often as the others.
        for turn in 0..3 {
            let which = (round + turn) % 3;
            let time = match (which, &node) {
                (0, _) => askwell().context("askwell")?,
                (1, _) => inquire().context("inquire")?,
                (_, Some(node)) => node_run(node).context("node")?,
                (_, None) => continue,
            };
            if round >= WARM_UP {
                times[which].push(time);
            }
        }
    }

    let (askwell, inquire) = (median(&times[0]), median(&times[1]));
    report.value("start to first frame: askwell", Amount::Time(askwell));
    report.value("start to first frame: inquire", Amount::Time(inquire));
    let budget = Amount::Ratio(1.2);
    report.budgeted("  askwell / inquire", Amount::Ratio(ratio(askwell, inquire)), budget);
    if times[2].is_empty() {
        report.not_measured("node -e 0", &anyhow::anyhow!("node is not on the PATH"));
    } else {
        let node = median(&times[2]);
        report.value("node -e 0", Amount::Time(node));
        report.value("  askwell / node", Amount::Ratio(ratio(askwell, node)));
        report.value("  inquire / node", Amount::Ratio(ratio(inquire, node)));
    }
    Ok(())
}

/// Where a program is, if it is anywhere.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
