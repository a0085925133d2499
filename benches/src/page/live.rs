//! What a person sees of a request while a page is open, and what the asker sees of the person: from
//! the call to the entry in the page, and from the press of Send to the waiting asker's reply.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::json;

use super::{Desk, millis, now, usual};
use crate::Setup;
use crate::report::{Amount, Report};
use crate::serve::http::{Connection, get, id_after, post};
use crate::serve::program::Folder;
use crate::serve::runtime;
use crate::statistics::{median, percentile};

const WARM_UP: usize = 5;

/// Waits for an entry in a list that has none, and gives the time at which it came.
pub const LISTED: &str = "
    const inbox = document.getElementById('inbox');
    return await new Promise((resume) => {
        new MutationObserver(() => {
            if (!inbox.querySelector('a[data-state=pending]')) return;
            resume(performance.timeOrigin + performance.now());
        }).observe(inbox, {childList: true, subtree: true, attributes: true});
    });";

/// So long after a page was loaded a browser still does what has nothing to do with it.
pub const REST: Duration = Duration::from_millis(500);

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let desk = Desk::open(Folder::with_store(&setup.askwell)?)?;
    let (mut shown, mut sent) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + setup.rounds {
        let times = [show(&desk)?, submit(&desk)?];
        if round >= WARM_UP {
            shown.push(times[0]);
            sent.push(times[1]);
        }
        desk.browser.sent();
    }
    let budget = |millis| Amount::Time(Duration::from_millis(millis));
    report.budgeted(
        "page: ask → in the DOM of an open page",
        Amount::Time(median(&shown)),
        budget(15),
    );
    report.value("  99 of 100", Amount::Time(percentile(&shown, 99)));
    report.budgeted("page: submit → the asker has it", Amount::Time(median(&sent)), budget(10));
    report.value("  99 of 100", Amount::Time(percentile(&sent, 99)));
    Ok(())
}

/// From the call to the entry in the open inbox. The request is withdrawn again.
fn show(desk: &Desk) -> Result<Duration> {
    let tab = &desk.browser;
    tab.open(format!("{}/", desk.address));
    tab.wait_true("loaded", "return document.readyState === 'complete'");
    let (port, asker) = (desk.host.port, desk.host.asker.clone());
    // Nothing asks the page meanwhile whether it has come: to look would take its time.
    let asking = std::thread::spawn(move || {
        std::thread::sleep(REST);
        runtime()?.block_on(async {
            let mut connection = Connection::open(port).await?;
            let call = post("/api/v1/requests", &asker, &usual());
            let asked = now()?;
            let id = id_after(std::str::from_utf8(connection.call(&call).await?)?, "{")?;
            anyhow::Ok((asked, id))
        })
    });
    let listed = millis(&tab.run_async(LISTED, &[]));
    let (asked, id) = asking.join().map_err(|_| anyhow::anyhow!("the asker has panicked"))??;
    runtime()?.block_on(async {
        let abort = format!("/api/v1/requests/{id}/abort");
        let abort = post(&abort, &desk.host.asker, &json!({}).to_string());
        Connection::open(port).await?.call(&abort).await.map(drop)
    })?;
    Ok(listed.saturating_sub(asked))
}

/// From the press of the button to the reply that the asker waits for.
fn submit(desk: &Desk) -> Result<Duration> {
    let tab = &desk.browser;
    let id = desk.asks(&usual())?;
    tab.open(desk.page(&id));
    tab.wait_true("taken over", "return document.documentElement.dataset.js === 'on'");
    tab.css(".question input[data-label]").clicks();
    tab.css("[data-status]").with_text("Draft saved").wait_shown();
    let (port, call) =
        (desk.host.port, get(&format!("/api/v1/requests/{id}?wait=60"), &desk.host.asker));
    let (waits, waiting) = std::sync::mpsc::channel();
    let asker = std::thread::spawn(move || {
        runtime()?.block_on(async {
            let mut connection = Connection::open(port).await?;
            connection.send(&call).await?;
            waits.send(())?;
            connection.receive().await?;
            now()
        })
    });
    waiting.recv().context("the asker does not wait")?;
    let pressed = tab.run(
        "const at = performance.timeOrigin + performance.now();
         document.querySelector('[data-act=primary]').click();
         return at;",
    );
    let told = asker.join().map_err(|_| anyhow::anyhow!("the asker has panicked"))??;
    tab.css("[data-page=inbox]").wait_shown();
    Ok(told.saturating_sub(millis(&pressed)))
}
