//! Choosing, writing, skipping, going on and sending.

use std::time::Duration;

use askwell_tui::{Effect, Event};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scenario::{R1, R2, R3, Scenario};

fn one(id: &str, selected: &[&str]) -> Value {
    json!({"answers": [{"id": id, "selected": selected}]})
}

fn with_text(id: &str, selected: &[&str], custom: &str) -> Value {
    json!({"answers": [{"id": id, "selected": selected, "custom": custom}]})
}

#[test]
fn b002_text_beside_ticks_arrives() {
    let mut it = Scenario::asking(R2);
    it.keys("<space><down><down><space>c").types("also SSO").keys("<enter>");
    assert_eq!(it.answer(), with_text("feat", &["Auth", "Export"], "also SSO"));
}

#[test]
fn b003_text_alone_is_an_answer_to_a_multi_select() {
    let mut it = Scenario::asking(R2);
    it.keys("c").types("none of these, see ticket").keys("<enter>");
    assert_eq!(it.answer(), with_text("feat", &[], "none of these, see ticket"));
}

#[rstest]
#[case::send_without_the_text("w", one("db", &["SQLite"]))]
#[case::send_my_text("t", with_text("db", &[], "a long text"))]
fn b004_kept_text_is_asked_about_before_sending(#[case] key: &str, #[case] sent: Value) {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("a long text").keys("<esc><up><up><enter>");
    it.assert_shows("would not be sent").assert_shows("a long text");
    it.keys("<enter><enter>").assert_pending().assert_shows("would not be sent");
    it.keys(key);
    assert_eq!(it.answer(), sent);
    assert_eq!(it.dialog.draft().get(0).custom(), "a long text");
}

#[test]
fn b004_back_from_the_prompt_keeps_everything_and_it_asks_again() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("text").keys("<esc><up><enter>b");
    it.assert_pending().assert_shows("not sent");
    it.keys("<enter>").assert_shows("would not be sent").assert_pending();
}

#[test]
fn b005_enter_in_an_empty_field_stays_and_says_so() {
    let mut it = Scenario::asking(R3);
    it.keys("<enter>").assert_shows("Which features?");
    it.keys("c<enter>").assert_pending().assert_shows("Nothing written yet");
    it.keys("<esc><enter>").assert_pending().assert_shows("Nothing entered yet");
    assert!(it.dialog.draft().get(0).is_chosen(0));
}

#[test]
fn b010_free_text_is_never_turned_into_the_highlighted_option() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("keep it in memory").keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "keep it in memory"));
}

#[test]
fn b013_all_does_nothing_where_one_may_be_chosen() {
    let mut it = Scenario::asking(R1);
    it.keys("a").assert_shows("Only one option").assert_pending();
    assert!(it.dialog.draft().is_untouched());
}

#[test]
fn b014_an_other_of_the_asker_is_an_ordinary_label() {
    let request = r#"{"questions":[{"id":"t","question":"Tone?","options":[{"label":"Formal"},{"label":"Other"},{"label":"Something else"}]}]}"#;
    let mut it = Scenario::asking(request);
    it.assert_shows("Write your own answer");
    it.keys("2<enter>");
    assert_eq!(it.answer(), one("t", &["Other"]));
}

#[test]
fn b015_the_same_wording_twice_is_two_answers() {
    let request = r#"{"questions":[{"id":"a","question":"Keep?","detail":"file A","options":[{"label":"Yes"},{"label":"No"}]},{"id":"b","question":"Keep?","detail":"file B","options":[{"label":"Yes"},{"label":"No"}]}]}"#;
    let mut it = Scenario::asking(request);
    it.keys("<enter>").assert_shows("file B");
    it.keys("<down><enter><enter>");
    let sent =
        json!({"answers": [{"id": "a", "selected": ["Yes"]}, {"id": "b", "selected": ["No"]}]});
    assert_eq!(it.answer(), sent);
}

#[test]
fn b017_an_unknown_intent_is_an_ordinary_question() {
    let request = r#"{"questions":[{"id":"go","question":"Go?","intent":{"kind":"approval"},"options":[{"label":"Ship it"},{"label":"Hold"}]}]}"#;
    let mut early = Scenario::with(request, 80, 24, askwell_tui::DialogOptions::default());
    early.reads(b"\r").assert_pending();
    let mut it = Scenario::asking(request);
    it.keys("<down><enter>");
    assert_eq!(it.answer(), one("go", &["Hold"]));
}

#[test]
fn b025_every_question_takes_an_own_text_unless_the_asker_forbids() {
    let mut it = Scenario::asking(R3);
    it.keys("c").types("Redis").keys("<enter>");
    it.keys("c").types("Billing").keys("<enter>").keys("<esc>s").assert_shows("Review");
    it.keys("<enter>");
    let sent = json!({"answers": [
        {"id": "db", "selected": [], "custom": "Redis"},
        {"id": "feat", "selected": [], "custom": "Billing"},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(it.answer(), sent);
}

#[rstest]
#[case("4444")]
#[case("15:00")]
#[case("1. first")]
fn b026_digits_are_text_in_a_field(#[case] text: &str) {
    let mut it = Scenario::asking(R1);
    it.keys("c").types(text).keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], text));
}

#[test]
fn b027_a_digit_chooses_and_stays() {
    let mut it = Scenario::asking(R1);
    it.keys("2").assert_pending().assert_shows("(•) 2 SQLite");
    it.keys("9").assert_shows("(•) 2 SQLite").assert_pending();
    it.keys("<enter>");
    assert_eq!(it.answer(), one("db", &["SQLite"]));

    let mut it = Scenario::asking(R2);
    it.keys("2").assert_shows("[x] 2 Search").assert_shows("▸ [x] 2 Search");
    it.keys("2").assert_shows("[ ] 2 Search").assert_pending();
}

#[test]
fn b027_ten_options_leave_one_unambiguous() {
    let mut it = Scenario::asking(&many(12, true));
    it.keys("1").assert_shows("[x] 1 Option 1").assert_pending();
    assert_eq!(it.dialog.draft().get(0).sent(&it.dialog.request().questions[0]).count(), 1);
}

fn many(count: usize, multi: bool) -> String {
    let options: Vec<Value> =
        (1..=count).map(|number| json!({"label": format!("Option {number}")})).collect();
    let question =
        json!({"id": "q", "question": "Which?", "multiSelect": multi, "options": options});
    json!({ "questions": [question] }).to_string()
}

#[test]
fn b030_b031_early_keys_change_nothing_and_later_ones_count() {
    let mut it = Scenario::with(R1, 80, 24, askwell_tui::DialogOptions::default());
    it.reads(b"hello world\n").assert_pending().assert_shows("Keys count in a moment");
    for key in [&b"\r"[..], b"1", b"\x1b[B", b"\x1b", b"\r", b"2", b" ", b"\r"] {
        it.wait(Duration::from_millis(100)).reads(key);
    }
    it.assert_pending();
    assert!(it.dialog.draft().is_untouched());
    it.wait(Duration::from_secs(1)).assert_lacks("Keys count in a moment");
    it.keys("2<enter>");
    assert_eq!(it.answer(), one("db", &["SQLite"]));
}

#[test]
fn b040_space_is_text_in_a_field() {
    let mut it = Scenario::asking(R2);
    it.keys("c").types("a b  c").keys("<enter>");
    assert_eq!(it.answer(), with_text("feat", &[], "a b  c"));
}

#[test]
fn b041_a_release_does_nothing_and_a_repeat_moves() {
    let mut it = Scenario::asking(R2);
    // The kitty protocol tells press (1), repeat (2) and release (3) apart.
    it.reads(b"\x1b[13;1:3u").assert_pending();
    it.reads(b"\x1b[1;1:1B").reads(b"\x1b[1;1:3B").assert_shows("▸ [ ] 2 Search");
    it.reads(b"\x1b[1;1:2B").assert_shows("▸ [ ] 3 Export");
    it.reads(b"\x1b[32;1:1u").reads(b"\x1b[32;1:3u").assert_shows("▸ [x] 3 Export");
    it.reads(b"\x1b[97;1:1u").reads(b"\x1b[97;1:3u").assert_shows("4 selected");
    it.reads(b"\x1b[13;1:1u");
    assert_eq!(it.answer(), one("feat", &["Auth", "Search", "Export", "Audit"]));
}

#[rstest]
#[case::alt_enter("<a-enter>")]
#[case::shift_enter("<s-enter>")]
#[case::ctrl_j("<c-j>")]
fn b049_a_key_breaks_the_line(#[case] key: &str) {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("a").keys(key).types("b");
    it.assert_pending().assert_shows("Alt-Enter");
    it.keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "a\nb"));
}

#[test]
fn b050_a_written_text_finishes_with_one_key() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("own").keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "own"));
}

#[test]
fn b051_the_footer_names_the_keys_that_tick_and_send() {
    let mut it = Scenario::asking(R2);
    it.assert_shows("Space tick").assert_shows("Enter send");
    it.keys("<space><down><space><tab><tab>").assert_pending().assert_shows("Which features?");
    it.keys("<enter>");
    assert_eq!(it.answer(), one("feat", &["Auth", "Search"]));
}

#[test]
fn b052_going_back_finds_everything_as_it_was_left() {
    let mut it = Scenario::asking(R3);
    it.keys("<down><enter>").keys("<space>c").types("more").keys("<enter>").types("askwell");
    it.keys("<s-tab><s-tab>").assert_shows("▸ (•) 2 SQLite");
    it.keys("1<tab>").assert_shows("[x] 1 Auth").assert_shows("more");
    it.keys("<tab><enter>").assert_shows("Review before sending").assert_shows("Postgres");
    it.keys("<enter>");
    let sent = json!({"answers": [
        {"id": "db", "selected": ["Postgres"]},
        {"id": "feat", "selected": ["Auth"], "custom": "more"},
        {"id": "name", "selected": [], "custom": "askwell"},
    ]});
    assert_eq!(it.answer(), sent);
}

#[test]
fn b053_all_and_none_leave_the_text_alone() {
    let mut it = Scenario::asking(&many(15, true));
    it.keys("c").types("x").keys("<esc><up>a").keys("<home><space><enter>");
    let labels: Vec<String> = (2..=15).map(|number| format!("Option {number}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    assert_eq!(it.answer(), with_text("q", &labels, "x"));

    let mut it = Scenario::asking(&many(15, true));
    it.keys("an<enter>").assert_pending().assert_shows("Nothing entered yet");
}

#[test]
fn b094_keys_of_one_read_never_answer_the_next_question() {
    let mut it = Scenario::asking(R3);
    it.keys("c").reads("한\r1 \r\r".as_bytes());
    it.assert_pending().assert_shows("Which features?").assert_shows("typed ahead");
    assert_eq!(it.dialog.draft().get(0).custom(), "한");
    assert!(it.dialog.draft().get(1).is_untouched());
}

#[test]
fn b098_backspace_in_thai_never_eats_the_character_before() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("กที่").keys("<backspace><backspace><backspace><enter>");
    assert_eq!(it.answer(), with_text("db", &[], "ก"));
}

#[rstest]
#[case::moving("<down><down><up>")]
#[case::into_the_field_and_out("c<esc>")]
#[case::reading("o<esc>?<esc>")]
#[case::leaving_and_staying("<esc><esc>")]
fn looking_changes_nothing(#[case] keys: &str) {
    let mut it = Scenario::asking(R1);
    it.keys("s<esc>").keys(keys).assert_pending();
    assert_eq!(
        it.dialog.draft().submit(it.dialog.request()).unwrap().as_slice()[0].selected,
        [""; 0]
    );
    assert!(it.dialog.draft().get(0).is_skipped());
}

#[test]
fn emptied_text_no_longer_overrides_the_choice() {
    let mut it = Scenario::asking(R1);
    it.keys("2c").types("x").assert_shows("( ) 2 SQLite");
    it.keys("<backspace>").assert_shows("(•) 2 SQLite");
    it.keys("<enter>");
    assert_eq!(it.answer(), one("db", &["SQLite"]));
}

#[test]
fn space_on_the_custom_row_switches_kept_text() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("mine").keys("<esc>1").assert_shows("[not sent]");
    it.keys("<down><down><down><esc><space>").assert_lacks("[not sent]");
    it.keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "mine"));
}

#[test]
fn enter_beside_the_choice_says_that_it_chooses_instead() {
    let mut it = Scenario::asking(R1);
    it.assert_shows("Enter choose, send");
    it.keys("2").assert_shows("Enter choose, send");
    it.keys("<up>").assert_shows("Enter choose this instead, send");
}

#[test]
fn the_prompt_says_whether_the_text_comes_beside_or_instead() {
    let mut it = Scenario::asking(R1);
    it.keys("c")
        .types("mine")
        .keys("<esc>1<enter>")
        .assert_shows("Send my text instead of the choice");
    let mut it = Scenario::asking(R2);
    it.keys("1c").types("mine").keys("<esc><space><enter>").assert_shows("Send my text too");
}

#[test]
fn the_review_shows_what_a_skip_keeps_back() {
    let mut it = Scenario::asking(R2);
    it.keys("13c").types("more").keys("<esc>s");
    it.assert_shows("skipped").assert_shows("not sent: Auth, Export, «more»");
}

#[test]
fn skip_goes_on_and_never_sends() {
    let mut it = Scenario::asking(R2);
    it.keys("<space>s")
        .assert_pending()
        .assert_shows("Review before sending")
        .assert_shows("skipped");
    it.keys("<enter>");
    assert_eq!(it.answer(), one("feat", &[]));

    let mut it = Scenario::asking(R2);
    it.keys("<space>s<esc>").assert_shows("Skipped");
    it.keys("s").assert_shows("1 selected");
    it.keys("<enter>");
    assert_eq!(it.answer(), one("feat", &["Auth"]));
}

#[test]
fn a_skip_over_written_text_is_asked_about() {
    let mut it = Scenario::asking(R2);
    it.keys("<space>c").types("more").keys("<esc>s<enter>").assert_shows("would not be sent");
    it.keys("t");
    assert_eq!(it.answer(), with_text("feat", &["Auth"], "more"));
}

#[test]
fn the_review_is_read_from_its_top_and_left_to_where_one_was() {
    let mut it = Scenario::asking(R3);
    it.keys("1<enter>1<enter>").types("Acme").keys("<enter>").assert_shows("Review before sending");
    it.assert_shows("▸ Which database?");
    it.keys("<esc>").assert_shows("Project name?").assert_lacks("Which database?");
    it.keys("<esc>r").assert_shows("▸ Which database?");
    it.keys("<down>e").assert_shows("[x] 1 Auth");
}

#[test]
fn the_review_skips_the_rest_after_one_confirmation() {
    let mut it = Scenario::asking(R3);
    it.keys("<enter>r").assert_shows("not answered");
    it.keys("<enter>").assert_pending().assert_shows("Still open: Which features?, Project name?");
    it.keys("rs").assert_shows("Skip 2 open questions?");
    it.keys("y").assert_pending();
    it.keys("<enter>");
    let sent = json!({"answers": [
        {"id": "db", "selected": ["Postgres"]},
        {"id": "feat", "selected": []},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(it.answer(), sent);
}

#[test]
fn a_filter_keeps_the_numbers_and_hides_the_rest() {
    let mut it = Scenario::asking(&many(30, true));
    it.keys("/").types("option 2").assert_shows("11 / 30");
    it.keys("<enter>").assert_shows("2 Option 2").assert_lacks("Option 3\n");
    it.keys("3").assert_shows("Option 3 is hidden by the filter").assert_pending();
    it.keys("2").assert_shows("[x] 2 Option 2");
    it.keys("a<esc><enter>");
    let labels = [2, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29].map(|it| format!("Option {it}"));
    assert_eq!(it.answer(), one("q", &labels.each_ref().map(String::as_str)));
}

#[test]
fn a_filter_takes_every_printable_key() {
    let mut it = Scenario::asking(&many(30, true));
    it.keys("/").types("s? c").assert_shows("/s? c").assert_shows("No option matches");
    it.keys("<esc>").assert_shows("Option 1").assert_pending();
}

#[test]
fn b010_what_a_filter_hides_is_never_sent() {
    let mut it = Scenario::asking(R1);
    it.keys("/").types("zzz").keys("<enter>").assert_shows("No option matches");
    it.reads(b"\r\r").assert_pending();
    it.keys("<enter><enter>").assert_pending();
    it.keys("<esc>").reads(b"/sql\r\r").assert_pending().assert_shows("▸ ( ) 2 SQLite");
    it.keys("<enter>");
    assert_eq!(it.answer(), one("db", &["SQLite"]));
}

#[test]
fn b094_nothing_of_one_read_reaches_the_next_question() {
    let free = r#"{"questions":[{"id":"a","question":"First?"},{"id":"b","question":"Second?","options":[{"label":"Postgres"}]},{"id":"c","question":"Third?"}]}"#;
    for bytes in ["abc\rcat", "abc\r\u{1b}[200~oops\u{1b}[201~", "abc\tcat", "abc\r \r", "abc\r1"] {
        let mut it = Scenario::asking(free);
        it.reads(bytes.as_bytes()).assert_pending().assert_shows("Second?");
        it.assert_shows("typed ahead");
        assert_eq!(it.dialog.draft().get(0).custom(), "abc");
        assert!(it.dialog.draft().get(1).is_untouched(), "{bytes:?}");
    }
}

#[test]
fn a_chord_with_enter_sends_nothing_from_the_list() {
    let mut it = Scenario::asking(R1);
    it.keys("<a-enter><s-enter>").assert_pending();
    it.keys("<esc><down><a-enter>").assert_pending().assert_shows("Leave these questions?");
}

#[test]
fn a_paste_where_there_is_no_field_is_told() {
    let mut it = Scenario::asking(R3);
    it.keys("r").pastes("lost?").assert_pending().assert_shows("Nothing was pasted");
}

#[test]
fn undo_puts_back_choices_and_never_text() {
    let mut it = Scenario::asking(R2);
    it.keys("<space><down><space>a").keys("c").types("more").keys("<esc><up>");
    it.keys("uu").assert_shows("2 selected");
    it.keys("u").assert_shows("1 selected").assert_shows("more");
    it.keys("uu").assert_shows("Nothing to undo");
    assert_eq!(it.dialog.draft().get(0).custom(), "more");
}

#[test]
fn a_pasted_enter_never_sends() {
    let mut it = Scenario::asking(R1);
    it.keys("c").pastes("first\r\nsecond\r").assert_pending();
    it.keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "first\nsecond"));

    let mut it = Scenario::asking(R1);
    it.pastes("2\r").assert_pending().assert_shows("2");
    it.keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "2"));
}

#[test]
fn j_stops_at_the_last_option_and_down_goes_into_the_field() {
    let mut it = Scenario::asking(R1);
    it.keys("jjjjj").assert_shows("▸ ( ) 3 DuckDB");
    it.keys("<down>").types("j").keys("<enter>");
    assert_eq!(it.answer(), with_text("db", &[], "j"));
}

#[test]
fn up_on_the_first_line_leaves_the_field() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("a").keys("<a-enter>").types("b").keys("<up>");
    it.keys("<up>").assert_shows("▸ ( ) 3 DuckDB");
}

#[test]
fn b039_sending_is_shown_and_a_refusal_loses_nothing() {
    let mut it = Scenario::asking(R2);
    it.accepts = false;
    it.keys("<space><enter>").assert_pending().assert_shows("Sending");
    it.keys("<space>x").assert_pending().assert_shows("Sending");
    it.event(Event::SubmitRejected(vec!["the store is read-only".to_owned()]));
    it.draw();
    it.assert_shows("the store is read-only").assert_shows("Nothing is lost");
    it.accepts = true;
    // The prompt came up by itself, so keys wait for a silence.
    it.reads(b"\r").assert_shows("the store is read-only");
    it.wait(Duration::from_millis(400)).keys("b<enter>");
    assert_eq!(it.answer(), one("feat", &["Auth"]));
}

#[test]
fn b105_large_batches_and_long_lists_answer_exactly() {
    let questions: Vec<Value> = (0..20)
        .map(|number| {
            let options: Vec<Value> =
                (0..4).map(|option| json!({"label": format!("{number}-{option}")})).collect();
            json!({"id": format!("q{number}"), "question": "Which?", "options": options})
        })
        .collect();
    let mut it = Scenario::asking(&json!({ "questions": questions }).to_string());
    for number in 0..20 {
        it.keys(&format!("{}<enter>", number % 4 + 1));
    }
    it.keys("<enter>");
    let sent: Vec<Value> = (0..20)
        .map(|number| json!({"id": format!("q{number}"), "selected": [format!("{number}-{}", number % 4)]}))
        .collect();
    assert_eq!(it.answer(), json!({ "answers": sent }));

    let mut it = Scenario::asking(&many(500, true));
    it.keys("<end><space><home><space><enter>");
    assert_eq!(it.answer(), one("q", &["Option 1", "Option 500"]));
}

#[test]
fn a_draft_is_saved_within_a_second_and_at_every_exit() {
    let saves = |it: &Scenario| {
        it.effects.iter().filter(|effect| matches!(effect, Effect::SaveDraft(_))).count()
    };
    let mut it = Scenario::asking(R2);
    it.keys("<space>");
    assert_eq!(saves(&it), 0);
    it.wait(Duration::from_millis(600)).assert_shows("draft saved");
    assert_eq!(saves(&it), 1);
    it.wait(Duration::from_secs(5));
    assert_eq!(saves(&it), 1, "nothing new, nothing saved");
    it.keys("<down><space><c-c>");
    assert_eq!(saves(&it), 2);
}
