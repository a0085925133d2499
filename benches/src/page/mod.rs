//! The pages as they are released, in a real Chromium on the same machine.

mod large;
mod live;
mod load;

pub use large::measure as large;
pub use live::{LISTED, REST, measure as live};
pub use load::measure as load;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use askwell_testkit::{Browser, Tab, TestEnvironment};
use serde_json::Value;

use crate::serve::exchange::question;
use crate::serve::http::{Connection, id_after, post};
use crate::serve::program::{Folder, Host};
use crate::serve::runtime;

/// A host, and a browser that is signed in to it.
pub struct Desk {
    pub browser: Browser,
    host: Host,
    /// The address of the pages, without a slash at its end.
    pub address: String,
    /// Dropped last: what the host writes into.
    folder: Folder,
}

impl Desk {
    pub fn open(folder: Folder) -> Result<Self> {
        let host = folder.start()?;
        let browser = Browser::builder().with_network().start();
        let call = post("/api/v1/sign-in", &host.answerer, "{}");
        let link = runtime()?.block_on(async {
            let mut connection = Connection::open(host.port).await?;
            let link: Value = serde_json::from_slice(connection.call(&call).await?)?;
            anyhow::Ok(link["url"].as_str().context("no link")?.to_owned())
        })?;
        let (address, _) = link.split_once("/sign-in").context("no link to sign in")?;
        browser.open(&link).css("main form button").clicks();
        browser.css("[data-page=inbox]").wait_shown();
        Ok(Self { browser, address: address.to_owned(), host, folder })
    }

    /// The environment of those that find the host.
    pub fn environment(&self) -> &TestEnvironment {
        self.folder.environment()
    }

    /// Posts a request; its id.
    fn asks(&self, request: &str) -> Result<String> {
        let call = post("/api/v1/requests", &self.host.asker, request);
        runtime()?.block_on(async {
            let mut connection = Connection::open(self.host.port).await?;
            id_after(std::str::from_utf8(connection.call(&call).await?)?, "{")
        })
    }

    fn page(&self, id: &str) -> String {
        format!("{}/r/{id}", self.address)
    }
}

/// Tells, from the next page on, when its scripts have taken it over.
fn watch_scripts(tab: &Tab) {
    let script = "new MutationObserver((_, observer) => {
        if (document.documentElement?.dataset.js !== 'on') return;
        window.takenOver = performance.now();
        observer.disconnect();
    }).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-js']});";
    tab.devtools("Page.addScriptToEvaluateOnNewDocument", &serde_json::json!({"source": script}));
}

/// When the scripts of the page had taken it over, since it was asked for.
fn taken_over(tab: &Tab) -> Duration {
    tab.wait_true("taken over by scripts", "return window.takenOver !== undefined");
    millis(&tab.run("return window.takenOver"))
}

/// A number of milliseconds of a page.
pub fn millis(value: &Value) -> Duration {
    Duration::from_secs_f64(value.as_f64().unwrap_or_default().max(0.0) / 1e3)
}

/// Now, on the clock that a page's `performance.timeOrigin` is of.
pub fn now() -> Result<Duration> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?)
}

/// What is usually asked.
pub fn usual() -> String {
    question()
}
