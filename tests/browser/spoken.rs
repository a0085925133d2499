//! The page as a screen reader gets it.

use pretty_assertions::assert_eq;

use super::{R1, R2, R3, Web};

const EMPTY: &str = r#"form "Questions for you"
  sectionheader
    heading "Questions for you" level=1
    text "“ release-bot ” (a local program) in /src your words go to a local program asked (time)"
    button "Fold away" expanded
    button "Cancel all questions"
  region "Which features?"
    text "Scope"
    heading "Which features?" focused level=2
    text "Everything ticked is released together."
    group "Scope: Which features? Choose any, and add your own." description="Everything ticked is released together."
      checkbox "Auth" description="sign-in"
      checkbox "Search Recommended"
      checkbox "Your own answer"
      textbox "Your own answer"
  sectionfooter
    button "Previous question" disabled
    text "1 / 2"
    button "Next question"
    button "Keys"
    status live=polite
    button "Skip"
    button "Next"
"#;
const COMPOSED: &str = r#"form "Questions for you"
  sectionheader
    heading "Questions for you" level=1
    text "“ release-bot ” (a local program) in /src your words go to a local program asked (time)"
    button "Fold away" expanded
    button "Cancel all questions"
  region "Which features?"
    text "Scope"
    heading "Which features?" level=2
    text "Everything ticked is released together."
    group "Scope: Which features? Choose any, and add your own." description="Everything ticked is released together."
      checkbox "Auth" description="sign-in" checked
      checkbox "Search Recommended"
      checkbox "Your own answer" checked
      textbox "Your own answer" value="also SSO" focused
    text "1 selected + your text"
  sectionfooter
    button "Previous question" disabled
    text "1 / 2"
    button "Next question"
    button "Keys"
    status live=polite
      text "Draft saved"
    button "Skip"
    button "Next"
"#;
const REVIEWED: &str = r#"form "Questions for you"
  sectionheader
    heading "Questions for you" level=1
    text "“ release-bot ” (a local program) in /src your words go to a local program asked (time)"
    button "Fold away" expanded
    button "Cancel all questions"
  heading "Review before sending" focused level=2
  list
    listitem level=1
      text "Scope Which features? Auth"
      blockquote
        text "also SSO"
      button "Change : Scope Which features?"
    listitem level=1
      text "Project name? skipped"
      button "Change : Project name?"
  sectionfooter
    button "Previous question"
    text "Review"
    button "Next question" disabled
    button "Keys"
    status live=polite
      text "Draft saved"
    button "Send"
"#;
const ANSWERED: &str = r#"main
  article
    sectionheader
      heading "Questions for you" level=1
      text "“ release-bot ” (a local program) in /src asked (time)"
    text "Answered · in a browser · (time) ( (time) ) · the asker has it"
    region "Which features?"
      text "Scope"
      heading "Which features?" level=2
      group
        DisclosureTriangle "Detail" collapsed
      list
        listitem level=1
          text "✓ Auth"
      blockquote
        text "also SSO"
    region "Project name?"
      heading "Project name?" level=2
      text "Skipped"
    sectionfooter
      link "To the inbox"
"#;

#[test]
fn b091_the_card_is_spoken_as_it_is_seen() {
    let web = Web::start();
    let request = r#"{"questions":[{"id":"feat","header":"Scope","question":"Which features?","detail":"Everything ticked is released together.","multiSelect":true,"options":[{"label":"Auth","description":"sign-in"},{"label":"Search (Recommended)"}]},{"id":"name","question":"Project name?"}],"asker":{"name":"release-bot","cwd":"/src"}}"#;
    let id = web.asks(request);
    let card = web.card();
    let tree = || web.browser.accessibility_tree("#card");

    let empty = tree();
    card.chooses("Auth").writes("also SSO");
    web.wait_saved(&id, 0, "also SSO");
    web.browser.css("[data-status]").with_text("Draft saved").wait_shown();
    let composed = tree();
    card.goes_on().question(1).wait_shown();
    card.act("skip").clicks();
    web.browser.css("#review").wait_shown();
    let reviewed = tree();
    card.goes_on();
    web.answer(&id);
    web.wait_picked_up(&id);
    web.browser.css("[data-page=inbox]").wait_shown();
    web.browser.open(web.page(&id));
    let answered = web.browser.accessibility_tree("main");

    assert_eq!(empty, EMPTY);
    assert_eq!(composed, COMPOSED);
    assert_eq!(reviewed, REVIEWED);
    assert_eq!(answered, ANSWERED);
}

#[test]
fn b090_how_many_are_chosen_is_told_politely() {
    let web = Web::start();
    web.asks(R2);
    let live = web.browser.css("#live");
    assert_eq!(live.attribute("aria-live").as_deref(), Some("polite"));

    for (label, told) in [("Auth", "1 selected"), ("Export", "2 selected"), ("Auth", "1 selected")]
    {
        web.card().chooses(label);
        web.browser.wait_until(told, |_| live.text() == told);
    }

    // Nothing stands where something was: an unfinished question is told too.
    web.card().chooses("Export").goes_on();
    web.browser.css("#error-0[role=alert]").wait_shown();
}

#[test]
fn b091_the_tab_order_follows_the_questions() {
    let web = Web::without_javascript();
    web.asks(R3);

    let mut order = Vec::new();
    web.browser.run("document.querySelector('#q0 input[type=radio]').focus()");
    for _ in 0..20 {
        let at = web
            .browser
            .run("return document.activeElement.closest('section.question')?.id ?? 'foot'");
        order.push(at.as_str().unwrap().to_owned());
        web.browser.presses("<tab>");
    }
    order.dedup();
    assert_eq!(order[..4], ["q0", "q1", "q2", "foot"]);
}

#[test]
fn an_error_is_told_at_its_question() {
    let web = Web::start();
    web.asks(R1);

    web.card().goes_on();

    let error = web.browser.css("#error-0");
    error.wait_shown();
    assert!(!error.text().is_empty());
    let described = web.browser.run(
        "return document.querySelector('#q0 fieldset').getAttribute('aria-describedby') ?? ''",
    );
    assert!(described.as_str().unwrap().contains("error-0"), "{described}");
}
