//! A person's end of a request: the first valid one wins, once, and nothing is lost or invented.

use askwell_core::State;
use askwell_core::wire::{InboxError, LateText, Posting, ProviderName, Receipt};
use askwell_testkit::vectors::{Kind, cases};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::story::{START, Story, code, db, r1, r3, r3_answers};

#[tokio::test]
async fn an_answer_is_canonical_with_a_receipt_and_its_asker_gets_it() {
    let story = Story::begin().await;
    let id = story.attach(&r3()).await;

    let view = story.answer(id, r3_answers()).await.unwrap();

    let receipt = Receipt {
        at: START,
        provider: Some(ProviderName::Terminal),
        by: Some("ann".to_owned()),
        picked_up_at: None,
    };
    assert_eq!((view.state, view.receipt), (State::Answered, Some(receipt)));
    assert_eq!(view.outcome, Some(json!({ "answers": r3_answers() })));
    let mine = story.host.get(&story.agent, id).await.unwrap();
    assert_eq!(mine.outcome, view.outcome);
    assert_eq!(mine.credential, "agent");
}

/// Every case of an answer, as `POST …/answer` brings it.
#[tokio::test]
async fn every_answer_vector_goes_through_the_host() {
    let story = Story::begin().await;
    for case in cases(Kind::Answer) {
        let id = story.post(&json!({"questions": case.value["questions"]})).await;

        let result = story.answer(id, case.value["answer"]["answers"].clone()).await;

        let (place, expect) = (case.place(), &case.value["expect"]);
        match result {
            Ok(view) => assert_eq!(view.outcome.as_ref(), expect.get("accept"), "{place}"),
            Err(error) => {
                assert_eq!(error.code.as_str(), "BAD_RESPONSE", "{place}");
                let issue = |question: &Value, code: &Value| format!("{question} {code}");
                let issues = error.details.issues.iter();
                let mut told: Vec<_> =
                    issues.map(|told| issue(&json!(told.question), &json!(told.code))).collect();
                let wanted = expect["reject"].as_array().unwrap_or_else(|| panic!("{place}"));
                let mut wanted: Vec<_> =
                    wanted.iter().map(|want| issue(&want["question"], &want["code"])).collect();
                told.sort();
                wanted.sort();
                assert_eq!(told, wanted, "{place}");
                assert_eq!(story.state(id).await, State::Pending, "{place}");
            }
        }
    }
}

#[tokio::test]
async fn b013_a_crafted_answer_is_refused_with_every_issue_and_changes_nothing() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;

    let both = json!([{"id": "db", "selected": ["Postgres", "Oracle"], "custom": "x"}]);
    let error = story.answer(id, both).await.unwrap_err();

    let issues: Vec<&str> = error.details.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert_eq!(issues, ["unknown-label", "too-many-selected", "custom-with-selected"]);
    assert_eq!(story.state(id).await, State::Pending);
    assert!(story.answer(id, db("SQLite")).await.is_ok());
}

fn late(error: &InboxError) -> (State, i64, Value) {
    let ended = error.details.ended.clone().unwrap();
    assert_eq!(error.code.as_str(), "NOT_PENDING");
    (ended.state, ended.receipt.at, ended.outcome)
}

#[tokio::test]
async fn b117_the_second_submit_gets_the_outcome_and_overwrites_nothing() {
    let story = Story::begin().await;
    let id = story.post(&r3()).await;
    story.answer_as(&story.ann, id, r3_answers()).await.unwrap();
    let before = story.get(id).await;
    story.pass(5).await;

    let skips = json!([{"id": "db", "selected": []}, {"id": "feat", "selected": []},
                       {"id": "name", "selected": [], "custom": "written in tab B"}]);
    let error = story.answer_as(&story.ann_web, id, skips.clone()).await.unwrap_err();

    let outcome = json!({ "answers": r3_answers() });
    assert_eq!(late(&error), (State::Answered, START, outcome));
    let after = story.get(id).await;
    let text = LateText {
        at: START + 5_000,
        provider: ProviderName::Terminal,
        by: "ann".to_owned(),
        response: json!({ "answers": skips }),
    };
    assert_eq!(after.late, [text]);
    assert_eq!(after.outcome, before.outcome);
    // The asker does not see what came too late.
    assert_eq!(story.host.get(&story.agent, id).await.unwrap().late, []);
}

#[tokio::test]
async fn b118_a_cancel_is_final_with_its_comment() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;

    let view = story.cancel(id, "  explain DuckDB\r\nfirst ").await.unwrap();
    let error = story.answer(id, db("SQLite")).await.unwrap_err();

    assert_eq!(view.state, State::Cancelled);
    assert_eq!(view.outcome.as_ref().unwrap()["comment"], "explain DuckDB\nfirst");
    assert_eq!(late(&error).0, State::Cancelled);
    assert_eq!(code(story.cancel(id, "and again").await), "NOT_PENDING");
    let late: Vec<_> = story.get(id).await.late.into_iter().map(|late| late.response).collect();
    assert_eq!(late, [json!({"answers": db("SQLite")}), json!({"comment": "and again"})]);
}

#[tokio::test]
async fn an_invalid_answer_that_is_late_as_well_is_late_and_kept() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.answer(id, db("SQLite")).await.unwrap();

    let sent = json!([{"id": "db", "selected": ["Gone"], "custom": "long thoughts"}]);
    assert_eq!(code(story.answer(id, sent.clone()).await), "NOT_PENDING");

    assert_eq!(story.get(id).await.late[0].response, json!({ "answers": sent }));
}

#[tokio::test]
async fn a_client_that_sends_again_is_told_the_outcome_and_is_no_second_voice() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.answer(id, db("SQLite")).await.unwrap();

    let error = story.answer(id, db("SQLite")).await.unwrap_err();

    assert_eq!(late(&error).2, json!({"answers": db("SQLite")}));
    assert_eq!(story.get(id).await.late, []);
}

#[tokio::test]
async fn a_comment_has_its_bound_and_a_blank_one_is_none() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;

    let error = story.cancel(id, &"x".repeat(16 * 1024 + 1)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "LIMIT_EXCEEDED: comment is 16385 bytes long (at most 16384 bytes)"
    );
    assert_eq!(error.details.faults[0].bound, Some(16_384));
    assert_eq!(story.state(id).await, State::Pending);

    let outcome = story.cancel(id, " \n").await.unwrap().outcome.unwrap();
    assert_eq!(outcome.get("comment"), None);
}

#[tokio::test]
async fn b111_an_answer_is_checked_against_its_own_request() {
    let story = Story::begin().await;
    let first = story.post(&r1()).await;
    let mut other = r1();
    other["questions"][0]["options"] = json!([{"label": "Oracle"}, {"label": "SQLite"}]);
    let second = story.post(&other).await;

    assert_eq!(code(story.answer(first, db("Oracle")).await), "BAD_RESPONSE");
    story.answer(second, db("Oracle")).await.unwrap();

    assert_eq!(story.pending().await, [first]);
}

#[tokio::test]
async fn b114_cancelling_one_touches_no_other() {
    let story = Story::begin().await;
    let [first, second, third] =
        [story.post(&r1()).await, story.post(&r1()).await, story.post(&r1()).await];

    story.cancel(first, "not now").await.unwrap();

    assert_eq!(story.pending().await, [second, third]);
}

#[tokio::test]
async fn b115_two_askers_each_get_their_own_answer_in_whatever_order() {
    let story = Story::begin().await;
    let older = story.ask_as(&story.agent, &r1(), &Posting::attached()).await;
    let newer = story.ask_as(&story.other, &r1(), &Posting::attached()).await;

    story.answer(newer, db("DuckDB")).await.unwrap();
    story.answer(older, db("SQLite")).await.unwrap();

    let outcome = |view: askwell_core::wire::RequestView| view.outcome.unwrap();
    let mine = story.host.get(&story.agent, older).await.unwrap();
    let theirs = story.host.get(&story.other, newer).await.unwrap();
    assert_eq!(outcome(mine), json!({"answers": db("SQLite")}));
    assert_eq!(outcome(theirs), json!({"answers": db("DuckDB")}));
}

#[tokio::test]
async fn b059_what_is_shown_after_a_reload_is_how_it_stands() {
    let story = Story::begin().await;
    let (answered, waiting) = (story.post(&r1()).await, story.post(&r1()).await);
    story.answer(answered, db("SQLite")).await.unwrap();

    for _ in 0..2 {
        let view = story.get(answered).await;
        assert_eq!(view.outcome, Some(json!({"answers": db("SQLite")})));
        let view = story.get(waiting).await;
        assert_eq!((view.state, view.outcome, view.receipt), (State::Pending, None, None));
    }
}

#[tokio::test]
async fn b128_hostile_text_comes_back_byte_for_byte() {
    let story = Story::begin().await;
    let hostile = "<img src=x onerror=alert(1)>\u{0}\u{1b}[2J</script>\u{202e}";
    let request = json!({"questions": [{"id": hostile, "question": hostile,
        "options": [{"label": hostile}]}], "asker": {"name": hostile, "session": hostile}});
    let id = story.post(&request).await;

    let view = story.answer(id, json!([{"id": hostile, "selected": [hostile]}])).await.unwrap();

    assert_eq!(serde_json::to_value(&view.request).unwrap(), request);
    let expected = json!({"answers": [{"id": hostile, "selected": [hostile]}]});
    assert_eq!(view.outcome, Some(expected));
}
