use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;

const PAGE: &str = r#"data:text/html;charset=utf-8,<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A page</title>
<main><h1>Which?</h1><fieldset><legend>Which?</legend>
<label><input type="checkbox" name="a"> Auth</label>
<label><input type="radio" name="b" checked> Export</label></fieldset>
<textarea aria-label="Your own"></textarea><button onclick="document.title = 'Sent'">Send</button>
<p hidden>Not shown</p></main>"#;

#[test]
fn a_person_clicks_types_and_is_heard() {
    let browser = Browser::start();
    browser.open(PAGE);

    browser.css("label").with_text("Auth").clicks();
    browser.css("textarea").clicks().types("héllo 日本").presses("<s-enter>x<backspace>y<lt>");
    browser.css("button").clicks();

    browser.wait_until("sent", |tab| tab.title() == "Sent");
    assert!(browser.css("[name=a]").is_checked());
    assert_eq!(browser.css("textarea").value(), "héllo 日本\ny<");
    assert_eq!(browser.text(), "Which? Which? Auth Export Send héllo 日本 y<");
    assert!(!browser.css("p").is_shown());
    assert_eq!(browser.css("label").count(), 2);
    assert_eq!(
        browser.accessibility_tree("main"),
        "main\n  heading \"Which?\" level=1\n  group \"Which?\"\n    checkbox \"Auth\" checked\n    \
         radio \"Export\" checked\n  textbox \"Your own\" value=\"héllo 日本\\ny<\"\n  \
         button \"Send\" focused\n"
    );
    browser.assert_accessible("a plain page");
}

#[test]
fn an_input_method_composes() {
    let browser = Browser::start();
    browser.open(PAGE).css("textarea").clicks();

    browser.composes("han").composes("한").commits("한글");

    assert_eq!(browser.css("textarea").value(), "한글");
}

#[test]
fn windows_eyes_and_networks_are_others() {
    let browser = Browser::builder().languages("zh-CN,zh").start();
    browser.open(PAGE).becomes_phone().prefers(&[Media::Dark, Media::ForcedColours]);

    let script = "return [innerWidth, innerHeight, devicePixelRatio, navigator.languages,
        matchMedia('(prefers-color-scheme: dark)').matches,
        matchMedia('(forced-colors: active)').matches, matchMedia('(pointer: coarse)').matches]";
    assert_eq!(browser.run(script), json!([360, 640, 2, ["zh-CN", "zh"], true, true, true]));
    browser.zooms_to_double(1280, 800).goes_offline(true);
    assert_eq!(browser.run("return [innerWidth, navigator.onLine]"), json!([640, false]));
    browser.goes_offline(false);
    assert_eq!(browser.run("return navigator.onLine"), json!(true));
}

#[test]
fn without_javascript_no_script_of_the_page_runs() {
    let browser = Browser::builder().without_javascript().start();
    browser.open(PAGE);

    browser.css("button").clicks();
    browser.css("label").with_text("Auth").clicks();

    assert_eq!((browser.title(), browser.css("[name=a]").is_checked()), ("A page".into(), true));
}

#[test]
fn tabs_are_apart() {
    let browser = Browser::start();
    browser.open(PAGE);
    let second = browser.tab();
    second.open(PAGE).css("textarea").clicks().types("second");

    browser.css("textarea").clicks().types("first");

    assert_eq!(second.css("textarea").value(), "second");
    assert_eq!(browser.css("textarea").value(), "first");
    second.close();
    assert_eq!(browser.css("textarea").value(), "first");
}

#[test]
#[should_panic(expected = "the pages were not quiet")]
fn a_page_that_throws_is_a_fault() {
    let browser = Browser::start();
    browser.open("data:text/html,<script>nothing.there()</script>");
}

#[test]
fn what_a_failed_wait_tells_is_what_is_there() {
    let browser = Browser::start();

    let told = browser.open(PAGE).report();

    for part in ["| Which?", "title: A page", "focus: BODY", "what_a_failed_wait_tells", ".png"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}
