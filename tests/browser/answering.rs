//! What a person enters is what the asker gets, with JavaScript and without.

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Card, R1, R3, Web};

const SEVERAL: &str = r#"{"questions":[{"id":"targets","question":"Where should this ship?","multiSelect":true,"options":[{"label":"Code"},{"label":"Docs"},{"label":"Tests"}]}]}"#;
const ONE: &str = r#"{"questions":[{"id":"target","question":"Which one?","options":[{"label":"Code"},{"label":"Docs"}]}]}"#;
const FREE: &str = r#"{"questions":[{"id":"name","question":"Project name?"}]}"#;

/// What a person does on a card, and what the asker gets.
struct Shape {
    name: &'static str,
    request: &'static str,
    does: fn(&Card<'_>),
    answers: fn() -> Value,
}

/// Those that every provider has to give, by clicks and keys that work with scripts and without.
const SHAPES: [Shape; 9] = [
    Shape {
        name: "b002: labels, then text",
        request: SEVERAL,
        does: |card| {
            card.chooses("Code").chooses("Tests").writes("Release notes").goes_on();
        },
        answers: || sent("targets", &["Code", "Tests"], "Release notes"),
    },
    Shape {
        name: "text, then labels",
        request: SEVERAL,
        does: |card| {
            card.writes("Release notes").chooses("Docs").chooses("Code").goes_on();
        },
        answers: || sent("targets", &["Code", "Docs"], "Release notes"),
    },
    Shape {
        name: "b055: labels only",
        request: SEVERAL,
        does: |card| {
            card.chooses("Tests").chooses("Code").goes_on();
        },
        answers: || sent("targets", &["Code", "Tests"], ""),
    },
    Shape {
        name: "b003: text only",
        request: SEVERAL,
        does: |card| {
            card.writes("none of these, see ticket").goes_on();
        },
        answers: || sent("targets", &[], "none of these, see ticket"),
    },
    Shape {
        name: "text, labels, more text, a label taken back",
        request: SEVERAL,
        does: |card| {
            card.writes("first").chooses("Code").chooses("Docs").writes(", second");
            card.chooses("Code").goes_on();
        },
        answers: || sent("targets", &["Docs"], "first, second"),
    },
    Shape {
        name: "one label",
        request: ONE,
        does: |card| {
            card.chooses("Code").chooses("Docs").goes_on();
        },
        answers: || sent("target", &["Docs"], ""),
    },
    Shape {
        name: "b010: text in place of a label",
        request: ONE,
        does: |card| {
            card.writes("keep it in memory").goes_on();
        },
        answers: || sent("target", &[], "keep it in memory"),
    },
    Shape {
        name: "an optionless question",
        request: FREE,
        does: |card| {
            card.writes("askwell").goes_on();
        },
        answers: || sent("name", &[], "askwell"),
    },
    Shape {
        name: "text of several lines and scripts",
        request: FREE,
        does: |card| {
            card.field().clicks().pastes("  eins\n zwei 日本 👩‍👩‍👧 שלום\n");
            card.goes_on();
        },
        answers: || sent("name", &[], "eins\n zwei 日本 👩‍👩‍👧 שלום"),
    },
];

fn sent(id: &str, selected: &[&str], custom: &str) -> Value {
    match custom {
        "" => json!({"answers": [{"id": id, "selected": selected}]}),
        custom => json!({"answers": [{"id": id, "selected": selected, "custom": custom}]}),
    }
}

#[track_caller]
fn assert_shapes(web: &Web) {
    for Shape { name, request, does, answers } in SHAPES {
        let id = web.asks(request);
        does(&web.card());
        assert_eq!(web.answer(&id), answers(), "{name}");
        assert_eq!(web.host.show(&id)["request"]["receipt"]["provider"], "web", "{name}");
    }
}

#[test]
fn b002_b003_b010_b055_every_shape_of_an_answer_arrives() {
    assert_shapes(&Web::start());
}

#[test]
fn b002_b003_b010_b055_every_shape_of_an_answer_arrives_without_javascript() {
    assert_shapes(&Web::without_javascript());
}

#[test]
fn b055_a_click_on_an_option_sends_nothing() {
    let web = Web::with(&Browser::builder().with_network());
    let id = web.asks(SEVERAL);
    web.browser.sent();

    web.card().chooses("Code").chooses("Tests").goes_on();

    assert_eq!(web.answer(&id), sent("targets", &["Code", "Tests"], ""));
    let posts = web.browser.sent().into_iter().filter(|it| it.method == "POST");
    assert_eq!(posts.map(|it| it.url).collect::<Vec<_>>().len(), 1);
}

#[test]
fn b056_b025_a_batch_is_answered_as_one() {
    let web = Web::start();
    let id = web.asks(R3);
    let card = web.card();

    card.chooses("SQLite");
    card.question(1).wait_shown();
    card.chooses("Auth").chooses("Export").goes_on();
    card.question(2).wait_shown();
    card.act("skip").clicks();
    web.browser.css("#review").wait_shown();
    card.goes_on();

    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth", "Export"]},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b056_a_batch_without_javascript_shows_every_question() {
    let web = Web::without_javascript();
    let id = web.asks(R3);
    let card = web.card();
    for question in 0..3 {
        assert!(card.question(question).is_shown());
    }

    card.chooses("SQLite").chooses("Auth").chooses("Export").goes_on();
    // One is unfinished: nothing is sent, everything stays, and the page says which.
    let error = web.browser.css("#error-2").wait_shown();
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    assert_eq!(
        (card.chosen(0), card.chosen(1)),
        (vec!["SQLite".into()], vec!["Auth".into(), "Export".into()])
    );
    error.css("#q2 [data-skip]").clicks();
    card.goes_on();
    // The review comes before a batch is sent.
    web.browser.css("#review").wait_shown();
    card.goes_on();

    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth", "Export"]},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn text_beside_another_choice_is_asked_about_without_javascript() {
    let web = Web::without_javascript();
    let id = web.asks(R1);

    web.card().writes("in memory").chooses("SQLite").goes_on();

    web.browser.wait_for("in memory");
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    web.browser.css("[value=send-with]").clicks();
    assert_eq!(web.answer(&id), sent("db", &[], "in memory"));
}

#[test]
fn a_recommendation_is_a_badge_and_never_chosen_by_itself() {
    let web = Web::start();
    let id = web.asks(
        r#"{"questions":[{"id":"q","question":"Which?","multiSelect":true,"options":[{"label":"Code (Recommended)"},{"label":"Docs（推荐）"},{"label":"Tests"}]}],"context":"What led to this."}"#,
    );
    assert_eq!(web.browser.css(".opt .badge").count(), 2);
    assert_eq!(web.card().chosen(0), [""; 0]);
    assert!(!web.browser.text().contains("What led to this."));
    web.browser.css("[data-context] summary").clicks().wait_for("What led to this.");

    web.card().chooses("Docs").goes_on();

    assert_eq!(web.answer(&id), sent("q", &["Docs（推荐）"], ""));
}

#[test]
fn without_javascript_time_languages_and_earlier_drafts_lose_nothing() {
    let web = Web::without_javascript();
    let tab = &web.browser;
    let id = web.host.post(&FREE.replace("]}", r#"],"expiresInSeconds":300}"#));
    web.opens(&id).writes("half");
    let deadline = |shown: &Value| shown["request"]["deadlineAt"].as_u64().unwrap();
    let before = deadline(&web.host.show(&id));
    web.card().act("extend").clicks();
    web.host.wait_until("put off", &id, |shown| deadline(shown) == before + 600_000);
    tab.css(".notice[role=status]").wait_shown();
    assert_eq!(web.card().field().value(), "half");

    web.card().writes(" a text").act("language").clicks();
    tab.wait_true("in Chinese", "return document.documentElement.lang.startsWith('zh')");
    assert_eq!(web.card().field().value(), "half a text");

    // It ends while the person writes: what was written is there for copying, and kept.
    assert_eq!(web.host.run(["abort", &id, "--reason", "the plan changed"]).code(), 0);
    web.card().writes(", too late").goes_on();
    tab.css("[data-state=aborted]").wait_shown().wait_for("half a text, too late");

    let again = web.host.post(&FREE.replace("]}", r#"],"expiresInSeconds":300}"#));
    web.opens(&again);
    assert_eq!(web.card().field().value(), "");
    tab.css("[data-offer] [value=restore]").clicks();
    tab.wait_until("restored", |_| web.card().field().value().starts_with("half a text"));
    web.card().goes_on();
    let custom = web.answer(&again)["answers"][0]["custom"].clone();
    assert!(custom.as_str().unwrap().starts_with("half a text"), "{custom}");
}
