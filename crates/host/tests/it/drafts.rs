//! Promise 4: a draft belongs to a person, and no text of it is ever lost.

use std::time::Duration;

use askwell_core::draft::DraftState;
use askwell_core::wire::{Answering, DraftWrite, EntryWrite, RequestView, Saved};
use askwell_core::{State, limits};
use askwell_host::Caller;
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::story::{START, Story, code, db, drain, of, r1, r3, typed};

#[tokio::test]
async fn begun_in_the_terminal_finished_in_the_browser() {
    let story = Story::begin().await;
    let id = story.post(&r3()).await;
    let state = DraftState {
        id: "feat".to_owned(),
        chosen: vec!["Export".to_owned(), "Auth".to_owned()],
        ..DraftState::default()
    };
    let write = DraftWrite {
        questions: vec![EntryWrite { state, base: 0 }, typed("name", 0, "Arg\u{0}o\n")],
    };
    story.host.save_draft(&story.ann, id, &write).await.unwrap();

    let draft = story.host.draft(&story.ann_web, id).await.unwrap();

    let entries = json!([
        {"id": "db", "chosen": [], "custom": "", "customOn": false, "skipped": false, "revision": 0},
        {"id": "feat", "chosen": ["Auth", "Export"], "custom": "", "customOn": false,
         "skipped": false, "revision": 1},
        {"id": "name", "chosen": [], "custom": "Arg\u{0}o\n", "customOn": true, "skipped": false,
         "revision": 1}]);
    assert_eq!(serde_json::to_value(&draft.questions).unwrap(), entries);
    assert_eq!((draft.revision, draft.edited_at, draft.offered), (1, Some(START), None));
    // Ben has a draft of his own.
    assert_eq!(story.host.draft(&story.ben, id).await.unwrap().revision, 0);
    let page = story.host.list(&story.ann, &Default::default()).await.unwrap();
    assert_eq!(page.requests[0].draft_edited_at, Some(START));
    let page = story.host.list(&story.ben, &Default::default()).await.unwrap();
    assert_eq!(page.requests[0].draft_edited_at, None);
}

#[tokio::test]
async fn b117_of_two_screens_neither_text_is_lost() {
    let story = Story::begin().await;
    let id = story.post(&r3()).await;
    story.type_text(&story.ann, id, 0, "from the terminal").await.unwrap();

    let write = DraftWrite {
        questions: vec![typed("db", 0, "from the browser"), typed("name", 0, "Argo")],
    };
    let saved = story.host.save_draft(&story.ann_web, id, &write).await.unwrap();

    let results: Vec<_> = saved.questions.iter().map(|question| question.result).collect();
    assert_eq!(results, [Saved::Stale, Saved::Saved]);
    assert!(!saved.is_saved());
    let stale = &saved.questions[0].entry;
    assert_eq!((stale.revision, stale.state.custom.as_str()), (1, "from the terminal"));
    assert_eq!(stale.kept[0].text, "from the browser");

    // The browser has live edits, and sends again on the new base.
    story.type_text(&story.ann_web, id, 1, "from the browser").await.unwrap();
    let draft = story.host.draft(&story.ann, id).await.unwrap();
    let kept: Vec<_> = draft.questions[0].kept.iter().map(|kept| kept.text.as_str()).collect();
    assert_eq!(draft.questions[0].state.custom, "from the browser");
    assert_eq!(kept, ["from the terminal"]);
}

#[tokio::test]
async fn what_cannot_be_true_of_a_question_is_mended_and_the_text_kept() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    let state = DraftState {
        id: "db".to_owned(),
        chosen: vec!["SQLite".to_owned(), "Oracle".to_owned(), "DuckDB".to_owned()],
        custom: " \n".to_owned(),
        custom_on: true,
        skipped: false,
    };
    let write = DraftWrite { questions: vec![EntryWrite { state, base: 0 }] };

    let saved = story.host.save_draft(&story.ann, id, &write).await.unwrap();

    let entry = &saved.questions[0].entry;
    assert_eq!(entry.state.chosen, ["SQLite"]);
    assert_eq!((entry.state.custom.as_str(), entry.state.custom_on), (" \n", false));
}

#[tokio::test]
async fn a_write_to_what_was_not_asked_is_refused_with_its_place() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    let write = |questions| DraftWrite { questions };

    let unknown = write(vec![typed("db", 0, "kept?"), typed("nope", 0, "")]);
    let error = story.host.save_draft(&story.ann, id, &unknown).await.unwrap_err();
    assert_eq!(
        (error.code.as_str(), error.details.faults[0].path.as_str()),
        ("BAD_REQUEST", "questions[1].id")
    );
    let twice = write(vec![typed("db", 0, "a"), typed("db", 0, "b")]);
    assert_eq!(code(story.host.save_draft(&story.ann, id, &twice).await), "BAD_QUESTION");
    let huge = write(vec![typed("db", 0, &"x".repeat(5 << 20))]);
    assert_eq!(code(story.host.save_draft(&story.ann, id, &huge).await), "LIMIT_EXCEEDED");

    assert_eq!(story.host.draft(&story.ann, id).await.unwrap().revision, 0);
}

#[tokio::test]
async fn b082_the_draft_of_a_withdrawn_request_is_readable_and_offered_to_the_same() {
    let story = Story::begin().await;
    let old = story.attach(&of(r1(), "s1", "/src")).await;
    story.type_text(&story.ann, old, 0, "300 words").await.unwrap();
    story.host.abort(&story.agent, old, "the asking program").await.unwrap();
    let draft = story.host.draft(&story.ann, old).await.unwrap();
    assert_eq!(draft.questions[0].state.custom, "300 words");

    let same = [of(r1(), "s1", "/other"), of(r1(), "s2", "/src")];
    let different = [of(r1(), "s2", "/other"), of(r3(), "s1", "/src"), r1()];

    for request in &same {
        let id = story.attach(request).await;
        let offered = story.host.draft(&story.ann, id).await.unwrap().offered.unwrap();
        assert_eq!((offered.from, offered.questions[0].custom.as_str()), (old, "300 words"));
        assert_eq!(story.host.draft(&story.ben, id).await.unwrap().offered, None);
    }
    for request in &different {
        let id = story.attach(request).await;
        assert_eq!(story.host.draft(&story.ann, id).await.unwrap().offered, None, "{request}");
    }
    let foreign = story.ask_as(&story.other, &same[0], &Default::default()).await;
    assert_eq!(story.host.draft(&story.ann, foreign).await.unwrap().offered, None);
}

#[tokio::test]
async fn what_was_typed_in_the_last_second_is_kept_when_the_request_has_ended() {
    let story = Story::begin().await;
    let old = story.attach(&r1()).await;
    story.host.abort(&story.agent, old, "the asking program").await.unwrap();

    let error = story.type_text(&story.ann, old, 0, "nearly done").await.unwrap_err();

    assert_eq!(error.code.as_str(), "NOT_PENDING");
    assert_eq!(error.details.ended.unwrap().state, State::Aborted);
    assert!(error.details.draft.unwrap().is_saved());
    let new = story.attach(&r1()).await;
    let offered = story.host.draft(&story.ann, new).await.unwrap().offered.unwrap();
    assert_eq!(offered.questions[0].custom, "nearly done");
}

#[tokio::test]
async fn an_offered_draft_with_nothing_in_it_is_none() {
    let story = Story::begin().await;
    let old = story.attach(&r1()).await;
    story.type_text(&story.ann, old, 0, "x").await.unwrap();
    story.type_text(&story.ann, old, 1, "").await.unwrap();
    story.cancel(old, "no").await.unwrap();

    let new = story.attach(&r1()).await;

    assert_eq!(story.host.draft(&story.ann, new).await.unwrap().offered, None);
}

#[tokio::test]
async fn submitting_leaves_the_draft_where_it_can_be_read() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.type_text(&story.ann, id, 0, "not sent after all").await.unwrap();

    story.answer(id, db("SQLite")).await.unwrap();

    let draft = story.host.draft(&story.ann, id).await.unwrap();
    assert_eq!(draft.questions[0].state.custom, "not sent after all");
}

#[tokio::test]
async fn texts_beside_a_draft_are_bounded_and_one_too_many_is_refused_and_not_lost_in_silence() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.type_text(&story.ann, id, 0, "the draft").await.unwrap();
    let stale = async |n: usize| {
        story.type_text(&story.ann_web, id, 0, &format!("other thought {n}.")).await
    };
    for n in 0..limits::KEPT {
        assert!(!stale(n).await.unwrap().is_saved());
    }

    let error = stale(limits::KEPT).await.unwrap_err();

    assert_eq!(error.code.as_str(), "LIMIT_EXCEEDED");
    let fault = &error.details.faults[0];
    assert_eq!((fault.path.as_str(), fault.bound), ("questions[0].kept", Some(100)));
    let draft = story.host.draft(&story.ann, id).await.unwrap();
    assert_eq!(draft.questions[0].kept.len(), limits::KEPT);
    assert!(story.type_text(&story.ann_web, id, 1, "goes on").await.unwrap().is_saved());
}

#[tokio::test]
async fn who_else_is_answering_is_told_to_the_others_and_nobody_else() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let mut ann = story.host.subscribe(&story.ann, None).unwrap();
    let mut ben = story.host.subscribe(&story.ben, None).unwrap();
    let mut agent = story.host.subscribe(&story.agent, None).unwrap();
    drain(&mut ben).await;

    story.type_text(&story.ann, id, 0, "SQL").await.unwrap();
    story.type_text(&story.ann_web, id, 1, "SQLite").await.unwrap();

    // Once, however fast she types; and what she types is nobody else's.
    assert_eq!(drain(&mut ben).await, [format!("ann answering {id}")]);
    let own = drain(&mut ann).await;
    assert!(own.contains(&format!("draft 2 {id}")), "{own:?}");
    assert!(!own.iter().any(|line| line.contains("answering")), "{own:?}");
    assert!(!drain(&mut agent).await.iter().any(|line| line.contains("answering")));
    let others = |view: RequestView| view.answering;
    let at = Answering { person: "ann".to_owned(), edited_at: START, left: false };
    assert_eq!(others(story.host.get(&story.ben, id).await.unwrap()), std::slice::from_ref(&at));
    assert_eq!(others(story.get(id).await), []);
    assert_eq!(others(story.host.get(&story.agent, id).await.unwrap()), []);
    let listed = async |who| story.host.list(who, &Default::default()).await.unwrap().requests;
    assert_eq!(listed(&story.ben).await[0].answering, [at]);
    assert_eq!(listed(&story.ann).await[0].answering, []);
    assert_eq!(listed(&story.agent).await[0].answering, []);
}

#[tokio::test]
async fn who_takes_everything_back_or_is_signed_out_is_answering_no_longer() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let mut ben = story.host.subscribe(&story.ben, None).unwrap();
    let names = async || {
        let view = story.host.get(&story.ben, id).await.unwrap();
        let listed = story.host.list(&story.ben, &Default::default()).await.unwrap();
        assert_eq!(listed.requests[0].answering, view.answering);
        view.answering.into_iter().map(|other| other.person).collect::<Vec<_>>()
    };
    story.type_text(&story.ann, id, 0, "SQL").await.unwrap();
    drain(&mut ben).await;

    story.type_text(&story.ann, id, 1, "").await.unwrap();
    assert_eq!(drain(&mut ben).await, [format!("ann left {id}")]);
    assert_eq!(names().await, Vec::<String>::new());

    story.type_text(&story.ann, id, 2, "SQLite").await.unwrap();
    assert_eq!(drain(&mut ben).await, [format!("ann answering {id}")]);
    let revoke = async |who: &Caller| {
        let id = who.credential();
        story.host.revoke_credential(&Caller::owner(), id).await.unwrap();
    };
    revoke(&story.ann_web).await;
    assert_eq!(names().await, ["ann"], "she is signed in elsewhere");
    revoke(&story.ann).await;
    assert_eq!(drain(&mut ben).await, [format!("ann left {id}")]);
    assert_eq!(names().await, Vec::<String>::new());
}

#[tokio::test]
async fn who_stops_answering_is_forgotten_after_ten_minutes_over_a_restart_too() {
    let mut story = Story::begin().await;
    let id = story.post(&r1()).await;
    story.type_text(&story.ann, id, 0, "SQL").await.unwrap();
    let names = async |story: &Story| {
        let view = story.host.get(&story.ben, id).await.unwrap();
        view.answering.into_iter().map(|other| other.person).collect::<Vec<_>>()
    };

    story.pass(61).await;
    let mut ben = story.host.subscribe(&story.ben, None).unwrap();
    story.type_text(&story.ann, id, 1, "SQLite").await.unwrap();
    let told = drain(&mut ben).await;
    assert!(told.contains(&format!("ann answering {id}")), "she goes on: {told:?}");
    drop(ben);
    story.restart_after(Duration::from_secs(599)).await;
    assert_eq!(names(&story).await, ["ann"]);
    story.pass(1).await;

    assert_eq!(names(&story).await, Vec::<String>::new());
    let page = story.host.list(&story.ben, &Default::default()).await.unwrap();
    assert_eq!(page.requests[0].answering, []);
}
