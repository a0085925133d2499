//! What a person sees of a tool call while a page is open, and what the agent sees of the person: from the
//! call to the entry in the page, and from the press of Send to the result of the call.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::Client;
use crate::Setup;
use crate::page::{Desk, LISTED, REST, millis, now, usual};
use crate::report::{Amount, Report};
use crate::serve::program::Folder;
use crate::start::WARM_UP;
use crate::statistics::{median, percentile};

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let desk = Desk::open(Folder::with_store(&setup.askwell)?)?;
    let mut client = Client::start(desk.environment())?;
    let (mut shown, mut sent) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + setup.rounds {
        let times;
        (client, times) = cycle(&desk, client, round as u64 + 1)?;
        if round >= WARM_UP {
            shown.push(times[0]);
            sent.push(times[1]);
        }
        desk.browser.sent();
    }
    report.value("mcp: tools/call → in the DOM of an open page", Amount::Time(median(&shown)));
    report.value("  99 of 100", Amount::Time(percentile(&shown, 99)));
    report.value("mcp: submit → tool result", Amount::Time(median(&sent)));
    report.value("  99 of 100", Amount::Time(percentile(&sent, 99)));
    Ok(())
}

/// A call that is answered in the page: the time until it was shown, and that from the press of the button
/// to its result.
fn cycle(desk: &Desk, mut client: Client, id: u64) -> Result<(Client, [Duration; 2])> {
    let tab = &desk.browser;
    tab.open(format!("{}/", desk.address));
    tab.wait_true("loaded", "return document.readyState === 'complete'");
    let mut arguments: Value = serde_json::from_str(&usual())?;
    // Each is a request of its own.
    arguments["questions"][0]["header"] = json!(format!("Round {id}"));
    let call = json!({"name": "ask_user_question", "arguments": arguments});
    // Nothing asks the page meanwhile whether it has come: to look would take its time.
    let asking = std::thread::spawn(move || {
        std::thread::sleep(REST);
        let asked = now()?;
        client.send(id, "tools/call", &call)?;
        anyhow::Ok((asked, client))
    });
    let listed = millis(&tab.run_async(LISTED, &[]));
    let (asked, client) =
        asking.join().map_err(|_| anyhow::anyhow!("the asker has panicked"))??;

    let entry = tab.run("return document.querySelector('#inbox a[data-state=pending]').href");
    tab.open(entry.as_str().context("no entry")?);
    tab.wait_true("taken over", "return document.documentElement.dataset.js === 'on'");
    tab.css(".question input[data-label]").clicks();
    tab.css("[data-status]").with_text("Draft saved").wait_shown();
    let pressed = tab.run(
        "const at = performance.timeOrigin + performance.now();
         document.querySelector('[data-act=primary]').click();
         return at;",
    );
    let (told, line) = client.response(id)?;
    ensure!(line.contains(r#""structuredContent":{"answers":"#), "no answer: {line}");
    tab.css("[data-page=inbox]").wait_shown();
    let times = [listed.saturating_sub(asked), told.saturating_sub(millis(&pressed))];
    Ok((client, times))
}
