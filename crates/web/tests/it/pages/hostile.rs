//! Text of askers that would like to be more than text.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Open, answer, answered};
use crate::support::Form;

const MARKUP: [&str; 6] = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "\" autofocus onfocus=\"alert(1)",
    "'><svg onload=alert(1)>",
    "</title></textarea></style><h1>askwell</h1>",
    "[x](javascript:alert(1)) ![x](https://evil.example/p.png) <iframe src=//evil.example>",
];

/// A request that has this text in every place.
fn everywhere(text: &str) -> Value {
    json!({
        "context": text,
        "asker": {"name": text, "session": text, "cwd": text, "chain": [text, text]},
        "questions": [
            {"id": text, "header": text, "question": text, "detail": text, "options": [
                {"label": text, "description": text, "preview": text},
                {"label": format!("{text} (Recommended)")},
            ]},
            {"id": "free", "question": text},
        ],
    })
}

/// No element but ours, and no attribute with a handler in it.
#[track_caller]
fn is_inert(page: &str) {
    for tag in ["<img", "<svg", "<iframe", "<script>", "<h1>askwell", "</style"] {
        assert!(!page.contains(tag), "{tag}: {page}");
    }
    for attribute in [" onerror=", " onload=", " onfocus="] {
        for (at, _) in page.match_indices(attribute) {
            let before = &page[..at];
            let (open, close) = (before.rfind('<'), before.rfind('>'));
            let in_tag = open > close;
            // Within a tag it may stand in quotes only, where a quote is written out.
            let tag = &before[open.unwrap_or(0)..];
            assert!(!in_tag || tag.matches('"').count() % 2 == 1, "{attribute}: {tag}");
        }
    }
    assert!(!page.contains("href=\"javascript:"), "{page}");
    assert!(!page.contains("src=\"https:") && !page.contains("src=\"//"), "{page}");
}

#[rstest]
#[case(MARKUP[0])]
#[case(MARKUP[1])]
#[case(MARKUP[2])]
#[case(MARKUP[3])]
#[case(MARKUP[4])]
#[case(MARKUP[5])]
#[tokio::test]
async fn b128_markup_of_an_asker_is_text_on_every_page(#[case] text: &str) {
    let mut open = Open::new(&everywhere(text)).await;
    let page = open.page().await;
    is_inert(&page.text);
    assert_eq!(page.text.matches("<title>").count(), 1);
    is_inert(&open.browser.get("/").await.text);

    // A person's own words are text as well.
    let form = Form::of(&page).option(0, 0).write(1, text);
    is_inert(&open.press(&form, "dismiss").await.text);
    is_inert(&open.press(&form.clone().skip(1), "submit").await.text);
    let review = open.press(&form, "submit").await;
    is_inert(&review.text);
    assert_eq!(Form::of(&review).text("q1.text"), text);
    open.press(&Form::of(&review), "submit").await.leads_to();

    let expected = answered(&[answer(text, &[text], None), answer("free", &[], Some(text))]);
    assert_eq!(open.outcome().await, expected);
    is_inert(&open.page().await.text);
    is_inert(&open.browser.get("/").await.text);
    is_inert(&open.browser.get("/?ended=").await.text);
    let search = form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    is_inert(&open.browser.get(&format!("/?ended=&search={search}")).await.text);
}

#[tokio::test]
async fn b126_controls_and_direction_marks_are_visible_and_the_label_comes_back_exactly() {
    let text = "a\u{1b}[2J\u{9b}31m\u{8}\u{202e}evil\u{2066}b\u{200b}\u{7}";
    let mut open = Open::new(&everywhere(text)).await;

    for place in [format!("/r/{}", open.id), "/".to_owned()] {
        let page = open.browser.get(&place).await;
        let shown = page.words();
        assert!(shown.contains("a␛[2J<U+009B>31m␈<U+202E>evil<U+2066>b<U+200B>␇"), "{shown}");
        let is_bad = |character: char| {
            (character.is_control() && character != '\n')
                || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!shown.contains(is_bad), "{place}");
        let (_, title) = page.text.split_once("<title>").unwrap();
        assert!(!title.split_once("</title>").unwrap().0.contains(is_bad));
    }
    let form = open.card().await.option(0, 0).skip(1);
    let review = open.press(&form, "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();
    assert_eq!(open.outcome().await["answers"][0], answer(text, &[text], None));
}

#[tokio::test]
async fn a_persons_own_text_is_verbatim_in_its_field() {
    let mut open = Open::new(&json!({"questions": [{"id": "why", "question": "Why?"}]})).await;
    let text = "\u{202e}abc\u{200b}\ttab\n\n  <b> &amp; \"quoted\" \u{1b}";

    let form = open.card().await.write(0, text);
    open.press(&form, "save").await.leads_to();

    assert_eq!(open.card().await.text("q0.text"), text);
    assert_eq!(open.drafts().await[0]["custom"], text);
}

#[tokio::test]
async fn a_link_of_an_asker_shows_its_whole_target() {
    let detail = "[your bank](https://evil.example/login?next=bank) and <https://example.org>";
    let request = json!({"questions": [{"id": "x", "question": "Go?", "detail": detail}]});
    let mut open = Open::new(&request).await;

    let page = open.page().await;

    assert!(page.words().contains("your bank\n(https://evil.example/login?next=bank)"));
    assert_eq!(page.text.matches("rel=\"noopener noreferrer nofollow\"").count(), 2);
}

#[tokio::test]
async fn every_element_with_an_askers_text_has_a_direction_of_its_own() {
    let text = "שלום עולם";
    let mut open = Open::new(&everywhere(text)).await;
    for place in [format!("/r/{}", open.id), "/".to_owned()] {
        let page = open.browser.get(&place).await.text;
        let body = &page[page.find("<body").unwrap()..];
        for (at, _) in body.match_indices(text) {
            let before = &body[..at];
            let (open, close) = (before.rfind('<').unwrap(), before.rfind('>').unwrap());
            if open > close {
                continue;
            }
            // The element around it, or one around that.
            let near = &before[before.floor_char_boundary(before.len().saturating_sub(400))..];
            let near = &near[near.rfind("dir=\"auto\"").unwrap_or_else(|| panic!("{near}"))..];
            assert!(near.matches("</").count() <= near.matches('<').count() / 2 + 1, "{near}");
        }
    }
}

#[tokio::test]
async fn b131_an_intent_to_hide_hides_nothing_and_pretends_nothing() {
    let question = json!({"id": "token", "question": "Which token?", "intent": {"kind": "secret"}});
    let mut open = Open::new(&json!({"questions": [question]})).await;

    let page = open.page().await;

    assert!(!page.text.contains("type=\"password\""));
    assert!(page.text.contains("<textarea"));
}
