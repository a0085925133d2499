//! One request's page, from its address to where a person can answer: with nothing of it in the
//! browser's cache, and again.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::{Desk, millis, taken_over, usual, watch_scripts};
use crate::Setup;
use crate::report::{Amount, Report};
use crate::serve::program::Folder;
use crate::statistics::median;

/// The document and all that it loaded, without the stream: for each its bytes and whether the first
/// paint waits for it. Then when the page was loaded.
const LOADED: &str = "
    const [document_] = performance.getEntriesByType('navigation');
    const rest = performance.getEntriesByType('resource')
        .filter((it) => !it.name.includes('/api/v1/events'));
    return [document_.loadEventEnd, document_.responseEnd,
        [[document_.encodedBodySize, true], ...rest.map((it) =>
            [it.encodedBodySize, it.renderBlockingStatus === 'blocking'])]];";

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let desk = Desk::open(Folder::with_store(&setup.askwell)?)?;
    let tab = &desk.browser;
    let page = desk.page(&desk.asks(&usual())?);
    watch_scripts(tab);

    let mut times: [Vec<Duration>; 5] = Default::default();
    let mut loaded = Value::Null;
    for round in 0..=setup.rounds {
        tab.open("about:blank").open(format!("{}/healthz", desk.address));
        if round > 0 {
            times[4].push(millis(&tab.run(LOADED)[0]));
        }
        for (cached, [load, scripts]) in [(false, [0, 1]), (true, [2, 3])] {
            if !cached {
                tab.open("about:blank").devtools("Network.clearBrowserCache", &json!({}));
            }
            tab.open(&page);
            let taken_over = taken_over(tab);
            let now = tab.run(LOADED);
            if round > 0 {
                times[load].push(millis(&now[0]));
                times[scripts].push(taken_over);
            }
            if !cached {
                loaded = now;
            }
        }
        tab.sent();
    }

    let parts: Vec<&Value> = loaded[2].as_array().into_iter().flatten().collect();
    ensure!(parts.len() > 2, "the page has loaded nothing: {loaded}");
    let blocking = parts.iter().filter(|part| part[1] == true).count();
    let bytes = parts.iter().filter_map(|part| part[0].as_u64()).sum();
    let requests = Amount::Count(blocking as u64);
    report.budgeted("page: requests before input is possible", requests, Amount::Count(5));
    let requests = Amount::Count(parts.len() as u64);
    report.budgeted("page: requests in all, without the stream", requests, Amount::Count(9));
    report.budgeted("page: compressed bytes", Amount::Bytes(bytes), Amount::Bytes(40 * 1024));
    let document = parts[0][0].as_u64().unwrap_or_default();
    report.value("  of them the document", Amount::Bytes(document));
    let [load, scripts, again, scripts_again, line] =
        times.map(|times| Amount::Time(median(&times)));
    report.budgeted("page: load", load, Amount::Time(Duration::from_millis(100)));
    report.value("  a line of text from the same host, in the same way", line);
    report.value("  until its scripts have taken it over", scripts);
    report.value("  load, style and scripts in the cache", again);
    report.value("  until its scripts have taken it over", scripts_again);
    Ok(())
}
