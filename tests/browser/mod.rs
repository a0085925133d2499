//! The pages in a real Chromium: the real host behind them, a person's keys and clicks in front, and
//! every answer compared whole at the asker's end.
//!
//! A test has one browser and asks as much in it as belongs together: starting one is most of its time.

mod answering;
mod decisions;
mod drafts;
mod hostile;
mod keyboard;
mod languages;
mod lines;
mod live;
mod looks;
mod picture;
mod spoken;
mod vectors;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Browser, BrowserBuilder, Element, Tab, deadline};
use serde_json::Value;

use crate::crash::http::Http;
pub use crate::host::{Host, R1, R2, R3};

/// A host, and a browser that is signed in to it.
pub struct Web {
    pub host: Host,
    pub browser: Browser,
    /// Whether scripts of pages run.
    javascript: bool,
    /// The address of the pages, without a slash at its end.
    pub address: String,
}

impl Web {
    pub fn start() -> Self {
        Self::with(&Browser::builder())
    }

    pub fn without_javascript() -> Self {
        Self::with(&Browser::builder().without_javascript())
    }

    pub fn with(builder: &BrowserBuilder) -> Self {
        let host = Host::start();
        let browser = builder.start();
        let link = link(&host);
        let end = link.find("/sign-in").unwrap_or_else(|| panic!("no link: {link}"));
        let javascript = builder.has_javascript();
        let web = Self { host, browser, javascript, address: link[..end].to_owned() };
        sign_in(&web.browser, &link);
        web
    }

    /// Another browser of the same person.
    pub fn another(&self, builder: &BrowserBuilder) -> Browser {
        let browser = builder.start();
        sign_in(&browser, &link(&self.host));
        browser
    }

    /// Posts a request and opens its page; its id.
    #[track_caller]
    pub fn asks(&self, request: &str) -> String {
        let id = self.posts(request);
        self.opens(&id);
        id
    }

    /// Posts a request by the API itself, where the command line is not what is tested.
    #[track_caller]
    fn posts(&self, request: &str) -> String {
        let folder = self.host.askwell.state().join("askwell");
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap().trim().to_owned();
        let port = read("port").parse().unwrap();
        let mut http = Http::connect(port, &read("credentials/asker")).unwrap();
        let request: Value = serde_json::from_str(request).unwrap();
        let reply = http.post("/api/v1/requests", &request).unwrap();
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.body["id"].as_str().unwrap().to_owned()
    }

    /// Opens the page of a request.
    #[track_caller]
    pub fn opens(&self, id: &str) -> Card<'_> {
        self.opens_in(&self.browser, id)
    }

    #[track_caller]
    pub fn opens_in<'tab>(&self, tab: &'tab Tab, id: &str) -> Card<'tab> {
        self.goes(tab, &self.page(id));
        if self.javascript {
            tab.wait_true(
                "taken over by scripts",
                "return document.documentElement.dataset.js === 'on'",
            );
        }
        Card(tab)
    }

    /// Presses Tab until this has the focus, as one who has no mouse.
    #[track_caller]
    pub fn tabs_to(&self, element: &Element<'_>) {
        for _ in 0..40 {
            if element.evaluates("return element === document.activeElement") == true {
                return;
            }
            self.browser.presses("<tab>");
        }
        panic!("{element} is not to be reached by Tab");
    }

    pub fn page(&self, id: &str) -> String {
        format!("{}/r/{id}", self.address)
    }

    pub fn inbox(&self) -> &Tab {
        self.goes(&self.browser, &format!("{}/", self.address))
    }

    /// Goes to an address once the page is not about to go on by itself, as who has just sent an answer
    /// sees it do: two ways at once are a race of the driver's.
    #[track_caller]
    fn goes<'tab>(&self, tab: &'tab Tab, address: &str) -> &'tab Tab {
        if self.javascript {
            tab.wait_true("gone on", "return document.querySelector('[data-busy]') === null");
        }
        tab.open(address)
    }

    pub fn card(&self) -> Card<'_> {
        Card(&self.browser)
    }

    /// What the asker gets, once there is something.
    #[track_caller]
    pub fn answer(&self, id: &str) -> Value {
        self.host.json(["wait", id])
    }

    /// Waits until it is on record that the asker has it: a moment after it does.
    #[track_caller]
    pub fn wait_picked_up(&self, id: &str) {
        self.host.wait_until("picked up", id, |shown| {
            shown["request"]["receipt"]["pickedUpAt"].is_number()
        });
    }

    /// Waits until the draft of a question holds this text.
    #[track_caller]
    pub fn wait_saved(&self, id: &str, question: usize, text: &str) {
        let what = format!("saved {text:?}");
        self.host
            .wait_until(&what, id, |shown| shown["draft"]["questions"][question]["custom"] == text);
    }

    /// What kill -9 leaves behind, with a new host on it.
    pub fn killed_and_started_again(self) -> Self {
        Self { host: self.host.killed_and_started_again(), ..self }
    }

    /// Stops the host gracefully and starts another one.
    pub fn stopped_and_started_again(self) -> Self {
        Self { host: self.host.stopped_and_started_again(), ..self }
    }
}

/// A one-time link of this host.
#[track_caller]
pub fn link(host: &Host) -> String {
    let run = host.run(["open", "--print"]);
    assert_eq!(run.code(), 0, "{run}");
    run.stdout.trim().to_owned()
}

#[track_caller]
pub fn sign_in(tab: &Tab, link: &str) {
    tab.open(link).css("main form button").clicks();
    tab.css("[data-page=inbox]").wait_shown();
}

/// The page of one request. With JavaScript one question of it is shown at a time; what is named
/// without a question is of the one that is shown.
#[derive(Clone, Copy)]
pub struct Card<'tab>(pub &'tab Tab);

impl<'tab> Card<'tab> {
    /// Waits until keys count: those that were on their way when the page came do not.
    #[track_caller]
    pub fn takes_keys(self) -> Self {
        self.0.wait_true("keys count", "return document.querySelector('[data-waking]') === null");
        self
    }

    pub fn question(&self, place: usize) -> Element<'tab> {
        self.0.css(format!("#q{place}"))
    }

    /// The row of an option.
    pub fn option(&self, label: &str) -> Element<'tab> {
        self.0.css(".question label.opt").with_text(label)
    }

    /// The box or the button in the row of an option.
    pub fn tick(&self, label: &str) -> Element<'tab> {
        self.0.css(format!(".question input[data-label={}]", Value::from(label)))
    }

    #[track_caller]
    pub fn chooses(&self, label: &str) -> &Self {
        let option = self.option(label);
        // The driver knows nothing of what stands in front of a list.
        option.evaluates("element.scrollIntoView({block: 'nearest'})");
        option.clicks();
        self
    }

    /// The field for one's own words.
    pub fn field(&self) -> Element<'tab> {
        self.0.css(".question textarea")
    }

    pub fn field_of(&self, question: usize) -> Element<'tab> {
        self.0.css(format!("#q{question} textarea"))
    }

    /// Types at the end of the field.
    #[track_caller]
    pub fn writes(&self, text: &str) -> &Self {
        self.field().clicks().presses("<c-end>").types(text);
        self
    }

    /// A button by what it does.
    pub fn act(&self, name: &str) -> Element<'tab> {
        self.0.css(format!("[data-act={name}]"))
    }

    /// Next, Review or Submit.
    pub fn primary(&self) -> Element<'tab> {
        self.0.css(".card-foot button.primary")
    }

    #[track_caller]
    pub fn goes_on(&self) -> &Self {
        self.primary().clicks();
        self
    }

    /// The labels that are ticked in the question.
    #[track_caller]
    pub fn chosen(&self, question: usize) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(`#q${arguments[0]} input[data-label]:checked`)]
            .map((it) => it.dataset.label)";
        let labels = self.0.run_with(script, &[question.into()]);
        labels.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
    }
}

/// Looks again and again until `condition` holds.
#[track_caller]
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let until = Instant::now() + deadline();
    while !condition() {
        assert!(Instant::now() < until, "never {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
