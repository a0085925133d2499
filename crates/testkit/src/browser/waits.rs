//! The waits of a tab, and what they say when they fail.

use std::thread;
use std::time::{Duration, Instant};

use super::Tab;
use crate::deadline;

impl Tab {
    /// Waits until the page is as `condition` says. `what` names the wait when it fails.
    ///
    /// # Panics
    /// After the [`deadline`].
    #[track_caller]
    pub fn wait_until(&self, what: &str, condition: impl Fn(&Self) -> bool) -> &Self {
        let until = Instant::now() + deadline();
        while !condition(self) {
            assert!(
                Instant::now() < until,
                "waited {:?} for: {what}\n{}",
                deadline(),
                self.report()
            );
            // A page tells nobody outside that it changed.
            thread::sleep(Duration::from_millis(20));
        }
        self
    }

    /// Waits until this text is shown.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> &Self {
        self.wait_until(&format!("{text:?} shown"), |tab| tab.text().contains(text))
    }

    /// Waits until this text is shown no more.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) -> &Self {
        self.wait_until(&format!("{text:?} gone"), |tab| !tab.text().contains(text))
    }

    /// Waits until a script gives true.
    #[track_caller]
    pub fn wait_true(&self, what: &str, script: &str) -> &Self {
        self.wait_until(what, |tab| tab.run(script) == true)
    }

    /// Waits, as a person looks first, until what came by itself takes presses.
    pub(super) fn has_seen(&self) {
        self.wait_true("a press counts", "return document.querySelector('[data-new]') === null");
    }

    /// What stands on the page, for the message of a failure.
    pub(super) fn report(&self) -> String {
        let script = "const focus = document.activeElement;
            return [location.href, document.title, document.body?.innerText ?? '',
                    focus ? `${focus.tagName} ${focus.name ?? ''} ${focus.id}` : 'none']";
        let body = serde_json::json!({"script": script, "args": []});
        let page = self.try_post("execute/sync", &body).unwrap_or_default();
        let part = |at: usize| page[at].as_str().unwrap_or("?").to_owned();
        let faults = self.driver.faults();
        let picture = self.keep_picture();
        let text: Vec<String> = part(2)
            .lines()
            .filter(|line| !line.trim().is_empty())
            .take(60)
            .map(|line| format!("| {line}\n"))
            .collect();
        format!(
            "{}\ntitle: {}; focus: {}; console: {faults:?}; picture: {picture}",
            text.concat(),
            part(1),
            part(3),
        ) + &format!("\nat {}", part(0))
    }

    /// Keeps a picture under the name of the test; where it is.
    pub(super) fn keep_picture(&self) -> String {
        let thread = thread::current();
        let name = thread.name().unwrap_or("test").replace("::", "-");
        let kept = self.try_screenshot(&name);
        kept.map_or_else(|refusal| refusal.to_string(), |path| path.display().to_string())
    }
}
