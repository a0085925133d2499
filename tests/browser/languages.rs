//! The page speaks the person's language, and the asker's words are left as they are.

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, Web};

#[test]
fn the_browsers_language_is_taken_and_a_switch_is_followed_at_once() {
    let web = Web::with(&Browser::builder().languages("zh-CN,zh"));
    let id = web.asks(R1);
    let language =
        || web.browser.run("return document.documentElement.lang").as_str().unwrap().to_owned();
    assert!(language().starts_with("zh"), "{}", language());
    web.browser.wait_for("跳过").wait_for("Which database?");
    web.card().writes("写了一半");

    web.card().act("language").clicks();

    web.browser.wait_until("in English", |_| language() == "en");
    web.browser.wait_for("Skip").wait_for("Which database?").wait_gone("跳过");
    assert_eq!(web.card().field().value(), "写了一半");
    // It stays so on the next page.
    web.inbox();
    assert_eq!(language(), "en");
    web.opens(&id).goes_on();
    assert_eq!(web.answer(&id)["answers"][0]["custom"], "写了一半");
}

#[test]
fn b103_a_long_header_is_cut_to_the_eye_alone() {
    let web = Web::start();
    let header = "Überschrift ".repeat(25);
    let request = R1.replace(r#""header":"DB""#, &format!(r#""header":"{header}""#));
    let id = web.asks(&request);

    let eyebrow = web.browser.css(".eyebrow");
    assert_eq!(eyebrow.attribute("title").as_deref().map(str::trim), Some(header.trim()));
    assert_eq!(
        web.browser.run("return document.documentElement.scrollWidth <= innerWidth"),
        json!(true)
    );
    web.card().chooses("SQLite").goes_on();
    assert_eq!(web.answer(&id), json!({"answers": [{"id": "db", "selected": ["SQLite"]}]}));
}

#[test]
fn text_runs_in_its_own_direction_whatever_the_pages() {
    let web = Web::start();
    let request = json!({"questions": [{"id": "q", "question": "أي قاعدة بيانات؟", "multiSelect": true,
        "options": [{"label": "الأولى", "description": "خادم"}, {"label": "SQLite"}]}]});
    let id = web.asks(&request.to_string());
    let direction = |selector: &str| {
        let script =
            format!("return getComputedStyle(document.querySelector('{selector}')).direction");
        web.browser.run(&script).as_str().unwrap().to_owned()
    };

    assert_eq!(direction("#title-0"), "rtl");
    assert_eq!(direction("#q0 .opt .t"), "rtl");
    assert_eq!(direction("#q0 .opt:nth-of-type(2) .t"), "ltr");
    assert_eq!(direction("main"), "ltr");
    web.card().chooses("الأولى").writes("شكرا");
    assert_eq!(direction("#q0 textarea"), "rtl");
    web.card().goes_on();
    assert_eq!(
        web.answer(&id),
        json!({"answers": [{"id": "q", "selected": ["الأولى"], "custom": "شكرا"}]})
    );
}
