//! What happens elsewhere while a page is open: it shows, is told politely, and takes nothing away from
//! where the person is.

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R2, R3, Web};
use crate::terminal::takes_keys;

/// The pending requests that the list shows, in order.
fn listed(web: &Web) -> Vec<String> {
    let script = "return [...document.querySelectorAll('#inbox a[data-state=pending]')]
        .map((it) => it.dataset.request)";
    let ids = web.browser.run(script);
    ids.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn b061_b111_b115_a_new_request_shows_and_takes_no_key() {
    let web = Web::start();
    let first = web.asks(R1);
    let field = web.card().field();
    field.clicks().types("typed before");

    let second = web.host.post(R2);
    web.browser.types(" and while it came");
    web.browser.wait_until("listed", |_| listed(&web) == [first.as_str(), &second]);
    web.browser.types(" and after");

    assert!(field.has_focus());
    assert_eq!(field.value(), "typed before and while it came and after");
    assert!(web.browser.title().starts_with("(2) "), "{}", web.browser.title());
    let said = web.browser.css("#live").text();
    assert!(said.contains("Which features?"), "{said:?}");

    // The newer is answered first; each gets its own.
    web.opens(&second).chooses("Audit").goes_on();
    assert_eq!(web.answer(&second), json!({"answers": [{"id": "feat", "selected": ["Audit"]}]}));
    web.opens(&first).goes_on();
    let custom = "typed before and while it came and after";
    assert_eq!(
        web.answer(&first),
        json!({"answers": [{"id": "db", "selected": [], "custom": custom}]})
    );
}

#[test]
fn after_a_submit_the_next_request_opens() {
    let web = Web::start();
    let (first, second) = (web.host.post(R1), web.host.post(R2));

    web.opens(&first).chooses("SQLite").goes_on();
    web.browser.css(format!("form#card[data-request=\"{second}\"]")).wait_shown();
    let title = web.browser.css("#q0 .title");
    web.browser.wait_until("at its question", |_| title.has_focus());
    web.card().chooses("Auth").goes_on();

    web.browser.css("[data-page=inbox]").wait_shown();
    assert_eq!(web.answer(&second), json!({"answers": [{"id": "feat", "selected": ["Auth"]}]}));
}

#[test]
fn b114_to_put_one_aside_touches_no_other() {
    let web = Web::start();
    let ids = [R1, R2, R3].map(|request| web.host.post(request));

    web.opens(&ids[0]).act("dismiss").clicks();
    web.browser.css("dialog [data-act=yes]").clicks();

    web.browser.css(format!("form#card[data-request=\"{}\"]", ids[1])).wait_shown();
    assert_eq!(web.host.waiting(), ids[1..]);
    assert_eq!(web.host.run(["wait", &ids[0]]).code(), 130);
}

#[test]
fn b079_an_answer_that_nobody_waits_for_is_kept_and_says_so() {
    let web = Web::start();
    let (asking, id) = web.host.asking(R1, &[]);
    drop(asking);

    web.opens(&id).chooses("DuckDB").goes_on();
    web.browser.css("[data-page=inbox]").wait_shown();
    web.browser.open(web.page(&id)).reload();
    web.browser.css("[data-state=answered]").wait_shown().wait_for("not picked up yet");

    assert_eq!(web.answer(&id), json!({"answers": [{"id": "db", "selected": ["DuckDB"]}]}));
    web.wait_picked_up(&id);
    web.browser.reload().wait_for("the asker has it");
}

#[test]
fn b118_b059_what_is_answered_or_cancelled_elsewhere_turns_read_only() {
    let web = Web::start();
    let (answered, cancelled) = (web.asks(R1), web.host.post(R2));
    web.card().writes("not sent");
    web.wait_saved(&answered, 0, "not sent");

    assert_eq!(web.host.run(["answer", &answered, "--select", "DuckDB"]).code(), 0);
    web.browser.css("[data-state=answered]").wait_shown().wait_for("DuckDB").wait_for("not sent");
    assert!(!web.card().primary().is_shown());

    web.opens(&cancelled);
    assert_eq!(web.host.run(["cancel", &cancelled, "--comment", "not now"]).code(), 0);
    web.browser.css("[data-state=cancelled]").wait_shown().wait_for("not now");
    web.browser.wait_until("none listed", |_| listed(&web).is_empty());
    assert!(!web.browser.title().starts_with('('), "{}", web.browser.title());
}

#[test]
fn b073_a_page_finds_everything_again_after_its_stream_was_cut() {
    let web = Web::start();
    let known = web.asks(R2);
    web.card().writes("kept");
    web.wait_saved(&known, 0, "kept");
    let gone = web.host.post(R1);
    web.browser.wait_until("both listed", |_| listed(&web) == [known.as_str(), &gone]);

    let mut expected = vec![known.clone()];
    web.browser.goes_offline(true);
    web.host.run(["answer", &gone, "--select", "SQLite"]);
    for _ in 0..3 {
        expected.push(web.host.post(R3));
        web.browser.goes_offline(false);
        web.browser.wait_until("found again", |_| listed(&web) == expected);
        web.browser.goes_offline(true);
    }
    web.browser.goes_offline(false);

    assert_eq!(web.card().field().value(), "kept");
    // Over a restart of the host too.
    let web = web.killed_and_started_again();
    expected.push(web.host.post(R1));
    web.browser.wait_until("found after a restart", |_| listed(&web) == expected);
    assert_eq!(web.card().field().value(), "kept");
}

#[test]
fn b119_each_request_shows_who_asks() {
    let web = Web::start();
    let asked = |name: &str| {
        let asker =
            format!(r#"],"asker":{{"name":"{name}","cwd":"/srv/{name}","chain":["reviewer"]}}}}"#);
        R1.strip_suffix("]}").unwrap().to_owned() + &asker
    };
    let (first, second) = (web.host.post(&asked("billing")), web.host.post(&asked("search")));

    for (id, name) in [(first, "billing"), (second, "search")] {
        web.opens(&id);
        let head = web.browser.css(".card-head").text();
        assert!(head.contains(name) && head.contains(&format!("/srv/{name}")), "{head}");
        assert!(head.contains("reviewer"), "{head}");
        assert!(web.browser.text().contains("Which database?"));
    }
    let list = web.inbox().css("#inbox").text();
    assert!(list.contains("billing") && list.contains("search"), "{list}");
}

#[test]
fn all_tabs_share_one_stream() {
    let web = Web::start();
    let id = web.host.post(R1);
    web.opens(&id);
    let others = [web.browser.tab(), web.browser.tab()];
    for tab in &others {
        web.opens_in(tab, &id);
    }
    let watching = || web.host.json(["status", "--format", "json"])["status"]["watching"].clone();
    super::wait_until("watched", || watching() == 1);

    // Every tab hears of what the one stream tells; and when its tab goes, another takes over.
    let second = web.host.post(R2);
    for tab in &others {
        tab.css(format!("#inbox a[href=\"/r/{second}\"]")).wait_shown();
    }
    web.browser.open("about:blank");
    super::wait_until("taken over", || watching() == 1);
    let third = web.host.post(R3);
    for tab in &others {
        tab.css(format!("#inbox a[href=\"/r/{third}\"]")).wait_shown();
    }
}

#[test]
fn a_browser_that_shares_no_stream_between_tabs_has_one_in_each() {
    let web = Web::start();
    let denies = "LockManager.prototype.request = () =>
        Promise.reject(new DOMException('denied', 'SecurityError'));";
    web.browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({"source": denies}));
    let first = web.asks(R1);
    let tab = web.browser.tab();
    tab.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({"source": denies}));
    web.opens_in(&tab, &first);

    let second = web.host.post(R2);

    for tab in [&web.browser, &tab] {
        tab.css(format!("#inbox a[data-request=\"{second}\"]")).wait_shown();
    }
}

#[test]
fn a_notification_is_raised_when_the_person_allows_it() {
    let web = Web::with(&Browser::builder().with_notifications());
    web.inbox().css("[data-act=notify]").clicks();
    web.browser.css("[data-act=notify][aria-pressed=true]").wait_shown();
    // Kept in the page, since nobody sees a notification of a browser without a screen.
    web.browser.run(
        "window.raised = [];
         window.Notification = class {
             static permission = 'granted';
             constructor(title, options) { window.raised.push([title, options?.body ?? '']); }
             addEventListener() {}
             close() {}
         };
         Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});
         Object.defineProperty(document, 'hidden', {value: true, configurable: true});
         document.hasFocus = () => false;",
    );

    web.host.post(R1);

    web.browser.wait_until("raised", |tab| tab.run("return window.raised.length") == 1);
}

#[test]
fn b073_a_list_that_could_not_be_read_is_read_again_by_itself() {
    let web = Web::start();
    web.inbox();
    web.browser.run(
        "const own = window.fetch;
         window.failed = 0;
         window.fetch = (place, ...rest) =>
             String(place).startsWith('/?part=list') && window.failed++ < 2
                 ? Promise.reject(new TypeError('cut'))
                 : own(place, ...rest);",
    );

    let id = web.host.post(R1);

    // By itself: nothing else happens that would have it read.
    web.browser.wait_until("read again", |_| listed(&web) == [id.as_str()]);
    assert_eq!(web.browser.run("return window.failed > 2"), true);
}

#[test]
fn who_else_is_answering_shows_on_the_open_card_and_takes_no_focus() {
    let web = Web::start();
    let id = web.asks(R1);
    let field = web.card().field();
    field.clicks().types("mine");
    let mei = web.host.elsewhere_as("Mei").terminal(["answer", &id]).spawn();
    mei.wait_ready(takes_keys).keys("c").types("hers");

    web.browser.css("[data-answering]").wait_shown().wait_for("also answering: Mei");
    web.browser.css("#inbox .answering").wait_shown().wait_for("answering: Mei");
    web.browser.types(" too");

    assert!(field.has_focus());
    assert_eq!(field.value(), "mine too");
    // It is known to who comes later as well.
    web.browser.reload();
    web.browser.css("[data-answering]").wait_shown().wait_for("also answering: Mei");
}
