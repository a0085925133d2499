//! The same call gives the same answers, wherever the person gives them and whatever carries them.

use std::time::Instant;

use askwell_testkit::{Browser, deadline};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Client, Over, Plan};
use crate::browser::{Card, link, sign_in};
use crate::host::{Host, takes_keys};

/// A label with a comma, and names that do not sort.
fn request() -> Value {
    json!({"questions": [{"id": "parts", "question": "Which parts?", "multiSelect": true, "options": [
        {"label": "Search, fast", "description": "what"}, {"label": "Auth"}, {"label": "Export"}]}]})
}

fn answers() -> Value {
    let answer =
        json!({"id": "parts", "selected": ["Search, fast", "Export"], "custom": "SSO, too"});
    json!({"answers": [answer]})
}

/// Where a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Page,
    Inbox,
    Form,
}

impl Place {
    #[track_caller]
    fn answer(self, host: &Host, id: &str, client: &mut Client) {
        match self {
            Self::Page => {
                let (browser, link) = (Browser::start(), link(host));
                sign_in(&browser, &link);
                let address = link.split("/sign-in").next().unwrap();
                browser.open(format!("{address}/r/{id}")).wait_true(
                    "taken over by scripts",
                    "return document.documentElement.dataset.js === 'on'",
                );
                let card = Card(&browser);
                card.chooses("Export").chooses("Search, fast").writes("SSO, too").goes_on();
                browser.wait_for("Answered");
            }
            Self::Inbox => {
                let terminal = host.askwell.terminal(["inbox"]).spawn();
                terminal.wait_for("Which parts?").wait_ready(takes_keys).keys("<enter>");
                terminal.wait_until("the dialog takes keys", |screen| {
                    takes_keys(screen) && screen.contains("Export") && screen.contains("Esc")
                });
                terminal.keys("13").wait_for("2 selected").keys("c").types("SSO, too");
                terminal.wait_for("SSO, too").keys("<enter>").wait_for("Answered");
            }
            Self::Form => {
                let content = json!({"q01": ["Export", "Search, fast"], "q01_custom": "SSO, too"});
                client.enters(&json!({"action": "accept", "content": content}));
            }
        }
    }
}

/// Whether this client puts its form away when it is told so. The revision of modern ones has no word for it, and
/// version 1 of the Python SDK reads nothing while it shows a form: what is entered then is too late.
fn can_be_told() -> bool {
    super::variable("ERA") == "legacy" && super::variable("SDK") != "python-1"
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn the_same_call_gives_the_same_answers(
    #[values(Over::Stdio, Over::Http)] over: Over,
    #[values((false, Place::Page), (false, Place::Inbox), (true, Place::Page), (true, Place::Form))]
    answered: (bool, Place),
) {
    let (forms, place) = answered;
    let host = Host::start();
    let mut client = Plan { forms, ..Plan::ask(over, &request()) }.start(&host);
    let id = host.next_waiting();
    if forms {
        let form = client.form();
        let field = &form["requestedSchema"]["properties"]["q01"];
        assert_eq!(field["title"], "Which parts?", "{form}");
    }

    place.answer(&host, &id, &mut client);

    if forms && place != Place::Form && !can_be_told() {
        client.enters(&json!({"action": "cancel"}));
    }
    assert_eq!(client.result(), answers());
    let shown = host.wait_until("picked up", &id, |shown| {
        shown["request"]["receipt"]["pickedUpAt"].is_number()
    });
    let provider = match place {
        Place::Page => "web",
        Place::Inbox => "terminal",
        Place::Form => "elicitation",
    };
    assert_eq!(shown["request"]["receipt"]["provider"], provider);
}

#[rstest]
#[ignore = "needs an SDK: cargo xtask interop"]
fn two_agents_at_once_get_their_own(#[values(Over::Stdio, Over::Http)] over: Over) {
    let host = Host::start();
    let zone = |zone: &str| {
        let options = [json!({"label": "yes"}), json!({"label": "no"})];
        json!({"questions": [{"id": zone, "question": format!("Deploy to {zone}?"), "options": options}]})
    };
    let start = |name, request: &Value| {
        let plan = Plan { name, ..Plan::ask(over, request) };
        let before = host.waiting();
        let client = plan.start(&host);
        let until = Instant::now() + deadline();
        loop {
            if let Some(id) = host.waiting().into_iter().find(|id| !before.contains(id)) {
                return (client, id);
            }
            assert!(Instant::now() < until, "never asked");
        }
    };
    let (first, asked_first) = start("first", &zone("us"));
    let (second, asked_second) = start("second", &zone("eu"));
    assert_eq!(host.show(&asked_second)["request"]["request"]["asker"]["name"], "second");

    host.run(["answer", &asked_second, "--select", "no"]);
    assert_eq!(second.result(), json!({"answers": [{"id": "eu", "selected": ["no"]}]}));
    host.run(["answer", &asked_first, "--select", "yes"]);
    assert_eq!(first.result(), json!({"answers": [{"id": "us", "selected": ["yes"]}]}));
}
