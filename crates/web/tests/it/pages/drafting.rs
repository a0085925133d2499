//! Drafts by the buttons of a card, beside other screens of the same person.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Open, answer, answered, ask, r2};
use crate::support::{Form, TestHost, r1, r3};

/// What another screen writes.
fn write(id: &str, custom: &str, base: u64) -> Value {
    json!({"questions": [{"id": id, "chosen": [], "custom": custom, "customOn": true, "base": base}]})
}

#[tokio::test]
async fn a_saved_draft_is_there_again_on_this_and_every_other_screen() {
    let mut open = Open::new(&r3()).await;
    let text = "\n\nfirst\n  </textarea><b>&amp;\n\"last\"\n";

    let form = open.card().await.option(0, 1).option(1, 0).option(1, 2).write(2, text).skip(1);
    let place = open.press(&form, "save").await.leads_to().to_owned();

    assert_eq!(place, format!("/r/{}?saved=", open.id));
    let page = open.browser.get(&place).await;
    assert!(page.words().contains("Draft saved."));
    let again = Form::of(&page);
    assert_eq!((again.chosen(0), again.chosen(1)), (vec!["1"], vec!["0", "2"]));
    assert!(again.is_skipped(1) && !again.is_skipped(0));
    assert_eq!(again.text("q2.text"), text);
    let drafts = open.drafts().await;
    assert_eq!(drafts[2]["custom"], text);
    assert_eq!(drafts[1]["chosen"], json!(["Auth", "Export"]));

    // Saved again, untouched: nothing is written.
    open.press(&again, "save").await.leads_to();
    assert_eq!(open.drafts().await, drafts);
}

#[tokio::test]
async fn what_a_page_can_not_hold_of_a_text_stands_until_it_is_edited() {
    let mut open = Open::new(&r1()).await;
    let draft = format!("{}/draft", open.path());
    open.host.answerer.put(&draft, &write("db", "a\0b", 0)).await.ok();
    let before = open.drafts().await;

    // As a browser posts it.
    let form = open.card().await.write(0, "a\u{fffd}b");
    open.press(&form, "save").await.leads_to();
    assert_eq!(open.drafts().await, before);
    let asked = open.press(&form, "dismiss").await;
    open.press(&Form::of(&asked), "back").await.leads_to();
    assert_eq!(open.drafts().await, before);
    let form = open.card().await.write(0, "a\u{fffd}b");
    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &[], Some("a\0b"))]));
}

#[tokio::test]
async fn every_button_saves_first() {
    for button in ["save", "extend", "dismiss", "lang-zh", "submit"] {
        let mut request = r3();
        request["expiresInSeconds"] = 600.into();
        let mut open = Open::new(&request).await;

        let form = open.card().await.write(2, "half an answer");
        open.press(&form, button).await;

        assert_eq!(open.drafts().await[2]["custom"], "half an answer", "{button}");
        assert!(open.is_pending().await, "{button}");
        assert_eq!(open.card().await.text("q2.text"), "half an answer");
    }
}

#[tokio::test]
async fn every_way_out_of_a_card_has_a_button_that_saves() {
    let mut open = Open::new(&r3()).await;
    let other = ask(&open.host, &r1()).await;
    for (button, place) in [
        ("leave-inbox", "/".to_owned()),
        ("leave-devices", "/devices".to_owned()),
        (&format!("leave-{other}"), format!("/r/{other}")),
    ] {
        let text = format!("half an answer, then {button}");
        let form = open.card().await.write(2, &text);
        let led = open.press(&form, button).await.leads_to().to_owned();

        assert_eq!(led, place);
        assert_eq!(open.drafts().await[2]["custom"], text.as_str());
    }
    // A card is the only page from which anything could be lost.
    for place in ["/", "/devices"] {
        assert!(!open.browser.get(place).await.text.contains("\"leave-"), "{place}");
    }
}

#[tokio::test]
async fn b117_what_another_screen_wrote_meanwhile_is_replaced_and_kept() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.write(2, "from this screen");
    let draft = format!("{}/draft", open.path());
    open.host.answerer.put(&draft, &write("name", "from the terminal", 0)).await.ok();

    open.press(&form, "save").await.leads_to();

    let drafts = open.drafts().await;
    assert_eq!(drafts[2]["custom"], "from this screen");
    let kept = drafts[2]["kept"].as_array().unwrap();
    assert!(kept.iter().any(|kept| kept["text"] == "from the terminal"), "{kept:?}");
    // What stands in the field is not told once more.
    let page = open.page().await;
    assert!(page.words().contains("1 text of yours from another screen is kept"));
    assert!(page.words().contains("from the terminal"));
}

#[tokio::test]
async fn b117_what_was_not_edited_here_does_not_touch_what_was_entered_elsewhere() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.option(0, 0);
    let draft = format!("{}/draft", open.path());
    open.host.answerer.put(&draft, &write("name", "from the terminal", 0)).await.ok();

    // Nothing is sent that this screen did not show, and it shows it now.
    let form = form.option(1, 0);
    let refused = open.press(&form, "submit").await;

    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("on another screen meanwhile"), "{}", refused.words());
    let form = Form::of(&refused);
    assert_eq!((form.chosen(0), form.text("q2.text")), (vec!["0"], "from the terminal"));
    let drafts = open.drafts().await;
    assert_eq!((&drafts[2]["custom"], drafts[2].get("kept")), (&json!("from the terminal"), None));
}

#[tokio::test]
async fn submitting_sends_what_this_screen_shows() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.option(0, 0);
    let draft = format!("{}/draft", open.path());
    open.host.answerer.put(&draft, &write("db", "from the terminal", 0)).await.ok();

    open.press(&form, "submit").await.leads_to();

    assert_eq!(open.outcome().await, answered(&[answer("db", &["Postgres"], None)]));
    // The other text is where it can be copied from.
    assert!(open.page().await.words().contains("from the terminal"));
}

#[tokio::test]
async fn a_text_that_was_switched_off_elsewhere_is_asked_about_and_not_sent_in_silence() {
    let mut open = Open::new(&r2()).await;
    let draft = format!("{}/draft", open.path());
    let off = json!({"questions": [{"id": "feat", "chosen": ["Auth"], "custom": "perhaps SSO",
        "customOn": false}]});
    open.host.answerer.put(&draft, &off).await.ok();
    let page = open.page().await;
    assert!(page.text.contains("data-kept>Your text is kept, and not sent."), "{}", page.text);

    let form = Form::of(&page).option(0, 1);
    let asked = open.press(&form, "submit").await;

    assert_eq!(asked.status, 200);
    assert!(asked.words().contains("perhaps SSO"), "{}", asked.words());
    open.press(&Form::of(&asked), "send-without").await.leads_to();
    assert_eq!(open.outcome().await, answered(&[answer("feat", &["Auth", "Search"], None)]));
}

#[tokio::test]
async fn b082_what_was_entered_before_is_offered_when_the_same_is_asked_again() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let first = ask(&host, &r3()).await;
    let form = browser.card(&first).await.option(0, 1).write(2, "askwell");
    browser.press(&form, "save").await.leads_to();
    host.asker.post(&format!("/api/v1/requests/{first}/abort"), &json!({})).await.ok();
    let page = browser.get(&format!("/r/{first}")).await;
    assert!(page.words().contains("Withdrawn"));
    assert!(page.words().contains("askwell") && page.words().contains("SQLite"));

    let second = ask(&host, &r3()).await;
    let page = browser.get(&format!("/r/{second}")).await;
    assert!(page.words().contains("You began to answer this before:"));
    let form = Form::of(&page);
    assert_eq!((form.chosen(0), form.text("q2.text")), (Vec::new(), ""), "never in silence");

    let empty = browser.press(&form, "start-empty").await.leads_to().to_owned();
    assert!(!browser.get(&empty).await.words().contains("You began"));
    // What was typed before the button was pressed stays.
    let place = browser.press(&form.write(2, "another"), "restore").await.leads_to().to_owned();
    let form = Form::of(&browser.get(&place).await);
    assert_eq!((form.chosen(0), form.text("q2.text")), (Vec::new(), "another"));

    let third =
        ask(&host, &json!({"questions": [{"id": "name", "question": "Project name?"}]})).await;
    assert!(!browser.get(&format!("/r/{third}")).await.words().contains("You began"));
}

#[tokio::test]
async fn a_draft_that_is_offered_is_taken_up_whole() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let first = ask(&host, &r3()).await;
    let form = browser.card(&first).await.option(0, 1).option(1, 2).write(2, "askwell");
    browser.press(&form, "save").await.leads_to();
    host.asker.post(&format!("/api/v1/requests/{first}/abort"), &json!({})).await.ok();
    let second = ask(&host, &r3()).await;

    let form = browser.card(&second).await;
    let place = browser.press(&form, "restore").await.leads_to().to_owned();

    let page = browser.get(&place).await;
    assert!(!page.words().contains("You began"));
    let form = Form::of(&page);
    assert_eq!((form.chosen(0), form.chosen(1)), (vec!["1"], vec!["2"]));
    assert_eq!(form.text("q2.text"), "askwell");
}

#[tokio::test]
async fn a_draft_that_is_too_long_is_still_in_the_page_that_says_so() {
    let questions: Vec<_> =
        (0..5).map(|index| json!({"id": format!("{index}"), "question": "Why?"})).collect();
    let mut open = Open::new(&json!({"questions": questions})).await;
    let mut form = open.card().await;
    for index in 0..5 {
        form = form.write(index, &"x".repeat(900 * 1024));
    }

    let refused = open.press(&form, "save").await;

    assert_eq!(refused.status, 422);
    assert!(
        refused.words().contains("too long together, at most 4194304 bytes"),
        "{}",
        &refused.words()[..2000]
    );
    assert_eq!(Form::of(&refused).text("q4.text").len(), 900 * 1024);
}

#[tokio::test]
async fn b106_a_text_over_its_bound_is_told_with_it_and_kept() {
    let mut open = Open::new(&r1()).await;
    let text = "x".repeat(256 * 1024 + 1);

    let form = open.card().await.write(0, &text);
    let refused = open.press(&form, "submit").await;

    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("This text is too long: at most 262144 bytes."));
    assert_eq!(Form::of(&refused).text("q0.text"), text);
    assert_eq!(open.drafts().await[0]["custom"], text);
    assert!(open.is_pending().await);
}
