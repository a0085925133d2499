//! A real Chromium with a person in front of it: clicks and keys go in by WebDriver, as the browser
//! would get them from a mouse and a keyboard; what is seen, spoken and sent comes out.
//!
//! Owns the browser and its driver; what a page means is the caller's. Invariant: no wait is a
//! guess. Each has a name, a condition and a deadline, and fails with the page's text, what its
//! console says and a picture of it.

mod axe;
mod builder;
mod driver;
mod element;
mod emulation;
mod input;
mod network;
mod tree;
mod waits;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, thread};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

pub use axe::Violation;
pub use builder::BrowserBuilder;
use driver::Driver;
pub use element::Element;
pub use emulation::Media;
pub use network::Sent;

/// A running browser with one tab, as which it is used. It ends when dropped, and fails its test
/// then when a page has thrown or was kept from something by its policy.
pub struct Browser {
    driver: Arc<Driver>,
    first: Tab,
    size: (u32, u32),
}

impl Browser {
    /// An empty browser of a usual size.
    #[track_caller]
    pub fn start() -> Self {
        Self::builder().start()
    }

    /// A browser that is put together.
    pub fn builder() -> BrowserBuilder {
        BrowserBuilder::default()
    }

    #[track_caller]
    fn of(builder: &BrowserBuilder) -> Self {
        let driver = Arc::new(Driver::start(&builder.capabilities()));
        let handle = driver.get("window").as_str().unwrap().to_owned();
        let first = Tab { driver: Arc::clone(&driver), handle };
        first.resizes(builder.size.0, builder.size.1);
        Self { driver, first, size: builder.size }
    }

    /// A further tab, in a window of its own: both are shown, as on a desk.
    #[track_caller]
    pub fn tab(&self) -> Tab {
        let window = self.driver.post("window/new", &json!({"type": "window"}));
        let handle = window["handle"].as_str().unwrap().to_owned();
        let tab = Tab { driver: Arc::clone(&self.driver), handle };
        tab.resizes(self.size.0, self.size.1);
        tab
    }
}

impl Deref for Browser {
    type Target = Tab;

    fn deref(&self) -> &Tab {
        &self.first
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            self.first.keep_picture();
            return;
        }
        let faults = self.driver.faults();
        assert!(faults.is_empty(), "the pages were not quiet: {faults:#?}");
    }
}

/// One tab. Methods that do something give the tab back, so that they can be chained.
pub struct Tab {
    driver: Arc<Driver>,
    handle: String,
}

impl Tab {
    /// Goes to an address and waits until the page has loaded.
    #[track_caller]
    pub fn open(&self, url: impl AsRef<str>) -> &Self {
        self.post("url", &json!({"url": url.as_ref()}));
        self
    }

    /// Loads the page again.
    #[track_caller]
    pub fn reload(&self) -> &Self {
        self.post("refresh", &json!({}));
        self
    }

    /// Goes back in the tab's history.
    #[track_caller]
    pub fn back(&self) -> &Self {
        self.post("back", &json!({}));
        self
    }

    /// Closes the tab. The first one of a browser stays until its end.
    #[track_caller]
    pub fn close(self) {
        self.driver.in_window(&self.handle, |driver| driver.delete("window")).unwrap();
    }

    /// The address of the page.
    #[track_caller]
    pub fn url(&self) -> String {
        self.run("return location.href").as_str().unwrap_or_default().to_owned()
    }

    /// The title of the page.
    #[track_caller]
    pub fn title(&self) -> String {
        self.run("return document.title").as_str().unwrap_or_default().to_owned()
    }

    /// The text that is shown, that in fields last, runs of white space as one space.
    #[track_caller]
    pub fn text(&self) -> String {
        let script = "const shown = (field) => field.checkVisibility({visibilityProperty: true});
            const fields = [...document.querySelectorAll('textarea')].filter(shown);
            return [document.body?.innerText ?? '', ...fields.map((it) => it.value)].join(' ')";
        let text = self.run(script);
        text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Takes what pages have thrown or were kept from so far as meant by the test.
    #[track_caller]
    pub fn forgets_faults(&self) -> &Self {
        self.driver.faults();
        self
    }

    /// The first element that matches and is shown, looked for when it is used.
    pub fn css(&self, selector: impl Into<String>) -> Element<'_> {
        Element::new(self, selector.into())
    }

    /// Runs a script as a function's body in the page; its policy does not keep it out.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.run_with(script, &[])
    }

    /// Runs a script with arguments.
    #[track_caller]
    pub fn run_with(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({"script": script, "args": arguments}))
    }

    /// Runs a script that gives a promise, and waits for what it comes to.
    #[track_caller]
    pub fn run_async(&self, script: &str, arguments: &[Value]) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async function () {{ {script} }})(...[...arguments].slice(0, -1))
                 .then((value) => done({{value}}), (error) => done({{error: String(error)}}));"
        );
        let outcome = self.post("execute/async", &json!({"script": script, "args": arguments}));
        assert!(outcome.get("error").is_none(), "{outcome}");
        outcome["value"].clone()
    }

    /// A command of the DevTools protocol.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// The cookies that the page is sent with, one object each.
    #[track_caller]
    pub fn cookies(&self) -> Vec<Value> {
        let cookies = self.driver.in_window(&self.handle, |driver| driver.try_get("cookie"));
        cookies.unwrap().as_array().unwrap().clone()
    }

    /// Forgets all cookies of the page.
    #[track_caller]
    pub fn forgets_cookies(&self) -> &Self {
        self.driver.in_window(&self.handle, |driver| driver.delete("cookie")).unwrap();
        self
    }

    /// A picture of what is shown, in the folder for the pictures of tests.
    #[track_caller]
    pub fn screenshot(&self, name: &str) -> PathBuf {
        self.try_screenshot(name).unwrap_or_else(|refusal| panic!("no picture: {refusal}"))
    }

    fn try_screenshot(&self, name: &str) -> Result<PathBuf, driver::Refusal> {
        let picture = self.driver.in_window(&self.handle, |driver| driver.try_get("screenshot"))?;
        let bytes = BASE64_STANDARD.decode(picture.as_str().unwrap()).unwrap();
        let path = pictures().join(format!("{name}.png"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        Ok(path)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        match self.try_post(path, body) {
            Ok(value) => value,
            Err(refusal) => panic!("{path}: {refusal}"),
        }
    }

    fn try_post(&self, path: &str, body: &Value) -> Result<Value, driver::Refusal> {
        self.driver.in_window(&self.handle, |driver| driver.try_post(path, body))
    }
}

/// `target/browser`, beside the folder of the test binary's profile.
fn pictures() -> PathBuf {
    target().join("browser")
}

/// The target folder that the running program was built into; where it was moved since, the folder
/// for temporary files.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let marked = program.ancestors().find(|folder| folder.join(".rustc_info.json").is_file());
    marked.map_or_else(std::env::temp_dir, Path::to_owned)
}

#[cfg(test)]
mod tests;
