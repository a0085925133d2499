//! The language-neutral cases, entered by the form of a card where a form can express them.

use askwell_testkit::vectors::{Case, Kind, cases};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::ask;
use crate::support::{Browser, Form, Reply, TestHost};

#[tokio::test]
async fn answer_vectors_by_the_form() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut entered = 0;
    for case in cases(Kind::Answer) {
        let Some(accepted) = case.value["expect"].get("accept") else { continue };
        let id = ask(&host, &json!({"questions": case.value["questions"]})).await;
        let mut form = browser.card(&id).await;
        for item in case.value["answer"]["answers"].as_array().unwrap() {
            form = fill(&case, form, item);
        }

        send(&mut browser, &form).await.leads_to();

        let view = host.asker.get(&format!("/api/v1/requests/{id}?wait=0")).await.ok();
        assert_eq!(view["outcome"], *accepted, "{}", case.place());
        entered += 1;
    }
    assert!(entered > 15, "{entered}");
}

/// What a form can send of a refused answer is refused by it too.
#[tokio::test]
async fn answer_vectors_that_are_blank_or_incomplete_are_refused_by_the_form() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut refused = 0;
    for case in cases(Kind::Answer) {
        let Some(issues) = case.value["expect"]["reject"].as_array() else { continue };
        let expressible = |issue: &Value| match issue["code"].as_str().unwrap() {
            "missing-answer" => true,
            "blank-custom" => case.value["answer"]["answers"][0]["selected"] == json!([]),
            _ => false,
        };
        if !issues.iter().all(expressible) {
            continue;
        }
        let id = ask(&host, &json!({"questions": case.value["questions"]})).await;
        let mut form = browser.card(&id).await;
        for item in case.value["answer"]["answers"].as_array().unwrap() {
            form = fill(&case, form, item);
        }

        let reply = send(&mut browser, &form).await;

        assert_eq!(reply.status, 422, "{}", case.place());
        assert_eq!(host.asker.state(&format!("/api/v1/requests/{id}")).await, "pending");
        refused += 1;
    }
    assert!(refused >= 4, "{refused}");
}

#[tokio::test]
async fn draft_vectors_by_the_form() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut entered = 0;
    for case in cases(Kind::Draft) {
        let id = ask(&host, &json!({"questions": case.value["questions"]})).await;
        let Some(form) = perform(&mut browser, &case, &id).await else { continue };
        let expect = &case.value["expect"];
        let place = case.place();

        let kept = expect.get("kept").cloned().unwrap_or_else(|| json!({}));
        let mut reply = send(&mut browser, &form).await;
        if expect.get("incomplete").is_some() {
            assert_eq!(reply.status, 422, "{place}");
            let ids = expect["incomplete"].as_array().unwrap();
            for (index, question) in questions(&case).iter().enumerate() {
                let named = reply.text.contains(&format!("href=\"#q{index}\""));
                assert_eq!(named, ids.contains(&question["id"]), "{place}");
            }
        } else {
            if kept != json!({}) {
                assert_eq!(reply.status, 200, "{place}: {}", reply.words());
                for text in kept.as_object().unwrap().values() {
                    assert!(reply.words().contains(text.as_str().unwrap()), "{place}");
                }
                reply = browser.press(&Form::of(&reply), "send-without").await;
            }
            reply.leads_to();
            let view = host.asker.get(&format!("/api/v1/requests/{id}?wait=0")).await.ok();
            assert_eq!(view["outcome"], expect["answer"], "{place}");
        }
        let drafts = host.answerer.get(&format!("/api/v1/requests/{id}/draft")).await.ok();
        for (id, text) in kept.as_object().unwrap() {
            let drafts = drafts["questions"].as_array().unwrap();
            let draft = drafts.iter().find(|draft| draft["id"] == **id).unwrap();
            assert_eq!(draft["custom"], *text, "{place}");
        }
        entered += 1;
    }
    assert!(entered > 25, "{entered}");
}

fn questions(case: &Case) -> &Vec<Value> {
    case.value["questions"].as_array().unwrap()
}

fn place_of(case: &Case, id: &Value) -> (usize, Value) {
    let index = questions(case).iter().position(|question| question["id"] == *id).unwrap();
    (index, questions(case)[index].clone())
}

fn option_of(question: &Value, label: &Value) -> usize {
    let options = question["options"].as_array().unwrap();
    options.iter().position(|option| option["label"] == *label).unwrap()
}

/// Enters an answer.
fn fill(case: &Case, mut form: Form, item: &Value) -> Form {
    let (index, question) = place_of(case, &item["id"]);
    for label in item["selected"].as_array().unwrap() {
        form = form.option(index, option_of(&question, label));
    }
    match item["custom"].as_str() {
        Some(text) => form.write(index, text),
        None if item["selected"] == json!([]) => form.skip(index),
        None => form,
    }
}

/// Carries the operations of a case out, with a save after each, as a person does who comes back.
/// `None` where a form has no way to say one: without a script nothing tells what came last.
async fn perform(browser: &mut Browser, case: &Case, id: &str) -> Option<Form> {
    let mut form = browser.card(id).await;
    for operation in case.value["operations"].as_array().unwrap() {
        let (index, question) = place_of(case, &operation["question"]);
        let multi = question["multiSelect"] == true;
        let was_skipped = form.is_skipped(index);
        match operation["op"].as_str().unwrap() {
            "choose" => form = form.option(index, option_of(&question, &operation["label"])),
            "type" if !form.has(&format!("q{index}.text")) => continue,
            "type" => {
                let text = operation["text"].as_str().unwrap();
                let unchanged = form.text(&format!("q{index}.text")) == text;
                form = form.write(index, text);
                let chosen = form.chosen(index);
                // A radio that stood for an emptied text stands for nothing.
                if chosen == ["custom"] && text.trim().is_empty() && !multi {
                    return None;
                }
                if !multi && !unchanged && !chosen.is_empty() {
                    form = form.choose(index, "custom");
                }
                if was_skipped && !unchanged {
                    form = form.skip(index);
                }
                form = save(browser, id, &form).await;
                continue;
            }
            "skip" if was_skipped => {}
            "skip" => form = form.skip(index),
            "unskip" => form = form.skip(index),
            "chooseAll" | "chooseNone" if !multi => continue,
            op @ ("chooseAll" | "chooseNone") => {
                for place in 0..question["options"].as_array().unwrap().len() {
                    let is_chosen = form.chosen(index).contains(&place.to_string().as_str());
                    if is_chosen != (op == "chooseAll") {
                        form = form.option(index, place);
                    }
                }
            }
            // A text counts, ticked or not; beside another choice the person is asked.
            "toggleCustom" if multi || !form.has("q0.chosen") => return None,
            "toggleCustom" => form = form.choose(index, "custom"),
            "openCustom" | "closeCustom" => continue,
            other => panic!("unknown operation {other}"),
        }
        if operation["op"] == "choose" && was_skipped {
            form = form.skip(index);
        }
        form = save(browser, id, &form).await;
    }
    Some(form)
}

async fn save(browser: &mut Browser, id: &str, form: &Form) -> Form {
    browser.press(form, "save").await.leads_to();
    browser.card(id).await
}

/// Sends, past the review.
async fn send(browser: &mut Browser, form: &Form) -> Reply {
    let reply = browser.press(form, "submit").await;
    match reply.text.contains("data-view=\"review\"") {
        true => browser.press(&Form::of(&reply), "submit").await,
        false => reply,
    }
}
