//! Nothing that was entered is lost: whatever ends, leaves, comes back or is written at the same time.

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Card, R1, R2, R3, Web, wait_until};

const NAME: &str = r#"{"questions":[{"id":"name","question":"Project name?"}]}"#;

/// The labels that the draft at the host holds for a question.
fn chosen(shown: &Value, question: usize) -> &Value {
    &shown["draft"]["questions"][question]["chosen"]
}

#[test]
fn b085_a_draft_is_on_disk_within_a_second_and_there_after_a_reload() {
    let web = Web::start();
    let id = web.asks(R2);
    web.card().chooses("Auth").writes("also SS");
    web.wait_saved(&id, 0, "also SS");

    let typed = web.browser.run("return Date.now()");
    web.browser.types("O");
    web.wait_saved(&id, 0, "also SSO");
    let saved = &web.host.show(&id)["draft"]["editedAt"];
    let took = saved.as_i64().unwrap() - typed.as_i64().unwrap();
    assert!(took <= 1000, "saved after {took} ms");

    web.opens(&id);
    assert_eq!(
        (web.card().chosen(0), web.card().field().value()),
        (vec!["Auth".into()], "also SSO".into())
    );
    web.card().goes_on();
    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth"], "custom": "also SSO"}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn a_text_that_html_would_alter_is_sent_as_it_was_written() {
    let web = Web::start();
    let id = web.asks(NAME);
    let write = "await fetch(arguments[0], {method: 'PUT', headers: {'content-type': 'application/json'},
        body: JSON.stringify({questions: [{id: 'name', custom: 'a\\0b', customOn: true, base: 0}]})})";
    web.browser.run_async(write, &[format!("/api/v1/requests/{id}/draft").into()]);
    web.wait_saved(&id, 0, "a\0b");

    web.opens(&id).goes_on();

    let answer = json!({"answers": [{"id": "name", "selected": [], "custom": "a\0b"}]});
    assert_eq!(web.answer(&id), answer);
}

#[test]
fn b085_what_was_typed_just_before_the_page_was_left_arrives() {
    let web = Web::start();
    let id = web.asks(NAME);

    web.card().field().clicks().types("left at once");
    web.inbox();

    web.wait_saved(&id, 0, "left at once");
    web.opens(&id);
    assert_eq!(web.card().field().value(), "left at once");
}

#[test]
fn b076_b077_b078_a_killed_host_loses_no_draft_and_the_page_goes_on() {
    let web = Web::start();
    let (asking, id) = web.host.asking(R3, &[]);
    web.opens(&id);
    web.card().chooses("SQLite").question(1).wait_shown();
    web.card().writes("kept by the host");
    web.wait_saved(&id, 1, "kept by the host");

    let web = web.killed_and_started_again();

    // The same page, without a reload: it finds the host again and goes on saving.
    web.browser.types(", and more");
    web.wait_saved(&id, 1, "kept by the host, and more");
    assert_eq!(chosen(&web.host.show(&id), 0), &json!(["SQLite"]));
    web.card().goes_on();
    web.card().question(2).wait_shown();
    web.card().act("skip").clicks();
    web.browser.css("#review").wait_shown();
    web.card().goes_on();
    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": [], "custom": "kept by the host, and more"},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(asking.outcome(), (Some(0), answers));
}

#[test]
fn b078_a_host_that_stops_while_somebody_types_writes_no_outcome() {
    let web = Web::start();
    let id = web.asks(NAME);
    web.card().writes("before");
    web.wait_saved(&id, 0, "before");

    let web = web.stopped_and_started_again();

    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
    web.opens(&id);
    assert_eq!(web.card().field().value(), "before");
}

#[test]
fn b083_an_answer_that_could_not_be_sent_stays_and_is_sent_at_the_next_press() {
    let web = Web::start();
    let id = web.asks(R2);
    web.card().chooses("Auth").writes("four answers");
    web.wait_saved(&id, 0, "four answers");

    web.host.kills();
    web.card().goes_on();
    web.browser.css(".card .failed[role=alert]").wait_shown();
    let card = web.card();
    assert_eq!(
        (card.chosen(0), card.field().value()),
        (vec!["Auth".into()], "four answers".into())
    );

    let web = web.killed_and_started_again();
    web.card().goes_on();
    let answers =
        json!({"answers": [{"id": "feat", "selected": ["Auth"], "custom": "four answers"}]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn edits_without_a_host_are_kept_shown_and_sent_when_it_returns() {
    let web = Web::start();
    let id = web.asks(NAME);
    web.card().writes("online");
    web.wait_saved(&id, 0, "online");

    web.browser.goes_offline(true).types(", offline");
    web.browser.css(".banner").wait_shown();
    assert_eq!(web.host.show(&id)["draft"]["questions"][0]["custom"], "online");
    web.browser.goes_offline(false);

    web.wait_saved(&id, 0, "online, offline");
    web.browser.css(".banner").wait_gone();
}

#[test]
fn b117_what_two_tabs_write_is_both_kept_and_the_first_submit_wins() {
    let web = Web::start();
    let id = web.host.post(R3);
    let second = web.browser.tab();
    let (first, second) = (web.opens(&id), web.opens_in(&second, &id));

    // Seen in the other within a second, whose focus and caret stay.
    second.tick("Postgres").focuses();
    first.chooses("SQLite");
    second.0.wait_until("followed", |_| second.chosen(0) == ["SQLite"]);
    assert!(second.tick("Postgres").has_focus());

    // Typed in both at once: neither is lost.
    first.question(1).wait_shown();
    second.act("next-question").clicks();
    second.question(1).wait_shown();
    first.field().clicks();
    second.field().clicks();
    first.0.types("mine");
    second.0.types("theirs");
    let both = |shown: &Value| {
        let all = shown["draft"]["questions"][1].to_string();
        all.contains("mine") && all.contains("theirs")
    };
    web.host.wait_until("holding both", &id, both);
    assert_eq!((first.field().value(), second.field().value()), ("mine".into(), "theirs".into()));

    // What is sent is what the screen shows that sends.
    first.goes_on();
    first.question(2).wait_shown();
    first.act("skip").clicks();
    first.0.css("#review").wait_shown();
    let shown = first.0.css("#review .review-text").text();
    assert!(shown == "mine" || shown == "theirs", "{shown}");
    first.goes_on();
    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": [], "custom": shown},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(web.answer(&id), answers);
    assert!(both(&web.host.show(&id)));

    // The other shows how it ended; its text stays for copying, and is kept with the request.
    second.0.css("[data-state=answered]").wait_shown();
    second.0.wait_for("theirs");
    assert!(!second.primary().is_shown());
}

#[test]
fn a_terminal_and_a_tab_write_one_draft() {
    let web = Web::start();
    let id = web.asks(R2);
    let terminal = web.host.dialog(&id);
    let card = web.card();

    terminal.keys("<space>").wait_for("[x] 1 Auth");
    web.browser.wait_until("ticked in the page", |_| card.chosen(0) == ["Auth"]);
    card.chooses("Export");
    terminal.wait_for("[x] 3 Export");
    card.writes("from the page");
    terminal.wait_for("from the page");
    terminal.keys("<enter>");

    let answers = json!({"answers": [{"id": "feat", "selected": ["Auth", "Export"], "custom": "from the page"}]});
    assert_eq!(web.answer(&id), answers);
    web.browser.css("[data-state=answered]").wait_shown().wait_for("from the page");
}

#[test]
fn another_device_shows_the_same_draft() {
    let web = Web::start();
    let id = web.asks(R2);
    web.card().chooses("Search").writes("begun here");
    web.wait_saved(&id, 0, "begun here");

    let other = web.another(&Browser::builder());
    let card = web.opens_in(&other, &id);

    assert_eq!(
        (card.chosen(0), card.field().value()),
        (vec!["Search".into()], "begun here".into())
    );
}

#[test]
fn b082_b008_text_stays_for_copying_and_is_offered_when_the_same_is_asked_again() {
    let web = Web::start();
    let id = web.asks(NAME);
    let words = "word ".repeat(300);
    web.card().field().clicks().pastes(words.trim());
    web.wait_saved(&id, 0, words.trim());

    assert_eq!(web.host.run(["abort", &id, "--reason", "the plan changed"]).code(), 0);
    web.browser.css("[data-state=aborted]").wait_shown().wait_for("the plan changed");
    assert!(web.browser.text().contains(words.trim()));

    let again = web.asks(NAME);
    assert_eq!(web.card().field().value(), "");
    web.browser.css("[data-offer] [value=restore]").clicks();
    web.browser.wait_until("restored", |_| web.card().field().value() == words.trim());
    web.card().goes_on();
    assert_eq!(web.answer(&again)["answers"][0]["custom"], words.trim());
}

#[test]
fn b020_b021_b071_an_expired_request_says_so_and_keeps_what_was_typed() {
    let web = Web::start();
    let id = web.host.post(&NAME.replace(r#"]}"#, r#"],"expiresInSeconds":6}"#));
    web.opens(&id);
    assert!(web.browser.css("time[data-deadline]").is_shown());

    web.card().writes("too late");
    web.browser.css("[data-state=expired]").wait_shown();

    assert!(web.browser.text().contains("too late"));
    wait_until("kept", || web.host.show(&id)["draft"]["questions"][0]["custom"] == "too late");
    assert_eq!(web.host.run(["wait", &id]).code(), 124);
}

#[test]
fn b021_a_clock_that_is_set_while_a_page_is_open_moves_no_deadline() {
    let web = Web::start();
    let id = web.host.post(&NAME.replace(r#"]}"#, r#"],"expiresInSeconds":7200}"#));
    web.opens(&id);
    web.browser.wait_for("1 h left");

    // Every word of it counts, however short it stood there.
    web.browser.run(
        "const deadline = document.querySelector('time[data-deadline]');
         window.told = new Set([deadline.textContent]);
         new MutationObserver(() => window.told.add(deadline.textContent))
             .observe(deadline, {childList: true, characterData: true, subtree: true});
         const before = Date.now;
         Date.now = () => before() + 3_600_000;",
    );

    web.browser.wait_true(
        "the list read again",
        "return performance.getEntriesByType('resource').some((it) => it.name.includes('part=list'))",
    );
    web.browser.run("document.querySelector('[data-act=extend]').click()");
    web.browser.wait_true("put off", "return window.told.has('2 h left')");
    assert_eq!(web.browser.run("return [...window.told]"), json!(["1 h left", "2 h left"]));
}

#[test]
fn b021_a_deadline_can_be_put_off() {
    let web = Web::start();
    let id = web.host.post(&NAME.replace(r#"]}"#, r#"],"expiresInSeconds":300}"#));
    web.opens(&id);
    let before = web.host.show(&id)["request"]["deadlineAt"].clone();

    web.card().writes("thinking").act("extend").clicks();

    web.host.wait_until("put off", &id, |shown| {
        let moved = shown["request"]["deadlineAt"] != before;
        moved && shown["draft"]["questions"][0]["custom"] == "thinking"
    });
    assert_eq!(web.card().field().value(), "thinking");
}

#[test]
fn b059_after_a_reload_everything_stands_as_it_is() {
    let web = Web::start();
    let (answered, pending) = (web.host.post(R1), web.host.post(R2));
    web.opens(&answered).chooses("SQLite").goes_on();
    web.answer(&answered);

    web.browser.open(web.page(&answered)).reload();
    web.browser.css("[data-state=answered]").wait_shown().wait_for("SQLite");
    assert!(!web.browser.text().contains("Skipped"));
    assert_eq!(
        web.browser.css("main textarea:enabled, main input:enabled:not([type=hidden])").count(),
        0
    );

    web.opens(&pending);
    web.browser.css("[data-state=pending]").wait_shown();
}

#[test]
fn a_draft_is_saved_by_a_button_without_javascript() {
    let web = Web::without_javascript();
    let id = web.asks(R3);

    Card(&web.browser)
        .chooses("SQLite")
        .chooses("Auth")
        .writes("half")
        .0
        .css("[value=save]")
        .clicks();

    web.host.wait_until("kept", &id, |shown| {
        let chosen = (chosen(shown, 0), chosen(shown, 1));
        chosen == (&json!(["SQLite"]), &json!(["Auth"])) && shown["request"]["state"] == "pending"
    });
}

#[test]
fn no_way_out_of_a_card_loses_what_was_entered_without_javascript() {
    let web = Web::without_javascript();
    let other = web.host.post(R1);
    let id = web.asks(NAME);
    let to_other = format!("[value='leave-{other}']");
    for (way, there) in [
        (".brand", "[data-page=inbox]"),
        (".waiting", "[data-page=inbox]"),
        (".devices-link", "[data-page=devices]"),
        (&to_other, "[data-page=request]"),
    ] {
        web.opens(&id);
        let text = format!("half, then {way}");
        let field = web.browser.css("textarea");
        field.focuses().presses("<c-a>").types(&text);

        let shown = web.browser.css(format!("button{way}"));
        assert_eq!(web.browser.css(format!("a{way}")).is_shown(), false, "{way}");
        shown.clicks();

        web.browser.css(there).wait_shown();
        assert_eq!(web.host.show(&id)["draft"]["questions"][0]["custom"], text.as_str());
    }
}
