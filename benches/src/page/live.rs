//! What a person sees of a request while a page is open, and what the asker sees of the person: from
//! the call to the entry in the page, and from the press of Send to the waiting asker's reply.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::{Desk, millis, now, usual};
use crate::Setup;
use crate::report::{Amount, Report};
use crate::serve::http::{Connection, get, id_after, post};
use crate::serve::program::Folder;
use crate::serve::runtime;
use crate::statistics::{median, percentile};

const WARM_UP: usize = 5;

/// Notes when the entry of a request comes into the list.
const WATCH: &str = "
    window.listed = {};
    new MutationObserver(() => {
        for (const item of document.querySelectorAll('#inbox a[data-state=pending]')) {
            window.listed[item.dataset.request] ??= performance.timeOrigin + performance.now();
        }
    }).observe(document.getElementById('inbox'), {childList: true, subtree: true, attributes: true});";

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
    tab.open(format!("{}/", desk.address)).run(WATCH);
    tab.wait_true("the stream open", "return performance.getEntriesByType('resource').length > 0");
    runtime()?.block_on(async {
        let mut connection = Connection::open(desk.host.port).await?;
        let call = post("/api/v1/requests", &desk.host.asker, &usual());
        let asked = now()?;
        let id = id_after(std::str::from_utf8(connection.call(&call).await?)?, "{")?;
        let abort = format!("/api/v1/requests/{id}/abort");
        let id = [Value::from(id)];
        tab.wait_until("listed", |tab| {
            tab.run_with("return arguments[0] in window.listed", &id) == true
        });
        let at = millis(&tab.run_with("return window.listed[arguments[0]]", &id));
        connection.call(&post(&abort, &desk.host.asker, &json!({}).to_string())).await?;
        Ok(at.saturating_sub(asked))
    })
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
