//! Keys alone: every answer can be given by them, and none reaches a place that it was not meant for.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::{R1, R2, R3, Web};

#[test]
fn b050_b051_b091_a_batch_is_answered_by_keys_alone() {
    let web = Web::start();
    let id = web.asks(R3);
    let card = web.card().takes_keys();

    web.tabs_to(&card.tick("Postgres"));
    // Arrow keys choose in a group of radio buttons, and never leave the question.
    web.browser.presses("<down><down><up>");
    assert!(card.question(0).is_shown());
    web.browser.presses("<enter>");
    card.question(1).wait_shown();
    web.tabs_to(&card.tick("Auth"));
    web.browser.presses("<space>");
    web.tabs_to(&card.tick("Export"));
    web.browser.presses("<space>");
    web.tabs_to(&card.field());
    web.browser.types("also SSO").presses("<enter>");
    card.question(2).wait_shown();
    web.tabs_to(&card.field());
    web.browser.types("askwell").presses("<enter>");
    web.browser.css("#review").wait_shown();
    web.tabs_to(&card.primary());
    web.browser.presses("<enter>");

    let chosen = web.answer(&id)["answers"][0]["selected"].clone();
    let answers = json!({"answers": [
        {"id": "db", "selected": chosen},
        {"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"},
        {"id": "name", "selected": [], "custom": "askwell"},
    ]});
    assert_eq!(web.answer(&id), answers);
    assert!(chosen == json!(["Postgres"]) || chosen == json!(["SQLite"]), "{chosen}");
}

#[test]
fn b049_a_key_breaks_the_line_and_enter_submits() {
    let web = Web::start();
    let id = web.asks(R1);

    web.card().takes_keys().field().clicks().presses("a<s-enter>b");
    assert_eq!(web.card().field().value(), "a\nb");
    web.browser.presses("<enter>");

    let answers = json!({"answers": [{"id": "db", "selected": [], "custom": "a\nb"}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn b026_b027_b040_digits_choose_in_the_list_and_are_text_in_the_field() {
    let web = Web::start();
    let one = web.asks(R1);
    web.card().writes("4444 1. first  b").goes_on();
    let answers = json!({"answers": [{"id": "db", "selected": [], "custom": "4444 1. first  b"}]});
    assert_eq!(web.answer(&one), answers);

    let several = web.asks(R2);
    let card = web.card().takes_keys();
    card.tick("Auth").focuses().presses("2").presses("4");
    web.browser.wait_until("ticked", |_| card.chosen(0) == ["Search", "Audit"]);
    web.browser.presses("29");
    web.browser.wait_until("unticked", |_| card.chosen(0) == ["Audit"]);
    // Enter in the list never toggles: it sends.
    web.browser.presses("<enter>");
    assert_eq!(web.answer(&several), json!({"answers": [{"id": "feat", "selected": ["Audit"]}]}));
}

#[test]
fn whoever_opens_a_request_is_in_its_card_by_keys() {
    let web = Web::start();
    web.asks(R3);
    let card = web.card().takes_keys();

    web.browser.presses("<right>");
    card.question(1).wait_shown();
    web.browser.presses("2");
    web.browser.wait_until("ticked", |_| card.chosen(1) == ["Search"]);
}

#[test]
fn b062_escape_never_ends_a_request() {
    let web = Web::start();
    let id = web.asks(R3);
    let card = web.card().takes_keys();

    card.field().clicks().types("kept").presses("<esc>");
    assert!(!card.field().has_focus());
    card.tick("Postgres").focuses().presses("<esc>").holds("<esc>", 10);

    assert_eq!(card.field().value(), "kept");
    web.wait_saved(&id, 0, "kept");
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
}

#[test]
fn b063_keys_do_nothing_to_cards_that_have_no_focus() {
    let web = Web::start();
    let ids = [web.host.post(R1), web.host.post(R2)];

    web.inbox().presses("<esc>12<enter> <c-enter>s");
    web.browser.css("#inbox a").wait_shown();

    for id in &ids {
        let shown = web.host.show(id);
        let stands = (&shown["request"]["state"], &shown["draft"]["revision"]);
        assert_eq!(stands, (&json!("pending"), &json!(0)));
    }
    // On the page of one, none before the focus is in its card.
    web.opens(&ids[0]).takes_keys();
    web.browser.run("document.activeElement.blur()");
    web.browser.presses("2<enter><esc>");
    assert_eq!(web.card().chosen(0), [""; 0]);
    assert_eq!(web.host.show(&ids[0])["request"]["state"], "pending");
}

#[test]
fn b094_enter_belongs_to_an_input_method_while_it_composes() {
    let web = Web::start();
    let id = web.asks(R1);

    web.card().takes_keys().field().clicks().composes("한");
    web.browser.presses_in_composition("Enter");
    assert_eq!(web.card().field().value(), "한");
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    // Not committed: the click on the button ends the composition, and nothing of it is missing.
    web.card().goes_on();

    assert_eq!(web.answer(&id), json!({"answers": [{"id": "db", "selected": [], "custom": "한"}]}));
}

#[test]
fn a_single_choice_moves_on_by_pointer_and_enter_and_not_by_arrows() {
    let web = Web::start();
    web.asks(R3);
    let card = web.card().takes_keys();

    card.tick("Postgres").focuses().presses("<space>");
    card.question(1).wait_shown();
    card.act("previous").clicks();
    card.question(0).wait_shown();
    card.tick("Postgres").focuses().presses("<down>");
    assert_eq!(card.chosen(0), ["SQLite"]);
    assert!(card.question(0).is_shown());
    card.chooses("Postgres");
    card.question(1).wait_shown();

    // It can be turned off, and stays so.
    card.act("previous").clicks();
    web.browser.css("#q0 [data-act=auto-next]").clicks();
    web.browser.reload().wait_true("ready", "return document.documentElement.dataset.js === 'on'");
    card.act("previous").clicks();
    card.question(0).wait_shown();
    card.chooses("SQLite").takes_keys();
    assert!(card.question(0).is_shown());
    card.goes_on().question(1).wait_shown();
}

#[test]
fn an_enter_that_chooses_does_not_send() {
    let web = Web::start();
    let id = web.asks(R1);
    let card = web.card().takes_keys();

    card.tick("Postgres").focuses().presses("<enter>");
    assert_eq!(card.chosen(0), ["Postgres"]);
    web.host.wait_until("saved", &id, |shown| shown["draft"]["revision"] == 1);
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    web.browser.presses("<enter>");

    assert_eq!(web.answer(&id), json!({"answers": [{"id": "db", "selected": ["Postgres"]}]}));
}

#[test]
fn enter_on_an_option_sends_and_never_dismisses_without_javascript() {
    let web = Web::without_javascript();
    let id = web.asks(R1);

    web.card().chooses("SQLite").tick("SQLite").focuses().presses("<enter>");

    assert_eq!(web.answer(&id), json!({"answers": [{"id": "db", "selected": ["SQLite"]}]}));
}

#[test]
fn b105_a_long_list_is_filtered_and_nothing_chosen_is_out_of_mind() {
    let options: Vec<_> = (1..=100).map(|it| json!({"label": format!("Port {it}")})).collect();
    let question = json!({"id": "port", "question": "Which ports?", "multiSelect": true,
                          "options": options});
    let web = Web::start();
    let id = web.asks(&json!({"questions": [question]}).to_string());
    let card = web.card().takes_keys();
    let told = web.browser.css(".filter-told");

    web.tabs_to(&card.tick("Port 1"));
    web.browser.presses("<space>/");
    web.browser.types("44 ");
    web.browser.wait_for("1 of 100 · chosen and hidden: 1");
    let live = web.browser.css("#live");
    web.browser
        .wait_until("announced", |_| live.text().contains("1 of 100 · chosen and hidden: 1"));
    assert!(!card.option("Port 1").is_shown() && card.field().is_shown());
    // Enter leads to what is left and sends nothing; a digit and `n` touch nothing that is hidden.
    web.browser.presses("<enter>");
    assert!(card.tick("Port 44").has_focus());
    web.browser.presses("<space>2n<space>");
    assert_eq!(card.chosen(0), ["Port 1", "Port 44"]);
    web.browser.presses("/<esc>");
    assert!(card.option("Port 100").is_shown());
    assert_eq!(told.text(), "");
    card.goes_on();

    let answers = json!({"answers": [{"id": "port", "selected": ["Port 1", "Port 44"]}]});
    assert_eq!(web.answer(&id), answers);
}
