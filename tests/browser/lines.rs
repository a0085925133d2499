//! Lines that are slow, cut or held back, and screens that get into each other's way: what a person
//! entered stays, and what they see is what is sent.

use std::thread;
use std::time::Duration;

use askwell_testkit::{Browser, Tab};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Card, R1, R2, R3, Web, wait_until};

/// From now on replies to calls of this kind come late (`slow`, in milliseconds), or are lost.
fn replies(tab: &Tab, method: &str, path: &str, slow: Option<u32>) {
    let script = "
        const [method, path, slow] = arguments;
        const real = window.realFetch ??= window.fetch;
        window.fetch = async (address, options) => {
            const reply = await real(address, options);
            if (options?.method !== method || !address.endsWith(path)) return reply;
            if (slow === null) throw new TypeError('lost');
            await new Promise((resume) => setTimeout(resume, slow));
            return reply;
        };";
    tab.run_with(script, &[method.into(), path.into(), slow.into()]);
}

fn chosen(web: &Web, id: &str, question: usize) -> Value {
    web.host.show(id)["draft"]["questions"][question]["chosen"].clone()
}

/// Presses the button of a mouse as slowly as a person does.
fn presses_slowly(tab: &Tab, selector: &str) {
    let [x, y, width, height] = tab.css(selector).place();
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({"type": kind, "x": x + width / 2.0, "y": y + height / 2.0,
            "button": "left", "buttons": 1, "clickCount": 1});
        tab.devtools("Input.dispatchMouseEvent", &event);
        thread::sleep(Duration::from_millis(90));
    }
}

#[test]
fn b117_what_is_pressed_is_what_was_seen() {
    let web = Web::start();
    let id = web.asks(R1);
    web.card().writes("No, keep the data");
    web.wait_saved(&id, 0, "No, keep the data");
    let other = web.another(&Browser::builder());
    web.opens_in(&other, &id).field().clicks().presses("<c-a>").types("Yes, delete the data");
    web.browser.css(".elsewhere").wait_shown();

    presses_slowly(&web.browser, ".card-foot button.primary");

    let answers = json!({"answers": [{"id": "db", "selected": [], "custom": "No, keep the data"}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b085_what_is_entered_while_a_write_is_on_its_way_stands_when_the_page_is_left() {
    let web = Web::start();
    let id = web.asks(R2);
    replies(&web.browser, "PUT", "/draft", Some(800));

    web.card().chooses("Auth");
    wait_until("the first tick at the host", || chosen(&web, &id, 0) == json!(["Auth"]));
    web.card().chooses("Export").writes("and this");
    web.inbox();

    web.wait_saved(&id, 0, "and this");
    assert_eq!(chosen(&web, &id, 0), json!(["Auth", "Export"]));
}

#[test]
fn what_is_typed_while_theirs_is_taken_stands() {
    let web = Web::start();
    let id = web.asks(R1);
    web.card().writes("mine");
    web.wait_saved(&id, 0, "mine");
    let other = web.another(&Browser::builder());
    web.opens_in(&other, &id).field().clicks().presses("<c-a>").types("theirs");
    web.browser.css(".elsewhere").wait_shown();
    web.browser.types(" too");
    replies(&web.browser, "PUT", "/draft", Some(600));

    web.card().act("take-theirs").clicks();
    web.card().field().clicks().presses("<c-end>").types(", and more");

    web.host.wait_until("both kept", &id, |shown| {
        let all = shown["draft"]["questions"][0].to_string();
        all.contains(", and more") && all.contains("theirs")
    });
    assert!(web.card().field().value().ends_with(", and more"));
}

#[test]
fn b083_an_answer_whose_reply_is_lost_is_shown_as_sent() {
    let web = Web::start();
    let id = web.asks(R1);
    replies(&web.browser, "POST", "/answer", None);

    web.card().chooses("SQLite").goes_on();

    web.browser.css("[data-outcome=answered]").wait_shown();
    let answers = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b059_a_request_that_the_host_has_forgotten_is_no_live_form() {
    let web = Web::start();
    let id = web.asks(R1);
    web.card().writes("typed before");
    web.wait_saved(&id, 0, "typed before");
    web.browser.goes_offline(true).types(", and offline");

    assert_eq!(web.host.run(["answer", &id, "--select", "SQLite"]).code(), 0);
    web.answer(&id);
    web.wait_picked_up(&id);
    assert_eq!(web.host.run(["purge", "--keep", "0"]).code(), 0);
    web.browser.goes_offline(false);

    web.browser.wait_for("no longer knows this request");
    assert_eq!(web.browser.css(".typed-here textarea").value(), "typed before, and offline");
    assert!(!web.card().primary().is_shown());
    let stays = "return Object.values(localStorage).some((it) => it.includes(', and offline'))";
    assert!(web.browser.run(stays) == true);
}

#[test]
fn a_choice_outlives_a_look_at_the_plan() {
    let web = Web::start();
    let plan = json!({"questions": [{"id": "plan", "question": "Go on?", "detail": "# Plan",
        "options": [{"label": "Ship it"}, {"label": "Hold"}],
        "intent": {"kind": "plan-review", "approve": "Ship it"}}]});
    let id = web.asks(&plan.to_string());
    web.browser.css("[value=view-question]").clicks();
    web.card().chooses("Hold");
    wait_until("chosen", || chosen(&web, &id, 0) == json!(["Hold"]));

    web.opens(&id);
    web.card().writes("but");
    web.wait_saved(&id, 0, "but");
    web.browser.presses("<c-a><backspace>");
    web.wait_saved(&id, 0, "");

    assert_eq!(chosen(&web, &id, 0), json!(["Hold"]));
}

#[test]
fn one_text_that_is_too_long_keeps_no_other_from_being_saved() {
    let web = Web::start();
    let id = web.asks(R3);
    let put = "element.value = 'x'.repeat(5 * 1024 * 1024) + '\\ud800';
        element.dispatchEvent(new Event('input', {bubbles: true}));";
    web.card().field_of(1).evaluates(put);
    web.card().chooses("SQLite");

    wait_until("chosen", || chosen(&web, &id, 0) == json!(["SQLite"]));
    web.browser.css("[data-status][data-state=failing]").wait_shown();
}

#[test]
fn ticks_of_two_tabs_both_stand() {
    let web = Web::start();
    let id = web.asks(R2);
    let other = web.another(&Browser::builder());
    let second: Card<'_> = web.opens_in(&other, &id);
    let (both, none) = (json!(["Auth", "Export"]), json!([]));
    assert_eq!(chosen(&web, &id, 0), none);

    // Neither has heard of the other when it writes.
    web.browser.goes_offline(true);
    web.card().chooses("Auth");
    second.chooses("Export");
    wait_until("the other's tick", || chosen(&web, &id, 0) == json!(["Export"]));
    web.browser.goes_offline(false);

    wait_until("both ticks", || chosen(&web, &id, 0) == both);
    web.browser.wait_until("both shown", |_| web.card().chosen(0) == ["Auth", "Export"]);
}

#[test]
fn what_another_person_left_in_the_browser_is_not_made_ones_own() {
    let web = Web::start();
    let id = web.asks(R1);
    let left = json!({"at": 0, "questions": [{"id": "db", "chosen": [], "custom": "of Alice",
        "customOn": true, "skipped": false, "base": 0}]});
    let name = format!("askwell.draft.0123456789abcdef.{id}.page");
    let script = "localStorage.setItem(arguments[0], arguments[1])";
    web.browser.run_with(script, &[name.as_str().into(), left.to_string().into()]);

    web.opens(&id).writes("of Bob");
    web.wait_saved(&id, 0, "of Bob");

    assert!(!web.host.show(&id).to_string().contains("of Alice"));
    let stays = "return localStorage.getItem(arguments[0]) !== null";
    assert!(web.browser.run_with(stays, &[name.as_str().into()]) == true);
}

#[test]
fn what_was_held_back_stays_in_the_browser_until_the_host_has_it() {
    let web = Web::start();
    let id = web.asks(R1);
    web.card().writes("first");
    web.wait_saved(&id, 0, "first");
    web.browser.goes_offline(true).types(", offline");
    web.browser.wait_true(
        "held back",
        "return Object.keys(localStorage).some((it) => it.startsWith('askwell.draft.'))",
    );
    let other = web.another(&Browser::builder());
    web.opens_in(&other, &id).field().clicks().presses("<c-a>").types("elsewhere");
    web.wait_saved(&id, 0, "elsewhere");

    // The first writes of the page that comes back fail.
    let fails = "let left = 2; const real = window.fetch;
        window.fetch = async (address, options) => options?.method === 'PUT' && left-- > 0
            ? new Response('{}', {status: 503}) : real(address, options);";
    web.browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({"source": fails}));
    web.browser.goes_offline(false);
    web.opens(&id);

    web.host.wait_until("kept beside", &id, |shown| {
        shown["draft"]["questions"][0].to_string().contains("first, offline")
    });
}
