//! A plan: one decision over one document, whose values are the asker's labels.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Open, answer, answered};
use crate::support::Form;

fn plan() -> Value {
    json!({"questions": [{
        "id": "plan", "question": "Go on with this plan?", "detail": "# Steps\n\n1. Move\n2. Drop",
        "options": [{"label": "Keep planning"}, {"label": "Ship it (Recommended)"}],
        "intent": {"kind": "plan-review", "approve": "Ship it (Recommended)"},
    }]})
}

#[rstest]
#[case::approve("choose-1", answer("plan", &["Ship it (Recommended)"], None))]
#[case::decline("choose-0", answer("plan", &["Keep planning"], None))]
#[tokio::test]
async fn a_decision_is_one_press_and_the_askers_label(#[case] button: &str, #[case] sent: Value) {
    let mut open = Open::new(&plan()).await;
    let page = open.page().await;
    assert!(page.text.contains("data-view=\"plan\"") && page.text.contains("Steps</h3>"));
    assert!(page.words().contains("Approve\nShip it") && page.words().contains("Decline\nKeep"));

    open.press(&Form::of(&page), button).await.leads_to();

    assert_eq!(open.outcome().await, answered(&[sent]));
}

#[tokio::test]
async fn a_reply_is_the_persons_own_words() {
    let mut open = Open::new(&plan()).await;
    let form = open.card().await;
    let refused = open.press(&form, "reply").await;
    assert_eq!(refused.status, 422);
    assert!(refused.words().contains("Write a reply first."), "{}", refused.words());

    let form = Form::of(&refused).write(0, "Not the second step");
    open.press(&form, "reply").await.leads_to();

    let expected = answer("plan", &[], Some("Not the second step"));
    assert_eq!(open.outcome().await, answered(&[expected]));
}

#[rstest]
#[case::without("send-without", answer("plan", &["Ship it (Recommended)"], None))]
#[case::with("send-with", answer("plan", &[], Some("but mind the index")))]
#[tokio::test]
async fn a_text_beside_a_decision_is_asked_about(#[case] button: &str, #[case] sent: Value) {
    let mut open = Open::new(&plan()).await;
    let form = open.card().await.write(0, "but mind the index");

    let asked = open.press(&form, "choose-1").await;

    assert!(asked.words().contains("but mind the index") && asked.words().contains("Ship it"));
    assert!(open.is_pending().await);
    open.press(&Form::of(&asked), button).await.leads_to();
    assert_eq!(open.outcome().await, answered(&[sent]));
}

#[tokio::test]
async fn a_plan_is_answered_as_an_ordinary_question_where_one_likes() {
    let mut open = Open::new(&plan()).await;
    let form = open.card().await.write(0, "half a thought");

    let place = open.press(&form, "view-question").await.leads_to().to_owned();

    assert_eq!(place, format!("/r/{}?view=question", open.id));
    let page = open.browser.get(&place).await;
    let form = Form::of(&page);
    assert_eq!((form.text("q0.text"), form.chosen(0)), ("half a thought", vec!["custom"]));
    assert!(page.text.contains("data-view=\"questions\""));
    // A refused one is still shown so, and skipping is possible.
    let refused = open.press(&form.write(0, ""), "submit").await;
    assert_eq!(refused.status, 422);
    let form = Form::of(&refused);
    assert_eq!(form.action, place);
    let review = open.press(&form.skip(0), "submit").await;
    open.press(&Form::of(&review), "submit").await.leads_to();
    assert_eq!(open.outcome().await, answered(&[answer("plan", &[], None)]));
}

#[rstest]
#[case::multi(json!({"multiSelect": true}))]
#[case::many(json!({"options": [{"label": "a"}, {"label": "b"}, {"label": "Ship it (Recommended)"}]}))]
#[tokio::test]
async fn what_does_not_fit_one_decision_is_an_ordinary_question(#[case] change: Value) {
    let mut request = plan();
    for (name, value) in change.as_object().unwrap() {
        request["questions"][0][name] = value.clone();
    }
    let mut open = Open::new(&request).await;

    assert!(open.page().await.text.contains("data-view=\"questions\""));
}

#[tokio::test]
async fn b017_an_unknown_intent_is_an_ordinary_question() {
    let mut request = plan();
    request["questions"][0]["intent"] = json!({"kind": "approval"});
    let mut open = Open::new(&request).await;

    let form = open.card().await;
    assert_eq!(open.press(&form, "submit").await.status, 422);
    assert!(open.is_pending().await);
}

#[tokio::test]
async fn a_choice_begun_elsewhere_does_not_get_lost_in_a_plan() {
    let mut open = Open::new(&plan()).await;
    let draft = json!({"questions": [{"id": "plan", "chosen": ["Keep planning"]}]});
    open.host.answerer.put(&format!("{}/draft", open.path()), &draft).await.ok();

    let form = open.card().await.write(0, "why");
    open.press(&form, "save").await.leads_to();

    let drafts = open.drafts().await;
    assert_eq!(
        (&drafts[0]["chosen"], &drafts[0]["custom"]),
        (&json!(["Keep planning"]), &json!("why"))
    );
}
