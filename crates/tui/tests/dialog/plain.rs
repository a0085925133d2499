//! Plain lines: what is read out, and what a line does.

use std::time::Duration;

use askwell_core::Outcome;
use askwell_core::draft::DraftState;
use askwell_core::messages::Lang;
use askwell_core::text::width;
use askwell_testkit::vectors::{Case, Kind, cases};
use askwell_tui::{DialogOptions, Effect, Event, OfferedDraft};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::scenario::{R1, R2, R3};
use crate::talk::Talk;

const WHOLE: &str = r#"{"context":"Two lines\nof context.","asker":{"name":"claude-code","cwd":"/home/kim/askwell","session":"s-1","chain":["reviewer"]},"questions":[{"id":"ship","header":"Scope","question":"Where should this ship?","detail":"The change touches **core::draft**.\n\n- one\n- two","multiSelect":true,"options":[{"label":"Code","description":"Tag and publish the crates, all of them and in the order in which they depend."},{"label":"Docs (Recommended)"},{"label":"docs","preview":"a preview"}]},{"id":"when","question":"When?"}]}"#;

#[test]
fn what_is_read_out_from_the_asker_to_the_answer() {
    let mut talk = Talk::about(WHOLE);

    talk.types("1 3\nt also the notes\n\nt Friday\n");

    insta::assert_snapshot!(talk.page);
}

#[test]
fn in_chinese_and_thirty_columns() {
    let options = DialogOptions { lang: Lang::Zh, ..DialogOptions::default() };
    let mut talk = Talk::with(WHOLE, 30, options);

    talk.types("1 3\nt 另外还有说明\n\nt 星期五\n");

    insta::assert_snapshot!(talk.page);
    let wide: Vec<&str> = talk.page.lines().filter(|row| width(row) > 30 + 12).collect();
    assert_eq!(wide, [] as [&str; 0]);
}

#[test]
fn help_and_everything_about_a_question() {
    let mut talk = Talk::about(WHOLE);

    talk.types("?\no\no 3\n/ doc\nl");

    insta::assert_snapshot!(talk.page);
}

#[test]
fn every_shape_of_an_answer() {
    let answer = |request: &str, lines: &str| {
        let mut talk = Talk::about(request);
        talk.types(lines);
        talk.answer()["answers"].clone()
    };
    let db = |selected: Value, custom: Option<&str>| match custom {
        Some(custom) => json!([{"id": "db", "selected": selected, "custom": custom}]),
        None => json!([{"id": "db", "selected": selected}]),
    };
    assert_eq!(answer(R1, "2\n"), db(json!(["SQLite"]), None));
    assert_eq!(answer(R1, "1\n3\n"), db(json!(["DuckDB"]), None), "the last choice wins");
    assert_eq!(answer(R1, "t 8080\n"), db(json!([]), Some("8080")));
    assert_eq!(answer(R1, "t t\n"), db(json!([]), Some("t")));
    assert_eq!(answer(R1, "s\n"), db(json!([]), None));
    let lines = "t\none\n\n..\nthree\n.\n";
    assert_eq!(answer(R1, lines), db(json!([]), Some("one\n\n.\nthree")));

    let feat = |selected: Value, custom: Option<&str>| match custom {
        Some(custom) => json!([{"id": "feat", "selected": selected, "custom": custom}]),
        None => json!([{"id": "feat", "selected": selected}]),
    };
    assert_eq!(answer(R2, "3,1\n"), feat(json!(["Auth", "Export"]), None));
    assert_eq!(answer(R2, "1 1\n1\n"), feat(json!(["Auth"]), None), "chosen is chosen");
    assert_eq!(answer(R2, "1-4\n-2\n"), feat(json!(["Auth", "Export", "Audit"]), None));
    assert_eq!(answer(R2, "a\n-4\n"), feat(json!(["Auth", "Search", "Export"]), None));
    assert_eq!(answer(R2, "t more\n2\n"), feat(json!(["Search"]), Some("more")));
    assert_eq!(answer(R2, "2\nt\na\nb\n.\n"), feat(json!(["Search"]), Some("a\nb")));
}

#[test]
fn b010_free_text_is_never_turned_into_an_option() {
    let mut talk = Talk::about(R1);

    talk.types("keep it in memory").assert_pending();
    talk.assert_said("To answer with a text");
    talk.types("t keep it in memory\n");

    let answer = json!([{"id": "db", "selected": [], "custom": "keep it in memory"}]);
    assert_eq!(talk.answer()["answers"], answer);
}

#[test]
fn b013_a_single_choice_never_carries_two() {
    let mut talk = Talk::about(R1);

    talk.types("1 2").assert_said("Only one option");
    talk.types("a").assert_said("Only one option");
    talk.types("").assert_said("Nothing entered yet");
    talk.assert_pending();
}

#[test]
fn a_number_that_is_not_there_changes_nothing() {
    let mut talk = Talk::about(R2);

    talk.types("1 8080").assert_said("no option 8080");
    talk.assert_said("type t 8080");

    assert!(talk.plain.dialog().draft().is_untouched());
}

#[test]
fn b126_no_control_byte_of_the_asker_is_written_and_the_label_comes_back_exactly() {
    let hostile =
        "\u{1b}[2J\u{1b}[H\u{1b}]52;c;aGk=\u{7}\u{1b}]8;;http://x\u{7}\u{9b}31m\u{8}\r\0\u{202e}";
    let request = json!({
        "context": hostile,
        "asker": {"name": hostile, "cwd": hostile},
        "questions": [{
            "id": "q", "header": hostile, "question": hostile, "detail": hostile,
            "options": [{"label": hostile, "description": hostile, "preview": hostile}],
        }],
    });
    let mut talk = Talk::about(&request.to_string());

    // Each piece that is written is checked by the helper.
    talk.types("o\n1\nr\n1\n\n");

    assert_eq!(talk.answer()["answers"][0]["selected"], json!([hostile]));
}

#[test]
fn b126_no_row_of_the_asker_begins_where_ours_do() {
    let forged = "Chosen: nothing.\n1. Fake\nType your password after t: \n\nEnter sends:"
        .to_owned()
        + &" and on and on".repeat(20);
    let request = json!({
        "context": forged, "asker": {"name": forged, "cwd": forged},
        "questions": [{
            "id": "q", "header": forged, "question": forged, "detail": format!("```\n{forged}\n```"),
            "options": [{"label": forged, "description": forged, "preview": forged}],
        }],
    });
    for columns in [30, 80] {
        let mut talk = Talk::with(&request.to_string(), columns, DialogOptions::default());
        talk.types("o");

        let ours =
            ["Asked by ", "Question", "Context", "Detail", "Preview", "Choose one", "Who asks"];
        let ours = |row: &str| ours.iter().any(|ours| row.starts_with(ours)) || row == "own.";
        let rows = talk.page.lines().filter(|row| !row.is_empty() && !row.starts_with(' '));
        let forged: Vec<&str> = rows
            .filter(|row| {
                !ours(row) && !row.starts_with("Nothing entered") && !row.starts_with("a number")
            })
            .filter(|row| *row != "o")
            .collect();
        assert_eq!(forged, [] as [&str; 0], "{}", talk.page);
    }
}

#[test]
fn what_was_typed_before_a_confirmation_does_not_count() {
    let mut talk = Talk::about(R2);
    assert_eq!(talk.flushed, 1, "at the start");

    talk.types("1");
    assert_eq!(talk.flushed, 2, "Enter would send now");
    talk.types("x");
    assert_eq!(talk.flushed, 3, "a prompt");

    let mut batch = Talk::about(R3);
    batch.types("1");
    assert_eq!(batch.flushed, 2, "another question");
    batch.types("nonsense");
    assert_eq!(batch.flushed, 3, "what follows was meant for something else, too");
    batch.types("t\none\ntwo");
    assert_eq!(batch.flushed, 3, "a text of many lines is typed or pasted at once");
}

#[test]
fn a_batch_forth_back_review_and_skip() {
    let mut talk = Talk::about(R3);

    talk.types("2").assert_said("Question 2 of 3");
    talk.types("b").assert_said("Question 1 of 3");
    talk.assert_said("* 2. SQLite");
    talk.types("1").assert_said("Question 2 of 3");
    talk.types("f").assert_said("Question 3 of 3");
    talk.types("r").assert_said("Review");
    talk.types("").assert_said("Still open: Which features?, Project name?");
    talk.types("r\ns").assert_said("Skip 2 open questions?");
    talk.types("y").assert_said("Skipped.");
    talk.types("3").assert_said("Question 3 of 3");
    talk.types("t askwell").assert_said("Review");
    talk.types("");

    assert_eq!(
        talk.answer()["answers"],
        json!([
            {"id": "db", "selected": ["Postgres"]},
            {"id": "feat", "selected": []},
            {"id": "name", "selected": [], "custom": "askwell"},
        ])
    );
}

#[test]
fn b004_a_kept_text_is_said_and_asked_about() {
    let kept = || {
        let mut talk = Talk::about(R1);
        talk.types("t my own\n1").assert_said("Kept, not sent: my own");
        talk
    };

    let mut talk = kept();
    talk.types("\n\n").assert_pending();
    talk.types("w");
    assert_eq!(talk.answer()["answers"], json!([{"id": "db", "selected": ["Postgres"]}]));

    let mut talk = kept();
    talk.types("\nt");
    let own = json!([{"id": "db", "selected": [], "custom": "my own"}]);
    assert_eq!(talk.answer()["answers"], own);

    let mut talk = kept();
    talk.types("\nb").assert_pending();
    talk.types("m").assert_said("Your text: my own");
    talk.types("");
    assert_eq!(talk.answer()["answers"], own);
}

#[test]
fn text_is_added_to_replaced_deleted_and_brought_back() {
    let mut talk = Talk::about(R2);

    talk.types("t one\nt").assert_said("Your text: one");
    talk.types("two\n.").assert_said("two");
    talk.types("t three").assert_said("replaces your earlier text");
    talk.types("u").assert_said("Your text: one\n  two");
    talk.types("d").assert_said("deleted");
    talk.types("u").assert_said("Your text: one\n  two");
    talk.types("t\n.").assert_said("Your text: one\n  two");
    talk.types("");

    assert_eq!(talk.answer()["answers"][0]["custom"], "one\ntwo");
}

#[test]
fn b008_no_end_of_input_cancels_or_sends() {
    let aborted = Outcome::Aborted { reason: "an end of input (Ctrl-D)".to_owned() };
    let mut talk = Talk::about(R1);
    talk.types("1").ends_input();
    assert_eq!(talk.outcome(), Some(&aborted));

    let mut talk = Talk::about(R1);
    talk.types("t\none").ends_input().assert_pending();
    talk.assert_said("Your text: one");

    let mut talk = Talk::about(R1);
    talk.types("x\nc\nbecause").ends_input().assert_pending();
    talk.assert_said("Cancel with a comment");
    talk.ends_input();
    assert_eq!(talk.outcome(), Some(&aborted));
}

#[test]
fn cancelled_with_and_without_a_comment() {
    let ends = |lines: &str| {
        let mut talk = Talk::about(R1);
        talk.types(lines);
        talk.answer()
    };
    assert_eq!(ends("x\nx"), json!({"state": "cancelled", "message": ends("x\nx")["message"]}));
    assert_eq!(ends("x\nc\nfirst\nsecond\n.")["comment"], "first\nsecond");
    assert_eq!(ends("x\nc explain DuckDB first")["comment"], "explain DuckDB first");

    let mut talk = Talk::about(R1);
    talk.types("x\n").assert_pending();
    talk.types("x\nc\n.").assert_pending();
    talk.types("g").assert_pending();
    talk.assert_said("Nothing entered yet");
}

#[test]
fn a_draft_is_offered_and_never_taken_up_silently() {
    let states = vec![DraftState {
        id: "db".into(),
        chosen: vec!["SQLite".into()],
        ..DraftState::default()
    }];
    let offering = || {
        let offered =
            OfferedDraft { entered: states.clone().into(), age: Duration::from_secs(600) };
        Talk::with(R1, 80, DialogOptions { offered: Some(offered), ..DialogOptions::default() })
    };

    let mut talk = offering();
    talk.assert_said("10 min ago");
    talk.types("\n2\ny").assert_said("one of the letters");
    talk.types("r").assert_said("* 2. SQLite");
    talk.types("");
    assert_eq!(talk.answer()["answers"], json!([{"id": "db", "selected": ["SQLite"]}]));

    let mut talk = offering();
    talk.types("n").assert_said("Nothing entered yet");
    assert!(talk.plain.dialog().draft().is_untouched());
}

#[test]
fn a_draft_is_saved_within_a_second_line_for_line() {
    let mut talk = Talk::about(R2);
    talk.types("1\nt\nfirst line").waits(Duration::from_millis(600));

    let saved = talk.effects.iter().rev().find_map(|effect| match effect {
        Effect::SaveDraft(entered) => Some(entered.states[0].clone()),
        _ => None,
    });
    let saved = saved.unwrap();
    assert_eq!((saved.chosen, saved.custom), (vec!["Auth".to_owned()], "first line".to_owned()));
    assert!(talk.plain.next_tick().is_none(), "nothing more is due");
}

fn elsewhere(custom: &str) -> Event {
    let base = DraftState { id: "feat".into(), ..DraftState::default() };
    let state = DraftState { custom: custom.into(), custom_on: true, ..base.clone() };
    Event::DraftElsewhere { base, state }
}

#[test]
fn a_change_from_elsewhere_is_told_before_the_next_prompt() {
    let mut talk = Talk::about(R2);

    talk.event(elsewhere("theirs"));
    assert_eq!(talk.said, "", "nothing comes between what is typed");
    talk.types("1").assert_said("Question 1 was updated from elsewhere.");
    talk.assert_said("Your text: theirs");
    talk.types("");

    let both = json!([{"id": "feat", "selected": ["Auth"], "custom": "theirs"}]);
    assert_eq!(talk.answer()["answers"], both);
}

#[test]
fn a_change_from_elsewhere_is_no_news_once_the_request_has_ended() {
    let mut talk = Talk::about(R2);
    talk.types("t\nmine\n.").event(elsewhere("theirs"));

    talk.event(Event::Resolved(Outcome::Cancelled { comment: None }));
    talk.assert_said("Cancelled elsewhere. What you entered here is kept.");
    talk.types("no letter");

    assert!(!talk.page.contains("was changed elsewhere"), "{}", talk.page);
}

#[test]
fn a_host_that_is_gone_and_back_is_told_before_the_next_prompt() {
    let mut talk = Talk::about(R2);

    talk.event(Event::HostReached(true)).event(Event::HostReached(false));
    talk.types("1").assert_said("No host answers.");
    talk.event(Event::HostReached(true)).types("2").assert_said("The host answers again.");
}

#[test]
fn a_text_from_elsewhere_is_not_replaced_unseen() {
    let mut talk = Talk::about(R2);

    talk.event(elsewhere("theirs")).types("t mine").assert_said("w takes theirs");
    talk.assert_said("Your text: mine");
    let kept = talk.effects.iter().rev().find_map(|effect| match effect {
        Effect::Merged(merged) => Some((merged.theirs.custom.clone(), merged.conflict)),
        _ => None,
    });
    assert_eq!(kept, Some(("theirs".to_owned(), true)), "the host keeps theirs as well");
    talk.types("w").assert_said("Your text: theirs");

    let mut seen = Talk::about(R2);
    seen.event(elsewhere("theirs")).types("1").assert_said("Your text: theirs");
    seen.types("t mine").assert_said("replaces your earlier text");
}

#[test]
fn a_text_that_is_being_typed_is_not_replaced_from_elsewhere() {
    let mut talk = Talk::about(R2);

    talk.types("t\nmine").event(elsewhere("theirs"));
    talk.types("more\n.").assert_said("Question 1 was changed elsewhere");
    talk.assert_said("Your text: mine\n  more");
    talk.types("w").assert_said("Your text: theirs");
    talk.types("w").assert_said("Your text: mine");
}

#[test]
fn answered_elsewhere_is_told_at_once_and_closed_by_the_person() {
    let mut talk =
        Talk::with(R2, 80, DialogOptions { stays_pending: true, ..DialogOptions::default() });
    let outcome = Outcome::Cancelled { comment: None };

    talk.types("t\nmine").event(Event::Resolved(outcome.clone()));
    talk.assert_said("Cancelled elsewhere.").assert_pending();
    talk.types("");

    assert_eq!(talk.outcome(), Some(&outcome));
}

#[test]
fn time_left_is_told_at_the_start_and_before_it_is_up() {
    let deadline = Some(Duration::from_secs(90));
    let mut talk = Talk::with(R2, 80, DialogOptions { deadline, ..DialogOptions::default() });
    talk.assert_said("1:30 left");
    assert_eq!(talk.plain.next_tick(), Some(Duration::from_secs(30)), "no clock ticks");

    talk.waits(Duration::from_secs(30)).assert_said("1:00 left!");
    talk.waits(Duration::from_secs(30));
    assert_eq!(talk.said, "", "once");
    talk.waits(Duration::from_secs(30)).assert_said("Expired");

    assert_eq!(talk.outcome(), Some(&Outcome::Expired));
}

#[test]
fn the_deadline_is_put_off_and_warned_of_again() {
    let deadline = Some(Duration::from_secs(50));
    let mut talk = Talk::with(R2, 80, DialogOptions { deadline, ..DialogOptions::default() });

    talk.types("p").assert_said("put off by ten minutes");
    talk.waits(Duration::from_secs(590)).assert_said("left!");
    talk.assert_pending();

    let options = DialogOptions { deadline, stays_pending: true, ..DialogOptions::default() };
    let mut talk = Talk::with(R2, 80, options);
    talk.types("p").event(Event::Deadline(Some(Duration::from_secs(650))));
    assert!(talk.effects.contains(&Effect::Extend));
    assert_eq!(talk.said, "", "not before the next prompt");
    talk.event(Event::Extended(Ok(()))).assert_said("put off by ten minutes");
    talk.assert_said("11 min left");
}

#[test]
fn what_the_host_has_kept_can_be_taken_back() {
    let kept = vec![("feat".to_owned(), "an old text".to_owned())];
    let options = DialogOptions { kept, stays_pending: true, ..DialogOptions::default() };
    let mut talk = Talk::with(R2, 80, options);

    talk.assert_said("Also kept of yours (w takes that): an old text");
    talk.types("w").assert_said("Your text: an old text");
}

#[test]
fn an_answer_that_is_refused_goes_on_with_all_of_it() {
    let mut talk = Talk::about(R1);
    talk.accepts = false;

    talk.types("1\n").assert_said("Sending");
    talk.event(Event::SubmitRejected(vec!["the host can't write".into()]));
    talk.assert_said("Nothing is lost");
    talk.assert_said("the host can't write");
    talk.accepts = true;
    talk.types("b\n");

    assert_eq!(talk.answer()["answers"], json!([{"id": "db", "selected": ["Postgres"]}]));
}

#[test]
fn a_line_that_the_terminal_cut_or_that_is_no_text_is_told() {
    let mut talk = Talk::about(R2);

    talk.bytes(b"t caf\xe9").assert_said("not UTF-8");
    let long = format!("t {}", "x".repeat(4093));
    talk.bytes(long.as_bytes()).assert_said("4095 bytes");
    talk.types("t ab\u{1b}[D\u{1b}[Cc").assert_said("Your text: abc");
}

/// The line that makes this draft of one question hold what the case says.
fn lines_of(operation: &Value, talk: &Talk, index: usize) -> Option<String> {
    let question = &talk.plain.dialog().request().questions[index];
    let draft = talk.plain.dialog().draft().get(index);
    Some(match operation["op"].as_str().unwrap() {
        "choose" => {
            let option = question.label_index()[operation["label"].as_str().unwrap()];
            let sign = if question.multi_select && draft.is_chosen(option) { "-" } else { "" };
            format!("{sign}{}", option + 1)
        }
        "type" => match operation["text"].as_str().unwrap() {
            "" => "d".to_owned(),
            // What changes nothing is typed in no field; a line would say that the text counts.
            text if text == draft.custom() => String::new(),
            // No line holds it.
            blank if blank.trim().is_empty() => return None,
            text if text.contains('\n') => format!("d\nt\n{text}\n."),
            text => format!("t {text}"),
        },
        "toggleCustom" => "m".to_owned(),
        "skip" if draft.is_skipped() => String::new(),
        "unskip" if !draft.is_skipped() => String::new(),
        "skip" | "unskip" => "s".to_owned(),
        "chooseAll" => "a".to_owned(),
        "chooseNone" => "n".to_owned(),
        "openCustom" => "t".to_owned(),
        "closeCustom" => ".".to_owned(),
        other => panic!("unknown operation {other}"),
    })
}

#[test]
fn vectors_drafts_by_lines() {
    let mut done = 0;
    'cases: for case in cases(Kind::Draft) {
        let request = json!({ "questions": case.value["questions"] });
        let mut talk = Talk::about(&request.to_string());
        let mut writing = false;
        for operation in case.value["operations"].as_array().unwrap() {
            let id = operation["question"].as_str().unwrap();
            let questions = &talk.plain.dialog().request().questions;
            let index = questions.iter().position(|question| question.id == id).unwrap();
            let op = operation["op"].as_str().unwrap();
            let allows = questions[index].allow_custom;
            if op == "type" && writing {
                // In the field already: the lines themselves.
                talk.types(".");
                writing = false;
            }
            if writing && op != "closeCustom" {
                talk.types(".");
                writing = false;
            }
            if !writing {
                talk.types(&format!("r\n{}", index + 1));
            }
            if op == "closeCustom" && !writing {
                continue;
            }
            let Some(lines) = lines_of(operation, &talk, index) else { continue 'cases };
            writing = op == "openCustom" && allows;
            if !lines.is_empty() {
                talk.types(&lines);
            }
        }
        if writing {
            talk.types(".");
        }
        check(&case, &mut talk);
        done += 1;
    }
    assert!(done > 20, "only {done} cases");
}

#[track_caller]
fn check(case: &Case, talk: &mut Talk) {
    let expect = &case.value["expect"];
    let kept = expect.get("kept").is_some();
    talk.types("r\n");
    if kept && expect.get("incomplete").is_none() {
        talk.assert_said("not be sent");
        talk.types("w");
    }
    match expect.get("answer") {
        Some(answer) => assert_eq!(*answer, talk.answer(), "{}\n{}", case.place(), talk.page),
        None => {
            talk.assert_said("Still open");
            talk.assert_pending();
        }
    }
}

#[test]
fn vectors_answers_by_lines() {
    let mut done = 0;
    for case in cases(Kind::Answer) {
        let Some(accepted) = case.value["expect"].get("accept") else { continue };
        let request = json!({ "questions": case.value["questions"] });
        let mut talk = Talk::about(&request.to_string());
        for (index, answer) in accepted["answers"].as_array().unwrap().iter().enumerate() {
            talk.types(&format!("r\n{}", index + 1));
            let labels = talk.plain.dialog().request().questions[index].clone();
            let labels = labels.label_index();
            let selected = answer["selected"].as_array().unwrap().iter();
            let numbers: Vec<String> =
                selected.map(|label| (labels[label.as_str().unwrap()] + 1).to_string()).collect();
            let custom = answer.get("custom").and_then(Value::as_str);
            if numbers.is_empty() && custom.is_none() {
                talk.types("s");
            }
            if !numbers.is_empty() {
                talk.types(&numbers.join(" "));
            }
            if let Some(custom) = custom {
                talk.types(&format!("r\n{}\nt\n{custom}\n.", index + 1));
            }
        }
        talk.types("r\n");
        assert_eq!(*accepted, talk.answer(), "{}\n{}", case.place(), talk.page);
        done += 1;
    }
    assert!(done > 10, "only {done} cases");
}
