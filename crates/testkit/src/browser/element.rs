//! An element of a page, looked for each time that it is used: what is shown may be drawn anew at
//! any moment. What can't be done yet is tried again until the deadline.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Tab;
use super::driver::Refusal;
use crate::deadline;

/// The key under which the protocol names an element.
pub(super) const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The elements that match; those that are shown before those that are not.
const FIND: &str = r"
    const [selector, text] = arguments;
    const one = (element) => (element.getAttribute('aria-label') ?? element.textContent)
        .replace(/\s+/g, ' ').trim() === text;
    const all = [...document.querySelectorAll(selector)]
        .filter((it) => text === null || one(it) || [...it.querySelectorAll('*')].some(one));
    const shown = (element) => element.checkVisibility({visibilityProperty: true});
    return [...all.filter(shown), ...all.filter((it) => !shown(it))];";

/// The first element of a tab that matches and is shown.
#[derive(Clone)]
pub struct Element<'tab> {
    tab: &'tab Tab,
    selector: String,
    text: Option<String>,
}

impl<'tab> Element<'tab> {
    pub(super) fn new(tab: &'tab Tab, selector: String) -> Self {
        Self { tab, selector, text: None }
    }

    /// The one whose text or label, or that of something in it, is this.
    #[must_use]
    pub fn with_text(mut self, text: &str) -> Self {
        self.text = Some(text.to_owned());
        self
    }

    /// Clicks in its middle, as a mouse does: what covers it gets in the way.
    #[track_caller]
    pub fn clicks(&self) -> &'tab Tab {
        self.tab.has_seen();
        self.act("clicked", |id| {
            self.tab.try_post(&format!("element/{id}/click"), &json!({})).map(drop)
        });
        self.tab
    }

    /// Touches it with a finger.
    #[track_caller]
    pub fn taps(&self) -> &'tab Tab {
        self.tab.has_seen();
        self.act("tapped", |id| self.tab.try_tap(&json!({ELEMENT: id})));
        self.tab
    }

    /// Gives it the focus, and nothing else.
    #[track_caller]
    pub fn focuses(&self) -> &'tab Tab {
        self.evaluates("element.focus()");
        self.tab
    }

    /// Its text as shown, runs of white space as one space.
    #[track_caller]
    pub fn text(&self) -> String {
        let text = self.evaluates("return element.innerText ?? element.textContent");
        text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What a field holds.
    #[track_caller]
    pub fn value(&self) -> String {
        self.evaluates("return element.value").as_str().unwrap_or_default().to_owned()
    }

    /// The value of an attribute.
    #[track_caller]
    pub fn attribute(&self, name: &str) -> Option<String> {
        let value = self.evaluates(&format!("return element.getAttribute({})", json!(name)));
        value.as_str().map(str::to_owned)
    }

    /// Whether it is ticked.
    #[track_caller]
    pub fn is_checked(&self) -> bool {
        self.evaluates("return element.checked") == true
    }

    /// Whether it, or something in it, has the focus.
    #[track_caller]
    pub fn has_focus(&self) -> bool {
        self.evaluates("return element.contains(document.activeElement)") == true
    }

    /// Where it stands in the window: left, top, width, height.
    #[track_caller]
    pub fn place(&self) -> [f64; 4] {
        let script = "const {x, y, width, height} = element.getBoundingClientRect();
                      return [x, y, width, height]";
        let place = self.evaluates(script);
        std::array::from_fn(|at| place[at].as_f64().unwrap())
    }

    /// What a script says of it, which calls it `element`.
    #[track_caller]
    pub fn evaluates(&self, script: &str) -> Value {
        self.act("looked at", |id| {
            let script = format!("const [element] = arguments; {script}");
            self.tab.try_post("execute/sync", &json!({"script": script, "args": [{ELEMENT: id}]}))
        })
    }

    /// Whether it is there and shown, now.
    #[track_caller]
    pub fn is_shown(&self) -> bool {
        let found = self.found().unwrap_or_else(|refusal| panic!("{self}: {refusal}"));
        found.first().is_some_and(|id| {
            let script = "return arguments[0].checkVisibility({visibilityProperty: true})";
            let body = json!({"script": script, "args": [{ELEMENT: id}]});
            self.tab.try_post("execute/sync", &body).is_ok_and(|shown| shown == true)
        })
    }

    /// How many there are, shown or not.
    #[track_caller]
    pub fn count(&self) -> usize {
        self.found().unwrap_or_else(|refusal| panic!("{self}: {refusal}")).len()
    }

    /// Waits until it is shown.
    #[track_caller]
    pub fn wait_shown(&self) -> &'tab Tab {
        self.tab.wait_until(&format!("{self} shown"), |_| self.is_shown())
    }

    /// Waits until it is gone or hidden.
    #[track_caller]
    pub fn wait_gone(&self) -> &'tab Tab {
        self.tab.wait_until(&format!("{self} gone"), |_| !self.is_shown())
    }

    fn found(&self) -> Result<Vec<String>, Refusal> {
        let body = json!({"script": FIND, "args": [self.selector, self.text]});
        let found = self.tab.try_post("execute/sync", &body)?;
        let elements = found.as_array().into_iter().flatten();
        Ok(elements.filter_map(|it| it[ELEMENT].as_str()).map(str::to_owned).collect())
    }

    /// Does something to it as soon as it can be done.
    #[track_caller]
    fn act<T>(&self, done: &str, act: impl Fn(&str) -> Result<T, Refusal>) -> T {
        let until = Instant::now() + deadline();
        loop {
            let result = match self.found() {
                Ok(found) => found.first().map(|id| act(id)),
                Err(refusal) => Some(Err(refusal)),
            };
            let reason = match result {
                Some(Ok(value)) => return value,
                Some(Err(refusal)) if !may_pass(&refusal) => {
                    panic!("{self} can't be {done}: {refusal}\n{}", self.tab.report())
                }
                Some(Err(refusal)) => refusal.to_string(),
                None => "it is not there".to_owned(),
            };
            assert!(
                Instant::now() < until,
                "{self} can't be {done}: {reason}\n{}",
                self.tab.report()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl std::fmt::Display for Element<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.text {
            None => write!(formatter, "`{}`", self.selector),
            Some(text) => write!(formatter, "`{}` {text:?}", self.selector),
        }
    }
}

/// Whether it may be otherwise in a moment.
fn may_pass(refusal: &Refusal) -> bool {
    matches!(
        refusal.kind.as_str(),
        "no such element"
            | "stale element reference"
            | "element not interactable"
            | "element click intercepted"
    )
}
