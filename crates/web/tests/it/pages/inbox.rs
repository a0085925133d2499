//! The inbox and its list.

use askwell_core::wire::Role;
use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Open, ask};
use crate::support::{Reply, TestHost, chosen, r1, r3, unescaped};

#[tokio::test]
async fn an_empty_inbox_says_what_to_do() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;

    let page = browser.get("/").await;

    assert_eq!(page.status, 200);
    assert!(page.words().contains("Nothing waits for you"));
    assert!(page.words().contains("askwell ask --via inbox"));
    assert!(page.text.contains("<title>Inbox · askwell</title>"));
}

#[tokio::test]
async fn b119_each_request_shows_who_asks_what_and_how_long_it_waits() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut first = r3();
    first["asker"] =
        json!({"name": "claude-code", "cwd": "/home/mara/src/askwell", "chain": ["reviewer"]});
    first["expiresInSeconds"] = 600.into();
    let first = ask(&host, &first).await;
    host.other.ask(&r1()).await;

    let page = browser.get("/").await;

    assert!(page.text.contains("<title>(2) Inbox · askwell</title>"));
    assert!(page.text.contains("data-waiting=\"2\""));
    let words = page.words().replace('\n', " ");
    // Grouped by asker.
    let claude = "claude-code › reviewer ( asker ) · askwell Which database? 3 questions · just now · 10 min left";
    assert!(words.replace("  ", " ").contains(claude), "{words}");
    assert!(words.contains("other"), "{words}");
    assert!(page.text.contains(&format!("href=\"/r/{first}\"")));
    let page = browser.get(&format!("/r/{first}")).await;
    assert!(page.text.contains("aria-current=\"page\""));
    for text in ["asker", "claude-code › reviewer", "/home/mara/src/askwell", "your words go to"]
    {
        assert!(page.words().contains(text), "{text}: {}", page.words());
    }
}

#[tokio::test]
async fn a_plan_a_header_and_a_near_deadline_are_told_in_the_list() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let plan = json!({"questions": [{"id": "plan", "header": "Migration", "question": "Go on?",
        "detail": "1. Delete", "options": [{"label": "Go"}],
        "intent": {"kind": "plan-review", "approve": "Go"}}], "expiresInSeconds": 300});
    ask(&host, &plan).await;

    let page = browser.get("/").await;

    let words = page.words().replace('\n', " ");
    assert!(words.contains("Migration Go on?"), "{words}");
    assert!(words.contains("plan review · just now · 5 min left"), "{words}");
    assert!(page.text.contains("data-soon"), "{}", page.text);
}

#[tokio::test]
async fn what_is_nowhere_is_told_apart_from_a_request_that_is_gone() {
    let mut browser = TestHost::new().await.signed_in().await;

    let gone = browser.get("/r/01a0c450-6c00-7bab-abab-abababababab").await;
    let page = browser.request(Method::GET, "/nowhere").header("accept", "text/html");
    let nothing = browser.send(page.body(Body::empty()).unwrap()).await;

    assert_eq!((gone.status.as_u16(), nothing.status.as_u16()), (404, 404));
    assert!(gone.words().contains("There is no request at this address"), "{}", gone.words());
    assert!(nothing.words().contains("There is nothing at this address"), "{}", nothing.words());
}

#[tokio::test]
async fn what_has_ended_stands_below_with_how() {
    let mut open = Open::new(&r1()).await;
    let answer = json!({"answers": [{"id": "db", "selected": ["SQLite"]}], "provider": "terminal"});
    open.host.answerer.post(&format!("{}/answer", open.path()), &answer).await.ok();
    let withdrawn = ask(&open.host, &r3()).await;
    let place = format!("/api/v1/requests/{withdrawn}/abort");
    open.host.asker.post(&place, &json!({})).await.ok();

    let words = open.browser.get("/").await.words().replace('\n', " ");

    assert!(words.contains("Earlier"), "{words}");
    assert!(words.contains("Answered · by answerer · in a terminal · just now"), "{words}");
    assert!(words.contains("Withdrawn · just now"), "{words}");
}

#[tokio::test]
async fn a_long_list_is_paged_and_holds_each_once_in_order() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut ids = Vec::new();
    for _ in 0..130 {
        ids.push(ask(&host, &r1()).await);
    }

    let (mut seen, mut place) = (Vec::new(), Some("/".to_owned()));
    while let Some(next) = place {
        assert!(seen.len() <= ids.len(), "{next}");
        let page = browser.get(&next).await;
        let items = page.text.split("data-request=\"").skip(1);
        seen.extend(items.map(|item| item[..36].to_owned()));
        let more = page.text.split("class=\"more\" href=\"").nth(1);
        place = more.map(|more| unescaped(more.split('"').next().unwrap()));
    }

    assert_eq!(seen, ids);
}

#[tokio::test]
async fn what_has_ended_is_paged_and_searched() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    for index in 0..60 {
        let text = if index == 7 { "The needle?" } else { "Which database?" };
        let mut request = r1();
        request["questions"][0]["question"] = text.into();
        let id = ask(&host, &request).await;
        let place = format!("/api/v1/requests/{id}/answer");
        host.answerer.post(&place, &chosen("db", "SQLite")).await.ok();
    }

    let page = browser.get("/").await;
    assert!(page.text.contains("href=\"/?ended=\""));
    let page = browser.get("/?ended=").await;
    assert_eq!(page.text.matches("data-state=\"answered\"").count(), 50);
    assert!(!page.words().contains("needle"));
    let more = page.text.split("class=\"more\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let page = browser.get(&unescaped(more)).await;
    assert_eq!(page.text.matches("data-state=\"answered\"").count(), 10);
    assert!(page.words().contains("needle"));
    let page = browser.get("/?ended=&search=NEEDLE").await;
    assert_eq!(page.text.matches("data-state=\"answered\"").count(), 1);
    let page = browser.get("/?ended=&search=nothing+of+it").await;
    assert!(page.words().contains("Nothing found."));
    assert_eq!(browser.get("/?after=x").await.status, 422);
}

#[tokio::test]
async fn a_request_whose_asker_is_away_stands_lower() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let attached = host.asker.post("/api/v1/requests?attach=true", &r1()).await.ok();
    let away = attached["id"].as_str().unwrap().to_owned();
    let cut = json!({"leaving": "cut"});
    host.asker.post(&format!("/api/v1/requests/{away}/detach"), &cut).await.ok();
    let here = ask(&host, &r3()).await;

    let page = browser.get("/").await;

    let place = |id: &str| page.text.find(&format!("href=\"/r/{id}\"")).unwrap();
    assert!(place(&here) < place(&away));
    assert!(page.words().contains("Asker away"), "{}", page.words());
    assert!(browser.get(&format!("/r/{away}")).await.words().contains("asker away"));
    let next = browser.get("/?next").await;
    assert_eq!(next.leads_to(), format!("/r/{here}"));
}

#[tokio::test]
async fn a_page_says_from_where_its_events_go_on() {
    let mut open = Open::new(&r1()).await;
    let page = open.page().await;

    let list = open.host.answerer.get("/api/v1/requests").await.ok();

    let event = list["eventId"].as_str().unwrap();
    assert!(page.text.contains(&format!("data-event-id=\"{event}\"")), "{}", page.text);
    assert!(page.text.contains("data-now=\""));
}

#[tokio::test]
async fn who_else_is_answering_is_told_in_the_list_and_on_the_card() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let id = ask(&host, &r1()).await;
    let card = browser.get(&format!("/r/{id}")).await;
    assert!(card.text.contains("data-answering hidden"), "{}", card.text);
    let mei = host.answerer.holding(&host.host, Role::Answerer, "M<e>i").await;
    let write = json!({"questions": [{"id": "db", "custom": "hers", "customOn": true}]});

    mei.put(&format!("/api/v1/requests/{id}/draft"), &write).await.ok();

    let told = |reply: &Reply| reply.words().replace('\n', " ").replace("  ", " ");
    let page = browser.get("/").await;
    assert!(told(&page).contains("just now · answering: M<e>i"), "{}", told(&page));
    let card = browser.get(&format!("/r/{id}")).await;
    assert!(told(&card).contains("also answering: M<e>i"), "{}", told(&card));
    assert!(!card.text.contains("data-answering hidden"));
    assert!(!card.text.contains("hers"));
    let part = browser.get(&format!("/r/{id}?part=others")).await;
    assert_eq!(part.words().trim(), "M<e>i");
    let seen = host.answerer.get(&format!("/api/v1/requests/{id}")).await.ok();
    assert_eq!(seen["answering"][0]["person"], "M<e>i");
    let asker = host.asker.get(&format!("/api/v1/requests/{id}")).await.ok();
    assert_eq!(asker["answering"], json!(null));

    let write = json!({"questions": [{"id": "db", "base": 1}]});
    mei.put(&format!("/api/v1/requests/{id}/draft"), &write).await.ok();
    let card = browser.get(&format!("/r/{id}")).await;
    assert!(card.text.contains("data-answering hidden"), "nothing is left of hers: {}", card.text);
    assert_eq!(browser.get(&format!("/r/{id}?part=others")).await.text, "");
}
