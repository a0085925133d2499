//! One draft on two screens: what is typed here stands, theirs can be taken, and both are kept.

use askwell_core::draft::DraftState;
use askwell_core::messages::Lang;
use askwell_tui::{DialogOptions, Effect, Event};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::scenario::{R1, R2, R3, Scenario};

fn state(id: &str, chosen: &[&str], custom: &str) -> DraftState {
    DraftState {
        id: id.to_owned(),
        chosen: chosen.iter().map(|label| (*label).to_owned()).collect(),
        custom: custom.to_owned(),
        custom_on: !custom.is_empty(),
        skipped: false,
    }
}

impl Scenario {
    fn elsewhere(&mut self, base: DraftState, state: DraftState) -> &mut Self {
        self.event(Event::DraftElsewhere { base, state });
        self.draw();
        self
    }
}

#[test]
fn a_focused_field_keeps_its_text_and_theirs_is_taken_and_given_back() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("mine");

    it.elsewhere(state("db", &[], ""), state("db", &[], "theirs"));

    it.assert_shows("Your text here stands").assert_shows("Ctrl-T take theirs");
    // The notice stays while one types.
    it.types(" too")
        .assert_shows("Elsewhere: «theirs» · Ctrl-T takes that")
        .assert_shows("mine too");
    it.keys("<c-t>").assert_shows("Yours is kept; Ctrl-T takes it back").assert_shows("theirs");
    it.assert_lacks("mine too");
    it.types("!").assert_shows("Yours is kept: «mine too»");
    it.assert_shows("Ctrl-T take yours back");
    it.keys("<c-t>").assert_shows("mine too");
    it.keys("<c-t>").assert_shows("theirs!");
    it.keys("<c-t><enter>");

    let expected = json!({"answers": [{"id": "db", "selected": [], "custom": "mine too"}]});
    assert_eq!(it.answer(), expected, "what this screen shows is sent");
}

#[test]
fn in_chinese_it_is_said_as_well() {
    let options = DialogOptions { lang: Lang::Zh, ..DialogOptions::default() };
    let mut it = Scenario::with(R1, 80, 24, options);
    it.wait(std::time::Duration::from_millis(400)).keys("c").types("我的");

    it.elsewhere(state("db", &[], ""), state("db", &[], "别人的")).types("。");

    it.assert_shows("别处：«别人的» · Ctrl-T 换成它").assert_shows("Ctrl-T 换成别处的");
    it.keys("<c-t>").types("！").assert_shows("你的内容已保留：«我的。» · Ctrl-T 换回");
}

#[test]
fn what_was_taken_from_is_kept_though_they_go_on_writing() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("mine");
    it.elsewhere(state("db", &[], ""), state("db", &[], "theirs")).keys("<c-t>");

    it.elsewhere(state("db", &[], "theirs"), state("db", &[], "theirs, longer"));

    it.assert_shows("Your text here stands");
    it.keys("<c-t>").assert_shows("theirs, longer");
    it.keys("<c-t>").assert_shows("mine").assert_lacks("longer\n");
    it.keys("<c-t>").assert_shows("theirs");
    it.keys("<c-t>").assert_shows("theirs, longer");
}

#[test]
fn a_swap_is_saved_and_what_it_replaces_is_kept_there() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("mine");
    let theirs = state("db", &[], "theirs");
    it.elsewhere(state("db", &[], ""), theirs.clone()).keys("<c-t>");
    it.wait(std::time::Duration::from_secs(1));
    it.effects.clear();

    it.keys("<c-t>").wait(std::time::Duration::from_secs(1));

    let [Effect::Merged(merged), Effect::SaveDraft(entered)] = it.effects.as_slice() else {
        panic!("{:?}", it.effects);
    };
    assert_eq!((&merged.theirs, merged.conflict), (&theirs, true));
    assert_eq!(entered.states, [state("db", &[], "mine")]);
}

#[test]
fn an_empty_field_that_has_the_caret_is_not_written_into() {
    let mut it = Scenario::asking(R1);
    it.keys("c");

    it.elsewhere(state("db", &[], ""), state("db", &["SQLite"], "theirs"));

    it.assert_shows("Ctrl-T take theirs").assert_lacks("(•) 2");
    it.keys("<enter>").assert_pending();
    it.keys("<c-t>").assert_shows("theirs");
    it.types(".").assert_lacks("Ctrl-T");
}

#[test]
fn ticks_of_both_stand_beside_a_text_that_is_kept() {
    let mut it = Scenario::asking(R2);
    it.keys("1c").types("mine");

    it.elsewhere(state("feat", &[], ""), state("feat", &["Export"], "theirs"));
    it.assert_shows("[x] 1 Auth").assert_shows("[x] 3 Export").assert_shows("mine");
    it.keys("<enter>");

    let selected = json!(["Auth", "Export"]);
    let expected = json!({"answers": [{"id": "feat", "selected": selected, "custom": "mine"}]});
    assert_eq!(it.answer(), expected);
}

#[test]
fn a_question_that_is_not_shown_is_named_and_its_notice_waits_there() {
    let mut it = Scenario::asking(R3);
    it.keys("c").types("mine").keys("<tab>").assert_shows("Which features?");

    it.elsewhere(state("db", &[], ""), state("db", &[], "theirs"));

    it.assert_shows("Changed elsewhere: Which database?");
    it.keys("<down>").assert_lacks("Ctrl-T");
    it.keys("<s-tab>").assert_shows("Elsewhere: «theirs»");
    it.keys("<c-t>").assert_shows("theirs");
}

#[test]
fn a_question_without_a_text_of_this_screen_is_taken_over() {
    let mut it = Scenario::asking(R1);

    it.elsewhere(state("db", &[], ""), state("db", &["SQLite"], ""));
    it.assert_shows("Updated from elsewhere.").assert_shows("(•) 2 SQLite");
    it.keys("<c-t>");

    it.assert_shows("Nothing else was entered here").assert_shows("(•) 2 SQLite");
}

#[test]
fn a_field_that_was_only_looked_at_follows_when_it_is_left() {
    let mut it = Scenario::asking(R1);
    it.elsewhere(state("db", &[], ""), state("db", &[], "begun there"));
    it.keys("c");
    it.elsewhere(state("db", &[], "begun there"), state("db", &[], "changed there"));
    it.assert_shows("begun there").assert_shows("Ctrl-T take theirs");

    it.keys("<esc>").assert_shows("changed there").assert_lacks("begun there");

    it.assert_shows("Updated from elsewhere.").assert_lacks("Ctrl-T");
}

#[test]
fn a_field_that_was_emptied_here_does_not_follow() {
    let mut it = Scenario::asking(R1);
    it.elsewhere(state("db", &[], ""), state("db", &[], "x")).keys("c<backspace>");
    it.elsewhere(state("db", &[], "x"), state("db", &[], "xy"));

    it.keys("<esc>").assert_shows("Write your own answer").assert_shows("Elsewhere: «xy»");
}

#[test]
fn it_is_told_in_the_help_where_there_are_other_screens() {
    for (stays_pending, there) in [(true, true), (false, false)] {
        let options = DialogOptions { stays_pending, ..DialogOptions::default() };
        let mut it = Scenario::with(R1, 80, 40, options);
        it.wait(std::time::Duration::from_millis(400)).keys("?");
        assert_eq!(it.shows("Ctrl-T: take what another screen"), there);
    }
}

#[test]
fn a_text_that_the_host_has_kept_can_be_taken_back_by_the_next_screen() {
    let kept = ["mine", "in memory"].map(|text| ("db".to_owned(), text.to_owned()));
    let options = DialogOptions {
        draft: vec![state("db", &[], "keep it in memory")],
        kept: kept.to_vec(),
        stays_pending: true,
        ..DialogOptions::default()
    };
    let mut it = Scenario::with(R1, 80, 24, options);
    it.wait(std::time::Duration::from_millis(400));
    it.assert_shows("Yours is kept: «mine» · Ctrl-T takes it back · your text");

    it.keys("<c-t>").assert_shows("▸ (•)   mine");
    it.keys("<c-t>");

    it.assert_shows("▸ (•)   keep it in memory");
}

#[test]
fn that_a_draft_is_not_saved_is_told_before_all() {
    let mut it = Scenario::asking(R1);
    it.saves = Err("the disk is full".to_owned());
    it.keys("c").types("mine");
    it.elsewhere(state("db", &[], ""), state("db", &[], "theirs"));

    it.types("!").wait(std::time::Duration::from_secs(1));

    it.assert_shows("not saved yet: the disk is full · Elsewhere: «theirs»");
}

#[test]
fn b117_a_text_that_is_only_a_piece_of_a_word_of_theirs_is_not_theirs() {
    let mut it = Scenario::asking(R1);
    it.keys("c").types("ok").keys("<esc>");

    it.elsewhere(state("db", &[], "ok"), state("db", &[], "a token"));

    it.assert_shows("▸ (•)   ok").assert_shows("Ctrl-T take theirs");
}
