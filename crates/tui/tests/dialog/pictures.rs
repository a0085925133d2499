//! What the dialog looks like, at the sizes that people have.

use std::time::Duration;

use askwell_core::messages::Lang;
use askwell_core::text::width;
use askwell_tui::DialogOptions;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scenario::{R1, R2, R3, Scenario};

const RELEASE: &str = r##"{"questions":[{"id":"targets","header":"Scope","question":"Where should this ship?","detail":"The change touches `core::draft` and its vectors. Everything ticked is released **together**.","multiSelect":true,"options":[{"label":"Code","description":"Tag and publish the crates."},{"label":"Docs (Recommended)","description":"Rebuild the site in both languages, so that the command line page shows the new flags and the old links keep working."},{"label":"Container"}]},{"id":"when","question":"When?","options":[{"label":"Now"},{"label":"Tonight"}]}],"context":"# So far\n\nAll tests pass.\n","asker":{"name":"claude-code","cwd":"~/src/askwell"}}"##;

const SIZES: [(u16, u16); 4] = [(30, 8), (40, 12), (80, 24), (120, 40)];

/// A picture at each size, each named by it.
fn at_every_size(name: &str, request: &str, steps: fn(&mut Scenario)) {
    for (columns, rows) in SIZES {
        let mut it = Scenario::at(request, columns, rows);
        steps(&mut it);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), it.screen());
    }
}

#[test]
fn a_multi_select_with_the_caret_in_the_field() {
    at_every_size("multi_field", RELEASE, |it| {
        it.keys("<space>c").types("Release notes, but only after Mara has read them");
        it.wait(Duration::from_secs(1));
    });
}

#[test]
fn a_single_choice_over_kept_text() {
    at_every_size("single_kept", R1, |it| {
        it.keys("c").types("in memory").keys("<esc>2");
    });
}

#[test]
fn a_review_of_answers_texts_and_skips() {
    at_every_size("review", R3, |it| {
        it.keys("2<enter>").keys("1c").types("more\nlines").keys("<esc><space><tab><esc>s");
    });
}

#[test]
fn the_prompt_for_text_that_would_stay_behind() {
    at_every_size("unsent", RELEASE, |it| {
        it.keys("1c").types("Release notes").keys("<esc><space><enter><enter><enter>");
    });
}

#[test]
fn the_question_before_cancelling() {
    at_every_size("leave", RELEASE, |it| {
        it.keys("1<esc>");
    });
}

#[test]
fn the_help() {
    at_every_size("help", R2, |it| {
        it.keys("?");
    });
}

#[test]
fn everything_about_a_question() {
    at_every_size("reader", RELEASE, |it| {
        it.keys("<down>o");
    });
}

#[test]
fn in_chinese() {
    let mut it = Scenario::chinese(RELEASE);
    it.keys("2c").types("发布说明，等 Mara 看过之后");
    insta::assert_snapshot!("chinese_field_80x24", it.screen());
    it.keys("<esc><space><enter><enter><enter>");
    insta::assert_snapshot!("chinese_unsent_80x24", it.screen());
}

#[test]
fn in_ascii_without_colour() {
    let options = DialogOptions { ascii: true, no_color: true, ..DialogOptions::default() };
    let mut it = Scenario::with(RELEASE, 80, 24, options);
    it.wait(Duration::from_secs(1)).keys("2");
    insta::assert_snapshot!("ascii_80x24", it.screen());
}

#[test]
fn b034_a_long_detail_scrolls_while_the_options_stay() {
    let detail: Vec<String> = (1..=120).map(|line| format!("line {line}  \n")).collect();
    let options = json!([{"label": "A"}, {"label": "B"}, {"label": "C"}]);
    let request = json!({"questions": [{"id": "q", "question": "Which?", "detail": detail.concat(), "options": options}]});
    let mut it = Scenario::at(&request.to_string(), 100, 30);
    it.assert_shows("of 120 · PgDn/PgUp").assert_shows("PgDn scroll").assert_shows("3 C");
    let blank = it.screen().lines().filter(|row| row.is_empty()).count();
    assert_eq!(blank, 0, "free rows are used first:\n{}", it.screen());
    for _ in 0..10 {
        it.keys("<pgdn>");
    }
    it.assert_shows("line 120").assert_shows("–120 of 120").assert_shows("1 A").assert_shows("3 C");
    it.keys("<pgup>").assert_lacks("line 120");
}

#[test]
fn b034_a_detail_without_a_row_has_a_key_on_the_screen() {
    let options = json!([{"label": "A"}, {"label": "B"}, {"label": "C"}]);
    let request = json!({"questions": [{"id": "q", "question": "Go?", "detail": "WARNING", "options": options}]});
    let mut it = Scenario::at(&request.to_string(), 30, 8);
    it.assert_lacks("WARNING").assert_shows("o details");
    it.keys("o").assert_shows("WARNING");
}

#[test]
fn the_field_with_the_caret_is_seen_in_the_lowest_window() {
    let mut it = Scenario::at(R1, 20, 5);
    it.keys("c").types("mine").assert_shows("mine");
    let (column, row) = it.cursor();
    assert!(it.row(row.into()).contains("mine") && column == 13, "{column}\n{}", it.screen());
}

#[test]
fn b035_a_long_answer_wraps_and_the_caret_stays_in_sight() {
    let mut it = Scenario::at(R1, 60, 20);
    let text = "0123456789 ".repeat(46).trim_end().to_owned();
    it.keys("c").types(&text);
    for keys in ["<home>", "<end>", "<left>", "<up>", "<up>", "<home>"] {
        it.keys(keys);
        let (column, row) = it.cursor();
        assert!(column < 60 && row < 18, "{keys}: caret at {column},{row}\n{}", it.screen());
        assert!(it.row(row.into()).contains("0123456789"), "{}", it.screen());
    }
    it.keys("<enter>");
    assert_eq!(it.answer()["answers"][0]["custom"], text.as_str());
}

fn many(count: usize) -> String {
    let options: Vec<Value> =
        (1..=count).map(|number| json!({"label": format!("Option {number}")})).collect();
    json!({"questions": [{"id": "q", "question": "Which?", "options": options}]}).to_string()
}

#[test]
fn b036_a_window_of_options_follows_the_highlight() {
    let mut it = Scenario::at(&many(60), 80, 12);
    it.assert_shows("1 Option 1").assert_shows("↓ 5");
    for _ in 0..59 {
        it.keys("j");
        let row = it.row_of("▸");
        assert_eq!(usize::from(it.cursor().1), row);
    }
    it.assert_shows("▸ ( )   Option 60").assert_shows("↑ 5").assert_lacks("↓ ");
    for _ in 0..59 {
        it.keys("k");
    }
    it.assert_shows("▸ ( ) 1 Option 1").assert_shows("↓ 5").assert_lacks("↑ 5");
    assert_eq!(it.screen(), Scenario::at(&many(60), 80, 12).screen(), "no residue");
    it.resize(80, 50);
    let options = it.screen().matches("Option").count();
    assert!(options >= 42, "all free rows are used:\n{}", it.screen());
}

#[test]
fn b045_long_labels_leave_no_ghosts() {
    let label = |letter: &str| letter.repeat(100);
    let options = json!([{"label": label("a")}, {"label": label("b")}, {"label": label("c")}]);
    let request =
        json!({"questions": [{"id": "q", "question": "Which?", "options": options}]}).to_string();
    let mut it = Scenario::at(&request, 40, 20);
    let before = it.screen();
    for _ in 0..20 {
        it.keys("<down>k");
    }
    it.keys("<home>");
    assert_eq!(it.screen(), before);
    assert_eq!(it.screen().matches("Which?").count(), 1);
    let shown = it.screen().matches('a').count();
    assert!(shown >= 100, "a wrapped label is shown whole:\n{}", it.screen());
}

#[test]
fn b046_any_number_of_resizes_keeps_everything() {
    let mut it = Scenario::asking(R3);
    it.keys("2<enter>").keys("1c").types("more, in several words");
    let fresh = |it: &Scenario, columns, rows| {
        let mut fresh = Scenario::at(R3, columns, rows);
        fresh.keys("2<enter>").keys("1c").types("more, in several words");
        fresh.wait(Duration::from_secs(1));
        assert_eq!(it.screen(), fresh.screen());
    };
    it.wait(Duration::from_secs(1));
    let mut seed = 7u32;
    for _ in 0..30 {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let columns = 30 + (seed >> 16) % 171;
        let rows = 8 + (seed >> 8) % 53;
        it.resize(u16::try_from(columns).unwrap(), u16::try_from(rows).unwrap());
    }
    for (columns, rows) in SIZES {
        it.resize(columns, rows);
        fresh(&it, columns, rows);
    }
    it.keys("<enter>").types("askwell").keys("<enter><enter>");
    assert_eq!(it.answer()["answers"][1]["custom"], "more, in several words");
}

#[rstest]
#[case(1, 1)]
#[case(2, 3)]
#[case(5, 2)]
#[case(9, 4)]
#[case(300, 3)]
#[case(3, 100)]
fn a_window_of_any_size_is_drawn_without_a_panic(#[case] columns: u16, #[case] rows: u16) {
    for keys in ["", "c", "<enter>", "o", "?", "<esc>", "<esc>c", "z", "/", "r", "sr"] {
        let mut it = Scenario::at(RELEASE, columns, rows);
        it.keys(keys).assert_pending();
    }
}

#[test]
fn b086_the_hardware_cursor_is_on_the_highlighted_row_or_at_the_caret() {
    let mut it = Scenario::asking(R1);
    for label in ["Postgres", "SQLite", "DuckDB"] {
        assert_eq!(usize::from(it.cursor().1), it.row_of(label));
        it.keys("j");
    }
    it.keys("c").types("own");
    assert_eq!(it.cursor(), (9 + 3, u16::try_from(it.row_of("own")).unwrap()));
    it.keys("<esc><esc>");
    assert_eq!(usize::from(it.cursor().1), it.row_of("Go on answering"));
    it.keys("<down>");
    assert_eq!(usize::from(it.cursor().1), it.row_of("Cancel all questions"));
}

#[test]
fn b090_the_status_line_counts_what_is_chosen() {
    let mut it = Scenario::asking(R2);
    it.assert_shows("nothing entered yet");
    it.keys("12").assert_shows("2 selected");
    it.keys("1").assert_shows("1 selected");
}

#[test]
fn b092_every_state_shows_without_colour() {
    let options = DialogOptions { no_color: true, ..DialogOptions::default() };
    let mut it = Scenario::with(R2, 80, 24, options);
    it.wait(Duration::from_secs(1)).keys("1<down>");
    it.assert_shows("  [x] 1 Auth").assert_shows("▸ [ ] 2 Search").assert_shows("  [ ] 3 Export");
    it.keys("<tab>").assert_pending();
}

#[test]
fn b095_wide_labels_line_up() {
    let labels = ["資料庫遷移", "検索🔍", "Ａ全角", "résumé", "👩‍💻 dev"];
    let options: Vec<Value> = labels.iter().map(|label| json!({"label": label})).collect();
    let question =
        json!({"id": "q", "question": "哪些？", "multiSelect": true, "options": options});
    let mut it = Scenario::at(&json!({ "questions": [question] }).to_string(), 60, 20);
    it.keys("a");
    for (index, label) in labels.iter().enumerate() {
        let row = it.row(it.row_of(label));
        let at = row.find(label).unwrap();
        assert_eq!(width(&row[..at]), 9, "{row}");
        assert!(row.contains(&format!("[x] {} ", index + 1)), "{row}");
    }
    it.keys("<enter>");
    assert_eq!(it.answer()["answers"][0]["selected"], json!(labels));
}

#[rstest]
#[case("👨‍👩‍👧‍👦")]
#[case("e\u{301}")]
fn b096_clusters_are_never_split_and_the_label_returns_whole(#[case] cluster: &str) {
    let label = cluster.repeat(40);
    let request = json!({"questions": [{"id": "q", "header": label, "question": "Which?", "options": [{"label": label}]}]});
    for columns in 10..=14 {
        let mut it = Scenario::at(&request.to_string(), columns, 12);
        for row in it.screen().lines().filter(|row| row.contains(cluster)) {
            assert_eq!(row.replace(cluster, "").find('\u{200d}'), None, "{row:?}");
        }
        it.keys("<enter>");
        assert_eq!(it.answer()["answers"][0]["selected"][0], label.as_str());
    }
}

#[test]
fn b101_the_cursor_is_at_the_caret_by_display_width() {
    let mut it = Scenario::at(R1, 30, 20);
    it.keys("c").types("日本");
    let row = u16::try_from(it.row_of("日本")).unwrap();
    assert_eq!(it.cursor(), (9 + 4, row));
    it.keys("<left>");
    assert_eq!(it.cursor(), (9 + 2, row));
    it.keys("<end>").types("語語語語語語語語語");
    assert_eq!(it.cursor(), (9 + 2, row + 1), "{}", it.screen());
}

#[test]
fn b102_no_wide_character_is_lost_at_the_wrap() {
    let question = format!("{}一二三", "a".repeat(79));
    for (question, columns) in
        [(question, 82), ("一二三四五六七八九十".repeat(5), 21), ("一二三".repeat(9), 33)]
    {
        let request = json!({"questions": [{"id": "q", "question": question}]}).to_string();
        let it = Scenario::at(&request, columns, 24);
        let shown: String = it.screen().chars().filter(|it| question.contains(*it)).collect();
        let wide = |text: &str| text.chars().filter(|it| width(&it.to_string()) == 2).count();
        assert!(wide(&shown) >= wide(&question), "{columns}:\n{}", it.screen());
    }
}

#[test]
fn b103_a_long_header_is_cut_and_its_full_text_reachable() {
    let header = "A very long header that goes on and on, word after word, to the bitter end";
    let request = json!({"questions": [{"id": "q", "header": header, "question": "Which?", "options": [{"label": "A"}]}]});
    let mut it = Scenario::asking(&request.to_string());
    it.assert_shows("…").assert_lacks("bitter end");
    it.keys("o").assert_shows("bitter end");
}

#[test]
fn b126_no_control_byte_of_the_asker_reaches_the_screen() {
    let evil = "\u{1b}[2J\u{1b}[H\u{1b}]52;c;aGk=\u{7}\u{1b}]8;;http://x\u{1b}\\\u{1b}]0;t\u{7}\u{9b}31m\u{8}\r\u{0}\u{202e}x";
    let request = json!({
        "questions": [
            {"id": "q", "header": evil, "question": evil, "detail": evil, "options": [{"label": evil, "description": evil, "preview": evil}, {"label": "B"}]},
            {"id": "r", "question": evil},
        ],
        "context": evil,
        "asker": {"name": evil, "cwd": evil, "session": evil, "chain": [evil]},
    });
    for keys in ["", "o", "o<pgdn>", "1r", "1<enter>", "<esc>", "c", "/"] {
        let mut it = Scenario::asking(&request.to_string());
        it.keys(keys);
        let screen = it.screen();
        let stray = screen.chars().find(|it| (it.is_control() && *it != '\n') || *it == '\u{202e}');
        assert_eq!(stray, None, "after {keys:?}:\n{screen:?}");
        it.assert_shows("␛");
    }
    let mut it = Scenario::asking(&request.to_string());
    it.keys("<enter>").types("x").keys("<enter><enter>");
    assert_eq!(it.answer()["answers"][0]["selected"][0], evil, "the label returns as it was sent");
}

#[test]
fn asker_words_cannot_pass_for_our_own_lines() {
    let fake = "Enter send · Esc leave · ? help";
    let request =
        json!({"questions": [{"id": "q", "question": fake, "options": [{"label": fake}]}]});
    let it = Scenario::asking(&request.to_string());
    let rows: Vec<String> = it.screen().lines().map(str::to_owned).collect();
    assert!(rows[0].starts_with(" askwell asks"));
    assert!(rows[21].starts_with(" nothing entered yet") || rows[20].starts_with(" nothing"));
    assert!(it.row_of(fake) > 0);
}

#[test]
fn the_countdown_warns_in_words() {
    for (lang, words) in [(Lang::En, "0:59 left!"), (Lang::Zh, "仅剩 0:59！")] {
        let deadline = Some(Duration::from_millis(60_900));
        let options = DialogOptions { deadline, lang, ..DialogOptions::default() };
        let mut it = Scenario::with(R1, 80, 24, options);
        it.wait(Duration::from_secs(2)).assert_shows(words);
    }
}

#[test]
fn a_long_question_is_whole_in_the_reading_pane() {
    let words: Vec<String> = (0..200).map(|word| format!("word{word}")).collect();
    let question = words.join(" ");
    let request =
        json!({"questions": [{"id": "q", "question": question, "options": [{"label": "A"}]}]});
    let mut it = Scenario::asking(&request.to_string());
    let mut seen = it.screen();
    for _ in 0..10 {
        it.keys("<pgdn>");
        seen.push_str(&it.screen());
    }
    let missing: Vec<&String> = words.iter().filter(|word| !seen.contains(*word)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

#[test]
fn a_label_that_looks_like_another_one_is_remarked_on() {
    let request = r#"{"questions":[{"id":"q","question":"Which?","options":[{"label":"payments"},{"label":"refunds"},{"label":"p\u0430yments","description":"the new one"}]}]}"#;
    let scenario = Scenario::asking(request);

    let row = scenario.row_of("p\u{430}yments");
    assert_eq!(scenario.row(row + 1).trim(), "(looks like option 1)");
    assert_eq!(scenario.row(row + 2).trim(), "the new one");
    assert_eq!(scenario.screen().matches("looks like").count(), 1);
}
