//! The markup of the main states, whole. Scripts, styles and other tests rely on it.

use serde_json::{Value, json};

use super::Open;
use crate::support::{Form, Reply};

fn release() -> Value {
    json!({
        "context": "Three crates changed.\n\nSee **core**.",
        "asker": {"name": "claude-code", "session": "7f3a", "cwd": "/home/mara/src/askwell"},
        "expiresInSeconds": 3600,
        "questions": [
            {"id": "targets", "header": "Scope", "question": "Where should this ship?",
             "detail": "The change touches `core::draft`.", "multiSelect": true, "options": [
                {"label": "Code", "description": "Tag and publish the crates."},
                {"label": "Docs (Recommended)", "preview": "# New page"},
            ]},
            {"id": "when", "question": "When?", "options": [{"label": "Now"}, {"label": "Monday"}]},
            {"id": "note", "question": "What should the note say?"},
        ],
    })
}

/// The main part, an element a line, without what differs from run to run.
fn picture(reply: &Reply) -> String {
    let start = reply.text.find("<main").unwrap();
    let end = reply.text.find("</main>").unwrap();
    let mut picture = String::new();
    let mut depth: usize = 0;
    let mut rest = &reply.text[start..end];
    while let Some(open) = rest.find('<') {
        let text = rest[..open].trim_matches('\n');
        let close = open + rest[open..].find('>').unwrap();
        let tag = &rest[open..=close];
        if text.len() == 20 && text.ends_with(" UTC") {
            picture.push_str(&format!("{}TIME\n", "  ".repeat(depth)));
        } else if !text.trim().is_empty() {
            picture.push_str(&format!("{}{text}\n", "  ".repeat(depth)));
        }
        let is_end = tag.starts_with("</");
        depth = depth.saturating_sub(usize::from(is_end));
        if !is_end {
            picture.push_str(&format!("{}{}\n", "  ".repeat(depth), steady(tag)));
            let name = tag[1..].split([' ', '>']).next().unwrap();
            depth += usize::from(!["input", "br", "hr"].contains(&name));
        }
        rest = &rest[close + 1..];
    }
    picture
}

/// A tag without ids, times and tokens.
fn steady(tag: &str) -> String {
    let mut steady = tag.to_owned();
    let is_id = |text: &str| text.len() == 36 && text.matches('-').count() == 4;
    let is_hash =
        |text: &str| matches!(text.len(), 16 | 64) && text.chars().all(|it| it.is_ascii_hexdigit());
    for part in tag.split(['"', '/', '?']) {
        if is_id(part) {
            steady = steady.replace(part, "ID");
        } else if is_hash(part) {
            steady = steady.replace(part, "HASH");
        } else if part.len() == 20 && part.ends_with('Z') {
            steady = steady.replace(part, "TIME");
        } else if part.len() == 13 && part.chars().all(|it| it.is_ascii_digit()) {
            steady = steady.replace(part, "MILLIS");
        }
    }
    steady
}

macro_rules! assert_picture {
    ($name:literal, $reply:expr) => {
        let picture = picture(&$reply);
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!($name, picture);
        })
    };
}

#[tokio::test]
async fn a_card_untouched_and_filled() {
    let mut open = Open::new(&release()).await;
    assert_picture!("card", open.page().await);

    let form = open.card().await.option(0, 1).choose(0, "custom").write(0, "Release notes");
    let form = form.option(1, 0).write(1, "not before Mara has read it").skip(2);
    open.press(&form, "save").await.leads_to();

    assert_picture!("card_filled", open.page().await);
}

#[tokio::test]
async fn a_card_with_errors_its_review_and_its_questions_back() {
    let mut open = Open::new(&release()).await;
    let form = open.card().await.option(0, 0);
    let refused = open.press(&form, "submit").await;
    assert_picture!("card_errors", refused);

    let form = Form::of(&refused).option(1, 1).write(1, "or later").write(2, "Ship it.");
    let review = open.press(&form, "submit").await;
    assert_picture!("review", review);

    let asked = open.press(&Form::of(&review), "submit").await;
    assert_picture!("unsent", asked);

    open.press(&Form::of(&asked), "send-without").await.leads_to();
    assert_picture!("answered", open.page().await);
}

#[tokio::test]
async fn a_plan() {
    let request = json!({"questions": [{
        "id": "plan", "question": "Go on with this plan?", "detail": "1. Move\n2. Drop",
        "options": [{"label": "Keep planning"}, {"label": "Approve"}],
        "intent": {"kind": "plan-review", "approve": "Approve"},
    }]});
    let mut open = Open::new(&request).await;

    assert_picture!("plan", open.page().await);
}

#[tokio::test]
async fn an_inbox() {
    let mut open = Open::new(&release()).await;

    assert_picture!("inbox", open.browser.get("/").await);
}
