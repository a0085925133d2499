//! What the inbox looks like, at the sizes that people have.

use askwell_core::messages::Lang;
use askwell_core::text::width;
use askwell_core::{Outcome, answer, lenient};
use serde_json::json;

use super::scenario::{InboxScenario, Stored, asked};

const SIZES: [(u16, u16); 3] = [(30, 8), (80, 24), (120, 40)];

const SHIP: &str = r#"{"questions":[{"id":"targets","header":"Scope","question":"Where should this ship?","options":["Code","Docs"]},{"id":"when","question":"When?"}],"asker":{"name":"claude-code","cwd":"~/src/askwell"},"expiresInSeconds":1800}"#;
const NAME: &str = r#"{"questions":[{"id":"name","question":"Project name?"}]}"#;
const DATABASE: &str = r#"{"questions":[{"id":"db","question":"Which database should the new service use for its event log, given what we know about the load?","options":["Postgres","SQLite"]}],"asker":{"name":"codex","chain":["reviewer"],"cwd":"/srv/shop"}}"#;
const CHINESE: &str = r#"{"questions":[{"id":"q","question":"先发布文档，还是等所有测试都通过之后再一起发布？","options":["文档","一起"]}],"asker":{"name":"助手","cwd":"~/项目"}}"#;

fn answered(number: u8, minutes: i64) -> Stored {
    let request = lenient::request_from_json(DATABASE).unwrap();
    let document = json!({"answers": [{"id": "db", "selected": ["Postgres"]}]});
    let answers = answer::validate_json(&request, &document).unwrap();
    asked(number, DATABASE, minutes + 10).ended(Outcome::Answered(answers), minutes)
}

fn twelve() -> Vec<Stored> {
    let mut stored = vec![
        asked(1, SHIP, 25),
        asked(2, DATABASE, 12).begun(),
        asked(3, SHIP, 5),
        asked(4, NAME, 0),
        asked(5, CHINESE, 3),
        asked(6, NAME, 190).away(70),
        asked(7, SHIP, 20).away(5).begun(),
    ];
    stored.push(answered(8, 2));
    let comment = Some("explain DuckDB first".to_owned());
    stored.push(asked(9, NAME, 50).ended(Outcome::Cancelled { comment }, 30));
    let reason = "the asker".to_owned();
    stored.push(asked(10, SHIP, 100).ended(Outcome::Aborted { reason }, 90));
    stored.push(asked(11, SHIP, 3_000).ended(Outcome::Expired, 2_900));
    stored.push(asked(12, CHINESE, 9_000).ended(Outcome::Expired, 8_000));
    stored
}

fn thousand() -> Vec<Stored> {
    let many = (0..1_000_u32).map(|number| {
        let mut stored = asked(1, SHIP, i64::from(1_000 - number));
        stored.summary.id = askwell_core::wire::RequestId::mint(number.into(), [7; 10]);
        stored.summary.question = format!("Question {number}?");
        stored.summary.deadline_at = None;
        stored
    });
    many.collect()
}

fn at_every_size(name: &str, stored: fn() -> Vec<Stored>, steps: fn(&mut InboxScenario)) {
    for (lang, language) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
        for (columns, rows) in SIZES {
            let mut it = InboxScenario::at(stored(), columns, rows, lang);
            it.wait(std::time::Duration::from_millis(400));
            steps(&mut it);
            for row in it.screen().lines() {
                assert!(width(row) <= usize::from(columns), "{row:?} is too wide");
            }
            insta::assert_snapshot!(
                format!("inbox_{name}_{language}_{columns}x{rows}"),
                it.screen()
            );
        }
    }
}

#[test]
fn nothing_waits() {
    at_every_size("0", Vec::new, |_| {});
}

#[test]
fn one_waits() {
    at_every_size("1", || vec![asked(1, SHIP, 3)], |_| {});
}

#[test]
fn a_dozen_of_all_kinds() {
    at_every_size("12", twelve, |it| {
        it.keys("j");
    });
}

#[test]
fn a_thousand_wait() {
    at_every_size("1000", thousand, |it| {
        it.keys("<pgdn><pgdn>");
    });
}

#[test]
fn how_one_ended() {
    at_every_size("settled", twelve, |it| {
        it.keys("<tab><enter>");
    });
}

#[test]
fn the_keys() {
    at_every_size("help", Vec::new, |it| {
        it.keys("?");
    });
}

#[test]
fn without_a_host_and_before_an_answer_that_is_final() {
    at_every_size("no_host", twelve, |it| {
        it.feed(askwell_tui::inbox::Feed::Reached(false));
    });
    at_every_size("confirm", twelve, |it| {
        it.keys("x");
    });
}
