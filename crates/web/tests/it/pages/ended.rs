//! Requests that have ended, and what comes to them too late.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Open, answer, answered, ask, r2};
use crate::support::{Form, chosen, r1, r3};

#[tokio::test]
async fn b059_an_answered_request_shows_its_answer_and_who_gave_it() {
    let mut open = Open::new(&r3()).await;
    let answers = json!({"provider": "terminal", "answers": [
        answer("db", &["SQLite"], None),
        answer("feat", &["Auth"], Some("SSO")),
        answer("name", &[], None),
    ]});
    open.host.answerer.post(&format!("{}/answer", open.path()), &answers).await.ok();

    let page = open.page().await;

    assert!(!page.text.contains("<form class=\"card\" id=\"card\""));
    assert!(page.text.contains("data-state=\"answered\""));
    let words = page.words();
    for text in ["Answered", "answerer", "in a terminal", "SQLite", "Auth", "SSO", "not picked up"]
    {
        assert!(words.contains(text), "{text}: {words}");
    }
    assert_eq!(words.matches("Skipped").count(), 1);
    assert_eq!(open.page().await.words(), words, "the same after a reload");
}

#[tokio::test]
async fn b117_of_two_forms_the_second_is_told_and_its_text_is_kept() {
    let mut open = Open::new(&r1()).await;
    let (first, second) = (open.card().await.option(0, 0), open.card().await.write(0, "too late"));
    open.press(&first, "submit").await.leads_to();

    let late = open.press(&second, "submit").await;

    assert_eq!(late.status, 409);
    let words = late.words();
    assert!(words.contains("Answered") && words.contains("Postgres"), "{words}");
    assert!(words.contains("This came too late"), "{words}");
    assert!(late.text.contains("readonly"));
    assert_eq!(open.outcome().await, answered(&[answer("db", &["Postgres"], None)]));
    let view = open.host.answerer.get(&open.path()).await.ok();
    assert_eq!(view["late"][0]["response"], answered(&[answer("db", &[], Some("too late"))]));
    assert_eq!(view["late"][0]["provider"], "web");
    assert_eq!(open.drafts().await[0]["kept"][0]["text"], "too late");
    assert!(open.page().await.words().contains("too late"));
}

#[tokio::test]
async fn b071_an_expired_request_says_so_and_keeps_the_draft() {
    let mut request = r2();
    request["expiresInSeconds"] = 1.into();
    let mut open = Open::new(&request).await;
    let form = open.card().await.option(0, 1).write(0, "half an answer");
    crate::support::eventually("expired", || async { !open.is_pending().await }).await;

    let late = open.press(&form, "save").await;

    assert_eq!(late.status, 409);
    assert!(late.words().contains("Expired, nobody answered in time"), "{}", late.words());
    assert!(late.words().contains("half an answer"));
    let words = open.page().await.words();
    assert!(words.contains("half an answer") && words.contains("Search"), "{words}");
}

#[tokio::test]
async fn a_form_that_is_posted_twice_is_sent_once_and_no_reason_to_worry() {
    let mut open = Open::new(&r2()).await;
    let form = open.card().await.option(0, 0).write(0, "and SSO");

    let first = open.press(&form, "submit").await.leads_to().to_owned();
    let second = open.press(&form, "submit").await.leads_to().to_owned();

    assert_eq!(first, second);
    let view = open.host.answerer.get(&open.path()).await.ok();
    assert_eq!(view.get("late"), None);
}

#[tokio::test]
async fn b007_a_request_is_dismissed_with_a_comment_after_a_look() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.write(0, "a draft");

    let asked = open.press(&form, "dismiss").await;
    assert_eq!(asked.status, 200);
    assert!(asked.words().contains("What you entered is kept as a draft."), "{}", asked.words());
    assert!(open.is_pending().await);
    let back = open.press(&Form::of(&asked), "back").await.leads_to().to_owned();
    assert_eq!(Form::of(&open.browser.get(&back).await).text("q0.text"), "a draft");
    let form = Form::of(&asked).fill("comment", "explain DuckDB first\n");
    let place = open.press(&form, "dismiss-yes").await.leads_to().to_owned();

    assert_eq!(place, format!("/?dismissed={}", open.id));
    assert!(open.browser.get(&place).await.words().starts_with("Cancelled, and"));
    let outcome = open.outcome().await;
    assert_eq!(
        (&outcome["state"], &outcome["comment"]),
        (&json!("cancelled"), &json!("explain DuckDB first"))
    );
    let words = open.page().await.words();
    assert!(words.contains("explain DuckDB first") && words.contains("a draft"), "{words}");
}

#[tokio::test]
async fn a_comment_that_comes_too_late_is_kept() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await;
    let form = Form::of(&open.press(&form, "dismiss").await).fill("comment", "not today");
    let answer = chosen("db", "SQLite");
    open.host.answerer.post(&format!("{}/answer", open.path()), &answer).await.ok();

    let late = open.press(&form, "dismiss-yes").await;

    assert_eq!(late.status, 409);
    assert!(late.words().contains("Answered") && late.words().contains("not today"));
    let view = open.host.answerer.get(&open.path()).await.ok();
    assert_eq!(view["late"][0]["response"], json!({"comment": "not today"}));
}

#[tokio::test]
async fn a_comment_over_its_bound_is_refused_and_still_there() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await;
    let long = "x".repeat(16 * 1024 + 1);
    let form = Form::of(&open.press(&form, "dismiss").await).fill("comment", &long);

    let refused = open.press(&form, "dismiss-yes").await;

    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("at most 16384 bytes"), "{}", refused.words());
    assert_eq!(Form::of(&refused).text("comment"), long);
    assert!(open.is_pending().await);
}

#[tokio::test]
async fn b021_a_deadline_is_shown_and_put_off() {
    let mut request = r1();
    request["expiresInSeconds"] = 300.into();
    let mut open = Open::new(&request).await;
    let form = open.card().await.write(0, "still thinking");
    assert!(open.page().await.words().contains("5 min left"));

    let place = open.press(&form, "extend").await.leads_to().to_owned();

    let page = open.browser.get(&place).await;
    assert!(page.words().contains("put off by ten minutes"), "{}", page.words());
    assert!(page.words().contains("15 min left"));
    assert_eq!(Form::of(&page).text("q0.text"), "still thinking");
}

#[tokio::test]
async fn what_an_asker_withdrew_says_why() {
    let mut open = Open::new(&r1()).await;
    let reason = json!({"reason": "a <b>signal</b>"});
    open.host.asker.post(&format!("{}/abort", open.path()), &reason).await.ok();

    let words = open.page().await.words();

    assert!(words.contains("Reason\na <b>signal</b>"), "{words}");
}

#[tokio::test]
async fn b083_with_a_store_that_fails_nothing_is_lost_and_the_second_try_succeeds() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.option(0, 0).option(1, 1).write(2, "askwell");
    let review = Form::of(&open.press(&form, "submit").await).clone();
    open.host.host.shutdown().await;

    let failed = open.press(&review, "submit").await;

    assert_eq!(failed.status, 503);
    assert!(failed.text.contains("Nothing is lost") && failed.text.contains("askwell"));
    let host = open.host.restarted().await;
    let mut browser = host.browser();
    browser.cookies = open.browser.cookies;
    browser.press(&review, "submit").await.leads_to();
    let view = host.asker.get(&format!("/api/v1/requests/{}?wait=0", open.id)).await.ok();
    assert_eq!(view["outcome"]["answers"][2]["custom"], "askwell");
}

#[tokio::test]
async fn b076_b077_after_a_restart_what_waits_is_listed_with_its_draft_and_can_be_answered() {
    let mut open = Open::new(&r3()).await;
    let form = open.card().await.option(0, 1).write(2, "askwell");
    open.press(&form, "save").await.leads_to();

    let host = open.host.restarted().await;
    let mut browser = host.browser();
    browser.cookies = open.browser.cookies;

    assert!(browser.get("/").await.words().contains("Which database?"));
    let form = browser.card(&open.id).await;
    assert_eq!((form.chosen(0), form.text("q2.text")), (vec!["1"], "askwell"));
    let review = browser.press(&form.option(1, 0), "submit").await;
    browser.press(&Form::of(&review), "submit").await.leads_to();
    assert_eq!(host.asker.state(&format!("/api/v1/requests/{}", open.id)).await, "answered");
}

#[tokio::test]
async fn b114_dismissing_one_of_several_leads_to_the_next_and_touches_no_other() {
    let mut open = Open::new(&r1()).await;
    let (second, third) = (ask(&open.host, &r2()).await, ask(&open.host, &r3()).await);
    let form = open.card().await;
    let form = Form::of(&open.press(&form, "dismiss").await);

    let place = open.press(&form, "dismiss-yes").await.leads_to().to_owned();

    assert_eq!(place, format!("/r/{second}?dismissed={}", open.id));
    for id in [second, third] {
        assert_eq!(open.host.asker.state(&format!("/api/v1/requests/{id}")).await, "pending");
    }
}

#[tokio::test]
async fn b118_what_was_put_aside_elsewhere_is_over_here_too() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.option(0, 1);
    let body = json!({"comment": "no", "provider": "terminal"});
    open.host.answerer.post(&format!("{}/cancel", open.path()), &body).await.ok();

    let late = open.press(&form, "submit").await;

    assert_eq!(late.status, 409);
    let words = late.words();
    assert!(words.contains("Cancelled") && words.contains("in a terminal"), "{words}");
    assert_eq!(open.outcome().await["comment"], "no");
    assert!(!open.browser.get("/").await.text.contains("data-state=\"pending\""));
}

#[tokio::test]
async fn b079_an_answer_that_nobody_waits_for_stands_and_says_so() {
    let mut open = Open::new(&r1()).await;
    let cut = json!({"leaving": "cut"});
    open.host.asker.post(&format!("{}/detach", open.path()), &cut).await.ok();
    let form = open.card().await.option(0, 1);

    open.press(&form, "submit").await.leads_to();

    for _ in 0..2 {
        let words = open.page().await.words();
        assert!(words.contains("Answered") && words.contains("not picked up yet"), "{words}");
    }
    open.outcome().await;
    // That it was picked up is written down on the side.
    let until = std::time::Instant::now() + askwell_testkit::deadline();
    while !open.page().await.words().contains("the asker has it") {
        assert!(std::time::Instant::now() < until);
    }
}
