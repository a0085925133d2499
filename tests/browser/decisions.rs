//! What else than an answer a person can give: a decision on a plan, a text that stays behind, a
//! request put aside.

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{R1, R3, Web};

const PLAN: &str = r##"{"questions":[{"id":"plan","question":"Go on with this plan?","detail":"# Plan\n\n1. Migrate\n2. Delete the old tables","options":[{"label":"Ship it"},{"label":"Hold"}],"intent":{"kind":"plan-review","approve":"Ship it"}}]}"##;

fn decided(selected: &[&str], custom: &str) -> Value {
    match custom {
        "" => json!({"answers": [{"id": "plan", "selected": selected}]}),
        custom => json!({"answers": [{"id": "plan", "selected": selected, "custom": custom}]}),
    }
}

#[track_caller]
fn assert_plans(web: &Web) {
    let tab = &web.browser;
    let id = web.asks(PLAN);
    tab.wait_for("Delete the old tables");
    tab.css("[value=choose-0]").clicks();
    assert_eq!(web.answer(&id), decided(&["Ship it"], ""));

    let id = web.asks(PLAN);
    tab.css("[value=choose-1]").clicks();
    assert_eq!(web.answer(&id), decided(&["Hold"], ""));

    let id = web.asks(PLAN);
    web.card().writes("only step 1");
    tab.css("[value=reply]").clicks();
    assert_eq!(web.answer(&id), decided(&[], "only step 1"));

    // Every answer stays reachable.
    let id = web.asks(PLAN);
    tab.css("[value=view-question]").clicks();
    web.card().chooses("Hold").goes_on();
    assert_eq!(web.answer(&id), decided(&["Hold"], ""));
}

#[test]
fn a_plan_is_one_decision() {
    assert_plans(&Web::start());
}

#[test]
fn a_plan_is_one_decision_without_javascript() {
    assert_plans(&Web::without_javascript());
}

/// Clicks where something has just come by itself, before anybody can have seen it.
#[track_caller]
fn clicks_at_once(web: &Web, selector: &str) {
    let script = format!(
        "const [new_, target] = ['.card[data-new]', {}].map((it) => document.querySelector(it));
         if (new_) target.click();
         return new_ !== null;",
        Value::from(selector)
    );
    web.browser.wait_true("something new", &script);
}

#[test]
fn b031_a_second_click_answers_nothing_that_came_under_it() {
    let web = Web::start();
    let next = web.asks(&PLAN.replace("Delete", "Drop"));
    let id = web.asks(PLAN);

    web.browser.css("[value=choose-0]").clicks();
    web.browser.wait_for("Drop the old tables");
    clicks_at_once(&web, "[value=choose-0]");

    assert_eq!(web.answer(&id), decided(&["Ship it"], ""));
    web.browser.wait_true("quiet", "return document.querySelector('[data-new]') === null");
    assert_eq!(web.host.show(&next)["request"]["state"], "pending");
    web.browser.css("[value=choose-1]").clicks();
    assert_eq!(web.answer(&next), decided(&["Hold"], ""));

    let questions = [1, 2].map(|n| {
        json!({"id": format!("q{n}"), "question": format!("Number {n}?"),
               "options": [{"label": format!("Yes {n}")}, {"label": format!("No {n}")}]})
    });
    let id = web.asks(&json!({"questions": questions}).to_string());
    let card = web.card();
    card.chooses("Yes 1");
    card.question(1).wait_shown();
    clicks_at_once(&web, "#q1 label.opt");
    assert!(card.chosen(1).is_empty());
    card.chooses("No 2");
    web.browser.css("#review").wait_shown();
    card.goes_on();
    let answers = json!({"answers": [
        {"id": "q1", "selected": ["Yes 1"]}, {"id": "q2", "selected": ["No 2"]}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b004_kept_text_is_asked_about_before_it_would_stay_behind() {
    let web = Web::start();
    let (tab, card) = (&web.browser, web.card());
    for (act, answer) in [
        ("without", json!({"answers": [{"id": "db", "selected": ["SQLite"]}]})),
        (
            "with",
            json!({"answers": [{"id": "db", "selected": [], "custom": "three hundred words"}]}),
        ),
    ] {
        let id = web.asks(R1);
        card.writes("three hundred words").chooses("SQLite");
        assert!(tab.css("#q0 [data-kept]").is_shown());
        card.goes_on();
        tab.css("dialog").wait_shown().wait_for("three hundred words");
        // Enter alone does none of the three, and "back" asks again.
        tab.presses("<enter>");
        assert!(tab.css("dialog").is_shown());
        tab.css("dialog [data-act='']").clicks();
        tab.css("dialog").wait_gone();
        assert_eq!(web.host.show(&id)["request"]["state"], "pending");
        card.goes_on();
        tab.css("dialog").wait_shown();
        tab.css(format!("dialog [data-act={act}]")).clicks();
        assert_eq!(web.answer(&id), answer);
    }
}

#[test]
fn b004_kept_text_is_asked_about_without_javascript() {
    let web = Web::without_javascript();
    let id = web.asks(R1);
    web.card().writes("three hundred words");
    web.browser.css("#q0 [data-skip]").clicks();
    // What is skipped is reviewed first.
    web.card().goes_on();
    web.browser.css("#review").wait_shown().wait_for("three hundred words");
    web.card().goes_on();
    web.browser.css("[value=send-with]").clicks();

    let answers =
        json!({"answers": [{"id": "db", "selected": [], "custom": "three hundred words"}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b007_b009_b024_a_request_is_put_aside_with_a_comment_and_after_a_question() {
    let web = Web::start();
    let (asking, id) = web.host.asking(R3, &[]);
    let card = web.opens(&id);
    card.writes("a draft");
    web.wait_saved(&id, 0, "a draft");

    card.act("dismiss").clicks();
    web.browser.css("dialog").wait_shown().presses("<esc>");
    web.browser.css("dialog").wait_gone();
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    card.act("dismiss").clicks();
    web.browser.css("dialog textarea").clicks().types("explain DuckDB first");
    web.browser.css("dialog [data-act=yes]").clicks();

    let (code, document) = asking.outcome();
    let told = (code, &document["state"], &document["comment"]);
    assert_eq!(told, (Some(130), &json!("cancelled"), &json!("explain DuckDB first")));
    assert!(document.get("answers").is_none());
    web.browser.css("[data-page=inbox]").wait_shown();
    web.browser.open(web.page(&id)).wait_for("explain DuckDB first").wait_for("a draft");
}

#[test]
fn b007_a_request_is_put_aside_without_javascript() {
    let web = Web::without_javascript();
    let (asking, id) = web.host.asking(R1, &[]);
    web.opens(&id).writes("a draft").act("dismiss").clicks();
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    web.browser.css("[name=comment]").clicks().types("not now");
    web.browser.css("[value=dismiss-yes]").clicks();

    let (code, document) = asking.outcome();
    assert_eq!((code, &document["comment"]), (Some(130), &json!("not now")));
    assert_eq!(web.host.show(&id)["draft"]["questions"][0]["custom"], "a draft");
}

#[test]
fn b005_b052_a_batch_stays_as_entered_on_the_way_back_and_forth() {
    let web = Web::start();
    let id = web.asks(R3);
    let card = web.card();
    card.chooses("Postgres").question(1).wait_shown();

    // Enter in the empty field stays and says so; nothing is skipped or closed.
    card.field().clicks().presses("<enter>");
    web.browser.css("#error-1").wait_shown();
    assert!(card.question(1).is_shown());
    card.chooses("Search").writes("and more").goes_on().question(2).wait_shown();
    card.act("previous").clicks();
    card.question(1).wait_shown();
    assert_eq!((card.chosen(1), card.field().value()), (vec!["Search".into()], "and more".into()));
    card.act("previous").clicks();
    card.question(0).wait_shown();
    assert_eq!(card.chosen(0), ["Postgres"]);
    // On to the next that is open.
    card.chooses("SQLite").question(2).wait_shown();
    card.writes("askwell").goes_on();
    let review = web.browser.css("#review");
    review.wait_shown();
    for text in ["SQLite", "Search", "and more", "askwell"] {
        assert!(review.text().contains(text), "{text}: {}", review.text());
    }
    card.goes_on();

    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Search"], "custom": "and more"},
        {"id": "name", "selected": [], "custom": "askwell"},
    ]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn the_rest_is_skipped_after_one_question_back() {
    let web = Web::start();
    let id = web.asks(R3);
    let card = web.card();
    card.act("next-question").clicks();
    card.question(1).wait_shown();
    card.chooses("Export");
    card.act("next-question").clicks();
    card.question(2).wait_shown();
    card.act("next-question").clicks();
    web.browser.css("#review").wait_shown();

    card.act("skip-rest").clicks();
    web.browser.css("dialog [data-act=yes]").clicks();
    card.goes_on();

    let answers = json!({"answers": [
        {"id": "db", "selected": []},
        {"id": "feat", "selected": ["Export"]},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b105_many_questions_and_many_options_are_answered_exactly() {
    let web = Web::start();
    let options = |count: usize| {
        (0..count).map(|it| json!({"label": format!("Option {it}")})).collect::<Vec<_>>()
    };
    let many = json!({"questions": [{"id": "q", "question": "Which of 500?", "multiSelect": true, "options": options(500)}]});
    let id = web.asks(&many.to_string());
    web.card().chooses("Option 499").chooses("Option 0").goes_on();
    let answers = json!({"answers": [{"id": "q", "selected": ["Option 0", "Option 499"]}]});
    assert_eq!(web.answer(&id), answers);

    let questions: Vec<Value> = (0..20)
        .map(|it| json!({"id": format!("q{it}"), "question": format!("Question {it}?"), "options": options(4)}))
        .collect();
    let id = web.asks(&json!({"questions": questions}).to_string());
    for place in 0..20 {
        web.card().question(place).wait_shown();
        web.browser
            .css(format!("#q{place} .opt"))
            .with_text(&format!("Option {}", place % 4))
            .clicks();
    }
    web.browser.css("#review").wait_shown();
    web.card().goes_on();
    let expected: Vec<Value> = (0..20)
        .map(|it| json!({"id": format!("q{it}"), "selected": [format!("Option {}", it % 4)]}))
        .collect();
    assert_eq!(web.answer(&id), json!({"answers": expected}));
}

#[test]
fn b013_the_host_refuses_what_no_page_would_send() {
    let web = Web::with(&Browser::builder());
    let id = web.asks(R1);
    let script = "
        const response = await fetch(`/api/v1/requests/${arguments[0]}/answer`, {
            method: 'POST', headers: {'content-type': 'application/json'},
            body: JSON.stringify({answers: [{id: 'db', selected: ['Postgres', 'SQLite']}]})});
        return [response.status, (await response.json()).code];";

    assert_eq!(web.browser.run_async(script, &[id.clone().into()]), json!([422, "BAD_RESPONSE"]));
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
}
